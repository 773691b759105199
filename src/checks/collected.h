// Objects that a collector may have taken.
#pragma once

#include <cstdint>
#include <string>

#include "checks/check.h"

namespace reckon::checks {

// "f()", or "the call" if its name is not known.
std::string call_name(const View& v, model::InstrId instr);

// "made here", "no longer protected", "may be collected": adds to the path what leads to the use.
void explain_history(const View& v, report::Finding& f);

}  // namespace reckon::checks
