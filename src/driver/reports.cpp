#include "driver/reports.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "checks/check.h"
#include "driver/check_pages.h"
#include "driver/settings.h"
#include "driver/version.h"
#include "host/files.h"
#include "report/fingerprint.h"
#include "report/occasion.h"
#include "report/suppress.h"
#include "report/text.h"

namespace reckon::driver {

namespace {

report::WriterOptions writer_options(const Options& options, bool to_stdout) {
  report::WriterOptions out;
  out.full_path = options.report.full_path;
  out.quiet = options.quiet;
  out.verbose = options.verbose;
  if (!to_stdout || isatty(STDOUT_FILENO) != 1) return out;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  out.colour = !(no_colour && *no_colour) && term && std::strcmp(term, "dumb") != 0;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) out.width = size.ws_col;
  return out;
}

report::Confidence least_confidence(const Options& options) {
  for (const report::Confidence c : {report::Confidence::Low, report::Confidence::High})
    if (options.report.confidence == report::name_of(c)) return c;
  return report::Confidence::Medium;
}

std::vector<report::CheckInfo> describe_checks(const std::vector<report::Finding>& findings) {
  std::set<std::string> ids;
  for (const report::Finding& finding : findings) ids.insert(finding.check);
  std::vector<report::CheckInfo> out;
  for (const std::string& id : ids) {
    report::CheckInfo info{id, "", "", ""};
    if (const checks::Check* check = checks::check_of(id)) info.kind = check->kind, info.summary = check->summary;
    info.page = check_page(id);
    out.push_back(std::move(info));
  }
  return out;
}

}  // namespace

report::Run make_run(const frontends::Input& input, const Captured& captured, analysis::Analysis analysis,
                     const Options& options, const report::Baseline& baseline, const AffectedFunctions* affected) {
  report::Run run;
  run.findings = std::move(analysis.findings);
  report::sort_findings(run.findings);
  run.coverage.functions = std::move(analysis.coverage);
  run.collections = std::move(analysis.collections);
  run.coverage.functions_reused = analysis.reused;
  run.coverage.classes = analysis.classes;
  run.coverage.units_compiled = captured.compiled;
  run.coverage.units_from_cache = captured.from_cache;
  for (const FailedUnit& unit : captured.failed) run.coverage.units_failed.push_back({unit.path, unit.reason});
  run.coverage.entries_unusable = input.unusable;
  run.coverage.entries_other_language = input.other_languages;
  run.coverage.not_known = input.not_known;
  run.coverage.build_failure = input.build_failure;
  run.coverage.empty_because = input.empty_because;
  run.base = options.report.base.empty() ? host::current_folder() : options.report.base;
  run.version = version();
  run.arguments = options.arguments;

  report::Sources sources;
  if (std::string text, problem;
      options.report.overlay.size() == 2 && host::read_file(options.report.overlay[1], text, problem))
    sources.replace(options.report.overlay[0], std::move(text));
  report::assign_fingerprints(run.findings, sources);
  report::apply_suppressions(run, sources, !options.analysis.narrowed);
  std::erase_if(run.findings, [&](const report::Finding& f) {
    return !options.settings->wants(f) || (affected && !affected->contains(f));
  });
  run.unsure_left_out = std::erase_if(run.findings, [&](const report::Finding& f) {
    return f.confidence < least_confidence(options) && report::is_active(f);
  });
  if (!options.report.baseline.empty()) report::apply_baseline(run, baseline, !options.analysis.narrowed && !affected);
  if (!options.report.triggers.empty())
    run.trigger_left_out = std::erase_if(run.findings, [&](const report::Finding& f) {
      const auto& wanted = options.report.triggers;
      return report::is_active(f) &&
             std::find(wanted.begin(), wanted.end(), report::name_of(f.trigger)) == wanted.end();
    });
  report::sort_by_occasion(run.findings);
  run.checks = describe_checks(run.findings);
  return run;
}

bool load_baseline(const Options& options, host::Console& console, report::Baseline& baseline) {
  if (options.report.baseline.empty()) return true;
  std::string text, problem;
  if (!host::read_file(options.report.baseline, text, problem)) {
    console.error(fmt::format("{}: {}", options.report.baseline, problem));
    return false;
  }
  baseline = report::parse_baseline(text);
  if (!baseline.error.empty()) console.error(fmt::format("{}: {}", options.report.baseline, baseline.error));
  return baseline.error.empty();
}

bool save_baseline(const report::Run& run, const Options& options, host::Console& console) {
  if (options.report.write_baseline.empty()) return true;
  if (run.coverage.units() == 0) {
    console.error(fmt::format("{}: not written, since nothing was analysed", options.report.write_baseline));
    return true;  // the exit code says it
  }
  std::ostringstream text;
  report::write_baseline(text, run);
  std::string problem;
  if (support::write_output(options.report.write_baseline, text.str(), problem)) return true;
  console.error(problem);
  return false;
}

namespace {

// Would output to this place destroy something that is not an earlier output? "" or why it is refused.
std::string objection(const std::string& real, const std::vector<std::string>& sources) {
  for (const std::string& source : sources)
    if (frontends::real_path(source) == real) return "is a source file of this run";
  static constexpr std::string_view kEndings[] = {".c",   ".cc",  ".cpp", ".cxx", ".C", ".h",    ".hh",
                                                  ".hpp", ".hxx", ".py",  ".pyx", ".R", ".spec", ".toml"};
  std::error_code ec;
  const std::string ending = std::filesystem::path(real).extension().string();
  const bool source = std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
  const bool database = real.ends_with("/compile_commands.json");
  if (database && std::filesystem::exists(real, ec)) return "is a compilation database";
  return source && std::filesystem::exists(real, ec) ? "exists and looks like a source file" : "";
}

}  // namespace

bool ReportFiles::open(const Options& options, const std::vector<std::string>& sources, host::Console& console) {
  std::map<std::string, std::string> taken;  // real path: why nothing else may be written there
  std::string problem;
  auto take = [&](const std::string& real, const std::string& given, const std::string& what) {
    problem = objection(real, sources);
    if (problem.empty() && !taken.emplace(real, what).second) problem = taken.at(real);
    if (problem.empty()) return true;
    console.error(fmt::format("{}: {}; give another name", given, problem));
    return false;
  };
  if (!options.report.baseline.empty())
    taken.emplace(frontends::real_path(frontends::absolute_path(options.report.baseline, host::current_folder())),
                  "is the baseline of this run");
  for (const ReportWish& wish : options.report.reports) {
    Target& target = targets_.emplace_back();
    target.format = report::find_format(wish.format);
    if (wish.output.empty() || wish.output == "-") continue;
    target.path = wish.output;
    if (target.format->to_folder) {
      if (!support::OutputFolder().open(wish.output, problem)) {
        console.error(problem);
        return false;
      }
      const std::string real = frontends::real_path(frontends::absolute_path(wish.output, host::current_folder()));
      if (!take(real, wish.output, "is written by --format=" + wish.format + ", too")) return false;
      continue;
    }
    target.place = support::find_output_place(wish.output, problem);
    if (!target.place) {
      console.error(problem);
      return false;
    }
    if (!target.place->direct &&
        !take(target.place->path, wish.output, "is written by --format=" + wish.format + ", too"))
      return false;
  }
  if (options.report.write_baseline.empty()) return true;
  const auto place = support::find_output_place(options.report.write_baseline, problem);
  if (!place) console.error(problem);
  if (!place) return false;
  if (options.report.baseline == options.report.write_baseline) return true;  // brought up to date
  return place->direct || take(place->path, options.report.write_baseline, "is written by --write-baseline, too");
}

bool ReportFiles::write_to(const Target& target, const std::string& bytes, host::Console& console) const {
  if (target.place) {
    std::string problem;
    if (support::write_output(*target.place, bytes, problem)) return true;
    console.error(problem);
    return false;
  }
  std::cout << bytes << std::flush;
  if (std::cout) return true;
  console.error("the report could not be written in full to standard output");
  return false;
}

bool ReportFiles::write(const report::Run& run, const Options& options, host::Console& console) {
  bool ok = true, summary_shown = false;
  for (const Target& target : targets_) {
    const bool first = &target == &targets_.front();
    if (options.report.fix_dry_run && target.path.empty()) continue;  // stdout holds the patch
    const report::WriterOptions writer = writer_options(options, target.path.empty());
    if (target.format->to_folder) {
      std::string problem;
      if (!target.format->to_folder(target.path, run, writer, problem)) console.error(problem), ok = false;
      continue;
    }
    std::ostringstream text;
    if (first) text << dumps_.str();
    target.format->to_stream(text, run, writer);
    ok = write_to(target, text.str(), console) && ok;
    summary_shown = summary_shown || (target.format->has_summary && !options.quiet);
  }
  if (targets_.front().format->to_folder) std::cout << dumps_.str();
  if (summary_shown) return ok;
  // A format for machines leaves people without a word on how it went; what is missing is told even with -q.
  std::ostringstream summary;
  report::write_summary(summary, run, writer_options(options, false));
  const std::string missing = run.coverage.shortfall();
  if (!options.quiet)
    console.raw(summary.str());
  else if (!missing.empty())
    console.result(missing);
  return ok;
}

}  // namespace reckon::driver
