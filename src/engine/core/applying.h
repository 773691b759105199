// A call while it is executed, and one of its outcomes while it is applied to a state.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/symbolic.h"
#include "program/program.h"
#include "specs/spec.h"

namespace reckon::engine {

struct Call {
  InstrId index = model::kNone;  // the instruction
  const specs::FunctionSpec* spec = nullptr;
  const std::vector<TermId>& args;
  std::string callee{};   // as people write it
  bool releases = false;  // some outcome gives up a reference to an argument
};

// The functions of the program that a call leads to, all of them with known outcomes.
struct Targets {
  const std::vector<program::FuncId>& functions;
  bool by_pointer = false;
};

struct Applying {
  InstrId index = model::kNone;
  const specs::Outcome* outcome = nullptr;
  const specs::FunctionSpec* spec = nullptr;
  const std::vector<TermId>* args = nullptr;
  std::string callee{};
  specs::DomainId domain{};
  bool written = false;                   // by a person: a spec that was not computed
  std::span<const specs::Outcome> all{};  // the outcomes of the callee, of which this is one
  TermId answer =
      kNoTerm;  // what the callee, which has no effect, gives here whenever it is asked; none: it may differ
  bool assumed_kind = false;  // what it makes rests on a supposition
};

// Objects that callers get to know by an outcome, with their numbers in it.
using NewObjects = std::vector<std::pair<TermId, std::uint32_t>>;

// A named count that an outcome changes.
struct CountStep {
  TermId object = kNoTerm;
  specs::CountId kind{};
  int delta = 0;
  InstrId instr = model::kNone;
  const std::string& callee;
};

// Does the place speak of what the call gives, not of what it was given?
inline bool on_result(const specs::Place& p) {
  return p.root == specs::Place::Root::Result || p.root == specs::Place::Root::Object;
}

}  // namespace reckon::engine
