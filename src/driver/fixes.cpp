#include "driver/fixes.h"

#include <fmt/core.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "checks/check.h"
#include "host/files.h"
#include "host/subprocess.h"
#include "report/patch.h"
#include "report/repair.h"
#include "support/output_file.h"
#include "support/parallel.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

using nlohmann::json;

constexpr std::size_t kSmallProgram = 64;  // compiler calls that may be checked again for one repair

// Words to write for an object of this domain that came from `origin`.
report::RepairWords words_for(const specs::SpecSet& specs, const std::string& domain, const std::string& origin) {
  report::RepairWords words;
  std::map<specs::RepairKind, bool> specific;  // is the word for this very call?
  auto take = [&](specs::RepairKind kind, std::string& place) {
    for (const specs::RepairSpec& repair : specs.repairs()) {
      if (repair.domain != domain || repair.kind != kind) continue;
      const bool named = !repair.patterns.empty();
      bool fits = !named;
      for (const std::string& pattern : repair.patterns)
        fits = fits || fnmatch(pattern.c_str(), origin.c_str(), 0) == 0;
      if (!fits || (!place.empty() && specific[kind] && !named)) continue;
      place = repair.name;
      specific[kind] = named;
    }
  };
  take(specs::RepairKind::Release, words.release);
  take(specs::RepairKind::ReleaseOrNull, words.release_or_null);
  take(specs::RepairKind::Acquire, words.acquire);
  take(specs::RepairKind::AcquireOrNull, words.acquire_or_null);
  take(specs::RepairKind::Protect, words.protect);
  take(specs::RepairKind::Unprotect, words.unprotect);
  if (!words.release.empty()) return words;
  // A domain without such lines, but with one function only that gives a reference back: a user's own API.
  std::set<std::string> candidates;
  for (const auto& fn : specs.functions()) {
    if (fn->domain != domain || !fn->returns_void || fn->params.size() != 1 || fn->outcomes.empty()) continue;
    const bool releases = std::all_of(fn->outcomes.begin(), fn->outcomes.end(), [](const specs::Outcome& o) {
      return o.counts.size() == 1 && o.counts[0].delta == -1 && o.counts[0].kind.empty();
    });
    if (releases && fn->name.find('*') == std::string::npos) candidates.insert(fn->name);
  }
  if (candidates.size() == 1) words.release = *candidates.begin();
  return words;
}

// What a check of one program said: enough to compare two.
struct Answer {
  bool ok = false;
  std::multiset<std::string> findings;  // fingerprints
  std::set<std::string> incomplete;     // notifications about what was not analysed
};

class Trials {
 public:
  Trials(const frontends::Input& input, const Options& options, host::Console& console)
      : input_(input), options_(options), console_(console) {}

  bool ready() const { return folder_.ok(); }

  // Is the finding gone with these edits, and nothing new there?
  bool works(const report::Finding& finding, const report::Fix& fix, report::Sources& sources) {
    std::vector<std::size_t> unit;
    for (std::size_t i = 0; i < input_.commands.size(); ++i)
      if (frontends::real_path(input_.commands[i].path) == frontends::real_path(finding.loc.file)) unit.push_back(i);
    if (unit.empty()) return false;  // a header: too many units to try
    std::vector<std::size_t> all(input_.commands.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    for (const auto& commands : {unit, all}) {
      if (commands.size() > kSmallProgram) return false;
      const Answer& before = original(commands);
      if (!before.ok) return false;
      if (!before.findings.contains(finding.fingerprint)) continue;
      std::string text;
      {
        const std::lock_guard lock(mutex_);
        text = report::apply_edits(sources.file(finding.loc.file), fix.edits);
      }
      const Answer after = check(commands, finding.loc.file, text);
      return after.ok && !after.findings.contains(finding.fingerprint) &&
             std::includes(before.findings.begin(), before.findings.end(), after.findings.begin(),
                           after.findings.end()) &&
             std::includes(before.incomplete.begin(), before.incomplete.end(), after.incomplete.begin(),
                           after.incomplete.end());
    }
    return false;
  }

 private:
  const Answer& original(const std::vector<std::size_t>& commands) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto it = originals_.find(commands); it != originals_.end()) return it->second;
    }
    Answer answer = check(commands, "", "");
    const std::lock_guard lock(mutex_);
    return originals_.emplace(commands, std::move(answer)).first->second;
  }

  // Checks some compiler calls, with `text` in place of what `file` holds (unless that is "").
  Answer check(const std::vector<std::size_t>& commands, const std::string& file, const std::string& text) {
    const std::string place = fmt::format("{}/{}", folder_.path(), number_++);
    std::error_code ec;
    std::filesystem::create_directory(place, ec);
    json database = json::array();
    for (const std::size_t i : commands) {
      std::vector<std::string> arguments = input_.commands[i].arguments;
      if (!file.empty()) arguments.insert(arguments.begin() + 1, {"-ivfsoverlay", place + "/overlay.yaml"});
      database.push_back(
          {{"directory", input_.commands[i].directory}, {"file", input_.commands[i].file}, {"arguments", arguments}});
    }
    write(place + "/compile_commands.json", database.dump());
    if (!file.empty()) {
      write(place + "/text", text);
      json overlay = {{"version", 0}, {"use-external-names", false}, {"roots", json::array()}};
      for (const std::string& name : std::set<std::string>{file, frontends::real_path(file)})
        overlay["roots"].push_back({{"type", "file"}, {"name", name}, {"external-contents", place + "/text"}});
      write(place + "/overlay.yaml", overlay.dump());
    }
    std::vector<std::string> command = {
        "/proc/self/exe", "check", "-q", "-j1", "--format=sarif", "-p", place, "--config", place + "/empty.toml"};
    write(place + "/empty.toml", "");
    if (file.empty() && !options_.capture.no_cache) {
      if (!options_.capture.cache_dir.empty()) command.insert(command.end(), {"--cache", options_.capture.cache_dir});
      if (!options_.capture.cache_key.empty())
        command.insert(command.end(), {"--cache-key", options_.capture.cache_key});
    } else {
      command.push_back("--no-cache");
    }
    for (const std::string& spec : options_.analysis.specs) command.insert(command.end(), {"--specs", spec});
    for (const std::string& domain : options_.analysis.domains) command.insert(command.end(), {"--domain", domain});
    command.insert(command.end(), {"--fail-on", "never"});
    if (!file.empty()) command.insert(command.end(), {"--overlay", file, place + "/text"});
    std::string problem;
    const auto output = host::output_of(command, problem);
    std::filesystem::remove_all(place, ec);
    if (!output) {
      const std::lock_guard lock(mutex_);
      console_.detail(fmt::format("a repair could not be tried: {}", problem));
      return {};
    }
    return read(*output);
  }

  static Answer read(const std::string& sarif) {
    Answer out;
    const json log = json::parse(sarif, nullptr, false);
    if (log.is_discarded()) return out;
    const json& run = log["runs"][0];
    out.ok = true;
    for (const json& result : run["results"])
      if (!result.contains("suppressions"))
        out.findings.insert(result["partialFingerprints"]["reckon/v1"].get<std::string>());
    for (const json& note : run["invocations"][0]["toolExecutionNotifications"])
      if (note["descriptor"]["id"] != "suppression") out.incomplete.insert(note["message"]["text"].get<std::string>());
    return out;
  }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }

  const frontends::Input& input_;
  const Options& options_;
  host::Console& console_;
  host::TempFolder folder_;
  std::mutex mutex_;
  std::atomic<unsigned> number_{0};
  std::map<std::vector<std::size_t>, Answer> originals_;
};

report::Repair repair_of(const report::Finding& f) {
  const checks::Check* check = checks::check_of(f.check);
  return check ? check->repair : report::Repair::None;
}

}  // namespace

std::vector<report::Fix> proposed_fixes(const report::Finding& f, const report::Run& run, const specs::SpecSet& specs,
                                        report::Sources& sources) {
  const auto proposals = [&](const report::Finding& of) -> std::vector<report::Fix> {
    const checks::Check* check = checks::check_of(of.check);
    if (!report::is_active(of) || !check || check->repair == report::Repair::None) return {};
    const std::string domain = of.check.substr(0, of.check.size() - check->kind.size() - 1);
    return report::propose_fixes(of, check->repair, words_for(specs, domain, of.origin_api), sources);
  };
  std::vector<report::Fix> fixes;
  // One push that is missing shows twice: nothing protects the object, and the pop takes what others pushed.
  for (const report::Finding& other : run.findings)
    if (repair_of(f) == report::Repair::PopLess && repair_of(other) == report::Repair::Protect &&
        other.function == f.function && other.loc.file == f.loc.file)
      if (auto its = proposals(other); !its.empty()) fixes.push_back(std::move(its.front()));
  for (report::Fix& own : proposals(f)) fixes.push_back(std::move(own));
  return fixes;
}

void offer_fixes(report::Run& run, const frontends::Input& input, const specs::SpecSet& specs, const Options& options,
                 host::Console& console) {
  report::Sources sources;
  std::vector<std::pair<report::Finding*, std::vector<report::Fix>>> work;
  for (report::Finding& f : run.findings)
    if (auto fixes = proposed_fixes(f, run, specs, sources); !fixes.empty()) work.emplace_back(&f, std::move(fixes));
  if (work.empty()) return;
  Trials trials(input, options, console);
  if (!trials.ready()) {
    console.error("repairs cannot be tried: there is no temporary folder");
    return;
  }
  support::in_parallel(options.capture.jobs, work.size(), [&](std::size_t i) {
    for (const report::Fix& fix : work[i].second)
      if (trials.works(*work[i].first, fix, sources)) {
        work[i].first->fixes.push_back(fix);
        break;
      }
  });
}

namespace {

// Repairs that can be made together: edits by file, and the findings that they mend.
struct RepairPlan {
  std::map<std::string, std::vector<report::Edit>> by_file;
  std::vector<std::pair<report::Finding*, const report::Fix*>> mended;
  std::size_t in_the_way = 0;
};

// A repair is applied as a whole or not at all.
RepairPlan plan_repairs(report::Run& run) {
  RepairPlan plan;
  std::vector<std::vector<report::Edit>> applied;
  for (report::Finding& f : run.findings) {
    if (f.fixes.empty() || !report::is_active(f)) continue;
    const report::Fix& fix = f.fixes.front();
    if (std::find(applied.begin(), applied.end(), fix.edits) != applied.end()) {
      plan.mended.emplace_back(&f, &fix);  // the same repair mends both
      continue;
    }
    const bool clashes = std::any_of(fix.edits.begin(), fix.edits.end(), [&](const report::Edit& mine) {
      const auto& others = plan.by_file[mine.file];
      return std::any_of(others.begin(), others.end(), [&](const report::Edit& e) { return report::overlap(mine, e); });
    });
    plan.in_the_way += clashes;
    if (clashes) continue;
    for (const report::Edit& edit : fix.edits) plan.by_file[edit.file].push_back(edit);
    applied.push_back(fix.edits);
    plan.mended.emplace_back(&f, &fix);
  }
  return plan;
}

}  // namespace

bool apply_fixes(report::Run& run, const Options& options, host::Console& console) {
  const RepairPlan plan = plan_repairs(run);
  if (plan.in_the_way > 0)
    console.note(
        fmt::format("{} repairs change the same lines as others and are left for the next run", plan.in_the_way));
  report::Sources sources;
  std::set<std::string> unchanged;
  for (const auto& [path, edits] : plan.by_file) {
    const report::SourceFile& source = sources.file(path);
    const std::string text = report::apply_edits(source, edits);
    if (options.report.fix_dry_run) {
      const std::string patch = report::unified_diff(report::shown_path(path, run.base), source.text, text);
      std::cout << (isatty(STDOUT_FILENO) == 1 ? support::printable_lines(patch) : patch);
      continue;
    }
    std::string problem;
    if (support::write_output(path, text, problem)) {
      run.originals[path] = source.text;
      continue;
    }
    console.error(problem);
    unchanged.insert(path);
  }
  if (options.report.fix_dry_run) return true;  // whoever ends the program looks at the stream
  std::size_t repaired = 0;
  for (const auto& [finding, fix] : plan.mended) {
    const bool done = std::none_of(fix->edits.begin(), fix->edits.end(),
                                   [&](const report::Edit& edit) { return unchanged.contains(edit.file); });
    repaired += done;
    if (done) run.repaired.insert(finding->fingerprint);
  }
  console.note(fmt::format("repaired: {} findings in {} files", repaired, run.originals.size()));
  return unchanged.empty();
}

}  // namespace reckon::driver
