// The list of checks, and which events they answer to.

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/wanted.h"
#include "specs/spec_set.h"

namespace reckon::checks {

std::span<const Check> all_checks() {
  static const std::array kAll{
#define CHECK(name) name,
#include "checks/kinds.def"
#undef CHECK
  };
  return kAll;
}

const Check* check_of(std::string_view id) {
  const Check* found = nullptr;  // the longest one: python-buffer-leak is no "leak"
  for (const Check& check : all_checks())
    if (id.ends_with("-" + std::string(check.kind)) && (!found || check.kind.size() > found->kind.size()))
      found = &check;
  return found;
}

std::optional<report::Finding> finding_for(const View& view) {
  for (const Check& check : all_checks())
    for (const Rule& rule : check.rules)
      if (rule.event == view.event().kind)
        if (auto finding = rule.report(view)) return finding;
  return std::nullopt;
}

void run_static_checks(const WholeProgram& program, std::vector<report::Finding>& out) {
  for (const Check& check : all_checks()) {
    if (check.program) check.program(program, out);
    program.ctx.program.rest();
  }
}

void run_function_checks(const engine::Context& ctx, engine::FuncId f, std::vector<report::Finding>& out) {
  for (const Check& check : all_checks())
    if (check.function) check.function(ctx, f, out);
}

std::vector<std::string> check_ids(const specs::SpecSet& specs) {
  std::vector<std::string> ids;
  for (const specs::DomainSpec& domain : specs.domains())
    for (const Check& check : all_checks()) ids.push_back(id_in(domain.name, check));
  for (const auto& function : specs.functions())
    for (const specs::Outcome& outcome : function->outcomes)
      for (const specs::CountChange& change : outcome.counts)
        if (!change.kind.empty()) ids.push_back(named_leak(function->domain, change.kind));
  return ids;
}

bool names_check(const std::string& glob, const std::string& id) {
  if (fnmatch(glob.c_str(), id.c_str(), 0) == 0) return true;
  const Check* check = check_of(id);
  if (!check) return false;
  if (fnmatch(glob.c_str(), std::string(check->kind).c_str(), 0) == 0) return true;
  if (check->of_named_counts)
    for (auto dash = id.find('-'); dash != std::string::npos; dash = id.find('-', dash + 1))
      if (fnmatch(glob.c_str(), id.c_str() + dash + 1, 0) == 0) return true;
  return false;
}

bool wanted(const std::string& id, const std::vector<std::string>& globs) {
  bool any_positive = false, on = false, off = false;
  for (const std::string& glob : globs) {
    const bool minus = glob.starts_with("-");
    const bool match = names_check(minus ? glob.substr(1) : glob, id);
    if (minus)
      off = off || match;
    else
      any_positive = true, on = on || match;
  }
  const Check* known = check_of(id);
  return (on || (!any_positive && !(known && known->on_request))) && !off;
}

std::string id_in(std::string_view domain, const Check& check) {
  return std::string(domain) + "-" + std::string(check.kind);
}

std::string named_leak(std::string_view domain, std::string_view count) {
  return id_in(std::string(domain) + "-" + std::string(count), check_leak);
}

}  // namespace reckon::checks
