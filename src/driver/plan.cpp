#include "driver/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cache/cache.h"
#include "driver/cache_place.h"
#include "driver/engine_files.h"
#include "host/files.h"
#include "report/writers.h"
#include "support/command_words.h"
#include "support/file.h"
#include "support/program_path.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

using support::shell_word;

// A shard should take minutes, and each links the program again; but several should be ready for the cores at any time.
constexpr std::size_t kUnitsOfShard = 500, kLeastShards = 8, kMostShards = 1000;

// The command line for a job: all but the program's name and the command.
std::string arguments_for_jobs(const Options& options) {
  std::string out;
  bool jobs = false, before_flags = true;
  for (std::size_t i = 2; i < options.arguments.size(); ++i) {
    const std::string& word = options.arguments[i];
    before_flags = before_flags && word != "--";
    jobs = jobs || (before_flags && (word.starts_with("-j") || word.starts_with("--jobs")));
    out += " " + shell_word(word);
  }
  return (jobs ? "" : " -j1") + out;  // Ninja starts as many jobs as there are cores
}

std::string database_of(const std::string& wish) {
  std::error_code ec;
  return fs::absolute(fs::is_directory(wish, ec) ? fs::path(wish) / "compile_commands.json" : fs::path(wish), ec)
      .string();
}

// What a shell does for the job that its variable `job` names: in the folder where the plan was made, with the same
// options.
std::string shell_job_command(const Options& options) {
  return fmt::format("{} {} --job \"$job\"{}", shell_word(support::program_folder() + "/reckon"),
                     shell_word(options.arguments[1]), arguments_for_jobs(options));
}

// The same as a value of a Ninja file, whose variable `job` names the job.
std::string ninja_job_command(const Options& options) {
  return fmt::format("{} {} --job $job{}", ninja_value(shell_word(support::program_folder() + "/reckon")),
                     ninja_value(shell_word(options.arguments[1])), ninja_value(arguments_for_jobs(options)));
}

// The jobs for Slurm: an array for the captures, then the link, which submits an array for each band of shards, and the
// report. A job that Slurm starts again does what is left of it.
std::string slurm_text(const frontends::Input& input, const Options& options, const PlanOptions& plan) {
  std::error_code ec;
  return fmt::format(R"(#!/bin/sh
# Written by `reckon plan`: `sh {0}/slurm.sh [OPTIONS OF SBATCH]` submits the jobs of the plan to Slurm.
set -eu
submit() {{ sbatch --parsable --requeue --kill-on-invalid-dep=yes --chdir={1} "$@" </dev/null; }}
plan={2}
case ${{1-}} in
  capture|record|link|shard|report)
    job=$1
    shift
    case $job in capture|record|shard) job=$job:$SLURM_ARRAY_TASK_ID ;; esac
    {3}
    [ "$job" = link ] || exit 0
    before=
    while read -r shards; do
      before=$(submit ${{before:+--dependency=afterok:$before}} --array="$shards" "$@" "$plan/slurm.sh" shard)
    done <"$plan/shards.bands"
    submit --dependency=afterok:"$before" "$@" "$plan/slurm.sh" report ;;
  *)
    captured=$(submit --array=0-{4} "$@" "$plan/slurm.sh" capture)
    recorded=$(submit --dependency=afterok:"$captured" --array=0-{4} "$@" "$plan/slurm.sh" record)
    submit --dependency=afterok:"$recorded" "$@" "$plan/slurm.sh" link "$@" ;;
esac
)",
                     plan.folder, shell_word(host::current_folder()),
                     shell_word(fs::absolute(plan.folder, ec).string()), shell_job_command(options),
                     batches_of(input, plan) - 1);
}

std::string ninja_text(const frontends::Input& input, const Options& options, const PlanOptions& plan) {
  const std::uint32_t batches = batches_of(input, plan);
  const std::string command =
      fmt::format("cd {} && $prefix {}", ninja_value(shell_word(host::current_folder())), ninja_job_command(options));
  std::string out = fmt::format(
      "# Written by `reckon plan`: `ninja -C {}` runs it.\n"
      "ninja_required_version = 1.10\n"
      "include site.ninja\n"
      "rule job\n"
      "  command = {}\n"
      "  description = $job\n"
      "  restat = 1\n"
      "rule capture\n"
      "  command = {}\n"
      "  description = $job\n"
      "  restat = 1\n"
      "  depfile = $out.d\n"
      "  deps = gcc\n",
      plan.folder, command, command);
  std::string databases, captures, records, shards, reports, specs;
  for (const std::string& wish : options.input.databases) databases += " " + ninja_path(database_of(wish));
  std::error_code ec;
  for (const std::string& file : options.analysis.specs) specs += " " + ninja_path(fs::absolute(file, ec).string());
  for (std::uint32_t k = 0; k < batches; ++k) {
    out += fmt::format("build capture-{0}.done: capture{1}\n  job = capture:{0}\n", k,
                       databases.empty() ? "" : " |" + databases);
    captures += fmt::format(" capture-{}.done", k);
  }
  for (std::uint32_t k = 0; k < batches; ++k) {
    out += fmt::format("build record-{0}.done: job{1}{2}\n  job = record:{0}\n", k, captures,
                       specs.empty() ? "" : " |" + specs);
    records += fmt::format(" record-{}.done", k);
  }
  // shards.dd comes first: Ninja takes up the outputs of a job in this order, and what waits for link.done must find
  // the graph complete.
  out += fmt::format("build shards.dd link.done | shards.bands: job{}\n  job = link\n", records);
  for (std::uint32_t k = 0; k < plan.shards; ++k) {
    out +=
        fmt::format("build shard-{0}.done: job link.done || shards.dd\n  job = shard:{0}\n  dyndep = shards.dd\n", k);
    shards += fmt::format(" shard-{}.done", k);
  }
  for (const ReportWish& wish : options.report.reports)
    if (!report::find_format(wish.format)->to_folder)
      reports += " " + ninja_path(fs::absolute(place_of(wish, plan), ec).string());
  out += "build shards: phony" + shards + "\n";
  out += fmt::format("build report.done{}{}: job{}\n  job = report\ndefault report.done\n", reports.empty() ? "" : " |",
                     reports, shards);
  return out;
}

}  // namespace

std::string not_planned(const Options& options) {
  if (options.report.fix) return "--fix";
  if (options.report.fix_dry_run) return "--fix-dry-run";
  if (!options.report.new_since.empty()) return "--new-since";
  if (!options.analysis.why_not.empty()) return "--why-not";
  if (!options.analysis.dump.empty()) return "--dump";
  return options.capture.no_cache ? "--no-cache" : "";
}

std::uint32_t batches_of(const frontends::Input& input, const PlanOptions& plan) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(input.commands.size(), 1, plan.shards));
}

std::string place_of(const ReportWish& wish, const PlanOptions& plan) {
  if (!wish.output.empty() && wish.output != "-") return wish.output;
  return plan.folder + "/report." + wish.format;
}

int write_plan(const frontends::Input& input, const Options& options, const PlanOptions& plan, host::Console& console) {
  std::string problem;
  if (!support::make_folders(plan.folder, problem)) {
    console.error(problem);
    return kExitUsage;
  }
  if (!put_site_file(plan.folder, console)) return kExitUsage;
  const nlohmann::json about = {{"capture", batches_of(input, plan)}, {"shards", plan.shards}};
  if (!put_file(plan.folder, "plan.json", about.dump() + "\n", console) ||
      !put_file(plan.folder, "slurm.sh", slurm_text(input, options, plan), console) ||
      !put_file(plan.folder, "build.ninja", ninja_text(input, options, plan), console))
    return kExitUsage;
  return kExitClean;
}

bool say_done(const PlanOptions& plan, std::string_view name, const std::string& what, host::Console& console) {
  return put_changed_file(plan.folder, name, what, console);
}

int tell_status(const std::string& folder, host::Console& console) {
  std::string text, problem;
  if (!host::read_file(folder + "/plan.json", text, problem)) {
    console.error(fmt::format("{}/plan.json: {}", folder, problem));
    return kExitUsage;
  }
  const nlohmann::json about = nlohmann::json::parse(text, nullptr, false);
  if (!about.is_object() || !about.value("capture", nlohmann::json()).is_number_unsigned() ||
      !about.value("shards", nlohmann::json()).is_number_unsigned()) {
    console.error(fmt::format("{}/plan.json is not what `reckon plan` writes", folder));
    return kExitUsage;
  }
  std::error_code ec;
  auto done = [&](const std::string& job) { return fs::exists(folder + "/" + job + ".done", ec); };
  auto count = [&](const char* kind, std::uint64_t all) {
    std::uint64_t n = 0;
    for (std::uint64_t k = 0; k < all; ++k) n += done(fmt::format("{}-{}", kind, k));
    return fmt::format("{}: {} of {} done", kind, n, all);
  };
  console.result(count("capture", about["capture"]));
  console.result(count("record", about["capture"]));
  console.result(fmt::format("link: {}", done("link") ? "done" : "not done"));
  console.result(count("shard", about["shards"]));
  console.result(fmt::format("report: {}", done("report") ? "done" : "not done"));
  return done("report") ? kExitClean : kExitIncomplete;
}

void check_in_jobs(const frontends::Input& input, Options& options, host::Console& console) {
  const std::size_t units = input.commands.size();
  if (!not_planned(options).empty() || !cache::Cache(cache_place(options.capture)).writable()) return;
  if (host::find_program("ninja").empty()) {
    console.detail(
        fmt::format("{} units in one process: there is no 'ninja' (package ninja-build) to run them in jobs", units));
    return;
  }
  const host::TempFolder folder;
  PlanOptions plan{folder.path(),
                   static_cast<std::uint32_t>(std::clamp(units / kUnitsOfShard, kLeastShards, kMostShards)), ""};
  Options jobs = options;
  jobs.arguments = {"reckon", "check", "--job-folder", plan.folder, "--job-shards", std::to_string(plan.shards)};
  jobs.arguments.insert(jobs.arguments.end(), options.arguments.begin() + 2, options.arguments.end());
  if (!folder.ok() || write_plan(input, jobs, plan, console) != kExitClean) return;
  if (const std::string problem = run_ninja(plan.folder, "shards", options); !problem.empty())
    console.warning(problem + "; what its jobs have not done is done here");
  options.analysis.shards = plan.shards;
}

}  // namespace reckon::driver
