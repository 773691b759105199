// reckon spec show NAME: what the specs say of a function, as it stands in their files.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "host/files.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

// The spec as it stands in its file: its line and those that continue it.
std::string spec_text(const specs::SpecLoc& loc) {
  std::string text, problem, out;
  if (!host::read_file(loc.file, text, problem)) return "";
  std::string_view rest = text;
  bool continued = false;
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (number < loc.line) continue;
    const bool indented = !line.empty() && (line[0] == ' ' || line[0] == '\t');
    if (number > loc.line && !continued && !indented) break;
    out.append(line).push_back('\n');
    continued = line.ends_with('\\');
  }
  return out;
}

int work(const std::string& name, const Options& options, host::Console& console) {
  specs::SpecSet set;
  if (!load_specs(options, console, set)) return kExitUsage;
  if (!load_all_packs(console, set)) return kExitUsage;
  const specs::FunctionSpec* spec = set.find(name);
  if (!spec) {
    console.error(fmt::format("no spec names {}", name));
    return kExitUsage;
  }
  std::cout << fmt::format("# {}:{}, domain {}\n", support::printable(spec->loc.file), spec->loc.line, spec->domain)
            << spec_text(spec->loc);
  return kExitClean;
}

}  // namespace

void define_spec_show(CommandLine& line) {
  auto name = std::make_shared<std::string>();
  CommandArguments app = line.command_below(
      "spec", {"show", "What the specs say of a function", "reckon spec show [--specs FILE] NAME"},
      [name](const Options& options, host::Console& console) { return work(*name, options, console); });
  app.text({"name", "Name of the function", "NAME", true}, *name);
  app.specs(line.options);
}

}  // namespace reckon::driver
