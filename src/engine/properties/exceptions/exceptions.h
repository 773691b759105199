// Whether an exception is set, as outcomes leave it and ask for it.
#pragma once

#include "engine/core/applying.h"
#include "engine/core/module.h"

namespace reckon::engine {

class Exceptions : public Module {
 public:
  using Module::Module;

  bool assume_pending(State& s, specs::Pending pending) const;
  void apply_exception(State& s, const Applying& call) const;
};

}  // namespace reckon::engine
