// A fleet: many packages, each a job of its own, and one report over all.
//
//   job N    one package: unpacked, looked at, checked; leaves result.json and the reports in a folder of its own
//   report   all results become fleet.json and index.html
//
// The problem: of hundreds of packages some do not compile, hang, or need more memory than there is, and none of that
// may cost the others. The method: no scheduler of our own, as for plans (plan.h): the fleet is a file for Ninja and a
// script for Slurm, and each job is this program. A job starts the work as a process of its own, with limits of time
// and memory, waits for it, and writes down how it went; so a job ends well even if its package does not. A result
// appears whole or not at all, and says what it was made of: a job that finds it has nothing to do. Two engines that
// start the same job at once meet at a lock.
//
// Limits: of a package that is a folder, changes are not noticed.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/options.h"
#include "host/console.h"

namespace reckon::driver {

struct FleetOptions {
  std::string list;              // the packages
  std::string folder;            // --out
  std::string since;             // fleet.json of an earlier run
  std::string job;               // "N" or "report"; "": the fleet is to be written and run
  std::string r_include;         // headers of another R
  std::string python_include;    // headers of another Python
  std::uint32_t seconds = 1800;  // a package may take so long
  bool plan_only = false;
  bool allow_build = false;
  bool retry = false;     // do again what was not analysed
  bool confined = false;  // this process is the work of a job
};

// One line of the list.
struct FleetPackage {
  std::string name;                // for people
  std::string path;                // absolute
  std::string slug;                // name of its folder, below DIR/packages
  std::string kind;                // "r", "database", "python", "build"; "": whatever is found
  std::string build;               // the command that builds it
  std::vector<std::string> flags;  // for the compiler
};

// Reads the list. nullopt: the console has said why.
std::optional<std::vector<FleetPackage>> read_fleet_list(const std::string& path, host::Console& console);

// Writes what the engines and the jobs need. False: the console has said why.
bool write_fleet(const std::vector<FleetPackage>& packages, const FleetOptions& fleet, const Options& options,
                 host::Console& console);

// The packages, as write_fleet() has written them. nullopt: the console has said why.
std::optional<std::vector<FleetPackage>> read_fleet(const std::string& folder, host::Console& console);

// The files of a package.
std::string folder_of(const FleetOptions& fleet, const FleetPackage& package);
// What is known of a package: null if its job is not done.
nlohmann::json result_of(const std::string& folder);

// Job N: starts the work and writes down how it went. Returns an exit code for the engine.
int run_fleet_job(const FleetPackage& package, const FleetOptions& fleet, const Options& options,
                  host::Console& console);
// The work itself. Returns 0 if it is done, however it went.
int check_fleet_package(const FleetPackage& package, const FleetOptions& fleet, const Options& options,
                        host::Console& console);

// Puts all results together in fleet.json and index.html. Returns the exit code for people.
int report_fleet(const std::vector<FleetPackage>& packages, const FleetOptions& fleet, const Options& options,
                 host::Console& console);

}  // namespace reckon::driver
