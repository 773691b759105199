// Repairs that are mechanical: a release before the statements that leave the function, a reference taken before a
// borrowed object is returned, a push or pop of a protection stack (repair_protect.h). Here the edits are made from the
// text of the source alone; whether they are right is for somebody else to try.
//
// Limits: the object must be a plain variable; a place that is no `return` and no end of a function, or that came from
// a macro, is left alone, and so is a `return` whose value is computed from the object.
#pragma once

#include <string>
#include <vector>

#include "report/finding.h"
#include "report/sources.h"

namespace reckon::report {

struct RepairWords {
  std::string release = {};          // "Py_DECREF"; "" if not known
  std::string release_or_null = {};  // "Py_XDECREF"
  std::string acquire = {};          // "Py_INCREF"
  std::string acquire_or_null = {};  // "Py_XINCREF"
  std::string protect = {};          // "PROTECT": around an expression
  std::string unprotect = {};        // "UNPROTECT": with a number
};

// Edits that may repair the finding in this way, the best guess first.
std::vector<Fix> propose_fixes(const Finding& finding, Repair repair, const RepairWords& words, Sources& sources);

// Would the one disturb the other? Two insertions at one place do not.
bool overlap(const Edit& a, const Edit& b);

// The text with edits of one file applied, none of which overlap.
std::string apply_edits(const SourceFile& source, std::vector<Edit> edits);

}  // namespace reckon::report
