// Counts that two ways through a function change differently.
#pragma once

#include <string_view>

#include "checks/check.h"

namespace reckon::checks {

// What gives the count of an object without a name back may reach it in another way, and nobody could tell.
void grade_unnamed(const View& v, report::Finding& f);

// A finding that tells of both ways.
report::Finding pair_finding(const View& v, std::string_view kind);

}  // namespace reckon::checks
