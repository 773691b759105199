// Repairs of objects that a collector takes unless they are protected: a push that is missing, a pop that takes too
// much or too little. As in repair.h these are proposals; whether one is right is tried elsewhere.
#pragma once

#include "report/repair.h"
#include "report/repair_text.h"

namespace reckon::report {

std::vector<Fix> propose_protection(const Finding& finding, Repair repair, const RepairWords& words,
                                    const RepairText& text);

}  // namespace reckon::report
