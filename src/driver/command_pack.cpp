// reckon pack -o FILE: the outcomes of a library's functions as a spec file.
#include <fmt/core.h>

#include <memory>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/output_places.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "driver/version.h"
#include "program/named_calls.h"
#include "support/output_file.h"

namespace reckon::driver {

namespace {

struct PackOptions {
  std::string file;
  bool known = false;  // also functions that a spec describes
};

constexpr std::string_view kHeading = "# Computed by reckon ";

// Where the pack goes. An earlier pack may be there, and nothing that a person wrote. nullopt: the console has said so.
std::optional<support::OutputPlace> find_place(const std::string& path, const frontends::Input& input,
                                               const Options& options, host::Console& console) {
  OutputPlaces places(options, console);
  for (const frontends::Command& command : input.commands) places.enter(command.path, "is a source file of this run");
  return places.made_spec(path, kHeading, "pack");
}

int work(const PackOptions& own, const Options& options, host::Console& console) {
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  const auto place = find_place(own.file, *input, options, console);  // known before the work starts
  if (!place) return kExitUsage;
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  for (const FailedUnit& unit : captured.failed) console.warning(unit.path + ": " + unit.reason);
  if (!load_packs(captured.headers, console, specs)) return kExitUsage;
  const program::Program program = program::Program::link(program::with_named_calls(std::move(captured.units), specs));
  analysis::Options analysis;
  analysis.jobs = options.capture.jobs;
  analysis.domains = options.analysis.domains;
  analysis.pack = true;
  analysis.pack_known = own.known;
  const engine::Pack pack = analysis::analyse(program, specs, analysis).pack;

  const std::string heading = fmt::format(
      "{}{} from {} units. Lines that a person "
      "wrote win over these.\n",
      kHeading, version(), program.num_units());
  std::string problem;
  if (!support::write_output(*place, heading + pack.text, problem)) {
    console.error(problem);
    return kExitUsage;
  }
  console.note(fmt::format("{}: {} functions; {} more have no effect; {} left out", own.file, pack.functions,
                           pack.nothing_to_say, pack.left_out.size()));
  if (options.verbose)
    for (const std::string& line : pack.left_out) console.note("left out: " + line);
  const bool incomplete = !captured.failed.empty() || !pack.left_out.empty();
  return options.strict && incomplete ? kExitIncomplete : kExitClean;
}

}  // namespace

void define_pack(CommandLine& line) {
  auto own = std::make_shared<PackOptions>();
  CommandArguments app =
      line.command({"pack", "Write what a library's functions do as a spec file",
                    "reckon pack -o FILE [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                    "       reckon pack -o FILE [OPTIONS] FILE... [-- FLAGS...]"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.text({"-o,--output", "The pack, a spec file; use it with --specs", "FILE", true}, own->file);
  app.flag("--known", "Bodies of functions that a spec describes, too", own->known);
  app.input(line.options.input);
  app.capture(line.options);
  app.domains(line.options.analysis);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
