// --new-since REV: the code as it was where this branch left REV.
//
// The problem: a pull request should answer for what it brought, and for nothing else. The method: the state at the
// merge base of REV and HEAD is analysed, too, and compared (report/compare.h). The work tree is not touched: files
// that differ are read by Clang as git has them, through an overlay; everything else, such as headers that the build
// made, is taken as it lies there. A file that was not there at the base counts as empty. Compiler calls are those of
// today. A compiler call that reads no file that differs has the same unit in both states, so that the second state
// costs what the change touches. A source that was deleted has no call today: it gets that of its nearest neighbour.
//
// Limits: a source that is still there and that today's build no longer compiles is not analysed at the base, so
// nothing of it is told as gone. Changes below submodules and changed compiler flags are not seen.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/capture_stage.h"
#include "driver/git.h"
#include "driver/options.h"
#include "frontends/builds/input.h"
#include "host/console.h"
#include "host/files.h"
#include "report/compare.h"

namespace reckon::driver {

class BaseState {
 public:
  // nullopt: there is no such state here, and `error` says what to do about it.
  static std::optional<BaseState> find(const std::string& revision, std::string& error);

  // "main (1a2b3c4)"
  const std::string& name() const { return name_; }
  // What files (absolute) held that differ now.
  const std::map<std::string, std::string>& texts() const { return texts_; }

  // Compiler calls for the sources in the input's folders that were deleted since: as the nearest source in the same
  // language is compiled today.
  std::vector<frontends::Command> deleted(const frontends::Input& input) const;

  // The units of the commands as they were. `now` are those of today, for the first of the commands.
  Captured capture(const std::vector<frontends::Command>& commands, const Captured& now, const Options& options,
                   host::Console& console) const;

  // For report::compare().
  report::PlaceNow place_now() const;

 private:
  bool differs(const model::Unit& unit) const;

  std::string name_;
  std::map<std::string, std::string> texts_;
  struct Moved {
    std::string now;  // absolute; "" if the file is gone
    FileDiff diff;
  };
  std::unordered_map<std::string, Moved> moved_;  // by the name (absolute) under which the base state is read
};

}  // namespace reckon::driver
