// The text writer: findings in the manner of a compiler, for people at a terminal and for editors that jump
// to file:line:col. The last block says what was found by check, and what was not analysed.
#pragma once

#include <ostream>

#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

// The findings that count, and the summary unless options.quiet.
void write_text(std::ostream& out, const Run& run, const WriterOptions& options);
void write_summary(std::ostream& out, const Run& run, const WriterOptions& options);

}  // namespace reckon::report
