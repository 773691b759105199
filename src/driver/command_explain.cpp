// reckon explain CHECK: the page of a check, docs/checks/KIND.md.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "checks/check.h"
#include "checks/wanted.h"
#include "driver/check_pages.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "support/suggest.h"

namespace reckon::driver {

namespace {

bool is_kind(const std::string& check) {
  const auto all = checks::all_checks();
  return std::any_of(all.begin(), all.end(), [&](const checks::Check& known) { return known.kind == check; });
}

// "python-leek", or "leek".
std::string suggestion(const std::string& check, const std::vector<std::string>& ids) {
  std::vector<std::string> names = ids;
  for (const checks::Check& known : checks::all_checks()) names.emplace_back(known.kind);
  for (const std::string& id : ids)
    if (const std::string count = id.substr(id.find('-') + 1); checks::names_check(count, id)) names.push_back(count);
  std::string out = support::did_you_mean(check, names);
  // Somebody else's domain stands in front.
  for (std::size_t dash = check.find('-'); out.empty() && dash != std::string::npos; dash = check.find('-', dash + 1))
    out = support::did_you_mean(check.substr(dash + 1), names);
  return out;
}

int work(const std::string& check, const Options& options, host::Console& console) {
  std::vector<std::string> ids;
  if (!is_kind(check)) {  // one of a domain, or of a count: those are known from the specs
    specs::SpecSet specs;
    if (!load_specs(options, console, specs) || !load_all_packs(console, specs)) return kExitUsage;
    ids = checks::check_ids(specs);
  }
  const bool known = is_kind(check) || std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
                       return checks::names_check(check, id);
                     });
  if (const std::string page = known ? check_page(check) : ""; !page.empty()) {
    std::cout << page;
    return kExitClean;
  }
  console.error(fmt::format(
      "there is no page on a check '{}'{}; reckon list-checks names all checks, and --specs adds those of a "
      "domain of your own",
      check, suggestion(check, ids)));
  return kExitUsage;
}

}  // namespace

void define_explain(CommandLine& line) {
  auto check = std::make_shared<std::string>();
  CommandArguments app =
      line.command({"explain", "Print the page of a check", "reckon explain [--specs FILE] CHECK"},
                   [check](const Options& options, host::Console& console) { return work(*check, options, console); });
  app.text({"check", "Name of the check", "CHECK", true}, *check);
  app.specs(line.options);
}

}  // namespace reckon::driver
