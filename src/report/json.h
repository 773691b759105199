// Findings for scripts: one JSON object a line. docs/reports.md describes the fields.
#pragma once

#include <ostream>

#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

void write_json(std::ostream& out, const Run& run, const WriterOptions& options);

}  // namespace reckon::report
