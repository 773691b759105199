// The stages of a run, in order: capture, link, analyse, judge, report.
#pragma once

#include "driver/input.h"
#include "driver/options.h"
#include "host/console.h"

namespace reckon::driver {

// Everything after the input is known. Returns the exit code.
int check_program(const frontends::Input& input, const Options& options, host::Console& console);

}  // namespace reckon::driver
