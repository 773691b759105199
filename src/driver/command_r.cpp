// reckon r PACKAGE: checks an R package from its sources, a folder or an archive, without installing it.
#include "driver/commands.h"
#include "driver/pipeline.h"
#include "driver/r_package.h"
#include "driver/spec_files.h"

namespace reckon::driver {

int command_r(const Options& options, Console& console) {
  RPackage package;
  if (!package.open(options.name, console)) return kExitUsage;
  const auto input = package.commands(console);
  if (!input) return kExitUsage;
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  Options here = options;
  here.base = package.root();
  here.native_calls = package.calls_in_scripts(specs);
  return check_program(*input, here, console);
}

}  // namespace reckon::driver
