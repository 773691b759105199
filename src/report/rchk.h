// Findings in the form in which CRAN publishes those of rchk, so that whoever reads these reads ours.
#pragma once

#include <ostream>

#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

void write_rchk(std::ostream& out, const Run& run, const WriterOptions& options);

}  // namespace reckon::report
