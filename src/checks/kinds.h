// The checks, one a file of kinds/. kinds.def lists them.
#pragma once

#include "checks/check.h"

namespace reckon::checks {

#define CHECK(name) extern const Check name;
#include "checks/kinds.def"
#undef CHECK

}  // namespace reckon::checks
