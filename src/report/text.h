// The text writer: findings in the manner of a compiler, for people at a terminal and for editors that jump
// to file:line:col. The last block says what was found by check, and what was not analysed.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/finding.h"

namespace reckon::report {

struct TextOptions {
  bool colour = false;
  bool full_path = false;  // show steps that are not essential, too
  std::size_t width = 0;   // columns for source lines, 0: no limit
  std::string base;        // folder below which paths are shown relative; "" for none
};

// What the run covered, for the last block.
struct RunSummary {
  std::size_t units_compiled = 0;
  std::size_t units_from_cache = 0;
  std::vector<std::string> units_failed;  // "path: reason"
  std::size_t entries_unusable = 0;       // of the compilation database
  std::size_t entries_other_language = 0;
  bool analysed = true;  // false: the run stopped before the analysis
  std::size_t functions_full = 0;
  std::size_t functions_cut_short = 0;
  std::size_t functions_not_analysed = 0;
  std::vector<std::string> reasons;  // one line each, for what was cut short or not analysed
  std::size_t most_lines = 10;       // of each list; the rest is counted
};

// Order of all reports: file, line, column, check, and then everything else.
void sort_findings(std::vector<Finding>& findings);

void write_text(std::ostream& out, std::span<const Finding> findings, const TextOptions& options);
void write_summary(std::ostream& out, std::span<const Finding> findings, const RunSummary& summary,
                   const TextOptions& options);

// `path` relative to `base` if it is below it.
std::string shown_path(const std::string& path, const std::string& base);

}  // namespace reckon::report
