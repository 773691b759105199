// SARIF 2.1.0: one log, one run, as the OASIS standard describes it, within what GitHub code scanning accepts.
// docs/reports.md says which properties are used for what.
#pragma once

#include <cstddef>
#include <ostream>

#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

// What GitHub takes: a file above kMostResults is refused as a whole, of more than kShownResults it shows the first;
// of a result it shows so many flow steps and places.
inline constexpr std::size_t kMostResults = 25000;
inline constexpr std::size_t kShownResults = 5000;
inline constexpr std::size_t kMostFlowSteps = 1000;
inline constexpr std::size_t kMostPlaces = 100;

void write_sarif(std::ostream& out, const Run& run, const WriterOptions& options);

}  // namespace reckon::report
