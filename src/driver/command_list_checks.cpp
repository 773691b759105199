// reckon list-checks: all checks with one line each.
#include <fmt/core.h>

#include <iostream>

#include "checks/check.h"
#include "driver/command_line.h"
#include "driver/commands.h"

namespace reckon::driver {

namespace {

int work(const Options&, host::Console&) {
  const auto all = checks::all_checks();
  std::size_t width = 0;
  for (const checks::Check& check : all) width = std::max(width, check.kind.size());
  for (const checks::Check& check : all)
    std::cout << fmt::format("{:{}}  {}{}\n", check.kind, width, check.summary,
                             check.on_request ? " (on request)" : "");
  std::cout << "Findings name the domain first, as in DOMAIN-" << all.front().kind
            << ". A check on request runs only if --checks names it.\n";
  return kExitClean;
}

}  // namespace

void define_list_checks(CommandLine& line) {
  line.command({"list-checks", "Name all checks", "reckon list-checks"}, work);
}

}  // namespace reckon::driver
