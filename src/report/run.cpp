#include "report/run.h"

#include <algorithm>
#include <tuple>

namespace reckon::report {

const char* name_of(Confirmation::Status status) {
  switch (status) {
    case Confirmation::Status::Untried: return "untried";
    case Confirmation::Status::NotReached: return "not-reached";
    case Confirmation::Status::Reached: return "reached";
    case Confirmation::Status::Confirmed: return "confirmed";
  }
  return "";
}

const Confirmation* confirmation_of(const Run& run, const Finding& finding) {
  const auto it = run.confirmations.find(finding.fingerprint);
  return it == run.confirmations.end() ? nullptr : &it->second;
}

const CallEnd* end_of(const Run& run, const Step& step) {
  if (step.callee.empty()) return nullptr;
  const auto it = run.call_ends.find({step.callee, step.outcome});
  return it == run.call_ends.end() ? nullptr : &it->second;
}

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
    case Depth::Primitive: return "a primitive";
    case Depth::Unconcerned: return "in no domain";
  }
  return "";
}

std::size_t Coverage::count(Depth depth) const {
  return static_cast<std::size_t>(
      std::count_if(functions.begin(), functions.end(), [&](const FunctionCoverage& f) { return f.depth == depth; }));
}

bool Coverage::complete() const {
  return units_failed.empty() && entries_unusable == 0 && not_known.empty() && build_failure.empty() &&
         count(Depth::CutShort) == 0 && count(Depth::NotAnalysed) == 0;
}

bool Coverage::failed() const { return !build_failure.empty() || (units() == 0 && empty_because.empty()); }

std::string Coverage::shortfall() const {
  std::string missing;
  auto add = [&](std::size_t n, const char* one, const char* many) {
    if (n > 0) missing += (missing.empty() ? "" : ", ") + std::to_string(n) + " " + (n == 1 ? one : many);
  };
  if (!build_failure.empty()) missing = "the build " + build_failure;
  if (!units_failed.empty())
    missing += (missing.empty() ? "" : ", ") + std::to_string(units_failed.size()) + " of " +
               std::to_string(units() + units_failed.size()) + " units failed";
  add(entries_unusable, "entry of the compilation database could not be used",
      "entries of the compilation database could not be used");
  add(not_known.size(), "thing about the build is not known", "things about the build are not known");
  add(count(Depth::CutShort), "function was cut short", "functions were cut short");
  add(count(Depth::NotAnalysed), "function was not analysed", "functions were not analysed");
  if (units() == 0) {
    if (!empty_because.empty()) missing = empty_because;
    return "nothing was analysed" + (missing.empty() ? missing : ": " + missing);
  }
  return missing.empty() ? missing : "not all was analysed: " + missing;
}

bool is_active(const Finding& finding) { return !finding.suppression && !finding.in_baseline; }

bool is_repaired(const Run& run, const Finding& finding) { return run.repaired.contains(finding.fingerprint); }

bool counts(const Run& run, const Finding& finding) { return is_active(finding) && !is_repaired(run, finding); }

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
