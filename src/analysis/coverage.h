// How far the analysis got with each function.
#pragma once

#include <vector>

#include "analysis/context.h"
#include "analysis/schedule.h"
#include "report/run.h"

namespace reckon::analysis {

// All functions, by file and line.
std::vector<report::FunctionCoverage> coverage_of(const Context& ctx, const std::vector<FunctionReport>& reports);

report::CountClasses classes_of(const Context& ctx, const std::vector<FunctionReport>& reports);

}  // namespace reckon::analysis
