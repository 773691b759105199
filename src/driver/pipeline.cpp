#include "driver/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include "analysis/analyse.h"
#include "checks/check.h"
#include "checks/wanted.h"
#include "driver/analysis_stage.h"
#include "driver/call_ends.h"
#include "driver/capture_stage.h"
#include "driver/changes.h"
#include "driver/comparison.h"
#include "driver/declared.h"
#include "driver/fixes.h"
#include "driver/link_stage.h"
#include "driver/plan.h"
#include "driver/reports.h"
#include "driver/settings.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "host/memory.h"
#include "model/text.h"
#include "program/mine_spec.h"
#include "program/program.h"
#include "program/rests.h"
#include "specs/spec_set.h"
#include "support/suggest.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

analysis::Options analysis_options(const Options& options) {
  analysis::Options out;
  out.jobs = options.capture.jobs;
  out.check_globs = options.analysis.checks;
  out.only_function = options.analysis.only_function;
  out.free_threaded = options.analysis.free_threaded;
  out.smt = !options.analysis.no_smt;
  out.domains = options.analysis.domains;
  out.dump = options.analysis.dump;
  out.scripts = options.analysis.scripts;
  out.full_path = options.report.full_path;
  out.collections = std::any_of(options.report.reports.begin(), options.report.reports.end(),
                                [](const ReportWish& wish) { return report::find_format(wish.format)->collections; });
  return out;
}

void print_models(std::ostream& out, const program::Program& program, const Options& options) {
  if (options.analysis.only_function.empty()) {
    for (program::UnitId u{}; u < program.num_units(); ++u, program.rest()) out << model::print(program.unit_at(u));
    return;
  }
  for (program::FuncId f{}; f < program.num_functions(); ++f)
    if (program.name(f) == options.analysis.only_function || program.display(f) == options.analysis.only_function)
      out << model::print(program.unit(f), program.function(f));
}

// A misspelt name would leave everything out, and look like a clean program.
bool checks_exist(const specs::SpecSet& specs, const Options& options, host::Console& console) {
  bool ok = true;
  const std::vector<std::string> names = checks::check_ids(specs);
  for (const std::string& wish : options.analysis.checks) {
    const std::string glob = wish.starts_with("-") ? wish.substr(1) : wish;
    const bool known = std::any_of(names.begin(), names.end(),
                                   [&](const std::string& name) { return checks::names_check(glob, name); });
    if (!known)
      console.error(fmt::format("no check is called '{}'{}; reckon list-checks names all checks", glob,
                                support::did_you_mean(glob, names)));
    ok = ok && known;
  }
  const auto& wishes = options.analysis.checks;
  if (ok && !wishes.empty() &&
      std::none_of(names.begin(), names.end(), [&](const std::string& name) { return checks::wanted(name, wishes); })) {
    console.error("--checks, or the settings, leave out every check");
    return false;
  }
  return ok;
}

// --only-function: a misspelt name would leave everything out, and look like a clean program.
bool has_function(const program::Program& program, const std::string& name, host::Console& console) {
  std::vector<std::string> names;
  for (program::FuncId f{}; f < program.num_functions(); ++f) {
    if (program.name(f) == name || program.display(f) == name) return true;
    names.emplace_back(program.display(f));
  }
  console.error(fmt::format("--only-function: no function is called '{}'{}", name, support::did_you_mean(name, names)));
  return false;
}

// FILE:LINE of --why-not. False: the console has said what is wrong with it.
bool read_asked_line(const std::string& text, analysis::AskedLine& asked, host::Console& console) {
  const std::size_t colon = text.rfind(':');
  const char* const end = text.data() + text.size();
  const char* const digits = colon == std::string::npos ? end : text.data() + colon + 1;
  const auto [rest, error] = std::from_chars(digits, end, asked.line);
  if (error != std::errc() || rest != end || asked.line == 0 || colon == 0) {
    console.error(fmt::format("--why-not: '{}' is not FILE:LINE", text));
    return false;
  }
  asked.text = text;
  asked.file = text.substr(0, colon);
  std::error_code ignored;  // what is no file here may be the last parts of a path
  if (std::filesystem::exists(asked.file, ignored))
    asked.file = std::filesystem::absolute(asked.file, ignored).lexically_normal().string();
  return true;
}

std::vector<std::string> source_files(const frontends::Input& input) {
  std::vector<std::string> files;
  for (const frontends::Command& command : input.commands) files.push_back(command.path);
  return files;
}

// A pattern of `include` that matches nothing is a mistake, unless files on the command line are what leaves the rest
// out. False: the console has said so.
bool includes_match(const frontends::Input& input, const Captured& captured, const Options& options,
                    host::Console& console) {
  if (options.settings->idle_includes({}).empty()) return true;  // there is no pattern
  std::set<std::string, std::less<>> files;
  for (const frontends::Command& command : input.commands) files.insert(command.path);
  files.insert(captured.headers.begin(), captured.headers.end());
  bool ok = true;
  for (const std::string& pattern : options.settings->idle_includes({files.begin(), files.end()})) {
    const std::string text = fmt::format("include: '{}' matches no file", pattern);
    if (options.input.files.empty())
      console.error(text + " of the program"), ok = false;
    else
      console.note(text + " of those on the command line");
  }
  return ok;
}

// An empty report that a filter made is a good one, and the reader is told which.
void tell_filters(const frontends::Input& input, const Options& options, const AffectedFunctions* affected,
                  host::Console& console) {
  if (affected && affected->size() == 0)
    console.result(fmt::format("no function is affected by a change since {}", options.report.changed_since));
  if (!input.commands.empty() &&
      std::none_of(input.commands.begin(), input.commands.end(),
                   [&](const frontends::Command& command) { return options.settings->wants_file(command.path); }))
    console.result("include and exclude of the settings leave out all files that were analysed");
}

// Functions that no domain is concerned with are not looked at: "nothing found" about nothing else would mislead.
void tell_foreign(const report::Run& run, const program::Program& program, const specs::SpecSet& specs,
                  host::Console& console) {
  const std::size_t foreign = run.coverage.count(report::Depth::Unconcerned);
  if (foreign == 0 || foreign != run.coverage.functions.size()) return;
  if (const std::size_t families = program::count_families(program, specs); families > 0)
    console.result(fmt::format("no API known here; {} famil{} counted: `reckon mine`", families,
                               families == 1 ? "y looks" : "ies look"));
  else
    console.note("no file includes a header by which a domain is known, so nothing was checked (--domain NAME, specs)");
}

// A line of the user's own that does not fit its function speaks of other arguments than it should.
void tell_misfits(const program::Program& program, const specs::SpecSet& specs, const Options& options,
                  host::Console& console) {
  if (options.analysis.specs.empty()) return;
  const std::set<std::string> own(options.analysis.specs.begin(), options.analysis.specs.end());
  DeclaredFunctions declared(specs, [&](const specs::FunctionSpec& spec) { return own.contains(spec.loc.file); });
  for (program::UnitId u{}; u < program.num_units(); ++u, program.rest())
    for (const DeclaredFunctions::Misfit& misfit : declared.compare(program.frame_at(u)))
      console.warning(support::printable(fmt::format("{}:{}: {} (declared at {})", misfit.error.loc.file,
                                                     misfit.error.loc.line, misfit.error.message, misfit.declared_at)));
}

// Attributes that cannot be read, each once, however many units include the header. Are there any?
bool tell_source_errors(const std::vector<specs::SpecError>& errors, host::Console& console) {
  std::set<std::string> told;
  for (const specs::SpecError& e : errors)
    if (std::string text = fmt::format("{}:{}:{}: error: {}", e.loc.file, e.loc.line, e.loc.col, e.message);
        told.insert(text).second)
      console.raw(support::printable(text));
  return !told.empty();
}

// What could not be analysed wins over what was found: nobody should read "findings" as "all findings".
int exit_code(const report::Run& run, bool unread, const Options& options) {
  if (run.coverage.failed() || (options.strict && (unread || !run.coverage.complete()))) return kExitIncomplete;
  const bool fails = options.report.write_baseline.empty() &&
                     std::any_of(run.findings.begin(), run.findings.end(), [&](const report::Finding& f) {
                       return report::counts(run, f) && options.settings->fails(f);
                     });
  return fails ? kExitFindings : kExitClean;
}

// What changed, if that was asked. False: the console has said why that is not known.
bool read_changes(const Options& options, std::optional<Changes>& changes, host::Console& console) {
  if (options.report.changed_since.empty()) return true;
  std::string problem;
  changes = changes_since(options.report.changed_since, problem);
  if (!changes) console.error(fmt::format("--changed-since: {}", problem));
  return changes.has_value();
}

}  // namespace

int check_program(const frontends::Input& input, const Options& given, host::Console& console,
                  const Afterwards& afterwards) {
  Options options = given;
  // The specs come first: a mistake in them should not cost the time of a capture.
  specs::SpecSet specs;
  std::string spec_fingerprint;
  if (!load_specs(options, console, specs, &spec_fingerprint) || !checks_exist(specs, options, console))
    return kExitUsage;
  analysis::AskedLine asked;
  if (!options.analysis.why_not.empty() && !read_asked_line(options.analysis.why_not, asked, console))
    return kExitUsage;
  std::error_code ec;
  if (const std::string& root = options.report.base; !root.empty() && !std::filesystem::is_directory(root, ec)) {
    console.error(fmt::format("--root: {} is no folder", root));
    return kExitUsage;
  }
  ReportFiles files;
  if (!files.open(options, source_files(input), console)) return kExitUsage;
  report::Baseline baseline;
  if (!load_baseline(options, console, baseline)) return kExitUsage;
  std::optional<Changes> changes;
  if (!read_changes(options, changes, console)) return kExitUsage;

  Comparison comparison;
  if (!comparison.begin(options, console)) return kExitUsage;

  // Of a large program, jobs do the work of the next stages, which find it in the cache.
  if (input.commands.size() > options.capture.plan_above) check_in_jobs(input, options, console);

  // Capture: each compiler call becomes a unit, in worker processes or from the cache.
  Captured captured = capture_many(input.commands, options, console);
  if (captured.interrupted || !comparison.capture(input, captured, options, console)) return kExitInterrupted;
  if (!input.commands.empty() && !includes_match(input, captured, options, console)) return kExitUsage;

  if (!files.spare(captured.headers)) return kExitUsage;
  // Specs of libraries whose headers the units read.
  if (!load_packs(captured.headers, console, specs, &spec_fingerprint)) return kExitUsage;

  // Link: units become one program with a call graph. From here on there are threads, and no more forks.
  host::limit_memory(options.capture.memory_limit_mib);
  const program::Program program = link_captured(captured, specs, spec_fingerprint, options.capture.jobs);
  tell_misfits(program, specs, options, console);
  if (const std::string& wish = options.analysis.only_function;
      !wish.empty() && program.num_functions() > program::FuncId{} && !has_function(program, wish, console))
    return kExitUsage;
  if (asked.line != 0 && analysis::functions_at(program, asked).empty()) {
    console.error(fmt::format("--why-not: {}", analysis::why_nowhere(program, asked)));
    return kExitUsage;
  }
  if (options.analysis.dump == "model") print_models(files.text(), program, options);

  // Analyse and judge: outcomes of functions bottom-up, and findings where a rule is broken. What earlier runs found
  // out of functions that did not change, in themselves or in what they call, is taken over.
  analysis::Options wishes = analysis_options(options);
  comparison.analyse(input, specs, spec_fingerprint, options, wishes, console);
  wishes.why_not = asked;
  analysis::Analysis analysis = analyse_captured(program, captured, specs, spec_fingerprint, options, wishes, console);
  const bool unread = tell_source_errors(analysis.source_errors, console);
  console.detail(
      fmt::format("solver: {} queries, {} more answered from memory; {} impossible, {} undecided; {:.2f} s CPU",
                  analysis.smt.queries, analysis.smt.repeated, analysis.smt.impossible, analysis.smt.undecided,
                  analysis.smt.seconds));
  files.text() << analysis.dump_text;

  // Report: in a fixed order, whatever the threads did.
  std::optional<AffectedFunctions> affected;
  if (changes) affected.emplace(program, *changes);
  report::Run run = make_run(input, captured, std::move(analysis), options, baseline, affected ? &*affected : nullptr);
  comparison.apply(run);
  if (options.report.offer_fixes || options.report.fix || options.report.fix_dry_run)
    offer_fixes(run, input, specs, options, console);
  if ((options.report.fix || options.report.fix_dry_run) && !apply_fixes(run, options, console)) return kExitUsage;
  add_call_ends(run, specs);
  if (afterwards && !afterwards(run, specs)) return kExitUsage;
  tell_filters(input, options, affected ? &*affected : nullptr, console);
  tell_foreign(run, program, specs, console);
  if (!files.write(run, options, console) || !save_baseline(run, options, console)) return kExitUsage;
  return exit_code(run, unread, options);
}

}  // namespace reckon::driver
