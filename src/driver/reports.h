// The last stage: from the analysis to the reports the user asked for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/changes.h"
#include "driver/input.h"
#include "driver/options.h"
#include "driver/output_places.h"
#include "host/console.h"
#include "report/baseline.h"
#include "report/run.h"
#include "report/writers.h"
#include "support/output_file.h"

namespace reckon::driver {

// Findings get their identity, then lose what comments, settings, `affected` (if any) and the baseline take away.
// `texts`: what files (absolute) hold in the state that was analysed, if it is not what lies on the disk.
report::Run make_run(const frontends::Input& input, const Captured& captured, analysis::Analysis analysis,
                     const Options& options, const report::Baseline& baseline, const AffectedFunctions* affected,
                     const std::map<std::string, std::string>& texts = {});

// Describes the checks of further findings in run.checks.
void add_checks(report::Run& run, const std::vector<report::Finding>& findings);

// --baseline and --write-baseline. False: the file cannot be used; the console has said so.
bool load_baseline(const Options& options, host::Console& console, report::Baseline& baseline);
bool save_baseline(const report::Run& run, const Options& options, host::Console& console);

// Where the reports go: stdout, files, folders. All places are looked at before the work starts, so that a bad name is
// known early; they are written when all is done, so that what was there survives a run that fails.
class ReportFiles {
 public:
  // False: one cannot be written, or must not be; the console has said so. `sources` (absolute) are never written to.
  bool open(const Options& options, const std::vector<std::string>& sources, host::Console& console);
  // Are the places still free, now that it is known what the units have read?
  bool spare(const std::set<std::string, std::less<>>& files);
  // What --dump prints goes where the first report goes, in front of it.
  std::ostream& text() { return dumps_; }
  bool write(const report::Run& run, const Options& options, host::Console& console);

 private:
  struct Target {
    const report::Format* format = nullptr;
    std::string path;                           // as given; "" for stdout
    std::optional<support::OutputPlace> place;  // of a file
  };
  bool write_to(const Target& target, const std::string& bytes, host::Console& console) const;

  std::optional<OutputPlaces> places_;
  std::vector<Target> targets_;
  std::ostringstream dumps_;
};

}  // namespace reckon::driver
