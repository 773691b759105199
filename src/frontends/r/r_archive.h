// Archives of R packages, unpacked with care: they may come from a stranger.
#pragma once

#include <string>

namespace reckon::frontends {

// Unpacks a local archive into an existing, empty folder. Only regular files and folders come out; links, devices and
// pipes are left out. An archive with more than 100,000 members or 1 GiB of content is refused. "", or what is wrong.
std::string unpack_archive(const std::string& archive, const std::string& folder);

}  // namespace reckon::frontends
