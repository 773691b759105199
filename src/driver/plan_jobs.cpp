// The jobs of a plan.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/input.h"
#include "driver/link_stage.h"
#include "driver/pipeline.h"
#include "driver/plan.h"
#include "driver/shard_store.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "host/files.h"
#include "host/memory.h"
#include "program/program.h"
#include "program/rests.h"
#include "support/file.h"

namespace reckon::driver {

namespace {

constexpr std::size_t kUnitsOfJob = 200;  // that a job holds in memory at once, unless the user says otherwise
constexpr std::string_view kFailed =
    "failed ";  // in the file that a capture job leaves, before the number of a command

// The commands of a batch: first and behind the last.
std::pair<std::size_t, std::size_t> batch(std::size_t commands, std::uint32_t k, std::uint32_t batches) {
  return {commands * k / batches, commands * (k + 1) / batches};
}

// A path in a file of dependencies, as compilers write them.
std::string dependency(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

int capture_job(const frontends::Input& input, const Options& options, const PlanOptions& plan, std::uint32_t k,
                host::Console& console) {
  const auto [first, end] = batch(input.commands.size(), k, batches_of(input, plan));
  const std::vector<frontends::Command> commands(input.commands.begin() + static_cast<std::ptrdiff_t>(first),
                                                 input.commands.begin() + static_cast<std::ptrdiff_t>(end));
  const Captured captured = capture_many(commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  const ShardStore store(captured, options, "");
  if (!store.problem().empty()) {
    console.error(store.problem());
    return kExitUsage;
  }
  keep_lookups(captured);
  std::set<std::string, std::less<>> files = captured.headers;
  std::string done;
  for (const frontends::Command& command : commands) files.insert(command.path);
  for (const FailedUnit& failed : captured.failed) done += fmt::format("{}{}\n", kFailed, first + failed.command);
  for (const std::string& key : captured.content_keys) done += key + "\n";
  const std::string name = fmt::format("capture-{}.done", k);
  std::string list = name + ":", problem;
  for (const std::string& file : files) list += " \\\n " + dependency(file);
  if (!support::write_file(plan.folder + "/" + name + ".d", plan.folder, list + "\n", problem)) {
    console.error(problem);
    return kExitUsage;
  }
  return say_done(plan, name, done, console) ? kExitClean : kExitUsage;
}

// Commands whose units the capture jobs did not get are not tried again by each job that follows; the report tries
// them, and says what is wrong.
bool leave_out_failed(frontends::Input& input, const PlanOptions& plan, host::Console& console) {
  std::set<std::size_t> failed;
  for (std::uint32_t k = 0; k < batches_of(input, plan); ++k) {
    std::string text, problem;
    const std::string path = fmt::format("{}/capture-{}.done", plan.folder, k);
    if (!host::read_file(path, text, problem)) {
      console.error(fmt::format("{}: {}", path, problem));
      return false;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::size_t number = 0;
      if (line.starts_with(kFailed) &&
          std::from_chars(line.data() + kFailed.size(), line.data() + line.size(), number).ec == std::errc())
        failed.insert(number);
    }
  }
  std::vector<frontends::Command> left;
  for (std::size_t i = 0; i < input.commands.size(); ++i)
    if (!failed.contains(i)) left.push_back(std::move(input.commands[i]));
  input.commands = std::move(left);
  return true;
}

analysis::Options wishes_of(const Options& options) {
  analysis::Options out;
  out.jobs = options.capture.jobs;
  out.free_threaded = options.analysis.free_threaded;
  out.smt = !options.analysis.no_smt;
  out.domains = options.analysis.domains;
  return out;
}

// The program that link and shard jobs work on.
struct Linked {
  specs::SpecSet specs;
  std::string fingerprint;
  Captured captured;
  std::optional<program::Program> program;
};

// Specs and captured units. 0, or an exit code; the console has said why.
int gather(frontends::Input input, const Options& options, const PlanOptions& plan, host::Console& console,
           Linked& out) {
  if (!load_specs(options, console, out.specs, &out.fingerprint)) return kExitUsage;
  if (!leave_out_failed(input, plan, console)) return kExitUsage;
  out.captured = capture_many(input.commands, options, console);
  if (out.captured.interrupted) return kExitInterrupted;
  if (!load_packs(out.captured.headers, console, out.specs, &out.fingerprint)) return kExitUsage;
  host::limit_memory(options.capture.memory_limit_mib);
  return 0;
}

// The same, with the program linked.
int link_all(frontends::Input input, const Options& options, const PlanOptions& plan, host::Console& console,
             Linked& out) {
  if (const int code = gather(std::move(input), options, plan, console, out); code != 0) return code;
  out.program = link_captured(out.captured, out.specs, out.fingerprint, options.capture.jobs);
  return 0;
}

int record_job(const frontends::Input& input, const Options& options, const PlanOptions& plan, std::uint32_t k,
               host::Console& console) {
  const std::uint32_t batches = batches_of(input, plan);
  Linked linked;
  if (const int code = gather(input, options, plan, console, linked); code != 0) return code;
  const auto [first, end] = batch(linked.captured.units.size(), k, batches);
  keep_records(linked.captured, linked.specs, linked.fingerprint, first, end);
  std::string done = "specs " + linked.fingerprint + "\n";
  for (std::size_t u = first; u < end; ++u) done += linked.captured.content_keys[u] + "\n";
  return say_done(plan, fmt::format("record-{}.done", k), done, console) ? kExitClean : kExitUsage;
}

// Shards that can be analysed at once, for engines that cannot learn of dependencies while they run: a line a band.
std::string bands_of(const analysis::Shards& shards) {
  std::vector<std::size_t> band(shards.needs.size(), 0);
  std::vector<std::string> lines;
  for (std::size_t s = 0; s < band.size(); ++s) {
    for (const std::uint32_t other : shards.needs[s]) band[s] = std::max(band[s], band[other] + 1);
    if (lines.size() <= band[s]) lines.resize(band[s] + 1);
    lines[band[s]] += (lines[band[s]].empty() ? "" : ",") + std::to_string(s);
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

int link_job(const frontends::Input& input, const Options& options, const PlanOptions& plan, host::Console& console) {
  Linked linked;
  if (const int code = link_all(input, options, plan, console, linked); code != 0) return code;
  const ShardStore store(linked.captured, options, linked.fingerprint);
  if (!store.problem().empty()) {
    console.error(store.problem());
    return kExitUsage;
  }
  const analysis::Shards shards = analysis::shards_of(*linked.program, linked.specs, wishes_of(options), plan.shards);
  std::string graph = "ninja_dyndep_version = 1\n";
  for (std::uint32_t s = 0; s < plan.shards; ++s) {
    graph += fmt::format("build shard-{}.done: dyndep", s);
    for (std::size_t n = 0; n < shards.needs[s].size(); ++n)
      graph += fmt::format("{} shard-{}.done", n == 0 ? " |" : "", shards.needs[s][n]);
    graph += "\n";
  }
  if (!say_done(plan, "shards.dd", graph, console) || !say_done(plan, "shards.bands", bands_of(shards), console))
    return kExitUsage;
  const std::string about = fmt::format(
      "program {}\nunits {}\nfunctions {}\nlargest circle of calls {}\nlargest group {}\n", store.program(),
      linked.program->num_units(), linked.program->num_functions(), shards.largest_circle, shards.largest_group);
  return say_done(plan, "link.done", about, console) ? kExitClean : kExitUsage;
}

int shard_job(const frontends::Input& input, const Options& options, const PlanOptions& plan, std::uint32_t shard,
              host::Console& console) {
  Linked linked;
  if (const int code = link_all(input, options, plan, console, linked); code != 0) return code;
  ShardStore store(linked.captured, options, linked.fingerprint);
  std::string bytes;
  // A shard that another job has done already is done.
  if (store.problem().empty() && !(store.load(shard, bytes) && analysis::ShardRecords().add(bytes))) {
    bytes = analysis::analyse_shard(*linked.program, linked.specs, wishes_of(options), plan.shards, shard,
                                    [&](std::uint32_t other, std::string& found) { return store.load(other, found); });
    store.store(shard, bytes);
  }
  if (!store.problem().empty()) {
    console.error(store.problem());
    return kExitUsage;
  }
  return say_done(plan, fmt::format("shard-{}.done", shard), fmt::format("program {}\n", store.program()), console)
             ? kExitClean
             : kExitUsage;
}

int report_job(const frontends::Input& input, Options options, const PlanOptions& plan, host::Console& console) {
  for (ReportWish& wish : options.report.reports) wish.output = place_of(wish, plan);
  const int code = check_program(input, options, console);
  if (code != kExitClean && code != kExitFindings && code != kExitIncomplete) return code;
  return say_done(plan, "report.done", fmt::format("exit code {}\n", code), console) ? kExitClean : kExitUsage;
}

}  // namespace

int run_job(const Options& given, const PlanOptions& plan, host::Console& console) {
  Options options = given;
  options.analysis.shards = plan.shards;
  if (!options.capture.units_in_memory) options.capture.units_in_memory = kUnitsOfJob;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  const std::size_t colon = plan.job.find(':');
  const std::string kind = plan.job.substr(0, colon);
  std::uint32_t number = 0;
  const bool numbered = colon != std::string::npos;
  const char* const end = plan.job.data() + plan.job.size();
  if (numbered)
    if (const auto [rest, error] = std::from_chars(plan.job.data() + colon + 1, end, number);
        error != std::errc() || rest != end)
      number = UINT32_MAX;
  if (kind == "capture" && numbered && number < batches_of(*input, plan))
    return capture_job(*input, options, plan, number, console);
  if (kind == "record" && numbered && number < batches_of(*input, plan))
    return record_job(*input, options, plan, number, console);
  if (kind == "link" && !numbered) return link_job(*input, options, plan, console);
  if (kind == "shard" && numbered && number < plan.shards) return shard_job(*input, options, plan, number, console);
  if (kind == "report" && !numbered) return report_job(*input, std::move(options), plan, console);
  console.error(fmt::format("--job: the plan has no job '{}'", plan.job));
  return kExitUsage;
}

}  // namespace reckon::driver
