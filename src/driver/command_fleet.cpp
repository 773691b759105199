// reckon fleet LIST: checks many packages, each as a job of its own, and reports over all of them.
#include <fmt/core.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/engine_files.h"
#include "driver/fleet.h"
#include "host/files.h"
#include "support/file.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostSeconds = 1'000'000;

// What does not go with many packages: "" or the option.
std::string not_for_fleets(const Options& options) {
  if (!options.report.baseline.empty()) return "--baseline";
  if (!options.report.write_baseline.empty()) return "--write-baseline";
  if (!options.report.new_since.empty()) return "--new-since";
  if (!options.report.changed_since.empty()) return "--changed-since";
  if (!options.report.base.empty()) return "--root";
  if (!options.analysis.why_not.empty()) return "--why-not";
  if (!options.analysis.dump.empty()) return "--dump";
  for (const ReportWish& wish : options.report.reports)
    if (!wish.output.empty()) return "--output";
  return "";
}

int run_job(const FleetOptions& fleet, const Options& options, host::Console& console) {
  const auto packages = read_fleet(fleet.folder, console);
  if (!packages) return kExitUsage;
  if (fleet.job == "report") return report_fleet(*packages, fleet, options, console);
  std::size_t number = 0;
  const char* end = fleet.job.data() + fleet.job.size();
  const auto [rest, error] = std::from_chars(fleet.job.data(), end, number);
  if (error != std::errc() || rest != end || number >= packages->size()) {
    console.error(fmt::format("--job: the fleet has no job '{}'", fleet.job));
    return kExitUsage;
  }
  const FleetPackage& package = (*packages)[number];
  return fleet.confined ? check_fleet_package(package, fleet, options, console)
                        : run_fleet_job(package, fleet, options, console);
}

int work(const FleetOptions& fleet, const Options& options, host::Console& console) {
  if (fleet.folder.empty()) {
    console.error("where should the results go? reckon fleet --out FOLDER LIST");
    return kExitUsage;
  }
  if (const std::string option = not_for_fleets(options); !option.empty()) {
    console.error(fmt::format("{} does not go with a fleet, whose packages have reports of their own", option));
    return kExitUsage;
  }
  if (!fleet.job.empty()) return run_job(fleet, options, console);
  if (fleet.list.empty()) {
    console.error("which packages? reckon fleet --out FOLDER LIST");
    return kExitUsage;
  }
  const auto packages = read_fleet_list(fleet.list, console);
  if (!packages || !write_fleet(*packages, fleet, options, console)) return kExitUsage;
  std::error_code ec;
  if (fleet.retry)
    for (const FleetPackage& package : *packages)
      if (const nlohmann::json result = result_of(folder_of(fleet, package));
          result.is_object() && result["status"] != "analysed")
        fs::remove(folder_of(fleet, package) + "/result.json", ec);
  if (fleet.plan_only) {
    console.result(fmt::format("{} packages: ninja -k 0 -C {}", packages->size(), fleet.folder));
    return kExitClean;
  }
  if (host::find_program("ninja").empty()) {
    console.error("'ninja' was not found, which runs the jobs (package ninja-build); --plan-only writes them only");
    return kExitUsage;
  }
  // A job that was killed is no reason to stop: the report says so.
  if (const std::string problem = run_ninja(fleet.folder, "", options); !problem.empty()) console.warning(problem);
  return report_fleet(*packages, fleet, options, console);
}

int tell_status(const std::string& folder, host::Console& console) {
  const auto packages = read_fleet(folder, console);
  if (!packages) return kExitUsage;
  FleetOptions fleet;
  fleet.folder = folder;
  std::size_t analysed = 0, failed = 0;
  for (const FleetPackage& package : *packages) {
    const nlohmann::json result = result_of(folder_of(fleet, package));
    if (!result.is_object()) continue;
    ++(result["status"] == "analysed" ? analysed : failed);
  }
  std::error_code ec;
  const bool reported = fs::exists(folder + "/fleet.json", ec);
  console.result(
      fmt::format("packages: {} of {} done, {} of them not analysed", analysed + failed, packages->size(), failed));
  console.result(fmt::format("report: {}", reported ? "done" : "not done"));
  return reported && analysed + failed == packages->size() ? kExitClean : kExitIncomplete;
}

}  // namespace

void define_fleet(CommandLine& line) {
  auto own = std::make_shared<FleetOptions>();
  CommandArguments app =
      line.command({"fleet", "Check many packages as jobs for Ninja or Slurm",
                    "reckon fleet --out FOLDER [OPTIONS] LIST\n"
                    "       reckon fleet status --out FOLDER\n"
                    "LIST: a package a line: folder, archive or .dsc; name=, kind=, flags=, build="},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.group("Input");
  app.text({"list", "The packages", "LIST", false, true}, own->list);
  app.text({"--out", "Folder of the results", "FOLDER"}, own->folder);
  app.flag("--allow-build", "Build packages in a sandbox, to learn flags", own->allow_build);
  app.text({"--since", "Say what is new since this earlier run", "fleet.json"}, own->since);
  app.group(kMore);
  app.flag("--plan-only", "Write the jobs for Ninja and Slurm, and run none", own->plan_only);
  app.flag("--retry", "Do again what could not be analysed", own->retry);
  app.number({"--package-timeout", "Seconds a package may take (default 1800)", "S"}, own->seconds, 1, kMostSeconds);
  app.text({"--r-include", "Headers of another R than the one that is installed", "DIR"}, own->r_include);
  app.text({"--python-include", "Headers of another Python than python3-config names", "DIR"}, own->python_include);
  app.text({"--job", "For the jobs of a fleet", "JOB", false, true}, own->job);
  app.hidden_flag("--confined", own->confined);
  line.checking(app, Repairs::None);
  app.footer(
      "Exit codes: 0 nothing found, 1 findings, 2 wrong usage, 3 not all packages were analysed\n"
      "            (with --strict: not all units); 3 wins over 1");

  auto status = std::make_shared<std::string>();
  CommandArguments below = line.command_below(
      "fleet", {"status", "Say how many packages of a fleet are done", "reckon fleet status --out FOLDER"},
      [status](const Options&, host::Console& console) { return tell_status(*status, console); });
  below.group("General");
  below.text({"--out", "Folder of the results", "FOLDER", true}, *status);
  below.footer("Exit codes: 0 all is done, 2 wrong usage, 3 some jobs are left");
}

}  // namespace reckon::driver
