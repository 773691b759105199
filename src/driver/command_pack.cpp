// reckon pack -o FILE: the outcomes of a library's functions as a spec file.
#include <fmt/core.h>

#include <cstring>
#include <fstream>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "driver/version.h"

namespace reckon::driver {

int command_pack(const Options& options, Console& console) {
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  std::ofstream file(options.pack_file, std::ios::binary | std::ios::trunc);
  if (!file) {
    console.error(fmt::format("{}: cannot be written: {}", options.pack_file, std::strerror(errno)));
    return kExitUsage;
  }
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  for (const FailedUnit& unit : captured.failed) console.warning(unit.path + ": " + unit.reason);
  const program::Program program = program::Program::link(std::move(captured.units));
  analysis::Options analysis;
  analysis.jobs = options.jobs;
  analysis.domains = options.domains;
  analysis.pack = true;
  analysis.pack_known = options.pack_known;
  const engine::Pack pack = analysis::analyse(program, specs, analysis).pack;

  file << fmt::format("# Computed by reckon {} from {} units. Lines that a person wrote win over these.\n", version(),
                      program.units().size())
       << pack.text;
  if (!file.flush()) {
    console.error(fmt::format("{}: could not be written in full", options.pack_file));
    return kExitUsage;
  }
  console.note(fmt::format("{}: {} functions; {} more have no effect; {} left out", options.pack_file, pack.functions,
                           pack.nothing_to_say, pack.left_out.size()));
  if (options.verbose)
    for (const std::string& line : pack.left_out) console.note("left out: " + line);
  const bool incomplete = !captured.failed.empty() || !pack.left_out.empty();
  return options.strict && incomplete ? kExitIncomplete : kExitClean;
}

}  // namespace reckon::driver
