// The subcommands: one function each, one file each; cli.cpp parses the command line and calls them. Each
// returns the exit code.
#pragma once

#include "driver/console.h"
#include "driver/options.h"

namespace reckon::driver {

int command_check(const Options& options, Console& console);
int command_run(const Options& options, Console& console);
int command_r(const Options& options, Console& console);
int command_dump(const Options& options, Console& console);
int command_annotate(const Options& options, Console& console);
int command_mine(const Options& options, Console& console);
int command_compdb_linux(const Options& options, Console& console);
int command_pack(const Options& options, Console& console);
int command_spec_check(const Options& options, Console& console);
int command_spec_show(const Options& options, Console& console);
int command_spec_words(const Options& options, Console& console);
int command_list_checks(const Options& options, Console& console);
int command_explain(const Options& options, Console& console);

}  // namespace reckon::driver
