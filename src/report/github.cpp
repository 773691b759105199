#include "report/github.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/occasion.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

constexpr std::size_t kShownOfALevel = 10;
constexpr std::size_t kMostRows = 1000;  // a summary may have 1 MiB

const char* level_of(Severity severity) {
  switch (severity) {
    case Severity::High: return "error";
    case Severity::Medium: return "warning";
    case Severity::Low:
    case Severity::Note: return "notice";
  }
  return "notice";
}

// In a message `%` and ends of lines have to be escaped; in a property also what ends it.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : support::printable_lines(text)) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out;
}

// A cell of a table: no mark of Markdown or HTML gets through.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : support::printable_lines(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '\n' || c == '\r')
      out += ' ';
    else if (std::string_view("|*_[]\\~").find(c) != std::string_view::npos)
      out += fmt::format("\\{}", c);
    else
      out += c;
  }
  return out;
}

std::vector<const Finding*> by_harm(const Run& run) {
  std::vector<const Finding*> out;
  for (const Finding& f : run.findings)
    if (counts(run, f)) out.push_back(&f);
  std::stable_sort(out.begin(), out.end(), [](const Finding* a, const Finding* b) {
    return std::tie(a->severity, a->confidence) > std::tie(b->severity, b->confidence);
  });
  return out;
}

}  // namespace

void write_github(std::ostream& out, const Run& run, const WriterOptions&) {
  std::map<std::string_view, std::size_t> shown;
  std::size_t left_out = 0;
  for (const Finding* f : by_harm(run)) {
    const char* level = level_of(f->severity);
    if (++shown[level] > kShownOfALevel) {
      ++left_out;
      continue;
    }
    out << fmt::format("::{} file={},line={}", level, escaped(shown_path(f->loc.file, run.base), true),
                       std::max<std::uint32_t>(f->loc.line, 1));
    if (f->loc.col > 0) out << fmt::format(",col={}", f->loc.col);
    out << fmt::format(",title={}::{}; this shows {}\n", escaped(f->check, true), escaped(f->message, false),
                       escaped(occasion_of(*f), false));
  }
  if (left_out > 0)
    out << fmt::format("::notice title=reckon::{} more findings are in the summary of the job\n", left_out);
  if (const std::string missing = run.coverage.shortfall(); !missing.empty())
    out << fmt::format("::{} title=reckon::{}\n", run.coverage.failed() ? "error" : "warning", escaped(missing, false));
}

void write_github_summary(std::ostream& out, const Run& run) {
  const std::vector<const Finding*> findings = by_harm(run);
  out << "### Reckon\n\n";
  if (findings.empty())
    out << (run.compared_with.empty() && !run.has_baseline ? "Nothing was found.\n" : "Nothing new was found.\n");
  else
    out << "| severity | place | finding | check |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < std::min(findings.size(), kMostRows); ++i) {
    const Finding& f = *findings[i];
    out << fmt::format("| {} | {}:{} | {} | {} |\n", name_of(f.severity), cell(shown_path(f.loc.file, run.base)),
                       f.loc.line, cell(f.message), cell(f.check));
  }
  if (findings.size() > kMostRows) out << fmt::format("\nAnd {} more.\n", findings.size() - kMostRows);
  if (!run.compared_with.empty())
    out << fmt::format("\nCompared with {}: {} new, {} gone.\n", cell(run.compared_with), findings.size(),
                       run.gone.size());
  if (const std::string missing = run.coverage.shortfall(); !missing.empty()) out << '\n' << cell(missing) << '\n';
  out << '\n';
}

}  // namespace reckon::report
