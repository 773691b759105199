// Builds the rewritten sources, in the sandbox: by the project's own command in a copy of its folder, or a single file
// by its own flags. What the compiler refuses is taken out and tried again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "confirm/confirm.h"
#include "confirm/sandbox.h"

namespace reckon::confirm {

struct Built {
  std::string problem;                         // why there is nothing to run; "" if there is
  std::vector<std::string> modules;            // shared libraries
  std::string folder;                          // where commands run
  std::string command;                         // that built it, for the evidence
  std::vector<unsigned> left_out;              // sites that could not be rewritten
  std::map<std::string, std::string> sources;  // as they were built, by original path
};

Built build(const Plans& plans, Injection how, const std::vector<Compilation>& compilations, const Wishes& wishes,
            const std::string& work, const Sandbox& sandbox, report::Sources& sources, host::Console& console);

}  // namespace reckon::confirm
