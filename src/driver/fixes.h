// Repairs: proposed from the text, tried, and only then offered.
//
// The method of trying: the file with the edits in place of the file on disk (an overlay of Clang's file system, so
// nothing on disk changes) is checked again by this same program. A repair is offered if the file still compiles, its
// finding is gone, no other has appeared, and no function was cut short that was not before. One compiler call is
// checked alone if the finding shows there, too; else the whole program is, as long as it is small.
#pragma once

#include <vector>

#include "driver/input.h"
#include "driver/options.h"
#include "host/console.h"
#include "report/run.h"
#include "report/sources.h"
#include "specs/spec_set.h"

namespace reckon::driver {

// Edits that may repair a finding of `run`, the best guess first, none of them tried.
std::vector<report::Fix> proposed_fixes(const report::Finding& finding, const report::Run& run,
                                        const specs::SpecSet& specs, report::Sources& sources);

// Fills Finding::fixes of the findings that count.
void offer_fixes(report::Run& run, const frontends::Input& input, const specs::SpecSet& specs, const Options& options,
                 host::Console& console);

// --fix writes the files and marks what it repaired, with the text as it was for the report; --fix-dry-run prints a
// patch to stdout. False: a file could not be written.
bool apply_fixes(report::Run& run, const Options& options, host::Console& console);

}  // namespace reckon::driver
