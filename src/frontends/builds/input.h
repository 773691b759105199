// What is to be captured: compiler calls, and what was said of others.
#pragma once

#include <cstddef>
#include <vector>

#include "frontends/builds/compdb.h"

namespace reckon::frontends {

struct Input {
  std::vector<Command> commands;
  std::size_t unusable = 0;         // entries of the database that could not be used
  std::size_t other_languages = 0;  // entries that are not C or C++
};

}  // namespace reckon::frontends
