// reckon spec unknown -p DIR: what no spec, no attribute and no body tells anything about, and the line that is
// missing.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <set>
#include <string>

#include "analysis/unknown.h"
#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/declaration_comments.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "program/mine_spec.h"
#include "program/named_calls.h"
#include "program/program.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

// A spec is made of words: what C++ writes between angle brackets is none.
bool can_be_named(const std::string& name) {
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ':' || c == '~'; });
}

std::string counted(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// Does a line tell nothing but that there is such a function?
bool says_nothing(std::string_view line) {
  return line.starts_with('#') || line.ends_with("-> any") || line.ends_with("-> void");
}

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
  if (!load_packs(captured.headers, console, specs)) return kExitUsage;
  const program::Program program = program::Program::link(program::with_named_calls(std::move(captured.units), specs));

  auto unknown = analysis::unknown_functions(program, specs, options.analysis.domains);
  std::set<std::string> names;
  std::size_t calls = 0;
  for (const analysis::UnknownFunction& x : unknown) names.insert(x.name), calls += x.calls;
  DeclarationComments comments;
  const auto lines = program::propose_lines(
      program, specs, names, [&](std::string_view file, std::uint32_t line) { return comments.at(file, line); });
  const auto line_for = [&](const analysis::UnknownFunction& x) {
    const auto line = can_be_named(x.name) ? lines.find(x.name) : lines.end();
    return line != lines.end() ? line->second : "# " + x.name;
  };
  // Those that seem to give, keep or release something come first: of the others most need no line.
  const auto rest = std::stable_partition(
      unknown.begin(), unknown.end(), [&](const analysis::UnknownFunction& x) { return !says_nothing(line_for(x)); });
  if (!unknown.empty())
    std::cout
        << "# Proposals, by how many calls depend on them: read each, mend or delete it, keep the rest as a spec.\n";
  for (auto x = unknown.begin(); x != unknown.end(); ++x) {
    if (x == rest)
      std::cout
          << "\n# By their names and comments the following only borrow what they are given. Such a function needs no\n"
             "# line: delete it, unless it keeps or releases an argument, or fails.\n";
    std::cout << fmt::format("\n# {} in {}\n{}\n", counted(x->calls, "call"), counted(x->functions, "function"),
                             support::printable(line_for(*x)));
  }
  console.note(fmt::format("{} unknown, on which {} depend{}", counted(unknown.size(), "function"),
                           counted(calls, "call"), calls == 1 ? "s" : ""));
  return options.strict && incomplete ? kExitIncomplete : kExitClean;
}

}  // namespace

void define_spec_unknown(CommandLine& line) {
  CommandArguments app = line.command_below("spec",
                                            {"unknown", "What a program calls and nobody has described yet",
                                             "reckon spec unknown [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                                             "       reckon spec unknown [OPTIONS] FILE... [-- FLAGS...]"},
                                            work);
  app.input(line.options.input);
  app.capture(line.options);
  app.domains(line.options.analysis);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
