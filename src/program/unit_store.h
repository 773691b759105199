// The units of a program, or their records: all in memory, or each read when somebody asks for it.
//
// The problem: a whole kernel does not fit into memory, and most of what is done with it looks at one unit after the
// other. The method: whoever wants a unit asks the store, which reads it where it is not there, and keeps it. Units go
// only when somebody who holds none of them says so (rest()), the one that was read first before the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "model/model.h"
#include "support/id.h"

namespace reckon::program {

using UnitId = support::Id<struct UnitTag>;  // number of a unit in the program

template <class T>
class Store {
 public:
  using All = std::vector<std::shared_ptr<const T>>;
  using Read = std::function<std::shared_ptr<const T>(UnitId)>;  // never gives null

  explicit Store(All all) : most_(std::numeric_limits<std::size_t>::max()), all_(std::move(all)), there_(all_.size()) {
    for (std::size_t u = 0; u < all_.size(); ++u) there_[u].store(all_[u].get(), std::memory_order_relaxed);
  }
  // At most `most` stay after rest().
  Store(std::size_t count, std::size_t most, Read read)
      : most_(most), read_(std::move(read)), all_(count), there_(count) {}

  std::size_t size() const { return there_.size(); }
  bool all_in_memory() const { return !read_; }
  // May be called by several threads. What `read` throws is thrown here.
  const T& at(UnitId u) const {
    const T* unit = there_[u].load(std::memory_order_acquire);
    return unit != nullptr ? *unit : fetch(u);
  }
  // The same, for those who keep it.
  std::shared_ptr<const T> share(UnitId u) const {
    at(u);
    return all_[u];
  }
  // Nobody may hold a reference to a unit, or to anything in it.
  void rest() const {
    if (order_.size() > most_) let_go();
  }

 private:
  const T& fetch(UnitId u) const {
    const std::scoped_lock lock(mutex_);
    if (!all_[u]) {
      all_[u] = read_(u);
      order_.push_back(u);
      there_[u].store(all_[u].get(), std::memory_order_release);
    }
    return *all_[u];
  }
  void let_go() const {
    const std::scoped_lock lock(mutex_);
    while (order_.size() > most_) {
      there_[order_.front()].store(nullptr, std::memory_order_release);
      all_[order_.front()].reset();
      order_.pop_front();
    }
  }

  std::size_t most_;
  Read read_;
  mutable std::mutex mutex_;
  mutable All all_;
  mutable std::vector<std::atomic<const T*>> there_;  // what `all_` has
  mutable std::deque<UnitId> order_;                  // those that were read, in this order
};

using UnitStore = Store<model::Unit>;
using Units = UnitStore::All;

}  // namespace reckon::program
