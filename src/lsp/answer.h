// What the analysis of a file says, in the form in which it travels from the process that analyses to the server:
// places are the protocol's already, so that the server only has to look things up.
//
//   files      by path: diagnostics, as the protocol has them
//   functions  of the program: what they do in words, and what a code lens says of them
//   ends       calls by which a function obtains an object or gives it up, to go from one to the other
//   states     of functions with a finding: references owned along its path
//   headers    files that the unit read; domains: whose specs are in force
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "lsp/words.h"
#include "report/run.h"
#include "report/sources.h"

namespace reckon::lsp {

struct ProgramFunction {
  std::string name;
  report::SourceLoc loc;
  bool known = false;  // to callers
  Behaviour behaviour;
};

// A call that obtains an object or gives it up, in a function of the file.
struct PairEnd {
  report::SourceLoc loc;
  std::string object;       // the variable
  std::uint32_t scope = 0;  // number of the function
  bool obtains = false;
};

struct Facts {
  std::string path;  // of the main file
  report::Run run;
  std::vector<ProgramFunction> functions;
  std::vector<PairEnd> ends;
  std::vector<std::string> headers;
  std::set<std::string> domains;
  std::string pages;  // folder of the checks' pages; "" if there is none
};

nlohmann::json answer_of(const Facts& facts, report::Sources& sources);

// The diagnostic where a file does not compile, from what the compiler said; `spelled`: how it calls the file.
nlohmann::json answer_of_errors(const std::string& path, const std::string& spelled, const std::string& errors,
                                report::Sources& sources);

// A repair as the protocol has it: a title, and edits by path.
nlohmann::json repair_json(const report::Fix& fix, report::Sources& sources);

}  // namespace reckon::lsp
