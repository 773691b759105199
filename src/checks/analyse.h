// The front door of the analysis: a linked program and specs in, findings out.
#pragma once

#include <string>
#include <vector>

#include "checks/collections.h"
#include "checks/static_checks.h"
#include "engine/pack.h"
#include "program/program.h"
#include "report/run.h"
#include "specs/spec_set.h"

namespace reckon::checks {

struct Options {
  unsigned jobs = 1;
  std::vector<std::string> check_globs;  // empty: all checks; "-GLOB" leaves out
  std::string only_function;
  bool free_threaded = false;            // judge the program as one that runs without a global lock
  std::vector<std::string> domains;      // empty: as each unit's headers and calls say
  std::string dump;                      // "summary": outcomes of analysed functions into dump_text
  std::vector<NativeCall> native_calls;  // of scripts that belong to the program
  bool full_path = false;
  bool collections = false;  // where garbage may be collected into Analysis::collections
  bool pack = false;  // outcomes of all functions into Analysis::pack
};

struct Analysis {
  std::vector<report::Finding> findings;  // sorted
  std::vector<report::FunctionCoverage> coverage;  // all functions, by file and line
  std::string dump_text;
  engine::Pack pack;
  std::vector<CollectionPoint> collections;
};

Analysis analyse(const program::Program& program, const specs::SpecSet& specs, const Options& options);

}  // namespace reckon::checks
