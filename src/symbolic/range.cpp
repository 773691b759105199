// Ranges of one value: bounds, a gap, and a few values that are left out.

#include "symbolic/facts.h"

#include <algorithm>

namespace reckon::symbolic {

bool Range::allows(std::int64_t v) const {
  return v >= lo && v <= hi && (v < gap_lo || v > gap_hi) && !std::binary_search(excluded.begin(), excluded.end(), v);
}

void Range::normalise() {
  if (!has_gap() && (excluded.empty() || (excluded.front() > lo && excluded.back() < hi))) return;
  if (has_gap()) {
    if (lo >= gap_lo && lo <= gap_hi) lo = gap_hi == kMax ? kMax : gap_hi + 1;
    if (hi >= gap_lo && hi <= gap_hi) hi = gap_lo == kMin ? kMin : gap_lo - 1;
    erase_if(excluded, [&](std::int64_t v) { return v >= gap_lo && v <= gap_hi; });
    if (lo > gap_hi || hi < gap_lo) gap_lo = 0, gap_hi = -1;
  }
  erase_if(excluded, [&](std::int64_t v) { return v < lo || v > hi; });
  for (bool changed = true; changed && lo <= hi && !excluded.empty();) {
    changed = false;
    if (excluded.front() == lo && lo != kMax) {
      ++lo;
      excluded.erase(excluded.begin());
      changed = true;
    } else if (excluded.back() == hi && hi != kMin) {
      --hi;
      excluded.pop_back();
      changed = true;
    }
  }
}

void Range::exclude(std::int64_t v) {
  if (v < lo || v > hi) return;
  auto it = std::lower_bound(excluded.begin(), excluded.end(), v);
  if (it != excluded.end() && *it == v) return;
  if (excluded.size() < kMaxExcluded || v == lo || v == hi || v == 0) excluded.insert(it, v);
  normalise();
}

void Range::clip(std::int64_t new_lo, std::int64_t new_hi) {
  if (new_lo <= lo && new_hi >= hi) return;
  lo = std::max(lo, new_lo);
  hi = std::min(hi, new_hi);
  normalise();
}

void Range::cut(std::int64_t from, std::int64_t to) {
  if (from > to || empty()) return;
  if (from <= lo && to >= hi) {
    lo = 1, hi = 0;
    return;
  }
  if (has_gap() && from <= gap_hi + 1 && to >= gap_lo - 1) from = std::min(from, gap_lo), to = std::max(to, gap_hi);
  gap_lo = from;
  gap_hi = to;
  normalise();
}

void Range::meet(const Range& other) {
  if (other.has_gap()) cut(other.gap_lo, other.gap_hi);
  clip(other.lo, other.hi);
  for (std::int64_t v : other.excluded) exclude(v);
}

bool Range::within(const Range& other) const {
  if (empty()) return true;
  if (lo < other.lo || hi > other.hi) return false;
  for (std::int64_t v : other.excluded)
    if (allows(v)) return false;
  if (!other.has_gap() || hi < other.gap_lo || lo > other.gap_hi) return true;
  return (has_gap() && gap_lo <= other.gap_lo && gap_hi >= other.gap_hi) || (is_single() && other.allows(lo));
}

bool Range::unites_exactly(const Range& other) const {
  if (empty() || other.empty()) return true;
  const std::int64_t low = std::max(lo, other.lo), high = std::min(hi, other.hi);
  if (low > high && low - 1 != high) return false;   // something between the two
  auto fills = [](const Range& r, const Range& g) {  // r has all of g's gap, or nothing of it
    return !g.has_gap() || (r.lo <= g.gap_lo && r.hi >= g.gap_hi && !r.has_gap()) || r.hi < g.gap_lo ||
           r.lo > g.gap_hi || (r.gap_lo == g.gap_lo && r.gap_hi == g.gap_hi);
  };
  return fills(*this, other) && fills(other, *this);
}

void Range::hull(const Range& other) {
  std::int64_t new_gap_lo = 0, new_gap_hi = -1;
  auto without = [](const Range& r, const Range& g) { return g.has_gap() && (r.hi < g.gap_lo || r.lo > g.gap_hi); };
  if (has_gap() && other.has_gap()) {
    new_gap_lo = std::max(gap_lo, other.gap_lo);
    new_gap_hi = std::min(gap_hi, other.gap_hi);
  } else if (without(other, *this)) {
    new_gap_lo = gap_lo, new_gap_hi = gap_hi;
  } else if (without(*this, other)) {
    new_gap_lo = other.gap_lo, new_gap_hi = other.gap_hi;
  }
  if (new_gap_lo > new_gap_hi) new_gap_lo = 0, new_gap_hi = -1;
  FewValues kept;
  for (std::int64_t v : excluded)
    if (!other.allows(v)) kept.push_back(v);
  for (std::int64_t v : other.excluded)
    if (!allows(v) && !std::binary_search(excluded.begin(), excluded.end(), v)) kept.push_back(v);
  // A gap between the two keeps nullness: [-5,-1] and [1,9] join to "not 0".
  if (!allows(0) && !other.allows(0) && std::min(lo, other.lo) < 0 && std::max(hi, other.hi) > 0) kept.push_back(0);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  lo = std::min(lo, other.lo);
  hi = std::max(hi, other.hi);
  excluded = std::move(kept);
  gap_lo = new_gap_lo;
  gap_hi = new_gap_hi;
  normalise();
}

}  // namespace reckon::symbolic
