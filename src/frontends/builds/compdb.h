// Compilation databases: compile_commands.json, and the command lines in it.
//
// Entries come from many tools, so the reader is lenient where the meaning is plain (relative folders,
// "command" or "arguments", a compiler launcher such as ccache in front) and says file and entry number
// where it is not. What is not C or C++ is left out and counted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/command_words.h"

namespace reckon::frontends {

// One compiler call.
struct Command {
  std::string directory;               // absolute
  std::string file;                    // as written: absolute, or relative to directory
  std::vector<std::string> arguments;  // compiler first; response files expanded
  std::string path;                    // file made absolute and normal, for comparison and messages
};

struct Compdb {
  bool ok = false;
  std::string error;                  // why not, if !ok: names the file, and line and column if malformed
  std::string path;                   // the JSON file
  std::vector<Command> commands;      // in the order of the file, identical ones once
  std::vector<std::string> problems;  // entries that could not be used, one message each
  std::size_t other_languages = 0;    // entries left out because they are not C or C++
  std::size_t duplicates = 0;
};

// `path` is the JSON file or a folder that holds compile_commands.json.
Compdb load_compdb(const std::string& path);
// The same from text; `path` is for messages and the base of relative folders.
Compdb parse_compdb(std::string_view text, const std::string& path);

using support::expand_response_files;
using support::split_command;

// C or C++, judged by -x or else by the file's ending.
bool is_c_family(std::string_view file, const std::vector<std::string>& arguments);
bool is_cxx_file(std::string_view file);

// `file` relative to `directory`, absolute and without . and .. parts; links are not followed.
std::string absolute_path(std::string_view file, std::string_view directory);
// The same with links followed as far as the path exists.
std::string real_path(const std::string& path);

// Two commands that give the same unit: same folder, file and flags, outputs aside.
std::string identity(const Command& command);

}  // namespace reckon::frontends
