// Files for the engines that run jobs: what plans (plan.h) and fleets (fleet.h) write for Ninja and Slurm in common.
#pragma once

#include <string>
#include <string_view>

#include "driver/options.h"
#include "host/console.h"

namespace reckon::driver {

// Text in a value of a Ninja file.
std::string ninja_value(std::string_view text);
// A path in a build line of a Ninja file.
std::string ninja_path(std::string_view path);

// A file in the folder of a plan or a fleet, all of it or nothing. False: the console has said why.
bool put_file(const std::string& folder, std::string_view name, std::string_view text, host::Console& console);
// The same, but a file that has this text already is left alone, so that Ninja sees that nothing has changed.
bool put_changed_file(const std::string& folder, std::string_view name, std::string_view text, host::Console& console);

// site.ninja, which defines `prefix`: written once, and the user's from then on.
bool put_site_file(const std::string& folder, host::Console& console);

// Ninja does what is missing in the folder, for all targets or the one named, and goes on after a failure. "": all is
// done; else what went wrong.
std::string run_ninja(const std::string& folder, std::string_view target, const Options& options);

}  // namespace reckon::driver
