// Format strings of calls that parse, build or print objects: which argument each unit takes, and what it does to it.
// The grammars are those of the `...parse`, `...build` and `...print` kinds of the spec language (docs/specs.md).
#pragma once

#include <cstdint>
#include <string>
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

// What C type an argument must have. Parsing takes the address of such a thing, where not said otherwise.
enum class ArgKind : std::uint8_t {
  Number,    // an integer of `size` bytes
  Float,     // a floating point number of `size` bytes
  Text,      // a pointer to bytes
  WideText,  // a pointer to wide characters
  Length,    // int or a pointer-sized integer, as the program was compiled
  Object,    // a pointer to a counted object
  Type,      // parse: a pointer to a type object, not an address of one
  Function,  // a pointer to a function, not an address of one
  Encoding,  // parse: a pointer to bytes, not an address of one
  Struct,    // a struct of `size` bytes, always by address; 0: any size
  Any,       // a pointer to whatever the function before it wants
};

enum class IntSize : std::uint8_t { None, Byte, Short, Int, Long, LongLong, Pointer };

struct FormatUnit {
  UnitUse use = UnitUse::Plain;
  char letter = 0;
  bool optional = false;       // parse: behind '|'
  std::uint32_t argument = 0;  // number among the variable arguments, from 0
  ArgKind kind = ArgKind::Any;
  IntSize size = IntSize::None;  // Number; Float: Int for float, Long for double
  std::string_view text;         // the whole unit as written, "s#"; it points into the format
};

struct Format {
  std::vector<FormatUnit> units;  // one entry per variable argument
  std::uint32_t items = 0;        // parse: objects it takes apart, groups counted once
  std::string problem;            // not empty: what is wrong with it; `units` then ends there
};

Format read_parse_format(std::string_view format);
Format read_build_format(std::string_view format);
Format read_print_format(std::string_view format);

// The units only. `ok` is false if the format has a unit that does not exist.
std::vector<FormatUnit> parse_units(std::string_view format, bool& ok);
std::vector<FormatUnit> build_units(std::string_view format, bool& ok);

}  // namespace reckon::engine
