#include "driver/pipeline.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "checks/analyse.h"
#include "driver/capture_stage.h"
#include "driver/files.h"
#include "driver/json_lines.h"
#include "driver/spec_files.h"
#include "model/text.h"
#include "program/program.h"
#include "report/text.h"
#include "specs/spec_set.h"

namespace reckon::driver {

namespace {

// Where the report goes: stdout or a file, opened before the work starts so that a bad name is known early.
class Output {
 public:
  bool open(const std::string& path, Console& console) {
    if (path.empty() || path == "-") return true;
    file_.emplace(path, std::ios::binary | std::ios::trunc);
    if (*file_) return true;
    console.error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
    return false;
  }
  std::ostream& stream() { return file_ ? static_cast<std::ostream&>(*file_) : std::cout; }
  bool is_terminal() const { return !file_ && isatty(STDOUT_FILENO) == 1; }
  bool finish(Console& console) {
    stream().flush();
    if (stream()) return true;
    console.error("the report could not be written in full");
    return false;
  }

 private:
  std::optional<std::ofstream> file_;
};

report::TextOptions text_options(const Options& options, const Output& output) {
  report::TextOptions text;
  text.full_path = options.full_path;
  text.base = current_folder();
  if (!output.is_terminal()) return text;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  text.colour = !(no_colour && *no_colour) && term && std::strcmp(term, "dumb") != 0;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) text.width = size.ws_col;
  return text;
}

checks::Options analysis_options(const Options& options) {
  checks::Options out;
  out.jobs = options.jobs;
  out.check_globs = options.checks;
  out.only_function = options.only_function;
  out.domains = options.domains;
  out.dump = options.dump;
  out.full_path = options.full_path;
  return out;
}

report::RunSummary summarise(const Input& input, const Captured& captured, const checks::Coverage& coverage,
                             const Options& options) {
  report::RunSummary summary;
  summary.units_compiled = captured.compiled;
  summary.units_from_cache = captured.from_cache;
  for (const FailedUnit& unit : captured.failed) summary.units_failed.push_back(unit.path + ": " + unit.reason);
  summary.entries_unusable = input.unusable;
  summary.entries_other_language = input.other_languages;
  summary.functions_full = coverage.full;
  summary.functions_cut_short = coverage.cut_short;
  summary.functions_not_analysed = coverage.not_analysed;
  summary.reasons = coverage.reasons;
  if (options.verbose) summary.most_lines = static_cast<std::size_t>(-1);
  return summary;
}

void print_models(std::ostream& out, const program::Program& program, const Options& options) {
  if (options.only_function.empty()) {
    for (const auto& unit : program.units()) out << model::print(*unit);
    return;
  }
  for (program::FuncId f = 0; f < program.num_functions(); ++f)
    if (program.name(f) == options.only_function || program.display(f) == options.only_function)
      out << model::print(program.unit(f), program.function(f));
}

}  // namespace

int check_program(const Input& input, const Options& options, Console& console) {
  // The specs come first: a mistake in them should not cost the time of a capture.
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  Output output;
  if (!output.open(options.output, console)) return kExitUsage;

  // Capture: each compiler call becomes a unit, in worker processes or from the cache.
  Captured captured = capture_units(input.commands, options, console);
  if (captured.interrupted) return kExitInterrupted;

  // Link: units become one program with a call graph. From here on there are threads, and no more forks.
  const program::Program program = program::Program::link(std::move(captured.units));
  if (options.dump == "model") print_models(output.stream(), program, options);

  // Analyse and judge: outcomes of functions bottom-up, and findings where a rule is broken.
  checks::Analysis analysis = checks::analyse(program, specs, analysis_options(options));
  output.stream() << analysis.dump_text;

  // Report: in a fixed order, whatever the threads did.
  report::sort_findings(analysis.findings);
  const report::TextOptions text = text_options(options, output);
  const report::RunSummary summary = summarise(input, captured, analysis.coverage, options);
  if (options.format == "json") {
    write_json_lines(output.stream(), analysis.findings);
    if (!console.quiet()) report::write_summary(std::cerr, analysis.findings, summary, text);
  } else {
    report::write_text(output.stream(), analysis.findings, text);
    if (!console.quiet()) report::write_summary(output.stream(), analysis.findings, summary, text);
  }
  if (!output.finish(console)) return kExitUsage;

  const checks::Coverage& coverage = analysis.coverage;
  const bool incomplete =
      !captured.failed.empty() || input.unusable > 0 || coverage.cut_short > 0 || coverage.not_analysed > 0;
  if (options.strict && incomplete) return kExitIncomplete;
  return analysis.findings.empty() ? kExitClean : kExitFindings;
}

}  // namespace reckon::driver
