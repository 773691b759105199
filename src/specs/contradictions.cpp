#include "specs/contradictions.h"

#include <cstdint>
#include <limits>
#include <set>

namespace reckon::specs {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

// What is left of the values of a place, or of some of its bits.
class Values {
 public:
  void add(Pred pred, std::int64_t n) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                           most = std::numeric_limits<std::int64_t>::max();
    switch (pred) {
      case Pred::Eq: at_least(n), at_most(n); break;
      case Pred::Ne: excluded_.insert(n); break;
      case Pred::Lt: n == least ? none() : at_most(n - 1); break;
      case Pred::Le: at_most(n); break;
      case Pred::Gt: n == most ? none() : at_least(n + 1); break;
      case Pred::Ge: at_least(n); break;
    }
  }
  bool empty() const {
    if (lo_ > hi_) return true;
    // So many values are excluded one by one at most, so only a range that is no longer can be used up.
    std::int64_t n = lo_;
    while (excluded_.contains(n)) {
      if (n == hi_) return true;
      ++n;
    }
    return false;
  }

 private:
  void at_least(std::int64_t n) { lo_ = n > lo_ ? n : lo_; }
  void at_most(std::int64_t n) { hi_ = n < hi_ ? n : hi_; }
  void none() { lo_ = 1, hi_ = 0; }

  std::int64_t lo_ = std::numeric_limits<std::int64_t>::min(), hi_ = std::numeric_limits<std::int64_t>::max();
  std::set<std::int64_t> excluded_;
};

// Bits that the condition says exactly: which, and how they are.
struct Bits {
  std::uint64_t mask = 0, value = 0;
};
Bits bits_of(const Condition& c) {
  const auto value = static_cast<std::uint64_t>(c.imm);
  if (c.other) return {};
  if (c.pred == Pred::Eq) return {c.mask, value};
  const bool one_bit = c.mask != 0 && (c.mask & (c.mask - 1)) == 0;
  if (c.pred == Pred::Ne && one_bit && (value == 0 || value == c.mask)) return {c.mask, value ^ c.mask};
  return {};
}

// How two places can compare: less, equal, more.
enum Order : unsigned { kLess = 1, kEqual = 2, kMore = 4 };
unsigned orders(Pred pred) {
  switch (pred) {
    case Pred::Eq: return kEqual;
    case Pred::Ne: return kLess | kMore;
    case Pred::Lt: return kLess;
    case Pred::Le: return kLess | kEqual;
    case Pred::Gt: return kMore;
    case Pred::Ge: return kMore | kEqual;
  }
  return kLess | kEqual | kMore;
}
unsigned swapped(unsigned orders) { return (orders & kEqual) | (orders & kLess) << 2 | (orders & kMore) >> 2; }

}  // namespace

bool last_contradicts(const std::vector<Condition>& when) {
  const Condition& last = when.back();
  if (last.other) {
    unsigned left = last.place == *last.other ? kEqual : kLess | kEqual | kMore;
    for (const Condition& c : when) {
      if (!c.other || c.mask != kAllBits || last.mask != kAllBits) continue;
      if (c.place == last.place && *c.other == *last.other)
        left &= orders(c.pred);
      else if (c.place == *last.other && *c.other == last.place)
        left &= swapped(orders(c.pred));
    }
    return left == 0;
  }
  Values values;
  const Bits bits = bits_of(last);
  if (bits.mask != 0 && (bits.value & ~bits.mask) != 0 && bits.mask != kAllBits)
    return true;  // bits that are not asked for
  for (const Condition& c : when) {
    if (c.other || !(c.place == last.place)) continue;
    const Bits others = bits_of(c);
    if (((bits.value ^ others.value) & bits.mask & others.mask) != 0) return true;
    if (c.mask == last.mask) values.add(c.pred, c.imm);
  }
  return values.empty();
}

}  // namespace reckon::specs
