// The first stage: every unit from the cache or, in worker processes, from Clang.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cache/cache.h"
#include "driver/options.h"
#include "frontends/builds/compdb.h"
#include "host/console.h"
#include "model/model.h"

namespace reckon::driver {

struct FailedUnit {
  std::size_t command;  // its number
  std::string path;
  std::string reason;
  std::string errors = {};  // Clang's, if it does not compile
};

struct Captured {
  // In the order of the commands, failed ones left out. Null: it was left in the cache.
  std::vector<std::shared_ptr<const model::Unit>> units;
  std::size_t most_units = SIZE_MAX;  // that should be in memory at once
  bool all_in_memory() const { return most_units == SIZE_MAX; }
  std::set<std::string, std::less<>> headers;  // all files that the units have read
  cache::Place cache;                          // without a folder: no cache is used
  std::vector<std::string> request_keys;       // of `units`, if there is a cache
  std::vector<std::string> content_keys;       // of `units`: where the cache has each, "" if it has not
  std::size_t compiled = 0;
  std::size_t from_cache = 0;
  std::vector<FailedUnit> failed;
  bool interrupted = false;
  std::vector<std::shared_ptr<const model::Unit>> unit_of;  // of each command; null if it failed
  std::vector<std::string> key_of;                          // request key of each command, if there is a cache
};

// Other texts in place of files: those that git has (base_state.h).
struct Overlay {
  std::string list;                                           // a file in the form that -ivfsoverlay reads
  const std::map<std::string, std::string>* texts = nullptr;  // by file, absolute
};

// The compiler's arguments, with the folder of our own headers in front where it has a header of the same name as one
// that the unit can include: ours include theirs and spell macros as the functions that specs speak of.
std::vector<std::string> with_own_headers(const frontends::Command& command);

// Was there something to capture, and nothing could be? The console is told (exit code 3).
bool nothing_captured(const Captured& captured, host::Console& console);

// With an overlay: failures are told with -v only, since it is not the state that the user sees.
Captured capture_units(const std::vector<frontends::Command>& commands, const Options& options, host::Console& console,
                       const Overlay* overlay = nullptr);

// The same, but the units of a large program stay in the cache: to be linked by link_captured() (link_stage.h).
Captured capture_many(const std::vector<frontends::Command>& commands, const Options& options, host::Console& console);

}  // namespace reckon::driver
