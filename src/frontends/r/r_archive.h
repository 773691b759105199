// Archives of packages, unpacked with care: they may come from a stranger.
#pragma once

#include <string>

namespace reckon::frontends {

// Unpacks a local archive into an existing, empty folder. Only regular files and folders come out; links, devices and
// pipes are left out. An archive with more than 100,000 members or 1 GiB of content is refused. "", or what is wrong.
std::string unpack_archive(const std::string& archive, const std::string& folder);

// Why unpack_archive() would refuse it, by its list alone; "" if it would not.
std::string complaint_about_archive(const std::string& archive);

// Removes everything else below a folder, so that nothing in it leads elsewhere.
void leave_files_and_folders(const std::string& folder);

}  // namespace reckon::frontends
