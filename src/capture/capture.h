// Capture: one compiler call in, one model::Unit out. The only door to Clang and LLVM.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace reckon::capture {

struct Request {
  std::string directory;                   // where the compiler was called
  std::string file;                        // main source file, absolute or relative to directory
  std::vector<std::string> arguments;      // the whole command line, compiler first
  std::vector<std::string> macros_wanted;  // names of macros whose definition Unit::macros should record
  // What files (absolute) hold for this call, whatever lies on the disk: text that an editor has not saved.
  std::map<std::string, std::string> texts = {};
  // An open file in which the precompiled start of the source is kept from one call to the next; -1: none. What is in
  // it is used if it still fits, else replaced.
  int preamble = -1;
};

struct Result {
  bool ok = false;
  model::Unit unit;                        // meaningful if ok
  std::string errors;                      // Clang's own rendering of the errors, if not ok
  std::vector<std::string> dropped_flags;  // flags that do not reach Clang, see allowed_flags.h
  std::vector<std::string> dependencies;   // absolute paths of all files read, main file first
};

// Runs Clang in this process. Never exits or throws on bad input; a crash inside Clang is a crash of the
// calling process, so callers use worker processes (driver/workers.h).
Result capture_unit(const Request& request);

// "19.1.7": part of every cache key.
std::string clang_version();

}  // namespace reckon::capture
