// Why calls and functions fail: for what they are given, for something outside, or since memory ran out.
//
// A call fails as its spec says, or its summary, or else its domain. A function that raises by itself is asked for its
// reason: the function it calls for that has one (`fails-for-memory`), or the kind of exception does (`blame`), or the
// branch before it asked a function out of sight, which then is what failed. Branches that only ask what the function
// itself counted tell nothing.
//
// While a module is set up, nobody has given it anything yet. What calls are given there is the module's own, so that
// memory is what they fail for; and what it refuses by itself is what it finds outside.
//
// Limits: of a way only what happened last counts, so a failure that was dealt with may be taken for the reason of a
// later one that nobody explains.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "engine/core/context.h"
#include "engine/core/events.h"

namespace reckon::engine {

// The one that is met more often; what was not said does not count.
inline specs::FailureCause easier(specs::FailureCause a, specs::FailureCause b) {
  if (a == specs::FailureCause::Unsaid || b == specs::FailureCause::Unsaid) return std::max(a, b);
  return std::min(a, b);
}

// What the flags of a spec say of it.
specs::FailureCause said_by(const specs::FunctionFlags& flags);

// Is NULL given when memory runs out?
bool null_without_memory(std::span<const specs::Outcome> outcomes);

class Causes {
 public:
  Causes(const Context& ctx, FuncId function, const std::vector<PathNode>& nodes);

  // What makes functions of this domain fail, as a rule.
  specs::FailureCause customary() const;
  // What makes a call end with this outcome, which is a failure; without a spec: a function of the program.
  specs::FailureCause of_call(InstrId call, const specs::Outcome& outcome, const specs::FunctionSpec* spec) const;
  // Why somebody calls a function that only raises; Unsaid: neither it nor the exception tells. Without a spec: a
  // function of the program.
  specs::FailureCause of_raising(InstrId call, const specs::Outcome& outcome, const specs::FunctionSpec* spec) const;
  // What made the call fail on this way that gave a value; Unsaid: none did, or it did not fail.
  specs::FailureCause of_asked(PathId last, const model::Operand& value) const;
  // What failed last on this way; Unsaid: nothing did. `refuses`: the function itself fails at the end, with this
  // number if it is known.
  specs::FailureCause of_way(PathId last, bool refuses, std::optional<std::int64_t> number = {}) const;

 private:
  const specs::DomainSpec* domain() const;
  specs::FailureCause said_of(InstrId call, const specs::Outcome& outcome, const specs::FunctionSpec* spec) const;
  specs::FailureCause of_text(InstrId call, const specs::FunctionSpec& spec) const;
  specs::FailureCause of_refusal() const;
  specs::FailureCause of_answer(PathId last, bool helper) const;
  specs::FailureCause of_question(InstrId call, specs::FailureCause raised) const;
  struct Question {
    InstrId call;              // whose result it is about; kNone: none, or several
    bool counted_here = true;  // it is about numbers that the function made up itself
  };
  specs::FailureCause of_node(PathId last, InstrId call) const;
  Question asked(const model::Operand& condition) const;
  Question asked_at(const PathNode& branch) const;
  bool is_helper(InstrId call) const;
  bool raised_last(PathId last) const;
  bool out_of_sight(InstrId call) const;

  const Context& ctx_;
  const program::UnitId unit_id_;
  const model::Unit& unit_;
  const model::Body& body_;
  const std::vector<PathNode>& nodes_;
  const bool set_up_;  // it runs while things are set up
};

}  // namespace reckon::engine
