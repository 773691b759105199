// Outcomes in plain words: what a call returns, what it does to its arguments, and whether it does so when it fails.
//
// The method: the outcomes of a function fall into those that succeed and those that fail. What they return becomes
// one clause for each of the two; each effect becomes a clause, with a word on when it does not happen.
//
// Limits: conditions are told only where they compare an argument with a constant; an effect that hangs on anything
// else happens "in some cases". The line of the spec, which is exact, is shown below the words.
#pragma once

#include <string>
#include <vector>

#include "specs/spec.h"

namespace reckon::lsp {

// What is described: a function that a spec speaks of, or one of the program.
struct Behaviour {
  std::vector<std::string> params;
  std::vector<specs::Outcome> outcomes;
  bool pointer = false;  // the result is known to be a pointer
  bool counted = false;  // to a counted object
  specs::FunctionFlags flags = {};
  std::vector<std::string> never_null = {};  // parameters
};

// What the caller's references are taken over of.
std::vector<specs::Place> stolen_by(const specs::Outcome& outcome);

Behaviour behaviour_of(const specs::FunctionSpec& spec);

// Clauses, the most important first: "returns a new reference", "on failure NULL with an exception".
std::vector<std::string> in_words(const Behaviour& behaviour);

// What is not as one expects of a function, in few words: "returns borrowed", "steals 2nd argument".
std::vector<std::string> off_convention(const Behaviour& behaviour);

}  // namespace reckon::lsp
