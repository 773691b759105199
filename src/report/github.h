// Findings as annotations of a GitHub job, and as its summary.
#pragma once

#include <ostream>

#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

// Workflow commands for standard output. GitHub shows ten of each level and step, so the most harmful come first and no
// more than it shows.
void write_github(std::ostream& out, const Run& run, const WriterOptions& options);

// Markdown for the file that GITHUB_STEP_SUMMARY names: every finding, the most harmful first, up to what GitHub takes.
void write_github_summary(std::ostream& out, const Run& run);

}  // namespace reckon::report
