// section-leak: a critical section is begun and not ended.
//
// A section is a count with a name, so the rule of buffer_leak.cpp reports it: the count's name makes the id.

#include "checks/kinds.h"

namespace reckon::checks {

constinit const Check check_section_leak{
    .kind = "section-leak",
    .summary = "a critical section is begun and not ended",
    .grouping = Grouping::ByObject,
};

}  // namespace reckon::checks
