// What kbuild compiles: of a tree that was built from the notes it left, of any other from its dry run.
//
// Beside each object `a.o` kbuild leaves `.a.o.cmd`, a makefile whose first line holds the command that made it. These
// notes are read as text, and nothing is run. The dry run (`make -n V=1`) knows a tree that was not built, too, but
// make runs parts of the makefiles for it. Its text holds, line by line, the shell commands of every recipe: echoes of
// the command, the call itself, tools that run after it, saved command lines quoted once more. The method for both:
// take each line apart as a shell would, and keep the simple commands that compile one C file. Limits: commands built
// by the shell at run time are not seen.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/builds/compdb.h"

namespace reckon::frontends {

// In the order of the text, each source once. `directory`: where make started; it is followed through
// "Entering directory" lines.
std::vector<Command> commands_of_dry_run(std::string_view text, const std::string& directory);

// The compiler call in the text of a `.cmd` file; nullopt: it made something else than an object of one C file.
std::optional<Command> command_of_note(std::string_view text, const std::string& directory);

struct BuildNotes {
  std::vector<Command> commands;      // in the order of the notes' names, each source once
  std::vector<std::string> problems;  // notes that cannot be read, one message each
};

// What the notes below `tree` (absolute) say; `targets` limit them to folders and objects, as make would take them. A
// target without a note is among the problems.
BuildNotes read_build_notes(const std::string& tree, const std::vector<std::string>& targets);

// The shell commands of a line: split at ; && || | and & outside quotes.
std::vector<std::string_view> simple_commands(std::string_view line);

}  // namespace reckon::frontends
