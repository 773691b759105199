// GitLab compares the report of a branch with that of its target by fingerprint, so findings of the baseline are
// listed, too: leaving them out would show them as repaired. What is suppressed or was repaired by this run is not.
#include "report/gitlab.h"

#include <nlohmann/json.hpp>

#include "report/occasion.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

using json = nlohmann::ordered_json;

const char* gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::Note: return "info";
    case Severity::Low: return "minor";
    case Severity::Medium: return "major";
    case Severity::High: return "critical";
  }
  return "info";
}

}  // namespace

void write_gitlab(std::ostream& out, const Run& run, const WriterOptions&) {
  json issues = json::array();
  for (const Finding& f : run.findings) {
    if (f.suppression || is_repaired(run, f)) continue;
    issues.push_back(
        {{"description", f.function.empty() ? f.message : f.message + " (in " + f.function + "())"},
         {"check_name", f.check},
         {"fingerprint", f.fingerprint},
         {"severity", gitlab_severity(f.severity)},
         {"content", {{"body", "This shows " + occasion_of(f) + "."}}},
         {"location",
          {{"path", shown_path(f.loc.file, run.base)}, {"lines", {{"begin", f.loc.line == 0 ? 1 : f.loc.line}}}}}});
  }
  out << support::printable_json(issues.dump(1, ' ', false, json::error_handler_t::replace)) << '\n';
}

}  // namespace reckon::report
