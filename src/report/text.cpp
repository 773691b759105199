#include "report/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "report/occasion.h"
#include "report/sources.h"
#include "report/text_source.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

using support::printable;

enum class Style { Plain, Place, Warning, Remark, Note, Caret };

constexpr std::size_t kMostLines = 10;  // of each list in the summary, unless verbose

// "[python-leak] (medium)"
std::string check_and_severity(const Finding& f) {
  return fmt::format("[{}] ({})", printable(f.check), name_of(f.severity));
}

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
    out_ << macro_suffix(f.loc) << ' ' << check_and_severity(f) << '\n';
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
    if (const Confirmation* c = confirmation_of(run_, f)) confirmation(f.loc, *c);
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

  void confirmation(const SourceLoc& loc, const Confirmation& c) {
    if (c.status != Confirmation::Status::Confirmed)
      return note(loc, fmt::format("{}{}{}", name_of(c.status), c.why.empty() ? "" : ": ", c.why));
    std::string calls;
    for (const std::string& call : c.assuming) calls += (calls.empty() ? "" : ", ") + call;
    note(loc, fmt::format("confirmed by running the program: {}", c.seen));
    if (!calls.empty()) note(loc, "made to fail for that: " + calls);
    if (!c.command.empty()) note(loc, "to see it again: " + c.command);
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

// What goes wrong when nothing fails first, of that and of the rest the most certain and most harmful, and otherwise in
// the order of reports.
std::vector<const Finding*> by_weight(const Run& run) {
  std::vector<const Finding*> out;
  for (const Finding& f : run.findings) out.push_back(&f);
  const auto weight = [](const Finding* f) {
    return std::tuple(f->trigger == Trigger::Normal, f->confidence, f->severity);
  };
  std::stable_sort(out.begin(), out.end(), [&](const Finding* a, const Finding* b) { return weight(a) > weight(b); });
  return out;
}

// Whoever sees the end of a long report first is told where to begin.
void write_first_ones(std::ostream& out, const Run& run) {
  constexpr std::size_t kFew = 5, kFirst = 3;
  std::vector<const Finding*> all = by_weight(run);
  std::erase_if(all, [&](const Finding* f) { return !counts(run, *f); });
  if (all.size() <= kFew) return;
  out << "look at these first:\n";
  for (std::size_t i = 0; i < kFirst; ++i) {
    const Finding& f = *all[i];
    out << printable(fmt::format("  {}:{}: {} ", shown_path(f.loc.file, run.base), f.loc.line, f.message))
        << check_and_severity(f) << '\n';
  }
}

void write_list(std::ostream& out, const std::vector<std::string>& lines, bool all) {
  const std::size_t most = all ? lines.size() : std::min(lines.size(), kMostLines);
  for (std::size_t i = 0; i < most; ++i) out << "  " << printable(lines[i]) << '\n';
  if (lines.size() > most) out << "  and " << lines.size() - most << " more (-v lists all)\n";
}

// There are functions, and no domain is concerned with any.
bool nobody_looked(const Coverage& coverage) {
  return !coverage.functions.empty() && coverage.count(Depth::Unconcerned) == coverage.functions.size();
}

void write_counts(std::ostream& out, const Run& run) {
  std::map<std::string, std::map<Severity, std::size_t, std::greater<>>> by_check;  // the most severe first
  std::size_t active = 0, suppressed = 0, known = 0, repaired = 0;
  for (const Finding& finding : run.findings) {
    if (counts(run, finding)) ++by_check[finding.check][finding.severity], ++active;
    suppressed += finding.suppression.has_value();
    known += !finding.suppression && finding.in_baseline && !run.remaining.contains(finding.fingerprint);
    repaired += is_repaired(run, finding);
  }
  const bool compared = run.has_baseline || !run.compared_with.empty();
  const std::string_view noun = compared ? "new finding" : "finding";
  if (active == 0 && run.coverage.units() == 0) {
    out << "nothing was analysed\n";
  } else if (active == 0 && nobody_looked(run.coverage)) {
    out << "nothing was checked\n";
  } else if (active == 0) {
    out << (repaired > 0 ? "nothing else found\n" : compared ? "nothing new found\n" : "nothing found\n");
  } else {
    out << counted(active, noun) << ":\n";
    for (const auto& [check, by_severity] : by_check) {
      std::size_t all = 0;
      std::string list;
      for (const auto& [severity, count] : by_severity) {
        all += count;
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, name_of(severity));
      }
      out << fmt::format("  {:5}  {}: {}\n", all, printable(check), list);
    }
  }
  if (repaired > 0) out << "repaired: " << repaired << '\n';
  if (suppressed > 0) out << "suppressed in the source: " << suppressed << '\n';
  if (run.has_baseline) out << "known from the baseline: " << known << '\n';
  if (!run.compared_with.empty()) {
    out << fmt::format("compared with {}: {} new, {} gone, {} as before\n", printable(run.compared_with), active,
                       run.gone.size(), run.remaining.size());
  }
  if (run.system_left_out > 0)
    out << "left out in headers of the system (--system-headers shows them): " << run.system_left_out << '\n';
  if (run.unsure_left_out > 0)
    out << "left out for low confidence (--confidence=low shows them): " << run.unsure_left_out << '\n';
  if (run.harmless_left_out > 0) out << "left out for low severity (--severity): " << run.harmless_left_out << '\n';
  if (run.occasion_left_out > 0)
    out << "left out for what they take to show (--trigger, --place): " << run.occasion_left_out << '\n';
}

}  // namespace

void write_text(std::ostream& out, const Run& run, const WriterOptions& options) {
  Writer writer(out, run, options);
  for (const Finding* finding : by_weight(run))
    if (is_active(*finding)) writer.finding(*finding);
  for (const SuppressionProblem& problem : run.suppression_problems) writer.problem(problem);
  if (options.quiet) return;
  write_first_ones(out, run);
  write_summary(out, run, options);  // last, since its last line says whether all was analysed
}

void write_summary(std::ostream& out, const Run& run, const WriterOptions& options) {
  write_counts(out, run);
  std::vector<std::string> gone;
  for (const Finding& f : run.gone)
    gone.push_back(fmt::format("gone: {}:{}: {} {}", shown_path(f.loc.file, run.base), f.loc.line, f.message,
                               check_and_severity(f)));
  write_list(out, gone, options.verbose);
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
      << not_at_all << " not analysed";
  if (const std::size_t primitives = c.count(Depth::Primitive); primitives > 0)
    out << ", " << counted(primitives, "primitive") << " not judged";
  out << '\n';
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
