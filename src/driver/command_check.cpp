// reckon check: what -p or the files on the command line name.
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/pipeline.h"

namespace reckon::driver {

namespace {

int work(const Options& options, host::Console& console) {
  const auto input = gather_input(options, console);
  return input ? check_program(*input, options, console) : kExitUsage;
}

}  // namespace

void define_check(CommandLine& line) {
  CommandArguments app = line.command({"check", "Check a program or source files",
                                       "reckon check [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                                       "       reckon check [OPTIONS] FILE... [-- FLAGS...]"},
                                      work);
  app.input(line.options.input);
  line.checking(app);
}

}  // namespace reckon::driver
