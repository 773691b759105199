// Programs of a package (configure, make) are run only when the user allows it, and then with as few rights as the
// machine can give: without the user's environment (tokens), within a time, and, where bubblewrap is installed, without
// a network, with everything but the package read-only and the user's home out of sight.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reckon::frontends {

struct ConfinedProgram {
  std::vector<std::string> command;
  std::string directory;
  std::string writable;               // folder it may write to
  std::vector<std::string> readable;  // folders it may read even if they are in the user's home
  std::vector<std::pair<std::string, std::string>> environment;
  unsigned seconds = 600;
};

// Does bubblewrap work here?
bool have_sandbox();

// The command that runs the program with these limits.
std::vector<std::string> confined(const ConfinedProgram& program, bool sandbox);

}  // namespace reckon::frontends
