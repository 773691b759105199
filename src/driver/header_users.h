// Which sources of a compilation database include a header, directly or through other headers, read from their #include
// lines: an editor asks when a header was saved, and most of these sources have not been looked at yet.
//
// Limits: conditions are not evaluated, and names that macros make are not seen; folders that a compiler searches
// without being told are left alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontends/builds/compdb.h"

namespace reckon::driver {

class HeaderUsers {
 public:
  explicit HeaderUsers(std::string header) : header_(std::move(header)) {}  // with links followed

  bool includes(const frontends::Command& command);

 private:
  // A file means the same to all calls with the same folders to search.
  using Folders = std::vector<std::string>;
  bool reaches(const std::string& file, const Folders& folders, std::map<std::string, bool>& known);
  std::string found(const std::string& name, const std::string& from, const Folders& folders);

  std::string header_;
  std::map<Folders, std::map<std::string, bool>> known_;
  std::map<std::string, std::string> real_;                // "": there is no such file
  std::map<std::string, std::vector<std::string>> names_;  // that a file includes
};

}  // namespace reckon::driver
