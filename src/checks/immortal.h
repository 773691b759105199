// Objects that nothing can free.
#pragma once

#include "report/finding.h"

namespace reckon::checks {

// A count of an object that nothing can free: wrong by contract, without effect.
inline void grade_immortal(report::Finding& f) {
  f.severity = report::Severity::Note;
  f.message += " (without effect, as it is immortal in this version)";
}

}  // namespace reckon::checks
