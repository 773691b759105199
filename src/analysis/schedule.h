// Looks at all functions of a program: bottom-up over the components of the call graph, independent ones in parallel,
// recursive ones until their outcomes no longer change.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/context.h"
#include "analysis/kept_results.h"
#include "analysis/looks.h"
#include "analysis/shards.h"

namespace reckon::analysis {

struct FunctionReport {
  FuncId function = program::kNone;
  bool analysed = false;
  bool judged = false;  // by its spec, after all others: callers know nothing of what it does
  bool cut_short = false;
  bool reused = false;  // an earlier run's answer was taken over
  std::string reason;
  std::uint32_t steps = 0;
};

// Called once per analysed function with what it came to, in this run or an earlier one; possibly from several threads
// at once.
using Sink = std::function<void(FuncId, FunctionRecord)>;

// Should this function be analysed at all? Called before anything runs.
using Filter = std::function<bool(FuncId)>;

// Fills context.summaries. `kept` and `smt` may be null. The result depends neither on `jobs` nor on what `kept` and
// the part's records know. Of a part of the program, `sink` and the reports see its own functions only.
std::vector<FunctionReport> run_all(Context& context, unsigned jobs, const Filter& filter, const Judge& judge,
                                    const Sink& sink, KeptResults* kept, Smt* smt, const Part& part = {});

}  // namespace reckon::analysis
