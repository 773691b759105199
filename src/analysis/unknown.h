// What is still unknown in a program: functions that it calls and that nothing tells anything about.
//
// A function counts as unknown where no spec, no attribute and no body says what it does, and where it could matter: it
// gives a pointer, or is given one to a struct, to memory of no type or to another pointer. Calls through pointers are
// not counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::analysis {

struct UnknownFunction {
  std::string name;           // what people call it
  std::size_t calls = 0;      // in the program
  std::size_t functions = 0;  // that make these calls
};

// Those that most calls depend on come first. `forced`: domains that are on for every unit.
std::vector<UnknownFunction> unknown_functions(const program::Program& program, const specs::SpecSet& specs,
                                               const std::vector<std::string>& forced);

}  // namespace reckon::analysis
