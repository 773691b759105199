// One round over one function: which looks are taken at it, and which of them gives the answer.
//
// The problem: a look that keeps all paths apart makes nothing up but does not end in long functions; one that joins
// states ends, but joins may make up a path that nobody can take. The method is a ladder: cheap looks first, and a
// further one only where the one before did not end, or where there is something to report that joins may have made up.
// The table in looks.cpp is the ladder. Where there is something to report and ranges could not decide a branch, the
// look that gives the answer is taken once more with the solver.
//
// Limits: all looks are bounded in steps (support/limits.h). If none of those that keep more apart ends, the answer is
// that of the look by property, with less confidence.
#pragma once

#include <functional>
#include <vector>

#include "analysis/context.h"
#include "analysis/kept_results.h"
#include "engine/executor.h"
#include "symbolic/smt.h"

namespace reckon::analysis {

// What the events of a look come to; `joined`: joins may have made them up, since no look path by path ended. Possibly
// called from several threads at once.
using Judge = std::function<std::vector<report::Finding>(const Executor&, const FunctionResult&, bool joined)>;

// What a round came to.
struct Round {
  bool changed = false;  // callers see something new
  bool told = false;     // the record says all there is to say, as long as no callee changes
  bool spent = false;    // the steps were used up
};

// Which round it is.
struct Turn {
  bool last = true;         // false: a callee within the recursion may change yet, so dear looks can wait
  bool for_callers = true;  // false: callers go by the function's spec, and only its findings count
};

// `smt` may be null. Fills context.summaries[f] (if for callers) and, if all is told, `record`.
Round look_at(Context& ctx, FuncId f, const Turn& turn, const Judge& judge, Smt* smt, FunctionRecord& record);

}  // namespace reckon::analysis
