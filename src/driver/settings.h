// What reckon.toml says, put together with the command line, which wins.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/options.h"
#include "host/console.h"
#include "report/finding.h"
#include "specs/config.h"

namespace reckon::driver {

class Settings {
 public:
  // Reads --config, or else reckon.toml of this folder or the nearest one above; none is fine. Adds what it says to
  // `options` where the command line is silent. nullopt: the file has errors, and the console has told
  // them with their lines (exit code 2).
  static std::optional<Settings> load(Options& options, host::Console& console);

  const std::string& file() const { return file_; }  // absolute; "": there is none
  const std::map<std::string, std::string>& versions() const { return config_.versions; }
  // Patterns of `include` that match none of these files (absolute).
  std::vector<std::string> idle_includes(const std::vector<std::string>& files) const;
  // Do `include` and `exclude` leave this file (absolute) in?
  bool wants_file(const std::string& file) const;
  // Do paths and checks of folders let it through?
  bool wants(const report::Finding& finding) const;
  // Is it a reason for exit status 1?
  bool fails(const report::Finding& finding) const;

 private:
  void fill_in(Options& options) const;
  std::string relative(const std::string& file) const;

  specs::Config config_;
  std::string file_;
  std::string folder_;   // of the file, absolute; paths in it are relative to this
  std::string fail_on_;  // of the command line
};

}  // namespace reckon::driver
