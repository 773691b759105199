// Ids as in support/id.h, of short tables whose ids are kept in large numbers: they take a byte or two.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "support/id.h"

namespace reckon::support {

template <class Tag, std::unsigned_integral Number>
class SmallId {
 public:
  constexpr SmallId() = default;  // the table's first element
  constexpr SmallId(NoId) : number_(std::numeric_limits<Number>::max()) {}
  explicit constexpr SmallId(std::size_t number) : number_(static_cast<Number>(number)) {}

  constexpr operator Number() const { return number_; }

  friend constexpr bool operator==(SmallId, SmallId) = default;
  friend constexpr std::strong_ordering operator<=>(SmallId, SmallId) = default;

 private:
  Number number_ = 0;
};

// What would otherwise be done with the numbers of two ids.
template <class A, class N, class B, class M>
  requires(!std::same_as<A, B>)
bool operator==(SmallId<A, N>, SmallId<B, M>) = delete;
template <class A, class N, class B>
bool operator==(SmallId<A, N>, Id<B>) = delete;

}  // namespace reckon::support
