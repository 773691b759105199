// reckon mine: proposes spec lines for pairs of functions that look like get and put.
#include <fmt/core.h>

#include <iostream>
#include <set>
#include <string>

#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "program/mine.h"
#include "program/program.h"

namespace reckon::driver {

namespace {

int work(const Options& options, host::Console& console) {
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  for (const FailedUnit& unit : captured.failed) console.warning(unit.path + ": " + unit.reason);
  const bool incomplete = !captured.failed.empty();
  const program::Program program = program::Program::link(std::move(captured.units));
  const std::vector<program::MinedPair> pairs = program::mine_pairs(program, specs);
  if (!pairs.empty()) std::cout << "# Proposals: read the code, mend what happens on failure, then keep or delete.\n";
  // A function may belong to several pairs, and a spec defines it once.
  std::set<std::string> proposed;
  auto once = [&](const std::string& line) {
    return proposed.insert(line.substr(0, line.find('('))).second ? line : "# above: " + line;
  };
  for (const program::MinedPair& p : pairs) {
    std::string why = p.by_name ? "named alike" : "";
    if (!p.field.empty()) why += (why.empty() ? "" : ", ") + std::string("count ") + p.field + " up and down";
    if (p.together > 0)
      why += fmt::format(", called together by {} function{}", p.together, p.together == 1 ? "" : "s");
    std::cout << fmt::format("\n# {}\n{}\n{}\n", why, once(p.up_line), once(p.down_line));
  }
  console.note(fmt::format("{} pair{} proposed", pairs.size(), pairs.size() == 1 ? "" : "s"));
  return options.strict && incomplete ? kExitIncomplete : kExitClean;
}

}  // namespace

void define_mine(CommandLine& line) {
  CommandArguments app = line.command({"mine", "Propose spec lines for pairs that look like get and put",
                                       "reckon mine [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                                       "       reckon mine [OPTIONS] FILE... [-- FLAGS...]"},
                                      work);
  app.input(line.options.input);
  app.capture(line.options);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
