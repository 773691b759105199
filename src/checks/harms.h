// What findings of a check do to a running program, so that somebody who runs it knows what to look for.
#pragma once

#include <string_view>

#include "report/confirmation.h"

namespace reckon::checks {

// Of the check of this kind ("leak"), as harms.def says.
report::Harm harm_of(std::string_view kind);

}  // namespace reckon::checks
