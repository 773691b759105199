#include "driver/reports.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>

#include "checks/check.h"
#include "driver/check_pages.h"
#include "driver/settings.h"
#include "driver/version.h"
#include "host/files.h"
#include "report/fingerprint.h"
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
    for (const checks::Check& check : checks::all_checks())
      if (id.ends_with("-" + std::string(check.kind)) && check.kind.size() > info.kind.size())
        info.kind = check.kind, info.summary = check.summary;
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
  run.coverage.functions_recalled = analysis.recalled;
  run.coverage.classes = analysis.classes;
  run.coverage.units_compiled = captured.compiled;
  run.coverage.units_from_cache = captured.from_cache;
  for (const FailedUnit& unit : captured.failed) run.coverage.units_failed.push_back({unit.path, unit.reason});
  run.coverage.entries_unusable = input.unusable;
  run.coverage.entries_other_language = input.other_languages;
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
  std::ofstream file(options.report.write_baseline, std::ios::binary | std::ios::trunc);
  report::write_baseline(file, run);
  if (file.flush()) return true;
  console.error(fmt::format("{}: cannot be written: {}", options.report.write_baseline, std::strerror(errno)));
  return false;
}

std::ostream& ReportFiles::Target::stream() const { return file ? static_cast<std::ostream&>(*file) : std::cout; }

bool ReportFiles::open(const Options& options, host::Console& console) {
  for (const ReportWish& wish : options.report.reports) {
    Target& target = targets_.emplace_back();
    target.format = report::find_format(wish.format);
    if (wish.output.empty() || wish.output == "-") continue;
    target.path = wish.output;
    std::error_code ec;
    if (target.format->to_folder) {
      std::filesystem::create_directories(wish.output, ec);
      if (!ec) continue;
      console.error(fmt::format("{}: cannot be made: {}", wish.output, ec.message()));
      return false;
    }
    target.file = std::make_unique<std::ofstream>(wish.output, std::ios::binary | std::ios::trunc);
    if (*target.file) continue;
    console.error(fmt::format("{}: cannot be written: {}", wish.output, std::strerror(errno)));
    return false;
  }
  return true;
}

std::ostream& ReportFiles::text() { return targets_.front().stream(); }

bool ReportFiles::write(const report::Run& run, const Options& options, host::Console& console) {
  bool ok = true, summary_shown = options.quiet;
  for (const Target& target : targets_) {
    if (options.report.fix_dry_run && target.path.empty()) continue;  // stdout holds the patch
    const report::WriterOptions writer = writer_options(options, target.path.empty());
    if (target.format->to_folder) {
      std::string problem;
      if (!target.format->to_folder(target.path, run, writer, problem)) console.error(problem), ok = false;
      continue;
    }
    target.format->to_stream(target.stream(), run, writer);
    summary_shown = summary_shown || target.format->to_stream == report::write_text;
    target.stream().flush();
    if (target.stream()) continue;
    console.error(target.path.empty() ? "the report could not be written in full"
                                      : fmt::format("{}: could not be written in full", target.path));
    ok = false;
  }
  // A format for machines leaves people without a word on how it went.
  if (!summary_shown) report::write_summary(std::cerr, run, writer_options(options, false));
  return ok;
}

}  // namespace reckon::driver
