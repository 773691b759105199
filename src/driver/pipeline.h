// The stages of a run, in order: capture, link, analyse, judge, report.
#pragma once

#include "driver/console.h"
#include "driver/input.h"
#include "driver/options.h"

namespace reckon::driver {

// Everything after the input is known. Returns the exit code.
int check_program(const Input& input, const Options& options, Console& console);

}  // namespace reckon::driver
