// reckon list-checks: all checks with one line each. reckon explain CHECK: the page of one, docs/checks/KIND.md.
#include <fmt/core.h>

#include <iostream>
#include <map>

#include "checks/check.h"
#include "driver/check_pages.h"
#include "driver/commands.h"

namespace reckon::driver {

int command_list_checks(const Options&, Console&) {
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

int command_explain(const Options& options, Console& console) {
  if (const std::string page = check_page(options.name); !page.empty()) {
    std::cout << page;
    return kExitClean;
  }
  console.error(fmt::format("there is no page on a check '{}'; reckon list-checks names all checks", options.name));
  return kExitUsage;
}

}  // namespace reckon::driver
