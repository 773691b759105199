// reckon mine: proposes spec lines for pairs of functions that look like get and put.
#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/declaration_comments.h"
#include "driver/input.h"
#include "driver/output_places.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "program/mine.h"
#include "program/mine_spec.h"
#include "program/named_calls.h"
#include "program/program.h"
#include "support/output_file.h"

namespace reckon::driver {

namespace {

// A spec that works as it stands.
int write_spec(const std::string& path, const support::OutputPlace& place, const program::Program& program,
               const specs::SpecSet& specs, host::Console& console) {
  DeclarationComments comments;
  const std::string stem = std::filesystem::path(path).stem().string();
  const program::MinedSpec mined = program::mine_spec(
      program, specs, stem, [&](std::string_view file, std::uint32_t line) { return comments.at(file, line); });
  if (mined.text.empty()) {
    console.error("no struct here looks counted: there are no two functions named like new and free, or ref and unref");
    return kExitIncomplete;
  }
  std::string problem;
  if (!support::write_output(place, mined.text, problem)) {
    console.error(problem);
    return kExitUsage;
  }
  console.note(fmt::format("{}: {} functions of {} counted struct{}; read it, then: reckon check --specs {} ...", path,
                           mined.functions, mined.families, mined.families == 1 ? "" : "s", path));
  return kExitClean;
}

int work(const std::string& output, const Options& options, host::Console& console) {
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  OutputPlaces places(options, console);
  std::optional<support::OutputPlace> place;  // known before the work starts
  if (!output.empty()) {
    for (const frontends::Command& command : input->commands)
      places.enter(command.path, "is a source file of this run");
    place = places.new_spec(output);
    if (!place) return kExitUsage;
  }
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  for (const FailedUnit& unit : captured.failed) console.warning(unit.path + ": " + unit.reason);
  const bool incomplete = !captured.failed.empty();
  if (!load_packs(captured.headers, console, specs)) return kExitUsage;
  const program::Program program = program::Program::link(program::with_named_calls(std::move(captured.units), specs));
  if (place) return write_spec(output, *place, program, specs, console);
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
  auto output = std::make_shared<std::string>();
  CommandArguments app = line.command(
      {"mine", "Propose spec lines for pairs that look like get and put",
       "reckon mine [OPTIONS] -p DIR|FILE.json [FILE...]\n"
       "       reckon mine [-o FILE] [OPTIONS] FILE... [-- FLAGS...]"},
      [output](const Options& options, host::Console& console) { return work(*output, options, console); });
  app.text({"-o,--output", "Write a spec that works as it is, named after the file", "FILE"}, *output);
  app.input(line.options.input);
  app.capture(line.options);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
