// What a call remembers somewhere without taking a reference.
#pragma once

#include <vector>

#include "specs/outcome.h"

namespace reckon::checks {

inline const std::vector<specs::Place>& kept_by(const specs::Outcome& o) { return o.escapes; }

}  // namespace reckon::checks
