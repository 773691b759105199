// reckon list-checks: all checks with one line each.
#include <fmt/core.h>

#include <iostream>
#include <map>

#include "checks/check.h"
#include "driver/command_line.h"
#include "driver/commands.h"

namespace reckon::driver {

namespace {

int work(const Options&, host::Console&) {
  std::map<std::string_view, std::string_view> by_kind;  // several events may feed one check: its first line counts
  std::size_t width = 0;
  for (const checks::Check& check : checks::all_checks()) {
    by_kind.emplace(check.kind, check.summary);
    width = std::max(width, check.kind.size());
  }
  for (const auto& [kind, summary] : by_kind) std::cout << fmt::format("{:{}}  {}\n", kind, width, summary);
  std::cout << "Findings name the domain first, as in DOMAIN-" << by_kind.begin()->first << ".\n";
  return kExitClean;
}

}  // namespace

void define_list_checks(CommandLine& line) {
  line.command({"list-checks", "Name all checks", "reckon list-checks"}, work);
}

}  // namespace reckon::driver
