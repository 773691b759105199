// GitLab's code quality report: a list of issues, one a finding.
#pragma once

#include <ostream>

#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

void write_gitlab(std::ostream& out, const Run& run, const WriterOptions& options);

}  // namespace reckon::report
