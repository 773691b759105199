// A plan: the analysis of a large program as a graph of jobs for Ninja.
//
//   capture-K  a batch of units becomes entries of the cache
//   record-K   the records of a batch become entries, too: what links and facts about the whole program are made of
//   link       all units are linked, and the program is cut into shards; says which shard waits for which
//   shard-K    one shard is analysed, with what the shards before it left in the cache
//   report     everything is put together, as `reckon check` would report it
//
// The problem: one process is one machine. The method: no scheduler of our own. The plan is a file for Ninja, each job
// is this program with the options of the plan and `--job`, and jobs meet in the cache. Which shard waits for which is
// known once the program is linked, so that part of the graph is a file that Ninja reads while it runs (dyndep). A job
// says that it is done by a file of its name, which appears when all else is written.
//
// Limits: the jobs need a common folder for the cache, and sources at the same paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/options.h"
#include "frontends/builds/input.h"
#include "host/console.h"

namespace reckon::driver {

struct PlanOptions {
  std::string folder;        // -o
  std::uint32_t shards = 8;  // --shards
  std::string job;  // --job: "capture:K", "record:K", "link", "shard:K", "report"; "": the plan is to be written
};

// What a plan cannot do: "" or the option.
std::string not_planned(const Options& options);

// How many batches the units are captured in.
std::uint32_t batches_of(const frontends::Input& input, const PlanOptions& plan);

// Where a report of the plan goes.
std::string place_of(const ReportWish& wish, const PlanOptions& plan);

// Writes the graph. Returns the exit code.
int write_plan(const frontends::Input& input, const Options& options, const PlanOptions& plan, host::Console& console);

// Says which jobs are done. Returns the exit code: 0 if all are.
int tell_status(const std::string& folder, host::Console& console);

// The file that says that a job is done, with the text `what`. Left alone if it says so already, so that Ninja sees
// that nothing has changed. False: the console has said why.
bool say_done(const PlanOptions& plan, std::string_view name, const std::string& what, host::Console& console);

// Runs plan.job. Returns an exit code for Ninja: 0 if the job is done, whatever was found.
int run_job(const Options& options, const PlanOptions& plan, host::Console& console);

// Of a program that has many units, Ninja does the work in the jobs of a plan, if there is Ninja, a cache, and no wish
// that a plan cannot fulfil. They leave all in the cache for a report, which `options` are told to make.
void check_in_jobs(const frontends::Input& input, Options& options, host::Console& console);

}  // namespace reckon::driver
