// Findings shown by a command of the project's own: its tests, or a program that uses its API.
//
// The command runs once without a failure, which says what it reaches; then once for each finding that it reaches, with
// the calls of its path failing. What it dies of and what a sanitizer says is compared with the run before. A leak must
// grow with the number of rounds, which the command reads from the environment (RECKON_ROUNDS). A command that looks
// after counts of its own ends with status 86 where one is wrong. `{function}` in it is the function of the finding.
#pragma once

#include <string>

#include "confirm/build.h"
#include "confirm/confirm.h"
#include "confirm/sandbox.h"

namespace reckon::confirm {

void run_own(const Plans& plans, const Built& built, const Wishes& wishes, const std::string& work,
             const Sandbox& sandbox, const report::Run& run, host::Console& console);

}  // namespace reckon::confirm
