// What a spec and the C prototype of its function must agree on.
#pragma once

#include <cstdint>
#include <vector>

#include "specs/spec_set.h"

namespace reckon::specs {

struct Prototype {
  enum class Returns : std::uint8_t { Void, Integer, Pointer, Other };  // Other: a struct, a float
  Returns returns = Returns::Void;
  std::vector<bool> param_is_pointer;  // one for each parameter
  bool variadic = false;
};

// Contradictions between the two, each once, at the spec's place. A pattern need not name every parameter.
std::vector<SpecError> check_against(const FunctionSpec& spec, const Prototype& prototype);

}  // namespace reckon::specs
