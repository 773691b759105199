// What is to be captured: compiler calls, and what was said of others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frontends/builds/compdb.h"

namespace reckon::frontends {

struct Input {
  std::vector<Command> commands;
  std::vector<std::string> folders;    // absolute: whatever is compiled in them was asked for, not single files
  std::size_t unusable = 0;            // entries of the database that could not be used
  std::size_t other_languages = 0;     // entries that are not C or C++
  std::string empty_because;           // a filter has left nothing to do, which is fine; "" otherwise
  std::vector<std::string> not_known;  // of how the program is built, because nothing of it was run
  std::string build_failure;           // "failed with exit status 2": of the build that was recorded; "" otherwise
};

}  // namespace reckon::frontends
