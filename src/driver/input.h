// From the command line to the list of compiler calls to capture.
#pragma once

#include <optional>
#include <vector>

#include "driver/compdb.h"
#include "driver/console.h"
#include "driver/options.h"

namespace reckon::driver {

struct Input {
  std::vector<Command> commands;
  std::size_t unusable = 0;         // entries of the database that could not be used
  std::size_t other_languages = 0;  // entries that are not C or C++
};

// nullopt: the input cannot be used at all, and the console has said why (exit code 2).
std::optional<Input> gather_input(const Options& options, Console& console);

// The commands of a database, with its problems told to the console; restricted to `files` (files or
// folders) if there are any.
std::optional<Input> input_from_database(const Compdb& db, const std::vector<std::string>& files, Console& console);

}  // namespace reckon::driver
