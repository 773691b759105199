// What the command line says, in plain structs: one for each stage, and one for all. Options of a single command stand
// in that command's file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/static_checks.h"
#include "host/console.h"
#include "support/strong_hash.h"

namespace reckon::driver {

class Settings;

// Documented in --help and the manual.
enum ExitCode : int {
  kExitClean = 0,
  kExitFindings = 1,
  kExitUsage = 2,
  kExitIncomplete = 3,  // nothing could be analysed, or the build failed; with --strict: part could not be
  kExitInterrupted = 130,
};

// One --format with its --output.
struct ReportWish {
  std::string format = "text";
  std::string output;  // "" or "-": stdout
};

struct InputOptions {
  std::vector<std::string> databases;        // -p
  std::vector<std::string> usual_databases;  // of reckon.toml, where neither -p nor flags are given
  std::vector<std::string> files;
  bool skip_headers = false;          // files that are no sources are passed over, for hooks
  bool has_trailing = false;          // a `--` was given
  std::vector<std::string> trailing;  // what stood behind it: flags, or the build command
};

struct CaptureOptions {
  unsigned jobs = 1;
  std::string cache_dir;         // empty: the default folder
  std::string cache_key;         // the file that has
  support::Secret cache_secret;  // the secret of those who share the folder
  bool no_cache = false;
  std::uint64_t cache_size = 5ull << 30;
  double timeout = 120;
  std::optional<std::uint64_t> memory_limit_mib;  // of each process; none: what is customary
  // How many units are held in memory, where a command can do with fewer than all; the others are read from the cache
  // when they are asked for. None: as many as is customary.
  std::optional<std::size_t> units_in_memory;
  std::size_t plan_above = SIZE_MAX;  // with more units, jobs of Ninja do the work
};

struct AnalysisOptions {
  bool narrowed = false;  // the command line leaves checks or functions out
  std::vector<std::string> domains;
  std::vector<std::string> checks;
  std::string only_function;
  bool free_threaded = false;
  bool no_smt = false;
  std::vector<std::string> specs;
  std::string dump;
  std::string why_not;       // FILE:LINE
  std::uint32_t shards = 0;  // of a plan that has analysed the program: the cache has the results
  checks::Scripts scripts;   // of the package
};

struct ReportOptions {
  std::vector<ReportWish> reports;    // never empty
  std::string fail_on;                // "note", "low", "medium", "high", "never"; empty: as reckon.toml says, else note
  std::string confidence;             // least confidence of what is reported: "low", "medium", "high"; empty: medium
  std::string severity;               // least severity of what is reported: "note", "low", "medium", "high"
  std::vector<std::string> triggers;  // what findings may take to be reported: "normal", "memory", ...; empty: anything
  std::vector<std::string> places;    // when their functions may run: "run", "teardown", "init"; empty: at any time
  std::string baseline;
  std::string write_baseline;
  std::string changed_since;
  std::string new_since;
  bool offer_fixes = false;          // try repairs and tell those that work
  std::vector<std::string> overlay;  // FILE TEXT: the report reads TEXT where FILE is meant (for trying repairs)
  bool fix = false;
  bool fix_dry_run = false;
  bool full_path = false;
  bool system_headers = false;  // report what is found in headers that are not the project's, too
  std::string base;             // --root: paths are shown relative to it; empty: the current folder
};

struct Options {
  InputOptions input;
  CaptureOptions capture;
  AnalysisOptions analysis;
  ReportOptions report;

  std::string config;                        // empty: reckon.toml of this folder or the nearest above
  std::shared_ptr<const Settings> settings;  // never null once the command line is read
  std::vector<std::string> arguments;        // the whole command line, for reports that tell it
  bool strict = false;
  bool verbose = false;
  bool quiet = false;

  host::Verbosity verbosity() const {
    return quiet ? host::Verbosity::Quiet : verbose ? host::Verbosity::Verbose : host::Verbosity::Normal;
  }
};

}  // namespace reckon::driver
