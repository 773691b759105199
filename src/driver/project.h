// What kind of project a folder holds, as far as its files tell: for `reckon init` and `reckon doctor`.
//
// The method: the files that build systems are known by, at the root of the folder only, each with the command that has
// Reckon check such a project. The first row that fits wins, so what is more particular stands first. Nothing is run.
//
// Limits: a project that is built by a script of its own looks like none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reckon::driver {

struct Project {
  std::string kind;                   // "an R package", for people
  std::string mark;                   // the file that says so
  std::string domain;                 // "python", "r", "linux"; "" if its files will tell
  std::string database;               // folder of the compilation database, if that is how it is checked
  std::vector<std::string> first;     // commands that are to be run before
  std::string command;                // the one that checks
  std::vector<std::string> headers;   // files, of which one must be there (absolute); empty: none is known to be needed
  std::string header_package;         // what Debian calls the package that has them
  std::vector<std::string> programs;  // that these commands start
};

// "" in kind: nothing that is known.
Project look_at(const std::string& folder);

}  // namespace reckon::driver
