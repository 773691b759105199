// What a bug takes to show, and when its function runs: the names of both, the words for readers, the order of reports.
#pragma once

#include <span>
#include <string>

#include "report/finding.h"

namespace reckon::report {

const char* name_of(Trigger trigger);  // "normal", "input", "outside", "race", "memory"
const char* name_of(Place place);      // "run", "teardown", "init"

std::span<const Trigger> all_triggers();
std::span<const Place> all_places();

// "when memory runs out, while things are set up"
std::string occasion_of(const Finding& finding);

// Puts what shows when nothing fails first, then what input brings about, and so on; within each, what runs often
// before what runs once. Equal ones stay as they are.
void sort_by_occasion(std::vector<Finding>& findings);

}  // namespace reckon::report
