// Checks that a unit is well formed: indices in range, blocks end in terminators, SSA definitions dominate
// uses, phis match predecessors, operand counts fit the instruction.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace reckon::model {

// One line per defect, naming function, block and instruction; empty: well formed.
std::vector<std::string> verify(const Unit& unit);

// The part of it that keeps readers of the unit from going out of bounds: everything but SSA form. Cheap, and said
// of every unit that decode() accepts.
bool well_shaped(const Unit& unit);

}  // namespace reckon::model
