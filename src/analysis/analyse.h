// The front door of the analysis: a linked program and specs in, findings out.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/context.h"
#include "analysis/shards.h"
#include "analysis/why_not.h"
#include "checks/collections.h"
#include "checks/static_checks.h"
#include "engine/summaries/pack.h"
#include "program/program.h"
#include "report/run.h"
#include "specs/spec_set.h"
#include "symbolic/smt.h"

namespace reckon::analysis {

// What earlier runs left behind, and what this one leaves to the next.
struct Earlier {
  std::string environment;        // stands for the specs in force and the version of the analysis
  std::vector<std::string> kept;  // by unit, "" if there is nothing
  // Filled by analyse():
  std::vector<std::pair<program::UnitId, std::string>> fresh;  // to be kept instead
  std::vector<program::UnitId> damaged;                        // could not be read
};

// How far the analysis is, for another thread to look at.
struct Progress {
  std::atomic<std::size_t> done{0}, total{0};  // functions
};

// What was computed of a function, for those who show it to people.
struct FunctionOutcomes {
  std::string name;  // display name
  std::string file;  // absolute
  std::uint32_t line = 0, col = 0;
  bool known = false;    // callers know it, too; else it was cut short, or outcomes were merged away
  bool pointer = false;  // the result is one
  bool runs_code = false;
  std::vector<std::string> params;
  std::vector<specs::Outcome> outcomes;
};

struct Options {
  unsigned jobs = 1;
  std::vector<std::string> check_globs;  // empty: all checks; "-GLOB" leaves out
  std::string only_function;
  bool free_threaded = false;        // judge the program as one that runs without a global lock
  std::vector<std::string> domains;  // empty: as each unit's headers and calls say
  AskedLine why_not;                 // line 0: nobody asks
  std::string dump;         // "summary", "states": outcomes of functions, or the states at their ends, into dump_text
  checks::Scripts scripts;  // that belong to the program
  bool full_path = false;
  bool collections = false;             // where garbage may be collected into Analysis::collections
  bool pack = false;                    // outcomes of all functions into Analysis::pack
  bool outcomes = false;                // and of those that were analysed into Analysis::outcomes
  bool smt = true;                      // ask the solver about findings
  Earlier* earlier = nullptr;           // nullptr: every function is analysed
  const ShardRecords* known = nullptr;  // what processes found out that analysed a part of this program each
  bool pack_known = false;              // also of those that a spec describes: what their bodies do
  Progress* progress = nullptr;
};

struct Analysis {
  std::vector<report::Finding> findings;           // sorted
  std::vector<report::FunctionCoverage> coverage;  // all functions, by file and line
  engine::SmtFigures smt;
  report::CountClasses classes;
  std::size_t reused = 0;  // functions whose answer came from an earlier run
  std::string dump_text;
  engine::Pack pack;
  std::vector<FunctionOutcomes> outcomes;
  std::set<std::string> domains;  // that units belong to
  report::Collections collections;
  std::vector<specs::SpecError> source_errors;  // attributes in the program that say what cannot be read
};

Analysis analyse(const program::Program& program, const specs::SpecSet& specs, const Options& options);

// How the program is cut into `count` shards.
Shards shards_of(const program::Program& program, const specs::SpecSet& specs, const Options& options,
                 std::size_t count);

// What a shard leaves to others, for ShardRecords::add. Findings are not filtered yet. `read`: gives what another shard
// left; what it does not know is analysed here as well.
std::string analyse_shard(const program::Program& program, const specs::SpecSet& specs, const Options& options,
                          std::size_t count, std::uint32_t shard,
                          const std::function<bool(std::uint32_t, std::string&)>& read);

}  // namespace reckon::analysis
