#include "report/run.h"

#include <algorithm>
#include <tuple>

namespace reckon::report {

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Low: return "low";
    case Severity::Medium: return "medium";
    case Severity::High: return "high";
  }
  return "";
}

const char* name_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::Low: return "low";
    case Confidence::Medium: return "medium";
    case Confidence::High: return "high";
  }
  return "";
}

const char* name_of(Depth depth) {
  switch (depth) {
    case Depth::Full: return "analysed in full";
    case Depth::CutShort: return "cut short";
    case Depth::NotAnalysed: return "not analysed";
    case Depth::WithoutCounts: return "without counts";
    case Depth::BySpec: return "known by a spec";
    case Depth::Unconcerned: return "in no domain";
  }
  return "";
}

std::size_t Coverage::count(Depth depth) const {
  return static_cast<std::size_t>(
      std::count_if(functions.begin(), functions.end(), [&](const FunctionCoverage& f) { return f.depth == depth; }));
}

bool Coverage::complete() const {
  return units_failed.empty() && entries_unusable == 0 && count(Depth::CutShort) == 0 && count(Depth::NotAnalysed) == 0;
}

bool is_active(const Finding& finding) { return !finding.suppression && !finding.in_baseline; }

const CheckInfo* find_check(const Run& run, const std::string& id) {
  const auto it = std::find_if(run.checks.begin(), run.checks.end(), [&](const CheckInfo& c) { return c.id == id; });
  return it == run.checks.end() ? nullptr : &*it;
}

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

}  // namespace reckon::report
