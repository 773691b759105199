// Calls of native code in the R code of a package, and the names its NAMESPACE gives to native routines.
//
// Only as much of R's grammar is read as is needed to count arguments: strings, comments, brackets and commas. Code
// under `if (FALSE)` is passed over.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checks/static_checks.h"

namespace reckon::frontends {

// What `useDynLib` says: the library (mostly named like the package), the prefix of the R variables, and variables with
// a name of their own.
struct NativeNames {
  std::string library;
  std::string prefix;
  std::map<std::string, std::string> renamed;  // variable, routine
  std::string routine(const std::string& variable) const;
};
NativeNames native_names(std::string_view name_space);

// A way of calling native code from R: ".Call". `objects`: the routine gets the arguments as they are, and what is an
// option of the other interfaces is one more of them.
struct NativeInterface {
  std::string name;
  bool objects = true;
};

// Calls by one of `interfaces`. A first argument that is neither a string nor a name, alone or with the
// package in front (`pkg:::C_sum`), is left out; so is the number of arguments where `...` is among them.
std::vector<checks::NativeCall> native_calls(std::string_view code, const std::string& file,
                                             const std::vector<NativeInterface>& interfaces, const NativeNames& names);

// Adds what the code may name a routine by: every name and string, but those it only asks the address of.
void add_routine_names(std::string_view code, const NativeNames& names, checks::RoutineNames& out);

}  // namespace reckon::frontends
