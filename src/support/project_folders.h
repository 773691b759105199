// Which folders above us belong to the project at hand.
//
// What stands in a folder above (a compilation database, settings) says what is looked at and how, so what somebody
// else has put there is not taken: a search upwards ends at the root of the project, at a folder everybody may write
// to, and at a folder or a file of another owner than where it began (our own and root's are fine).
#pragma once

#include <sys/stat.h>

#include <filesystem>

namespace reckon::support {

// Does version control say that a project starts here?
bool starts_project(const std::filesystem::path& folder);

// May a file or folder above `start` be used?
bool is_trusted(const struct stat& above, const struct stat& start);

}  // namespace reckon::support
