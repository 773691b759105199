// reckon spec check FILE...: are the files well formed? reckon spec show NAME: what is known of a function?
#include <fmt/core.h>

#include <iostream>

#include "driver/commands.h"
#include "driver/files.h"
#include "driver/spec_files.h"

namespace reckon::driver {

namespace {

// The spec as it stands in its file: its line and those that continue it.
std::string spec_text(const specs::SpecLoc& loc) {
  std::string text, problem, out;
  if (!read_file(loc.file, text, problem)) return "";
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

}  // namespace

int command_spec_check(const Options& options, Console& console) {
  bool ok = true;
  for (const std::string& path : options.files) {
    specs::SpecFile file;
    if (load_spec_file(path, console, file))
      console.note(
          fmt::format("{}: {} functions, {} slots, no errors", path, file.functions.size(), file.slots.size()));
    else
      ok = false;
  }
  return ok ? kExitClean : kExitUsage;
}

int command_spec_show(const Options& options, Console& console) {
  specs::SpecSet set;
  if (!load_specs(options, console, set)) return kExitUsage;
  const specs::FunctionSpec* spec = set.find(options.name);
  if (!spec) {
    console.error(fmt::format("no spec names {}", options.name));
    return kExitUsage;
  }
  std::cout << fmt::format("# {}:{}, domain {}\n", spec->loc.file, spec->loc.line, spec->domain)
            << spec_text(spec->loc);
  return kExitClean;
}

}  // namespace reckon::driver
