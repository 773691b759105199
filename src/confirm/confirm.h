// From findings to runs that show them: plans, rewritten sources, one build with all injections, drivers, evidence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "confirm/inject.h"
#include "confirm/plan.h"
#include "host/console.h"
#include "report/run.h"

namespace reckon::confirm {

// A compiler call of the program.
struct Compilation {
  std::string path;  // absolute
  std::string folder;
  std::vector<std::string> arguments;  // the compiler first
};

struct Wishes {
  std::string data;    // share/confirm of the installation
  std::string root;    // the project's folder, absolute: what is copied for `build`
  std::string build;   // command that builds the copy; "": the one file is built by us
  std::string run;     // command that runs the project's own tests; "": a generated driver
  std::string script;  // folder that gets the evidence; "": none
  bool confined = true;
  unsigned seconds = 600;       // for everything that is run
  unsigned trial_seconds = 15;  // for one finding
};

// Sets the confirmation of each subject's finding.
void confirm(const std::vector<Subject>& subjects, const std::vector<Compilation>& compilations,
             const std::vector<FormatReader>& readers, const report::Run& run, const Wishes& wishes,
             host::Console& console);

// Takes what a driver wrote, one JSON object a line, into the confirmations of the plans. Lines that no driver writes
// are passed over.
void read_results(const Plans& plans, std::string_view text, const report::Run& run);

}  // namespace reckon::confirm
