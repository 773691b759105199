// The order of work: functions bottom-up over the call graph's components, independent ones in parallel,
// recursive ones until their outcomes no longer change.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/executor.h"

namespace reckon::engine {

struct FunctionReport {
  FuncId function = program::kNone;
  bool analysed = false;
  bool cut_short = false;
  std::string reason;
  std::uint32_t steps = 0;
};

// Called once per analysed function, after its last round, possibly from several threads at once.
using Visitor = std::function<void(const Executor&, const FunctionResult&)>;

// Should this function be analysed at all? Called before anything runs.
using Filter = std::function<bool(FuncId)>;

// Fills context.summaries. The result does not depend on `jobs`.
std::vector<FunctionReport> run_all(Context& context, unsigned jobs, const Filter& filter, const Visitor& visitor);

}  // namespace reckon::engine
