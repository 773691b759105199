// Findings as bytes, for a later run. Lines are kept relative to the function's, so that text above it may move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/finding.h"
#include "support/archive.h"

namespace reckon::report {

// The lines that move with a function: `base` is its first; 0: none do, because parts of it stand elsewhere.
void write_findings(support::Writer& out, std::vector<Finding>& findings, std::uint32_t base);
void read_findings(support::Reader& in, std::vector<Finding>& findings, std::uint32_t base);

// A place in a function.
void write_place(support::Writer& out, SourceLoc& place, std::uint32_t base);
void read_place(support::Reader& in, SourceLoc& place, std::uint32_t base);

}  // namespace reckon::report
