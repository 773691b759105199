// Small questions that several learners ask.
#pragma once

#include <string>

#include "analysis/context.h"

namespace reckon::analysis {

// The `slot` line for an entry of a table: by the name of its field, or by the number that the row begins with.
const specs::SlotSpec* slot_of(const Context& ctx, const program::TableEntry& entry);

// Does the contract of a slot have this property? No slot promises nothing.
bool promises(const Context& ctx, const specs::SlotSpec* slot, bool specs::ContractFlags::* what);

// Did the unit read this header? `header` is the end of a path.
bool includes(const model::Unit& unit, const std::string& header);

}  // namespace reckon::analysis
