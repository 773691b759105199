// Calls one hook of all active properties, in their order.
#pragma once

#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class Hooks {
 public:
  void add(Property& property) { active_.push_back(&property); }

  template <auto Hook, class... Args>
  void each(Args&&... args) {
    for (Property* p : active_) (p->*Hook)(args...);
  }
  // True as long as every property says so; the first that does not is the last to be asked.
  template <auto Hook, class... Args>
  bool all(Args&&... args) {
    for (Property* p : active_)
      if (!(p->*Hook)(args...)) return false;
    return true;
  }
  // True if some property says so; it is the last to be asked.
  template <auto Hook, class... Args>
  bool any(Args&&... args) const {
    for (Property* p : active_)
      if ((p->*Hook)(args...)) return true;
    return false;
  }
  // The first answer, or none.
  template <auto Hook, class... Args>
  auto first(Args&&... args) -> decltype((std::declval<Property&>().*Hook)(args...)) {
    for (Property* p : active_)
      if (auto found = (p->*Hook)(args...)) return found;
    return {};
  }

 private:
  std::vector<Property*> active_;
};

}  // namespace reckon::engine
