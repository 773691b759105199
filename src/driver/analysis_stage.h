// The analysis of a captured program, with what earlier runs left in the cache, and with progress on the terminal.
#pragma once

#include <string>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/options.h"
#include "host/console.h"
#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::driver {

// `program`: the units of `captured`, linked. `spec_fingerprint`: stands for the specs in force.
analysis::Analysis analyse_captured(const program::Program& program, const Captured& captured,
                                    const specs::SpecSet& specs, const std::string& spec_fingerprint,
                                    const Options& options, analysis::Options wishes, host::Console& console);

}  // namespace reckon::driver
