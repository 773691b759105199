#include "report/baseline.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/uri.h"

namespace reckon::report {

namespace {

constexpr std::string_view kHeader = "# reckon baseline 1";

std::string file_of(const Finding& f, const Run& run) { return relative_uri(shown_path(f.loc.file, run.base)); }

// The next word of a line; the last one takes the rest, since names of C++ functions may have blanks.
std::string take(std::string_view& line, bool last) {
  const std::size_t end = last ? line.size() : std::min(line.find(' '), line.size());
  std::string word(line.substr(0, end));
  line.remove_prefix(std::min(line.size(), end + 1));
  return word;
}

}  // namespace

Baseline parse_baseline(std::string_view text) {
  Baseline out;
  std::size_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number;
    if (number == 1 && line != kHeader) {
      out.error = "line 1: expected '" + std::string(kHeader) + "'";
      return out;
    }
    if (line.empty() || line[0] == '#') continue;
    BaselineEntry entry;
    entry.fingerprint = take(line, false);
    entry.check = take(line, false);
    entry.file = take(line, false);
    entry.function = take(line, true);
    const bool hex = std::all_of(entry.fingerprint.begin(), entry.fingerprint.end(),
                                 [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    if (!hex || entry.fingerprint.size() != 32 || entry.file.empty()) {
      out.error = "line " + std::to_string(number) + ": expected FINGERPRINT CHECK FILE FUNCTION";
      return out;
    }
    out.entries.push_back(std::move(entry));
  }
  if (number == 0) out.error = "line 1: expected '" + std::string(kHeader) + "'";
  return out;
}

void write_baseline(std::ostream& out, const Run& run) {
  out << kHeader << '\n';
  std::vector<Finding> by_place = run.findings;  // a diff of two baselines then shows what is new where it stands
  sort_findings(by_place);
  for (const Finding& f : by_place)
    if (!f.suppression && !is_repaired(run, f))
      out << f.fingerprint << ' ' << f.check << ' ' << file_of(f, run) << ' ' << f.function << '\n';
}

void apply_baseline(Run& run, const Baseline& baseline, bool whole) {
  run.has_baseline = true;
  std::set<std::string> known, found, files;
  for (const BaselineEntry& entry : baseline.entries) known.insert(entry.fingerprint);
  for (Finding& f : run.findings) {
    f.in_baseline = known.contains(f.fingerprint);
    found.insert(f.fingerprint);
  }
  if (!whole) return;
  for (const FunctionCoverage& f : run.coverage.functions) files.insert(relative_uri(shown_path(f.file, run.base)));
  for (const BaselineEntry& entry : baseline.entries)
    if (!found.contains(entry.fingerprint) && files.contains(entry.file))
      run.disappeared.push_back(entry.file + ": " + entry.function + ": " + entry.check);
}

}  // namespace reckon::report
