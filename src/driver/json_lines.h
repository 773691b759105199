// Findings for scripts: one JSON object a line.
#pragma once

#include <ostream>
#include <span>

#include "report/finding.h"

namespace reckon::driver {

void write_json_lines(std::ostream& out, std::span<const report::Finding> findings);

}  // namespace reckon::driver
