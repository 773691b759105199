// Rewrites sources so that calls fail when told to: by an environment variable that is read at each call, never by
// itself. Only insertions are made, each on its line, and what stands before the first line gives its number back with
// #line, so that messages of the compiler and of sanitizers name the lines of the original.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "confirm/plan.h"

namespace reckon::confirm {

// A function that reads arguments by a format: a run tells the driver which, so that it can pass what fits.
struct FormatReader {
  std::string name;
  unsigned format = 0;  // number of the parameter, from 0
};

struct Injection {
  std::string runtime;                // C that is put before each file (share/confirm)
  std::vector<FormatReader> readers;  // of the domain's spec
  std::vector<unsigned> left_out;     // sites that the compiler refused
};

// The rewritten text of each file that holds a site or an entry.
std::map<std::string, std::string> inject(const Plans& plans, const Injection& how, report::Sources& sources);

}  // namespace reckon::confirm
