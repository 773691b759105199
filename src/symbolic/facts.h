// Facts: the cheap constraint domain.
//
// Per term an interval, a few excluded values (nullness is "0 excluded") and one excluded stretch ("no error
// pointer"); per pair of terms an interval of their difference. Both are conjunctions, and nothing is propagated
// transitively. Joining two fact sets keeps what both imply, and beside it up to kMaxCases cases: "either these ranges,
// or those". Cases that a later assumption contradicts go; when none is left, the state was impossible. So
// `if (!a && b) get(); ... if (!a && b) put();` and flags that remember which way was taken are followed without
// keeping the states apart.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "support/limits.h"
#include "symbolic/few_values.h"
#include "symbolic/term.h"

namespace reckon::symbolic {

inline constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

struct Range {
  std::int64_t lo = kMin;
  std::int64_t hi = kMax;
  FewValues excluded = {};  // sorted, inside [lo, hi], at most kMaxExcluded
  std::int64_t gap_lo = 0;  // nothing in [gap_lo, gap_hi], inside [lo, hi]; 0 and -1: no gap
  std::int64_t gap_hi = -1;

  static constexpr std::size_t kMaxExcluded = support::kLimits.values.excluded;
  bool operator==(const Range&) const = default;
  bool empty() const { return lo > hi; }
  bool is_full() const { return lo == kMin && hi == kMax && excluded.empty() && !has_gap(); }
  bool has_gap() const { return gap_lo <= gap_hi; }
  bool is_single() const { return lo == hi; }
  bool allows(std::int64_t v) const;
  void exclude(std::int64_t v);
  void clip(std::int64_t new_lo, std::int64_t new_hi);
  void cut(std::int64_t from, std::int64_t to);  // nothing from there to there
  void meet(const Range& other);                 // what both allow
  void hull(const Range& other);                 // smallest range of this form that holds both
  bool within(const Range& other) const;         // allows nothing that `other` does not
  // Would hull() allow nothing but what one of the two allows?
  bool unites_exactly(const Range& other) const;
  void normalise();
};

struct Relation {  // a - b within [lo, hi]; and not equal, if ne
  TermId a{};
  TermId b{};
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
  // Bounds of a - b, as far as intervals and relations say; makes no terms, for use in joins.
  std::pair<std::int64_t, std::int64_t> difference(const TermArena& terms, TermId a, TermId b) const;

  bool known_zero(const TermArena& terms, TermId t) const {
    return range(terms, t).is_single() && range(terms, t).lo == 0;
  }
  bool known_nonzero(const TermArena& terms, TermId t) const { return !range(terms, t).allows(0); }

  void set_range(TermId t, Range r);
  void forget(TermId t);
  void forget(const std::vector<TermId>& sorted);
  void join(const TermArena& terms, const Facts& other);
  // Facts about terms for which keep() is false are dropped.
  template <class Keep>
  void retain(Keep&& keep) {
    std::erase_if(ranges_, [&](const auto& e) { return !keep(e.first); });
    std::erase_if(relations_, [&](const Relation& r) { return !keep(r.a) || !keep(r.b); });
    if (cases_.empty()) return;
    for (Case& c : cases_) std::erase_if(c, [&](const auto& e) { return !keep(e.first); });
    reduce_cases();
  }
  void substitute(TermArena& terms, TermId from, TermId to);
  // Facts on `t` become unbounded in the direction in which `newer` exceeds `older`.
  void widen_against(const TermArena& terms, const Facts& older);

  // `t` has the value of `source`, in every case.
  struct Copied {
    Range range;
    std::vector<Range> in_case;
  };
  Copied read_all(const TermArena& terms, TermId source) const;
  void write_all(TermId t, Copied value);

  // The facts taken apart into their cases; one, if there are none.
  std::vector<Facts> alternatives() const;

  const std::vector<std::pair<TermId, Range>>& ranges() const { return ranges_; }
  const std::vector<Relation>& relations() const { return relations_; }
  std::size_t size() const {
    std::size_t all = ranges_.size() + relations_.size();
    for (const Case& c : cases_) all += c.size();
    return all;
  }
  bool operator==(const Facts&) const = default;

 private:
  using Case = std::vector<std::pair<TermId, Range>>;  // sorted by term; what is not there is as in ranges_
  Range* find(TermId t);
  const Range* find(TermId t) const;
  bool clip(TermArena& terms, TermId t, model::CmpPred pred, std::int64_t c);
  bool assume_alone(TermArena& terms, TermId t, bool truth);
  bool compare_symbols(TermArena& terms, model::CmpPred pred, TermId a, TermId b);
  bool relate(Relation rel);
  bool bound_each(const TermArena& terms, model::CmpPred pred, TermId a, TermId b, const Range& ra, const Range& rb);

  static constexpr std::size_t kMaxCases = support::kLimits.values.cases;
  std::vector<Case> whole_cases() const;
  void reduce_cases();
  bool filter_cases(const TermArena& terms);

  std::vector<std::pair<TermId, Range>> ranges_;  // sorted by term
  std::vector<Relation> relations_;               // sorted by (a, b), a < b
  std::vector<Case> cases_;                       // one of them holds; empty or at least two
};

}  // namespace reckon::symbolic
