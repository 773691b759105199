// The second analysis of --new-since, beside the one of the pipeline: the state before the change, and what differs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/analyse.h"
#include "driver/base_state.h"
#include "driver/capture_stage.h"
#include "driver/options.h"
#include "frontends/builds/input.h"
#include "host/console.h"
#include "report/run.h"
#include "specs/spec_set.h"

namespace reckon::driver {

class Comparison {
 public:
  // Does nothing unless --new-since was given. False: it cannot be done here; the console has said why.
  bool begin(const Options& options, host::Console& console);
  // After `now` was captured, and before there are threads. False: interrupted.
  bool capture(const frontends::Input& input, const Captured& now, const Options& options, host::Console& console);
  // Finds what was found before. `wishes` are those of the analysis of today's state.
  void analyse(const frontends::Input& input, const specs::SpecSet& specs, const std::string& spec_fingerprint,
               const Options& options, analysis::Options wishes, host::Console& console);
  // Says of each finding whether it is new, and adds what is gone.
  void apply(report::Run& run) const;

 private:
  std::optional<BaseState> base_;
  Captured captured_;
  report::State before_;
};

}  // namespace reckon::driver
