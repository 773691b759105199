// The stages of a run, in order: capture, link, analyse, judge, report.
#pragma once

#include <functional>

#include "driver/input.h"
#include "driver/options.h"
#include "host/console.h"
#include "report/run.h"
#include "specs/spec_set.h"

namespace reckon::driver {

// What a command does with a run before it is reported. False: it could not, and the console has said why.
using Afterwards = std::function<bool(report::Run&, const specs::SpecSet&)>;

// Everything after the input is known. Returns the exit code.
int check_program(const frontends::Input& input, const Options& options, host::Console& console,
                  const Afterwards& afterwards = {});

}  // namespace reckon::driver
