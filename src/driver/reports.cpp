#include "driver/reports.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "checks/check.h"
#include "driver/check_pages.h"
#include "driver/settings.h"
#include "driver/system_headers.h"
#include "driver/version.h"
#include "host/files.h"
#include "report/fingerprint.h"
#include "report/github.h"
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

report::Severity least_severity(const Options& options) {
  for (const report::Severity s : {report::Severity::Low, report::Severity::Medium, report::Severity::High})
    if (options.report.severity == report::name_of(s)) return s;
  return report::Severity::Note;
}

}  // namespace

void add_checks(report::Run& run, const std::vector<report::Finding>& findings) {
  std::set<std::string> ids;
  for (const report::Finding& finding : findings)
    if (!report::find_check(run, finding.check)) ids.insert(finding.check);
  for (const std::string& id : ids) {
    report::CheckInfo info{id, "", "", ""};
    if (const checks::Check* check = checks::check_of(id)) info.kind = check->kind, info.summary = check->summary;
    info.page = check_page(id);
    run.checks.push_back(std::move(info));
  }
  std::sort(run.checks.begin(), run.checks.end(),
            [](const report::CheckInfo& a, const report::CheckInfo& b) { return a.id < b.id; });
}

report::Run make_run(const frontends::Input& input, const Captured& captured, analysis::Analysis analysis,
                     const Options& options, const report::Baseline& baseline, const AffectedFunctions* affected,
                     const std::map<std::string, std::string>& texts) {
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
  run.base = options.report.base.empty()
                 ? host::current_folder()
                 : frontends::real_path(frontends::absolute_path(options.report.base, host::current_folder()));
  run.version = version();
  run.arguments = options.arguments;

  report::Sources sources(texts);
  if (std::string text, problem;
      options.report.overlay.size() == 2 && host::read_file(options.report.overlay[1], text, problem))
    sources.replace(options.report.overlay[0], std::move(text));
  report::assign_fingerprints(run.findings, sources);
  report::apply_suppressions(run, sources, !options.analysis.narrowed);
  std::erase_if(run.findings, [&](const report::Finding& f) {
    return !options.settings->wants(f) || (affected && !affected->contains(f));
  });
  if (!options.report.system_headers) {
    const SystemHeaders system(input.commands, captured, run.base);
    run.system_left_out = std::erase_if(
        run.findings, [&](const report::Finding& f) { return system.contains(f.loc.file) && report::is_active(f); });
  }
  run.unsure_left_out = std::erase_if(run.findings, [&](const report::Finding& f) {
    return f.confidence < least_confidence(options) && report::is_active(f);
  });
  run.harmless_left_out = std::erase_if(run.findings, [&](const report::Finding& f) {
    return f.severity < least_severity(options) && report::is_active(f);
  });
  if (!options.report.baseline.empty()) report::apply_baseline(run, baseline, !options.analysis.narrowed && !affected);
  const auto asked_for = [](const std::vector<std::string>& wanted, const char* name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  run.occasion_left_out = std::erase_if(run.findings, [&](const report::Finding& f) {
    return report::is_active(f) && !(asked_for(options.report.triggers, report::name_of(f.trigger)) &&
                                     asked_for(options.report.places, report::name_of(f.place)));
  });
  report::sort_by_occasion(run.findings);
  add_checks(run, run.findings);
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

bool ReportFiles::open(const Options& options, const std::vector<std::string>& sources, host::Console& console) {
  places_.emplace(options, console);
  for (const std::string& source : sources) places_->enter(source, "is a source file of this run");
  for (const ReportWish& wish : options.report.reports) {
    Target& target = targets_.emplace_back();
    target.format = report::find_format(wish.format);
    if (wish.output.empty() || wish.output == "-") continue;
    target.path = wish.output;
    const std::string writer = "--format=" + wish.format;
    if (target.format->to_folder) {
      if (!places_->folder(wish.output, writer)) return false;
    } else if (target.place = places_->file(wish.output, writer); !target.place) {
      return false;
    }
  }
  const std::string& baseline = options.report.write_baseline;
  if (baseline.empty()) return true;
  if (options.report.baseline != baseline) return places_->file(baseline, "--write-baseline").has_value();
  std::string problem;  // brought up to date
  const bool ok = support::find_output_place(baseline, problem).has_value();
  if (!ok) console.error(problem);
  return ok;
}

bool ReportFiles::spare(const std::set<std::string, std::less<>>& files) {
  return places_->spare({files.begin(), files.end()});
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

namespace {

// The page that GitHub shows of a job: steps append to the file that it names.
bool append_job_summary(const report::Run& run, host::Console& console) {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (path == nullptr || *path == '\0') return true;
  std::ostringstream text;
  report::write_github_summary(text, run);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << text.str();
  if (file.flush()) return true;
  console.error(fmt::format("{}: the summary of the job could not be written", path));
  return false;
}

}  // namespace

bool ReportFiles::write(const report::Run& run, const Options& options, host::Console& console) {
  bool ok = true, summary_written = false, summary_shown = false;
  for (const Target& target : targets_) {
    const bool first = &target == &targets_.front();
    if (options.report.fix_dry_run && target.path.empty()) continue;  // stdout holds the patch
    const report::WriterOptions writer = writer_options(options, target.path.empty());
    if (target.format->to_folder) {
      std::string problem;
      if (!target.format->to_folder(target.path, run, writer, problem)) console.error(problem), ok = false;
      continue;
    }
    if (target.format->capped) ok = append_job_summary(run, console) && ok;
    std::ostringstream text;
    if (first) text << dumps_.str();
    target.format->to_stream(text, run, writer);
    ok = write_to(target, text.str(), console) && ok;
    const bool has_summary = target.format->has_summary && !options.quiet;
    summary_written = summary_written || has_summary;
    summary_shown = summary_shown || (has_summary && target.path.empty());
  }
  if (targets_.front().format->to_folder) std::cout << dumps_.str();
  if (summary_shown) return ok;
  // A format for machines leaves people without a word on how it went; what is missing is told even with -q, and even
  // where a text that says so goes to a file.
  std::ostringstream summary;
  report::write_summary(summary, run, writer_options(options, false));
  const std::string missing = run.coverage.shortfall();
  if (!options.quiet && !summary_written)
    console.raw(summary.str());
  else if (!missing.empty())
    console.result(missing);
  return ok;
}

}  // namespace reckon::driver
