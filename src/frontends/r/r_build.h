// How R would compile the sources of a package.
//
// There are two ways to find out. The usual one reads Makevars and R's own configuration without running anything, and
// says what it could not know. With the user's consent make is asked: the dry run of the very call that R's installer
// makes prints the commands, but runs what Makevars asks for while it is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/builds/input.h"
#include "host/console.h"

namespace reckon::frontends {

// The R that is installed.
struct RInstallation {
  std::string home, include, share, arch;
  std::vector<std::string> libraries;  // folders of installed packages
};

struct RBuild {
  RInstallation r;
  std::string root;           // of the package
  std::string package;        // its name; see is_package_name()
  std::string requirements;   // SystemRequirements of DESCRIPTION
  std::string include_flags;  // -I for each package of LinkingTo, quoted for a shell
  std::string writable;       // folder that programs may write to
};

// A letter, then letters, digits and dots. Other names are none of a package, and could mean something to make.
bool is_package_name(std::string_view name);

// nullopt: the console has said why.
std::optional<Input> commands_by_reading(const RBuild& build, host::Console& console);
std::optional<Input> commands_by_make(const RBuild& build, host::Console& console);

// The environment of make and configure.
std::vector<std::pair<std::string, std::string>> build_environment(const RBuild& build);

}  // namespace reckon::frontends
