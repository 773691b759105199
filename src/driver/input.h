// From the command line to the list of compiler calls to capture.
#pragma once

#include <optional>
#include <vector>

#include "driver/options.h"
#include "frontends/builds/compdb.h"
#include "frontends/builds/input.h"
#include "host/console.h"

namespace reckon::driver {

// By its ending: a file that is analysed only as part of others.
bool is_header(const std::string& file);

// The compiler call of a file of which no database says anything. `problem`: a response file among the flags cannot be
// read.
frontends::Command plain_command(const std::string& file, const std::string& path,
                                 const std::vector<std::string>& flags, std::string& problem);

// nullopt: the input cannot be used at all, and the console has said why (exit code 2).
std::optional<frontends::Input> gather_input(const Options& options, host::Console& console);

// The commands of a database, with its problems told to the console; restricted to `files` (files or folders) if there
// are any, headers among them passed over if so wanted.
std::optional<frontends::Input> input_from_database(const frontends::Compdb& db, const std::vector<std::string>& files,
                                                    host::Console& console, bool skip_headers = false);

}  // namespace reckon::driver
