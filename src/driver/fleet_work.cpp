// The work of a fleet's job: unpacks a package, finds out how it is compiled, checks it, and leaves an outcome.
//
// In this order: an R package is read as `reckon r` does; a compilation database that lies there is used; the files of
// a Python extension are compiled with flags that are found by trying; a build is recorded in a sandbox, if that is
// allowed. What could not be analysed leaves an outcome, too, with the reason.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/capture_stage.h"
#include "driver/engine_files.h"
#include "driver/fleet.h"
#include "driver/input.h"
#include "driver/pipeline.h"
#include "driver/settings.h"
#include "driver/spec_files.h"
#include "frontends/packages/extension_sources.h"
#include "frontends/packages/package_source.h"
#include "frontends/r/r_package.h"
#include "frontends/r/r_sandbox.h"
#include "host/files.h"
#include "host/process.h"
#include "report/run.h"
#include "report/writers.h"
#include "support/file.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr unsigned kRounds = 10;              // of trying flags
constexpr std::uint64_t kMemoryMib = 4096;    // of a process, where the command line does not say it
constexpr std::size_t kMostFailedUnits = 20;  // that are named
constexpr const char* kPythonDomain = "python";

// How a package is built where its line does not say it, by a file that lies there.
struct UsualBuild {
  const char *file, *command;
};
constexpr std::array<UsualBuild, 5> kUsualBuilds = {{{"setup.py", "python3 setup.py build"},
                                                     {"configure", "sh ./configure && make -k"},
                                                     {"meson.build", "meson setup rbuild && ninja -k 0 -C rbuild"},
                                                     {"CMakeLists.txt", "cmake -S . -B rbuild && make -k -C rbuild"},
                                                     {"Makefile", "make -k"}}};

class PackageWork {
 public:
  PackageWork(const FleetPackage& package, const FleetOptions& fleet, const Options& options, host::Console& console)
      : package_(package),
        fleet_(fleet),
        options_(options),
        console_(console),
        folder_(fs::absolute(folder_of(fleet, package)).lexically_normal().string()) {
    options_.capture.jobs = 1;
    if (!options_.capture.memory_limit_mib) options_.capture.memory_limit_mib = kMemoryMib;
  }

  json run() {
    if (open_source() && find_input()) check();
    if (!reason_.empty()) outcome_.update({{"status", "not analysed"}, {"reason", reason_}, {"stage", stage_}});
    outcome_["kind"] = kind_;
    return outcome_;
  }

 private:
  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }

  bool is_there(std::string_view name) const {
    std::error_code ec;
    return fs::exists(root_ + "/" + std::string(name), ec);
  }

  bool open_source() {
    stage_ = "source";
    std::error_code ec;
    if (!fs::exists(package_.path, ec)) return fail("no such file or folder: " + package_.path);
    root_ = package_.path;
    if (frontends::form_of(package_.path) == frontends::SourceForm::Folder) return true;
    std::string problem;
    const std::string place = folder_ + "/source";
    if (!support::make_folders(place, problem)) return fail(problem);
    problem = frontends::unpack_source(package_.path, place, root_);
    return problem.empty() || fail("could not be unpacked: " + problem);
  }

  // How is it compiled? The first way that the package offers, or the one that its line names.
  bool find_input() {
    stage_ = "input";
    const bool any = package_.kind.empty();
    const std::string database = find_database();
    if (package_.kind == "r" || (any && is_there("DESCRIPTION") && is_there("src"))) return input_of_r();
    if (package_.kind == "database" || (any && !database.empty())) return input_of_database(database);
    if (any && is_there("DESCRIPTION")) return fail("an R package without compiled code (no folder src)");
    if (package_.kind == "build") return input_of_build();
    if (input_of_extension()) return true;
    return any && fleet_.allow_build ? input_of_build() : false;
  }

  std::string find_database() const {
    for (const char* place : {"/compile_commands.json", "/build/compile_commands.json"}) {
      std::error_code ec;
      if (fs::is_regular_file(root_ + place, ec)) return root_ + place;
    }
    return "";
  }

  bool input_of_r() {
    kind_ = "r";
    if (!r_.open(root_, fleet_.allow_build, fleet_.r_include, console_)) return fail_as_told();
    auto input = r_.commands(console_);
    if (!input) return fail_as_told();
    input_ = std::move(*input);
    root_ = r_.root();
    specs::SpecSet specs;
    if (!load_specs(options_, console_, specs)) return fail_as_told();
    options_.analysis.scripts = r_.scripts(specs, console_);
    return true;
  }

  // The console has said it; the job reads it there.
  bool fail_as_told() { return fail(""); }

  bool input_of_database(const std::string& path) {
    kind_ = "database";
    if (path.empty()) return fail("there is no compile_commands.json");
    const frontends::Compdb db = frontends::load_compdb(path);
    auto input = input_from_database(db, {}, console_);
    if (!input) return fail(db.ok ? "the compilation database names no C or C++ file" : db.error);
    input_ = std::move(*input);
    return true;
  }

  bool input_of_extension() {
    kind_ = "python";
    specs::SpecSet specs;
    if (!load_specs(options_, console_, specs)) return fail_as_told();
    std::vector<std::string> headers;
    for (const specs::DomainSpec& domain : specs.domains())
      if (domain.name == kPythonDomain) headers.insert(headers.end(), domain.headers.begin(), domain.headers.end());
    frontends::ExtensionSources sources(root_, folder_ + "/made");
    if (const std::string problem = sources.find(headers); !problem.empty())
      return fail(fmt::format("neither an R package nor a compilation database, and no Python extension: {}", problem));
    std::vector<std::string> flags = frontends::python_flags(fleet_.python_include);
    if (flags.empty()) return fail("Python's headers were not found (python3-config, --python-include)");
    flags.insert(flags.end(), {"-O2", "-DNDEBUG", "-fwrapv", "-fPIC"});
    flags.insert(flags.end(), package_.flags.begin(), package_.flags.end());
    try_flags(sources, flags);
    input_.commands = sources.commands(flags);
    input_.folders = {root_};
    input_.not_known = sources.not_known();
    return true;
  }

  // Captures, and looks for what Clang misses, until it misses nothing that can be found. The cache keeps the units.
  void try_flags(frontends::ExtensionSources& sources, const std::vector<std::string>& flags) {
    std::vector<frontends::Command> waiting = sources.commands(flags);
    for (unsigned round = 0; round < kRounds && !waiting.empty(); ++round) {
      const Captured captured = capture_units(waiting, options_, console_);
      std::vector<std::string> cured;
      for (const FailedUnit& unit : captured.failed)
        if (sources.cure(unit.path, unit.errors)) cured.push_back(unit.path);
      waiting = sources.commands(flags);
      std::erase_if(waiting, [&](const frontends::Command& command) {
        return std::find(cured.begin(), cured.end(), command.path) == cured.end();
      });
    }
  }

  bool input_of_build() {
    kind_ = "build";
    stage_ = "build";
    if (!fleet_.allow_build) return fail("it would have to be built, which is not allowed (--allow-build)");
    std::string command = package_.build;
    for (const UsualBuild& usual : kUsualBuilds)
      if (command.empty() && is_there(usual.file)) command = usual.command;
    if (command.empty()) return fail("nobody knows how it is built (build= in the list)");
    if (!frontends::have_sandbox())
      return fail("bubblewrap is not at hand or has no rights here, and nothing is built without it");
    if (host::find_program("bear").empty())
      return fail("'bear' was not found, which records the compiler calls of a build");
    if (!copy_source()) return false;
    frontends::ConfinedProgram program;
    const std::string recording = folder_ + "/source/compile_commands.json";
    program.command = {"bear", "--output", recording, "--", "sh", "-c", command};
    program.directory = root_;
    program.writable = folder_ + "/source";
    program.seconds = fleet_.seconds;
    host::ProcessRequest request{frontends::confined(program, true), root_};
    request.keep_output = false;
    const host::ProcessResult build = host::run_process(request);
    frontends::Compdb db = frontends::load_compdb(recording);
    std::error_code ec;
    std::erase_if(db.commands, [&](const frontends::Command& c) { return !fs::exists(c.path, ec); });
    const bool failed = !build.error.empty() || build.status != 0;
    if (!db.ok || db.commands.empty())
      return fail(failed ? fmt::format("the build {}, and no compiler call was recorded",
                                       build.error.empty() ? host::describe_status(build.status) : build.error)
                         : "the build compiled no C or C++ file");
    auto input = input_from_database(db, {}, console_);
    if (!input) return fail_as_told();
    input_ = std::move(*input);
    if (failed) input_.build_failure = host::describe_status(build.status);
    return true;
  }

  // A build writes beside the sources: it gets a copy.
  bool copy_source() {
    if (root_.starts_with(folder_ + "/")) return true;
    const std::string copy = folder_ + "/source/" + package_.slug;
    std::string problem;
    if (!support::make_folders(folder_ + "/source", problem)) return fail(problem);
    std::error_code ec;
    fs::copy(root_, copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks, ec);
    if (ec) return fail(fmt::format("{}: could not be copied: {}", root_, ec.message()));
    root_ = copy;
    return true;
  }

  void check() {
    stage_ = "analysis";
    options_.report.base = root_;
    std::vector<ReportWish> reports;
    for (const ReportWish& wish : options_.report.reports)
      reports.push_back({wish.format, folder_ + "/report." + wish.format});
    const std::span<const report::Format> formats = report::formats();
    const auto pages =
        std::find_if(formats.begin(), formats.end(), [](const report::Format& f) { return f.to_folder; });
    reports.push_back({std::string(pages->name), folder_ + "/pages"});
    options_.report.reports = reports;
    const int code = check_program(input_, options_, console_, [this](report::Run& run, const specs::SpecSet&) {
      note(run);
      return true;
    });
    if (code == kExitClean || code == kExitFindings || code == kExitIncomplete) return;
    outcome_ = json::object();  // what was noted is not reported
    reason_.clear();
  }

  void note(const report::Run& run) {
    const report::Coverage& c = run.coverage;
    outcome_["status"] = "analysed";
    outcome_["units"] = c.units();
    outcome_["units_failed"] = c.units_failed.size();
    outcome_["functions"] = c.functions.size() - c.count(report::Depth::Unconcerned);
    outcome_["cut_short"] = c.count(report::Depth::CutShort);
    outcome_["not_known"] = c.not_known;
    for (std::size_t i = 0; i < std::min(c.units_failed.size(), kMostFailedUnits); ++i)
      outcome_["failed"].push_back(
          {{"file", report::shown_path(c.units_failed[i].path, run.base)}, {"reason", c.units_failed[i].reason}});
    outcome_["findings"] = json::array();
    for (const report::Finding& f : run.findings)
      if (report::counts(run, f))
        outcome_["findings"].push_back({{"check", f.check},
                                        {"severity", report::name_of(f.severity)},
                                        {"confidence", report::name_of(f.confidence)},
                                        {"message", f.message},
                                        {"function", f.function},
                                        {"file", report::shown_path(f.loc.file, run.base)},
                                        {"line", f.loc.line},
                                        {"fails", options_.settings->fails(f)},
                                        {"fingerprint", f.fingerprint}});
    if (c.units() == 0)
      fail(c.shortfall().empty() ? "no unit was analysed" : c.shortfall());
    else if (c.functions.empty())
      fail("its files define no function");
    else if (c.count(report::Depth::Unconcerned) == c.functions.size())
      fail("no file includes a header by which an API is known");
    if (!c.build_failure.empty()) outcome_["build"] = c.build_failure;
  }

  const FleetPackage& package_;
  const FleetOptions& fleet_;
  Options options_;
  host::Console& console_;
  std::string folder_, root_, kind_, stage_, reason_;
  frontends::RPackage r_;
  frontends::Input input_;
  json outcome_ = json::object();
};

}  // namespace

int check_fleet_package(const FleetPackage& package, const FleetOptions& fleet, const Options& options,
                        host::Console& console) {
  const json outcome = PackageWork(package, fleet, options, console).run();
  if (!outcome.contains("status")) return kExitIncomplete;  // the console has said why
  return put_file(folder_of(fleet, package), "outcome.json",
                  outcome.dump(-1, ' ', false, json::error_handler_t::replace), console)
             ? kExitClean
             : kExitUsage;
}

}  // namespace reckon::driver
