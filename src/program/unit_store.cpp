#include "program/unit_store.h"

#include <limits>
#include <utility>

namespace reckon::program {

UnitStore::UnitStore(Units units)
    : most_(std::numeric_limits<std::size_t>::max()), units_(std::move(units)), there_(units_.size()) {
  for (std::size_t u = 0; u < units_.size(); ++u) there_[u].store(units_[u].get(), std::memory_order_relaxed);
}

UnitStore::UnitStore(std::size_t count, std::size_t most, Read read)
    : most_(most), read_(std::move(read)), units_(count), there_(count) {}

const model::Unit& UnitStore::fetch(UnitId u) const {
  const std::scoped_lock lock(mutex_);
  if (!units_[u]) {
    units_[u] = read_(u);
    order_.push_back(u);
    there_[u].store(units_[u].get(), std::memory_order_release);
  }
  return *units_[u];
}

void UnitStore::let_go() const {
  const std::scoped_lock lock(mutex_);
  while (order_.size() > most_) {
    there_[order_.front()].store(nullptr, std::memory_order_release);
    units_[order_.front()].reset();
    order_.pop_front();
  }
}

}  // namespace reckon::program
