// reckon r PACKAGE: checks an R package from its sources, a folder or an archive, without installing it.
#include <memory>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/pipeline.h"
#include "driver/spec_files.h"
#include "frontends/r/r_package.h"

namespace reckon::driver {

namespace {

struct ROptions {
  std::string package;  // a folder or an archive
};

int work(const ROptions& own, const Options& options, host::Console& console) {
  frontends::RPackage package;
  if (!package.open(own.package, console)) return kExitUsage;
  const auto input = package.commands(console);
  if (!input) return kExitUsage;
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  Options here = options;
  here.report.base = package.root();
  here.analysis.native_calls = package.calls_in_scripts(specs);
  return check_program(*input, here, console);
}

}  // namespace

void define_r(CommandLine& line) {
  auto own = std::make_shared<ROptions>();
  CommandArguments app =
      line.command({"r", "Check an R package from its sources", "reckon r [OPTIONS] FOLDER|ARCHIVE"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.text({"package", "The package: a folder or a .tar.gz", "PACKAGE", true}, own->package);
  line.checking(app);
}

}  // namespace reckon::driver
