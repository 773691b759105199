// Ends of a function under protection: what is wrong there, and what callers are told of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/applying.h"
#include "engine/core/module.h"
#include "engine/properties/protection/protection.h"

namespace reckon::engine {

class ProtectionExits : public Module {
 public:
  using Module::Module;

  void gc_exit(const Exit& e);
  bool changes_depth_on_purpose(const State& s, TermId result) const;
  bool gc_value(const State& s, TermId t, specs::Object& out) const;
  template <class Visible>
  void tell_holders(const State& s, specs::Outcome& o, Visible&& visible) const;
  void gc_outcome(const State& s, TermId result, specs::Outcome& o, const NewObjects& known) const;

  std::uint64_t endangered_at_error_ = 0;  // arguments that have to be protected by callers, on ways that never return
};

}  // namespace reckon::engine
