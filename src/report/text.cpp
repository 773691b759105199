#include "report/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/text_source.h"

namespace reckon::report {

namespace {

enum class Style { Plain, Place, Warning, Note, Caret };

class Writer {
 public:
  Writer(std::ostream& out, const TextOptions& options) : out_(out), options_(options) {}

  void finding(const Finding& f) {
    place(f.loc);
    styled(Style::Warning, "warning: ");
    styled(Style::Place, f.message);
    out_ << macro_suffix(f.loc) << " [" << f.check << "]\n";
    source(f.loc);
    steps(f.path);
    if (!f.other_path.empty()) {
      note(f.other_path.front().loc, "the other path:");
      steps(f.other_path);
    }
    for (const SourceLoc& loc : f.further_places) note(loc, "the same cause shows here, too");
  }

 private:
  void styled(Style style, std::string_view text) {
    static constexpr const char* codes[] = {"", "\033[1m", "\033[1;35m", "\033[1;36m", "\033[1;32m"};
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
    std::string text = shown_path(loc.file, options_.base);
    if (loc.line > 0) text += fmt::format(":{}", loc.line);
    if (loc.line > 0 && loc.col > 0) text += fmt::format(":{}", loc.col);
    styled(Style::Place, text + ": ");
  }

  static std::string macro_suffix(const SourceLoc& loc) {
    return loc.macro.empty() ? "" : fmt::format(" (in macro {})", loc.macro);
  }

  void source(const SourceLoc& loc) {
    const std::string number = fmt::format("{:5} | ", loc.line);
    const std::size_t width = options_.width == 0 ? 0 : std::max(options_.width, number.size() + 1) - number.size();
    const auto excerpt = lines_.excerpt(loc.file, loc.line, loc.col, width);
    if (!excerpt) return;
    out_ << number << excerpt->line << '\n';
    if (loc.col == 0) return;
    out_ << "      | " << std::string(excerpt->caret, ' ');
    styled(Style::Caret, "^");
    out_ << '\n';
  }

  void note(const SourceLoc& loc, std::string_view text) {
    place(loc);
    styled(Style::Note, "note: ");
    out_ << text << '\n';
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

  std::ostream& out_;
  const TextOptions& options_;
  SourceLines lines_;
};

std::string counted(std::size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

void write_list(std::ostream& out, const std::vector<std::string>& lines, std::size_t most) {
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) out << "  " << lines[i] << '\n';
  if (lines.size() > most) out << "  and " << lines.size() - most << " more (-v lists all)\n";
}

}  // namespace

std::string shown_path(const std::string& path, const std::string& base) {
  if (base.empty() || base == "/" || !path.starts_with(base)) return path;
  if (path.size() <= base.size() + 1 || path[base.size()] != '/') return path;
  return path.substr(base.size() + 1);
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.loc.file, a.loc.line, a.loc.col, a.check, a.message, a.function, a.fingerprint) <
           std::tie(b.loc.file, b.loc.line, b.loc.col, b.check, b.message, b.function, b.fingerprint);
  });
}

void write_text(std::ostream& out, std::span<const Finding> findings, const TextOptions& options) {
  Writer writer(out, options);
  for (const Finding& finding : findings) writer.finding(finding);
}

void write_summary(std::ostream& out, std::span<const Finding> findings, const RunSummary& summary,
                   const TextOptions& options) {
  if (findings.empty()) {
    out << (summary.analysed ? "nothing found\n" : "");
  } else {
    std::map<std::string, std::size_t> by_check;
    for (const Finding& finding : findings) ++by_check[finding.check];
    out << counted(findings.size(), "finding") << ":\n";
    for (const auto& [check, count] : by_check) out << fmt::format("  {:5}  {}\n", count, check);
  }

  const std::size_t units = summary.units_compiled + summary.units_from_cache + summary.units_failed.size();
  out << counted(units, "unit") << ": " << summary.units_compiled << " captured, " << summary.units_from_cache
      << " from the cache, " << summary.units_failed.size() << " failed\n";
  std::vector<std::string> failed;
  for (const std::string& line : summary.units_failed) failed.push_back(shown_path(line, options.base));
  write_list(out, failed, summary.most_lines);
  if (summary.entries_unusable > 0)
    out << fmt::format("entries of the compilation database left out as unusable: {}\n", summary.entries_unusable);
  if (summary.entries_other_language > 0)
    out << fmt::format("entries left out as neither C nor C++: {}\n", summary.entries_other_language);
  if (!summary.analysed) return;
  const std::size_t functions = summary.functions_full + summary.functions_cut_short + summary.functions_not_analysed;
  out << counted(functions, "function") << ": " << summary.functions_full << " analysed in full, "
      << summary.functions_cut_short << " cut short, " << summary.functions_not_analysed << " not analysed\n";
  write_list(out, summary.reasons, summary.most_lines);
}

}  // namespace reckon::report
