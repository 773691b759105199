// Findings of a run, handed to src/confirm with what the checks and the specs say of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/input.h"
#include "host/console.h"
#include "report/run.h"
#include "specs/spec_set.h"

namespace reckon::driver {

struct ConfirmOptions {
  std::string build;                  // command that builds the program; "": a single file is built by its flags
  std::string run;                    // command that runs the project's tests
  std::vector<std::string> findings;  // prefixes of fingerprints; empty: all
  std::vector<std::string> reports;   // of --format=json: only what they hold
  std::string script;                 // folder for evidence
  std::string seconds;                // for all that is run
  bool no_sandbox = false;
  std::string sort, only;  // "confirmed", or ""
};

// Fills Run::confirmations for the findings that count and are wanted; sorts and filters by it. False: an option is
// wrong, and the console has said so.
bool confirm_findings(report::Run& run, const frontends::Input& input, const specs::SpecSet& specs,
                      const ConfirmOptions& options, host::Console& console);

// What --seconds says; "" leaves `seconds` as it is. False: it is wrong, and the console has said so.
bool read_seconds(const std::string& text, unsigned& seconds, host::Console& console);

// The fingerprints of the findings in a report of --format=json. False: it is none, and the console has said so.
bool read_fingerprints(const std::string& path, std::set<std::string>& fingerprints, host::Console& console);

}  // namespace reckon::driver
