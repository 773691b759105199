// What one look at a function leaves to those who explain it: terms, the ways through the function, its ends, and names
// for all that. Valid as long as the look it belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/frame.h"

namespace reckon::engine {

class Executor;

// An end of a function that means failure: the way to it, and its result if that is one number.
struct Refusal {
  PathId path = model::kNone;
  std::optional<std::int64_t> number;
};

class Trace {
 public:
  explicit Trace(const Executor& look) : look_(look) {}

  const TermArena& terms() const;
  const std::vector<PathNode>& path_nodes() const;
  const std::vector<PathChange>& path_changes() const;
  const model::Function& function() const;
  const model::Unit& unit() const;
  const Context& context() const;
  FuncId id() const;
  // How the exception state is when the function begins.
  ExcState entry_exception() const;
  // The end that this way leads to, if every one it leads to means failure.
  std::optional<Refusal> ends_in_failure(PathId path) const;
  // Is the protection stack as deep at some end as at the start?
  bool some_end_is_balanced() const;
  // Name of the callee of a call instruction as people write it; "" if through an unknown pointer.
  std::string callee_name(const model::Instr& call) const;
  // The name a programmer would use for this term: a variable, `self->field`, `list_new()`; "" if none.
  std::string describe(TermId t) const;

 private:
  const Executor& look_;
};

}  // namespace reckon::engine
