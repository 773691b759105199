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
  std::string package;       // a folder or an archive
  bool allow_build = false;  // configure and make may run
};

int work(const ROptions& own, const Options& options, host::Console& console) {
  frontends::RPackage package;
  if (!package.open(own.package, own.allow_build, console)) return kExitUsage;
  const auto input = package.commands(console);
  if (!input) return kExitUsage;
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  Options here = options;
  here.report.base = package.root();
  here.analysis.native_calls = package.calls_in_scripts(specs, console);
  return check_program(*input, here, console);
}

}  // namespace

void define_r(CommandLine& line) {
  auto own = std::make_shared<ROptions>();
  CommandArguments app =
      line.command({"r", "Check an R package from its sources", "reckon r [OPTIONS] FOLDER|ARCHIVE"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.text({"package", "The package: a folder or a .tar.gz", "PACKAGE", true}, own->package);
  app.flag("--allow-build", "Run the package's configure and make to learn how it is compiled", own->allow_build);
  line.checking(app);
}

}  // namespace reckon::driver
