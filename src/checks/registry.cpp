// The list of checks, and which events they answer to.

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "checks/kinds.h"
#include "checks/static_checks.h"

namespace reckon::checks {

std::span<const Check> all_checks() {
  static const std::array kAll{
#define CHECK(name) name,
#include "checks/kinds.def"
#undef CHECK
  };
  return kAll;
}

std::optional<report::Finding> finding_for(const View& view) {
  for (const Check& check : all_checks())
    for (const Rule& rule : check.rules)
      if (rule.event == view.event().kind)
        if (auto finding = rule.report(view)) return finding;
  return std::nullopt;
}

void run_static_checks(const WholeProgram& program, std::vector<report::Finding>& out) {
  for (const Check& check : all_checks())
    if (check.program) check.program(program, out);
}

bool names_check(const std::string& glob, const std::string& id) {
  if (fnmatch(glob.c_str(), id.c_str(), 0) == 0) return true;
  std::string kind;  // the longest one: python-buffer-leak is no "leak"
  for (const Check& check : all_checks())
    if (check.kind.size() > kind.size() && id.ends_with("-" + std::string(check.kind))) kind = check.kind;
  return !kind.empty() && fnmatch(glob.c_str(), kind.c_str(), 0) == 0;
}

}  // namespace reckon::checks
