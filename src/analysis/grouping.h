// Which findings are one and the same mistake, and the order in which they are told.
#pragma once

#include <vector>

#include "report/finding.h"

namespace reckon::analysis {

// All wrong ends of one object's life in one function are one finding, with its further places.
void group_by_root_cause(std::vector<report::Finding>& findings);

// A total order, without repetitions: the report must not depend on which thread was first.
void put_in_order(std::vector<report::Finding>& findings);

// A bug in a macro is one bug, however often the macro is used; the same holds for a template and its instances.
// `findings` are in order.
void group_by_text(std::vector<report::Finding>& findings);

}  // namespace reckon::analysis
