// reckon explain CHECK: the page of a check, docs/checks/KIND.md.
#include <fmt/core.h>

#include <iostream>
#include <memory>

#include "checks/check.h"
#include "driver/check_pages.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "support/suggest.h"

namespace reckon::driver {

namespace {

int work(const std::string& check, host::Console& console) {
  if (const std::string page = check_page(check); !page.empty()) {
    std::cout << page;
    return kExitClean;
  }
  std::vector<std::string> kinds;
  for (const checks::Check& known : checks::all_checks()) kinds.emplace_back(known.kind);
  // "python-leek": with a domain in front, as findings have it.
  std::string kind = check, suggestion = support::did_you_mean(kind, kinds);
  for (std::size_t dash = kind.find('-'); suggestion.empty() && dash != std::string::npos; dash = kind.find('-')) {
    kind.erase(0, dash + 1);
    suggestion = support::did_you_mean(kind, kinds);
  }
  console.error(
      fmt::format("there is no page on a check '{}'{}; reckon list-checks names all checks", check, suggestion));
  return kExitUsage;
}

}  // namespace

void define_explain(CommandLine& line) {
  auto check = std::make_shared<std::string>();
  CommandArguments app =
      line.command({"explain", "Print the page of a check", "reckon explain CHECK"},
                   [check](const Options&, host::Console& console) { return work(*check, console); });
  app.text({"check", "Name of the check", "CHECK", true}, *check);
}

}  // namespace reckon::driver
