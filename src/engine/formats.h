// Format strings of calls that parse or build objects: which argument each unit takes, and what it does to it.
// The grammar is the one shared by the `...parse` and `...build` kinds of the spec language (docs/specs.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace reckon::engine {

enum class UnitUse : std::uint8_t {
  Plain,      // a number, a string, a type: no object concerned
  Object,     // build: an object lent to the call; parse: an object is stored, lent by the caller's arguments
  Consumed,   // build: a reference is taken over, also when the call fails
  Converter,  // a function and what it is given: nothing known
  Buffer,     // parse: a buffer is acquired
  Interior,   // parse: a pointer into an argument is stored
};

struct FormatUnit {
  UnitUse use = UnitUse::Plain;
  char letter = 0;
  bool optional = false;        // parse: behind '|'
  std::uint32_t argument = 0;   // number among the variable arguments, from 0
};

// One entry per variable argument. `ok` is false if the format has a unit that does not exist.
std::vector<FormatUnit> parse_units(std::string_view format, bool& ok);
std::vector<FormatUnit> build_units(std::string_view format, bool& ok);

}  // namespace reckon::engine
