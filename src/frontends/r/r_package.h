// The sources of an R package: a folder or an archive.
//
// Nothing is compiled, nothing is written to the package, and nothing of it is run unless the user allows it: how R
// would compile is read from Makevars (r_build.h). A configure script writes files, so a package that has one is
// configured in a copy, when the user allows that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/static_checks.h"
#include "frontends/builds/input.h"
#include "frontends/r/r_build.h"
#include "host/console.h"
#include "host/files.h"
#include "specs/spec_set.h"

namespace reckon::frontends {

class RPackage {
 public:
  // `path`: a folder or an archive. `allow_build`: configure and make may run. `include`: headers of another R than the
  // one that is installed, or "". False: the console has said why.
  bool open(const std::string& path, bool allow_build, const std::string& include, host::Console& console);
  // The compiler calls; nullopt: the console has said why.
  std::optional<Input> commands(host::Console& console) const;
  checks::Scripts scripts(const specs::SpecSet& specs, host::Console& console) const;
  const std::string& root() const { return root_; }

 private:
  bool unpack(const std::string& archive, host::Console& console);
  bool find_root(const std::string& folder, host::Console& console);
  bool copy_and_configure(host::Console& console);
  std::string field(std::string_view name) const;  // of DESCRIPTION
  std::string include_flags(host::Console& console) const;
  void describe_build(host::Console& console);

  bool allow_build_ = false;
  std::string root_;
  std::string description_;
  RInstallation r_;
  RBuild build_;
  host::TempFolder work_;  // for an archive, and for a package that is configured
};

}  // namespace reckon::frontends
