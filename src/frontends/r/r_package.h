// The sources of an R package: where they are, and how R would compile them.
//
// Compiling is left to make: the dry run of the very make call that R's own installer makes says which commands it
// would run, with all that Makevars and R's configuration add. Nothing is compiled and nothing is written. A configure
// script writes files, so a package that has one is configured in a copy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/static_checks.h"
#include "frontends/builds/input.h"
#include "host/console.h"
#include "host/files.h"
#include "specs/spec_set.h"

namespace reckon::frontends {

// The R that is installed.
struct RInstallation {
  std::string home, include, share, arch;
  std::vector<std::string> libraries;  // folders of installed packages
};

class RPackage {
 public:
  // `path`: a folder or an archive. False: the console has said why.
  bool open(const std::string& path, host::Console& console);
  // The compiler calls; nullopt: the console has said why.
  std::optional<Input> commands(host::Console& console) const;
  std::vector<checks::NativeCall> calls_in_scripts(const specs::SpecSet& specs) const;
  const std::string& root() const { return root_; }

 private:
  bool unpack(const std::string& archive, host::Console& console);
  bool find_root(const std::string& folder, host::Console& console);
  bool copy_and_configure(host::Console& console);
  std::string field(std::string_view name) const;  // of DESCRIPTION
  std::string include_flags(host::Console& console) const;
  std::vector<std::string> make_command() const;

  std::string root_;
  std::string description_;
  RInstallation r_;
  host::TempFolder work_;  // for an archive, and for a package that is configured
};

}  // namespace reckon::frontends
