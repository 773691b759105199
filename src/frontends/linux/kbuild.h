// What kbuild's dry run (`make -n V=1`) says it would compile.
//
// The text holds, line by line, the shell commands of every recipe: echoes of the command, the call itself, tools that
// run after it, saved command lines quoted once more. The method: take each line apart as a shell would, and keep the
// simple commands that compile one C file. Limits: commands built by the shell at run time are not seen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontends/builds/compdb.h"

namespace reckon::frontends {

// In the order of the text, each source once. `directory`: where make started; it is followed through
// "Entering directory" lines.
std::vector<Command> commands_of_dry_run(std::string_view text, const std::string& directory);

// The shell commands of a line: split at ; && || | and & outside quotes.
std::vector<std::string_view> simple_commands(std::string_view line);

}  // namespace reckon::frontends
