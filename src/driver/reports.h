// The last stage: from the analysis to the reports the user asked for.
#pragma once

#include <fstream>
#include <iosfwd>
#include <memory>
#include <vector>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/changes.h"
#include "driver/input.h"
#include "driver/options.h"
#include "host/console.h"
#include "report/baseline.h"
#include "report/run.h"
#include "report/writers.h"

namespace reckon::driver {

// Findings get their identity, then lose what comments, settings, `affected` (if any) and the baseline take away.
report::Run make_run(const frontends::Input& input, const Captured& captured, analysis::Analysis analysis,
                     const Options& options, const report::Baseline& baseline, const AffectedFunctions* affected);

// --baseline and --write-baseline. False: the file cannot be used; the console has said so.
bool load_baseline(const Options& options, host::Console& console, report::Baseline& baseline);
bool save_baseline(const report::Run& run, const Options& options, host::Console& console);

// Where the reports go: stdout, files, folders. All are opened before the work starts, so that a bad name is known
// early.
class ReportFiles {
 public:
  // False: one cannot be written; the console has said so.
  bool open(const Options& options, host::Console& console);
  // What --dump prints goes where the first report goes.
  std::ostream& text();
  bool write(const report::Run& run, const Options& options, host::Console& console);

 private:
  struct Target {
    const report::Format* format = nullptr;
    std::string path;                     // "" for stdout
    std::unique_ptr<std::ofstream> file;  // none for stdout and folders
    std::ostream& stream() const;
  };
  std::vector<Target> targets_;
};

}  // namespace reckon::driver
