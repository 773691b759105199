// reckon pack -o FILE: the outcomes of a library's functions as a spec file.
#include <fmt/core.h>

#include <memory>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "driver/version.h"
#include "support/output_file.h"

namespace reckon::driver {

namespace {

struct PackOptions {
  std::string file;
  bool known = false;  // also functions that a spec describes
};

int work(const PackOptions& own, const Options& options, host::Console& console) {
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  std::string problem;
  const auto place = support::find_output_place(own.file, problem);  // known before the work starts
  if (!place) {
    console.error(problem);
    return kExitUsage;
  }
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  for (const FailedUnit& unit : captured.failed) console.warning(unit.path + ": " + unit.reason);
  const program::Program program = program::Program::link(std::move(captured.units));
  analysis::Options analysis;
  analysis.jobs = options.capture.jobs;
  analysis.domains = options.analysis.domains;
  analysis.pack = true;
  analysis.pack_known = own.known;
  const engine::Pack pack = analysis::analyse(program, specs, analysis).pack;

  const std::string heading = fmt::format(
      "# Computed by reckon {} from {} units. Lines that a person "
      "wrote win over these.\n",
      version(), program.units().size());
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
  app.flag("--known", "Also functions that a spec describes: what their bodies do", own->known);
  app.input(line.options.input);
  app.capture(line.options);
  app.domains(line.options.analysis);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
