// Headers that are not the project's: those of the compiler, of the system and of libraries installed there.
//
// The problem: inline functions and templates of such headers are analysed with the program, since callers need to know
// what they do, but what is wrong in them is not for the reader of this program's report. The method: a header counts
// as the system's if a flag of a compiler call says so (`-isystem` and its like), or if it lies outside the project: in
// none of the current folder, the folders of version control around the sources, and the folder of all sources with the
// one above it (`src/` beside `include/`). Files that are compiled are never among them, nor are files that no unit
// really read, such as those that `#line` names.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/capture_stage.h"
#include "frontends/builds/compdb.h"

namespace reckon::driver {

class SystemHeaders {
 public:
  SystemHeaders(const std::vector<frontends::Command>& commands, const Captured& captured, const std::string& base);

  bool contains(const std::string& file) const;  // absolute, as findings name it

 private:
  std::set<std::string, std::less<>> headers_;  // those that units read, without what is compiled itself
  std::vector<std::string> roots_, system_;     // folders of the project, and those that flags name
};

}  // namespace reckon::driver
