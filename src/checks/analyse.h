// The front door of the analysis: a linked program and specs in, findings out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/program.h"
#include "report/finding.h"
#include "specs/spec_set.h"

namespace reckon::checks {

struct Options {
  unsigned jobs = 1;
  std::vector<std::string> check_globs;  // empty: all checks; "-GLOB" leaves out
  std::string only_function;
  std::vector<std::string> domains;      // empty: as each unit's headers and calls say
  std::string dump;                      // "summary": outcomes of analysed functions into dump_text
  bool full_path = false;
};

struct Coverage {
  std::size_t full = 0, cut_short = 0, not_analysed = 0;
  std::size_t by_spec = 0;      // not looked into, because a spec says what they do
  std::size_t unconcerned = 0;  // in units that belong to no domain
  std::vector<std::string> reasons;  // one line per function cut short, and per reason for not analysing
};

struct Analysis {
  std::vector<report::Finding> findings;  // sorted
  Coverage coverage;
  std::string dump_text;
};

Analysis analyse(const program::Program& program, const specs::SpecSet& specs, const Options& options);

}  // namespace reckon::checks
