// The first stage: every unit from the cache or, in worker processes, from Clang.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/options.h"
#include "frontends/builds/compdb.h"
#include "host/console.h"
#include "model/model.h"

namespace reckon::driver {

struct FailedUnit {
  std::string path;
  std::string reason;
};

struct Captured {
  std::vector<std::shared_ptr<const model::Unit>> units;  // in the order of the commands, failed ones left out
  std::string cache_folder;                               // "": no cache is used
  std::vector<std::string> request_keys;                  // of `units`, if there is a cache
  std::size_t compiled = 0;
  std::size_t from_cache = 0;
  std::vector<FailedUnit> failed;
  bool interrupted = false;
};

// Was there something to capture, and nothing could be? The console is told (exit code 3).
bool nothing_captured(const Captured& captured, host::Console& console);

Captured capture_units(const std::vector<frontends::Command>& commands, const Options& options, host::Console& console);

}  // namespace reckon::driver
