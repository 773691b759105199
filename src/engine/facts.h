// Facts: the cheap constraint domain.
//
// Per term an interval and a few excluded values (nullness is "0 excluded"); per pair of terms an interval of
// their difference. Both are conjunctions; nothing is propagated transitively, which Z3 does where it matters
// (engine/solver.h). Joining two fact sets keeps what both imply.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/term.h"

namespace reckon::engine {

inline constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

struct Range {
  std::int64_t lo = kMin;
  std::int64_t hi = kMax;
  std::vector<std::int64_t> excluded;  // sorted, inside [lo, hi], at most kMaxExcluded

  static constexpr std::size_t kMaxExcluded = 8;
  bool operator==(const Range&) const = default;
  bool empty() const { return lo > hi; }
  bool is_full() const { return lo == kMin && hi == kMax && excluded.empty(); }
  bool is_single() const { return lo == hi; }
  bool allows(std::int64_t v) const;
  void exclude(std::int64_t v);
  void clip(std::int64_t new_lo, std::int64_t new_hi);
  void hull(const Range& other);     // smallest range of this form that holds both
  void normalise();
};

struct Relation {  // a - b within [lo, hi]; and not equal, if ne
  TermId a = 0;
  TermId b = 0;
  std::int64_t lo = kMin;
  std::int64_t hi = kMax;
  bool ne = false;
  bool operator==(const Relation&) const = default;
};

class Facts {
 public:
  // What is known of the value of `t`: stored facts combined with what its structure says.
  Range range(const TermArena& terms, TermId t) const;

  // Adds "t is non-zero" (or zero, if !truth). False: contradiction.
  bool assume(TermArena& terms, TermId t, bool truth);
  // Adds a pred b.
  bool assume_cmp(TermArena& terms, model::CmpPred pred, TermId a, TermId b);

  // 1 true, 0 false, -1 undecided.
  int decide(TermArena& terms, TermId t) const;

  bool known_zero(const TermArena& terms, TermId t) const { return range(terms, t).is_single() && range(terms, t).lo == 0; }
  bool known_nonzero(const TermArena& terms, TermId t) const { return !range(terms, t).allows(0); }

  void set_range(TermId t, Range r);
  void forget(TermId t);
  void join(const TermArena& terms, const Facts& other);
  // Facts about terms for which keep() is false are dropped.
  template <class Keep>
  void retain(Keep&& keep) {
    std::erase_if(ranges_, [&](const auto& e) { return !keep(e.first); });
    std::erase_if(relations_, [&](const Relation& r) { return !keep(r.a) || !keep(r.b); });
  }
  void substitute(TermArena& terms, TermId from, TermId to);
  // Facts on `t` become unbounded in the direction in which `newer` exceeds `older`.
  void widen_against(const TermArena& terms, const Facts& older);

  const std::vector<std::pair<TermId, Range>>& ranges() const { return ranges_; }
  const std::vector<Relation>& relations() const { return relations_; }
  bool operator==(const Facts&) const = default;

 private:
  Range* find(TermId t);
  const Range* find(TermId t) const;
  bool clip(TermArena& terms, TermId t, model::CmpPred pred, std::int64_t c);

  std::vector<std::pair<TermId, Range>> ranges_;  // sorted by term
  std::vector<Relation> relations_;               // sorted by (a, b), a < b
};

}  // namespace reckon::engine
