// The seam between the driver and the analysis (checks/analyse.h).
#pragma once

#if __has_include("checks/analyse.h")
#include "checks/analyse.h"
#define RECKON_HAS_ANALYSIS 1
#else
#include "program/program.h"
#include "report/finding.h"
#include "specs/spec_set.h"
#define RECKON_HAS_ANALYSIS 0

namespace reckon::checks {

struct Options {
  unsigned jobs = 1;
  bool use_smt = true;
  std::vector<std::string> check_globs;
  std::string only_function;
  std::vector<std::string> domains;
  std::string dump;
  bool full_path = false;
};
struct Coverage {
  std::size_t full = 0, cut_short = 0, not_analysed = 0;
  std::vector<std::string> reasons;
};
struct Analysis {
  std::vector<report::Finding> findings;
  Coverage coverage;
  std::string dump_text;
};
inline Analysis analyse(const program::Program& program, const specs::SpecSet&, const Options&) {
  Analysis result;
  result.coverage.not_analysed = program.num_functions();
  result.coverage.reasons.push_back("all functions: this build of reckon has no analysis");
  return result;
}

}  // namespace reckon::checks
#endif
