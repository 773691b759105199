// The units of a program: all in memory, or each read when somebody asks for it.
//
// The problem: a whole kernel does not fit into memory, and most of what is done with it looks at one unit after the
// other. The method: whoever wants a unit asks the store, which reads it where it is not there, and keeps it. Units go
// only when somebody who holds none of them says so (rest()), the one that was read first before the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "model/model.h"
#include "support/id.h"

namespace reckon::program {

using UnitId = support::Id<struct UnitTag>;  // number of a unit in the program
using Units = std::vector<std::shared_ptr<const model::Unit>>;

class UnitStore {
 public:
  using Read = std::function<std::shared_ptr<const model::Unit>(UnitId)>;  // never gives null

  explicit UnitStore(Units units);
  // At most `most` units stay after rest().
  UnitStore(std::size_t count, std::size_t most, Read read);

  std::size_t size() const { return there_.size(); }
  // May be called by several threads. What `read` throws is thrown here.
  const model::Unit& at(UnitId u) const {
    const model::Unit* unit = there_[u].load(std::memory_order_acquire);
    return unit != nullptr ? *unit : fetch(u);
  }
  // Nobody may hold a reference to a unit, or to anything in it.
  void rest() const {
    if (order_.size() > most_) let_go();
  }

 private:
  const model::Unit& fetch(UnitId u) const;
  void let_go() const;

  std::size_t most_;
  Read read_;
  mutable std::mutex mutex_;
  mutable Units units_;
  mutable std::vector<std::atomic<const model::Unit*>> there_;  // what `units_` has
  mutable std::deque<UnitId> order_;                            // those that were read, in this order
};

}  // namespace reckon::program
