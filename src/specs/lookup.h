// The spec of a function of a program, which has two names: the linker's and, in C++, the one people write.
#pragma once

#include <string_view>

#include "specs/spec_set.h"

namespace reckon::specs {

// By the linker's name; else by `shown`, for specs of qualified C++ names (`a::b`, `a::*`). A spec of a plain name or
// pattern is for C functions, so it does not apply to what happens to be called alike in a namespace.
inline const FunctionSpec* find_function(const SpecSet& specs, std::string_view name, std::string_view shown) {
  if (const FunctionSpec* spec = specs.find(name)) return spec;
  if (shown == name || shown.find("::") == std::string_view::npos) return nullptr;
  const FunctionSpec* spec = specs.find(shown);
  return spec && spec->name.find("::") != std::string::npos ? spec : nullptr;
}

}  // namespace reckon::specs
