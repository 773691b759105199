// reckon check: what -p or the files on the command line name.
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/pipeline.h"

namespace reckon::driver {

int command_check(const Options& options, Console& console) {
  const auto input = gather_input(options, console);
  return input ? check_program(*input, options, console) : kExitUsage;
}

}  // namespace reckon::driver
