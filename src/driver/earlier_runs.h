// Outcomes between runs: what earlier runs found out about the functions of each unit, in the cache.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/analyse.h"
#include "cache/cache.h"
#include "driver/capture_stage.h"
#include "driver/options.h"
#include "host/console.h"

namespace reckon::driver {

class EarlierRuns {
 public:
  // `specs`: stands for the specs in force.
  EarlierRuns(const Captured& captured, const Options& options, const std::string& specs, host::Console& console);

  // nullptr: there is no cache, or the wish is one that needs everything analysed.
  analysis::Earlier* get() { return usable_ ? &earlier_ : nullptr; }
  // After the analysis.
  void save();

 private:
  std::string key_of(std::size_t unit) const;

  host::Console& console_;
  cache::Cache cache_;
  std::vector<std::string> request_keys_;
  analysis::Earlier earlier_;
  bool usable_ = false;
};

}  // namespace reckon::driver
