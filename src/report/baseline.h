// Baselines: the findings somebody has accepted, so that a run tells what is new. A text file, one line a finding:
//
//   # reckon baseline 1
//   FINGERPRINT CHECK FILE FUNCTION
//
// Only the fingerprint is compared; the rest is for people and for saying what has disappeared. FILE has no folders
// above the one reckon was started in, and blanks in it are written as %20.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/run.h"

namespace reckon::report {

struct BaselineEntry {
  std::string fingerprint, check, file, function;
};

struct Baseline {
  std::vector<BaselineEntry> entries;
  std::string error;  // "line 3: ..." if the text is no baseline
};

Baseline parse_baseline(std::string_view text);
// All findings that are not suppressed.
void write_baseline(std::ostream& out, const Run& run);

// Marks what the baseline knows. If `whole` (neither checks nor functions were left out), lists in run.disappeared the
// entries of files of this run that were not found again.
void apply_baseline(Run& run, const Baseline& baseline, bool whole);

}  // namespace reckon::report
