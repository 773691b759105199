#include "report/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "report/occasion.h"
#include "report/sources.h"
#include "report/text_source.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

using support::printable;

enum class Style { Plain, Place, Warning, Remark, Note, Caret };

constexpr std::size_t kMostLines = 10;  // of each list in the summary, unless verbose

class Writer {
 public:
  Writer(std::ostream& out, const Run& run, const WriterOptions& options)
      : out_(out), run_(run), options_(options), sources_(run.originals) {}

  void finding(const Finding& f) {
    place(f.loc);
    // A note would look like a step of the finding above.
    if (f.severity == Severity::Note)
      styled(Style::Remark, "remark: ");
    else
      styled(Style::Warning, "warning: ");
    styled(Style::Place, printable(f.message));
    out_ << macro_suffix(f.loc) << " [" << printable(f.check) << "]\n";
    source(f.loc);
    // That nothing has to fail, in a function that runs again and again, goes without saying.
    if (f.trigger != Trigger::Normal || f.place != Place::Run) note(f.loc, "this shows " + occasion_of(f));
    steps(f.path);
    if (!f.other_path.empty()) {
      note(f.other_path.front().loc, "the other path:");
      steps(f.other_path);
    }
    for (const SourceLoc& loc : f.further_places) note(loc, "the same cause shows here, too");
    if (!f.fixes.empty()) fix(f.fixes.front());
    if (is_repaired(run_, f)) note(f.loc, "repaired; these are the lines of the source as it was");
  }

  void problem(const SuppressionProblem& problem) {
    place(problem.loc);
    styled(Style::Warning, "warning: ");
    styled(Style::Place, printable(problem.text));
    out_ << " [suppression]\n";
    source(problem.loc);
  }

 private:
  void styled(Style style, std::string_view text) {
    static constexpr const char* codes[] = {"", "\033[1m", "\033[1;35m", "\033[1;34m", "\033[1;36m", "\033[1;32m"};
    if (!options_.colour || style == Style::Plain)
      out_ << text;
    else
      out_ << codes[static_cast<int>(style)] << text << "\033[0m";
  }

  void place(const SourceLoc& loc) {
    if (loc.file.empty()) {
      styled(Style::Place, "<unknown>: ");
      return;
    }
    std::string text = printable(shown_path(loc.file, run_.base));
    if (loc.line > 0) text += fmt::format(":{}", loc.line);
    if (loc.line > 0 && loc.col > 0) text += fmt::format(":{}", loc.col);
    styled(Style::Place, text + ": ");
  }

  static std::string macro_suffix(const SourceLoc& loc) {
    return loc.macro.empty() ? "" : fmt::format(" (in macro {})", printable(loc.macro));
  }

  void source(const SourceLoc& loc) {
    const std::string number = fmt::format("{:5} | ", loc.line);
    const std::size_t width = options_.width == 0 ? 0 : std::max(options_.width, number.size() + 1) - number.size();
    const std::string_view line = sources_.file(loc.file).line(loc.line);
    if (line.empty()) return;
    const Excerpt excerpt = make_excerpt(line, loc.col, width);
    out_ << number << excerpt.line << '\n';
    if (loc.col == 0) return;
    out_ << "      | " << std::string(excerpt.caret, ' ');
    styled(Style::Caret, "^");
    out_ << '\n';
  }

  void note(const SourceLoc& loc, std::string_view text) {
    place(loc);
    styled(Style::Note, "note: ");
    out_ << printable(text) << '\n';
  }

  void steps(const std::vector<Step>& path) {
    for (const Step& step : path) {
      if (!step.essential && !options_.full_path) continue;
      std::string text(static_cast<std::size_t>(std::max(step.depth, 0)) * 2, ' ');
      text += step.text + macro_suffix(step.loc);
      if (!step.state.empty()) text += fmt::format("; {}", step.state);
      note(step.loc, text);
    }
  }

  void fix(const Fix& fix) {
    if (fix.edits.empty()) return;
    const Edit& first = fix.edits.front();
    note({first.file, first.line, first.col, ""}, fmt::format("repair (--fix): {}", fix.description));
  }

  std::ostream& out_;
  const Run& run_;
  const WriterOptions& options_;
  Sources sources_;
};

std::string counted(std::size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

void write_list(std::ostream& out, const std::vector<std::string>& lines, bool all) {
  const std::size_t most = all ? lines.size() : std::min(lines.size(), kMostLines);
  for (std::size_t i = 0; i < most; ++i) out << "  " << printable(lines[i]) << '\n';
  if (lines.size() > most) out << "  and " << lines.size() - most << " more (-v lists all)\n";
}

void write_counts(std::ostream& out, const Run& run) {
  std::map<std::string, std::size_t> by_check;
  std::size_t active = 0, suppressed = 0, known = 0, repaired = 0;
  for (const Finding& finding : run.findings) {
    if (counts(run, finding)) ++by_check[finding.check], ++active;
    suppressed += finding.suppression.has_value();
    known += !finding.suppression && finding.in_baseline;
    repaired += is_repaired(run, finding);
  }
  const std::string_view noun = run.has_baseline ? "new finding" : "finding";
  if (active == 0 && run.coverage.units() == 0) {
    out << "nothing was analysed\n";
  } else if (active == 0) {
    out << (repaired > 0 ? "nothing else found\n" : run.has_baseline ? "nothing new found\n" : "nothing found\n");
  } else {
    out << counted(active, noun) << ":\n";
    for (const auto& [check, count] : by_check) out << fmt::format("  {:5}  {}\n", count, printable(check));
  }
  if (repaired > 0) out << "repaired: " << repaired << '\n';
  if (suppressed > 0) out << "suppressed in the source: " << suppressed << '\n';
  if (run.has_baseline) out << "known from the baseline: " << known << '\n';
  if (run.unsure_left_out > 0)
    out << "left out for low confidence (--confidence=low shows them): " << run.unsure_left_out << '\n';
  if (run.trigger_left_out > 0)
    out << "left out for what they take to show (--trigger): " << run.trigger_left_out << '\n';
}

}  // namespace

void write_text(std::ostream& out, const Run& run, const WriterOptions& options) {
  Writer writer(out, run, options);
  for (const Finding& finding : run.findings)
    if (is_active(finding)) writer.finding(finding);
  for (const SuppressionProblem& problem : run.suppression_problems) writer.problem(problem);
  if (!options.quiet) write_summary(out, run, options);
}

void write_summary(std::ostream& out, const Run& run, const WriterOptions& options) {
  write_counts(out, run);
  if (!run.disappeared.empty()) {
    out << "no longer found, and still in the baseline: " << run.disappeared.size() << '\n';
    write_list(out, run.disappeared, options.verbose);
  }

  const Coverage& c = run.coverage;
  out << counted(c.units_compiled + c.units_from_cache + c.units_failed.size(), "unit") << ": " << c.units_compiled
      << " captured, " << c.units_from_cache << " from the cache, " << c.units_failed.size() << " failed\n";
  std::vector<std::string> failed;
  for (const FailedUnit& unit : c.units_failed) failed.push_back(shown_path(unit.path, run.base) + ": " + unit.reason);
  write_list(out, failed, options.verbose);
  if (c.entries_unusable > 0)
    out << fmt::format("entries of the compilation database left out as unusable: {}\n", c.entries_unusable);
  if (c.entries_other_language > 0)
    out << fmt::format("entries left out as neither C nor C++: {}\n", c.entries_other_language);

  if (!c.not_known.empty()) {
    out << "not known, because nothing of the package was run (--allow-build):\n";
    write_list(out, c.not_known, options.verbose);
  }

  const std::size_t full = c.count(Depth::Full), cut = c.count(Depth::CutShort),
                    not_at_all = c.count(Depth::NotAnalysed);
  out << counted(full + cut + not_at_all, "function") << ": " << full << " analysed in full, " << cut << " cut short, "
      << not_at_all << " not analysed\n";
  if (const CountClasses& k = c.classes; k.changing > 0)
    out << fmt::format("counts: changed by {}, steered by {} that were analysed and {} that were not; {} others\n",
                       counted(k.changing, "function"), k.affecting, k.affecting_not_analysed, k.other);
  if (c.functions_reused > 0) out << "taken over from an earlier run: " << c.functions_reused << '\n';
  std::vector<std::string> reasons;
  for (const FunctionCoverage& f : c.functions)
    if (f.depth == Depth::CutShort || f.depth == Depth::NotAnalysed) reasons.push_back(f.name + ": " + f.reason);
  write_list(out, reasons, options.verbose);
  if (const std::string missing = c.shortfall(); !missing.empty()) out << printable(missing) << '\n';
}

}  // namespace reckon::report
