#include "symbolic/facts.h"

#include <algorithm>

namespace reckon::symbolic {

using model::ArithOp;
using model::CmpPred;

namespace {

std::int64_t sat_add(std::int64_t a, std::int64_t b) {
  if (a == kMin || a == kMax) return a;  // already unbounded
  std::int64_t r;
  if (__builtin_add_overflow(a, b, &r)) return b > 0 ? kMax : kMin;
  return r;
}

std::int64_t sat_sub(std::int64_t a, std::int64_t b) {
  if (a == kMin || a == kMax) return a;
  std::int64_t r;
  if (__builtin_sub_overflow(a, b, &r)) return b < 0 ? kMax : kMin;
  return r;
}

// Two addresses that cannot be equal whatever happens: distinct stack slots, a slot and a global, ...
bool distinct_addresses(const TermArena& terms, TermId a, TermId b) {
  auto fixed = [&](TermId t) {
    const TermKind k = terms[terms.root(t)].kind;
    return k == TermKind::Slot || k == TermKind::Global;
  };
  if (!fixed(a) && !fixed(b)) return false;
  const TermId ra = terms.root(a), rb = terms.root(b);
  if (ra == rb) return false;
  if (fixed(a) && fixed(b)) return true;
  // A stack slot of this very function is unknown to callers and callees unless its address got around.
  const TermId other = fixed(a) ? rb : ra;
  const TermId known = fixed(a) ? ra : rb;
  return terms[known].kind == TermKind::Slot && terms[other].kind == TermKind::Param;
}

}  // namespace

Range* Facts::find(TermId t) {
  if (ranges_.empty() || ranges_.back().first < t) return nullptr;  // so it is for terms that were made just now
  auto it = std::lower_bound(ranges_.begin(), ranges_.end(), t, [](const auto& e, TermId k) { return e.first < k; });
  return it != ranges_.end() && it->first == t ? &it->second : nullptr;
}
const Range* Facts::find(TermId t) const { return const_cast<Facts*>(this)->find(t); }

void Facts::set_range(TermId t, Range r) {
  auto it = std::lower_bound(ranges_.begin(), ranges_.end(), t, [](const auto& e, TermId k) { return e.first < k; });
  if (r.is_full()) {
    if (it != ranges_.end() && it->first == t) ranges_.erase(it);
    return;
  }
  if (it != ranges_.end() && it->first == t)
    it->second = std::move(r);
  else
    ranges_.insert(it, {t, std::move(r)});
}

void Facts::forget(TermId t) {
  std::erase_if(ranges_, [&](const auto& e) { return e.first == t; });
  std::erase_if(relations_, [&](const Relation& r) { return r.a == t || r.b == t; });
  for (Case& c : cases_) std::erase_if(c, [&](const auto& e) { return e.first == t; });
}

void Facts::forget(const std::vector<TermId>& sorted) {
  if (sorted.empty()) return;
  auto gone = [&](TermId t) { return std::binary_search(sorted.begin(), sorted.end(), t); };
  std::erase_if(ranges_, [&](const auto& e) { return gone(e.first); });
  std::erase_if(relations_, [&](const Relation& r) { return gone(r.a) || gone(r.b); });
  for (Case& c : cases_) std::erase_if(c, [&](const auto& e) { return gone(e.first); });
}

Range Facts::range(const TermArena& terms, TermId t) const {
  const Term& x = terms[t];
  Range r;
  switch (x.kind) {
    case TermKind::Const: return Range{x.imm, x.imm, {}};
    case TermKind::Slot:
    case TermKind::Global: r.exclude(0); return r;
    case TermKind::Offset: {
      const TermKind base = terms[terms.root(x.left())].kind;
      Range b = range(terms, x.left());
      if (base == TermKind::Slot || base == TermKind::Global) {
        r.exclude(0);
        return r;
      }
      r.lo = sat_add(b.lo, x.imm);
      r.hi = sat_add(b.hi, x.imm);
      for (std::int64_t v : b.excluded) r.exclude(sat_add(v, x.imm));
      break;
    }
    case TermKind::Index: {
      const TermKind base = terms[terms.root(x.left())].kind;
      if (base == TermKind::Slot || base == TermKind::Global) r.exclude(0);
      break;
    }
    case TermKind::Cmp: {
      r.lo = 0;
      r.hi = 1;
      break;
    }
    case TermKind::Arith: {
      const auto op = static_cast<ArithOp>(x.sub);
      if (terms[x.right()].kind == TermKind::Const && (op == ArithOp::And || op == ArithOp::Or || op == ArithOp::Xor)) {
        // A known operand gives a known result.
        if (const Range a = range(terms, x.left()); a.is_single()) {
          const std::int64_t b = terms[x.right()].imm;
          const std::int64_t v = op == ArithOp::And ? (a.lo & b) : op == ArithOp::Or ? (a.lo | b) : (a.lo ^ b);
          return Range{v, v, {}};
        }
      }
      if (op == ArithOp::And && terms[x.right()].kind == TermKind::Const && terms[x.right()].imm >= 0)
        r.clip(0, terms[x.right()].imm);
      if (op == ArithOp::Rem && terms[x.right()].kind == TermKind::Const && terms[x.right()].imm > 0)
        r.clip(-(terms[x.right()].imm - 1), terms[x.right()].imm - 1);
      break;
    }
    default: break;
  }
  if (const Range* stored = find(t)) {
    if (r.is_full()) return *stored;
    r.meet(*stored);
  }
  return r;
}

// t pred c, with c constant: clips the interval of the base of t.
bool Facts::clip(TermArena& terms, TermId t, CmpPred pred, std::int64_t c) {
  auto [base, k] = terms.split(t);
  if (k != 0 && pred != CmpPred::Eq && pred != CmpPred::Ne) {
    // Signed overflow is undefined in C, so x + k < c gives x < c - k; unsigned forms stay on the sum itself.
    if (pred == CmpPred::Slt || pred == CmpPred::Sle || pred == CmpPred::Sgt || pred == CmpPred::Sge)
      return clip(terms, base, pred, sat_sub(c, k));
    base = t;
    k = 0;
  } else if (k != 0) {
    c = static_cast<std::int64_t>(static_cast<std::uint64_t>(c) - static_cast<std::uint64_t>(k));
  }
  Range r = range(terms, base);
  switch (pred) {
    case CmpPred::Eq: {
      const bool ok = r.allows(c);
      r = Range{c, c, {}};
      if (!ok) return false;
      break;
    }
    case CmpPred::Ne: r.exclude(c); break;
    case CmpPred::Slt:
      if (c == kMin) return false;
      r.clip(kMin, c - 1);
      break;
    case CmpPred::Sle: r.clip(kMin, c); break;
    case CmpPred::Sgt:
      if (c == kMax) return false;
      r.clip(c + 1, kMax);
      break;
    case CmpPred::Sge: r.clip(c, kMax); break;
    case CmpPred::Flt:
    case CmpPred::Fle:
    case CmpPred::Fgt:
    case CmpPred::Fge: break;  // never become terms
    case CmpPred::Ult:
      if (c == 0) return false;
      if (c > 0)
        r.clip(0, c - 1);
      else
        r.cut(c, -1);  // all but the small negatives: no error pointer
      break;
    case CmpPred::Ule:
      if (c >= 0)
        r.clip(0, c);
      else if (c < -1)
        r.cut(c + 1, -1);
      break;
    case CmpPred::Ugt:
      if (c < 0)
        r.clip(c == -1 ? 1 : c + 1, c == -1 ? 0 : -1);  // above a huge value: the small negatives
      else if (r.lo >= 0)
        r.clip(c == kMax ? kMax : c + 1, kMax);
      else if (c == 0)
        r.exclude(0);
      else if (r.hi >= 0 && r.lo >= -4095) {
        r.exclude(0);
      }
      break;
    case CmpPred::Uge:
      if (c < 0)
        r.clip(c, -1);
      else if (r.lo >= 0)
        r.clip(c, kMax);
      else if (c == 1)
        r.exclude(0);
      break;
  }
  if (r.empty()) return false;
  // What equals it lies there as well.
  for (const Relation& e : relations_) {
    if (e.lo != 0 || e.hi != 0 || (e.a != base && e.b != base)) continue;
    Range other = range(terms, e.a == base ? e.b : e.a);
    other.meet(r);
    if (other.empty()) return false;
  }
  // Masked flag tests say something about the operand's bits only in the direction "some bit set".
  if (terms[base].kind == TermKind::Arith && static_cast<ArithOp>(terms[base].sub) == ArithOp::And && !r.allows(0)) {
    Range whole = range(terms, terms[base].left());
    whole.exclude(0);
    if (whole.empty()) return false;
    set_range(terms[base].left(), whole);
  }
  set_range(base, std::move(r));
  return true;
}

bool Facts::assume_cmp(TermArena& terms, CmpPred pred, TermId a, TermId b) {
  const TermId c = terms.cmp(pred, a, b);
  if (terms.is_const(c)) return !terms.is_zero(c);
  return assume(terms, c, true);
}

// Is the relation ruled out by what is known of something that one of its sides equals (i < n and n == m, so not i >=
// m)?
static bool ruled_out(const std::vector<Relation>& all, const Relation& rel) {
  // x - y within [lo, hi]
  auto impossible = [&](TermId x, TermId y, std::int64_t lo, std::int64_t hi) {
    if (x > y) {
      std::swap(x, y);
      const std::int64_t low = lo;
      lo = hi == kMax ? kMin : -hi;
      hi = low == kMin ? kMax : -low;
    }
    const auto it = std::lower_bound(all.begin(), all.end(), std::pair(x, y),
                                     [](const Relation& r, const auto& key) { return std::pair(r.a, r.b) < key; });
    return it != all.end() && it->a == x && it->b == y && (it->hi < lo || hi < it->lo);
  };
  for (const Relation& e : all) {
    if (e.lo != e.hi || (e.a == rel.a && e.b == rel.b)) continue;
    const std::int64_t c = e.lo;  // e.a - e.b
    if (e.b == rel.b && impossible(rel.a, e.a, sat_sub(rel.lo, c), sat_sub(rel.hi, c))) return true;
    if (e.a == rel.b && impossible(rel.a, e.b, sat_add(rel.lo, c), sat_add(rel.hi, c))) return true;
    if (e.b == rel.a && impossible(e.a, rel.b, sat_add(rel.lo, c), sat_add(rel.hi, c))) return true;
    if (e.a == rel.a && impossible(e.b, rel.b, sat_sub(rel.lo, c), sat_sub(rel.hi, c))) return true;
  }
  return false;
}

// The comparison of signed numbers that says the same where neither side is negative.
static CmpPred as_signed(CmpPred pred) {
  switch (pred) {
    case CmpPred::Ult: return CmpPred::Slt;
    case CmpPred::Ule: return CmpPred::Sle;
    case CmpPred::Ugt: return CmpPred::Sgt;
    case CmpPred::Uge: return CmpPred::Sge;
    default: return pred;
  }
}

static bool is_unsigned(CmpPred pred) { return pred >= CmpPred::Ult && pred <= CmpPred::Uge; }

// Bounds of a - b where "a pred b + d". An order of unsigned numbers gives none.
static Relation related(CmpPred pred, TermId a, TermId b, std::int64_t d) {
  Relation rel{a, b, kMin, kMax, false};
  switch (pred) {
    case CmpPred::Eq: rel.lo = rel.hi = d; break;
    case CmpPred::Slt: rel.hi = sat_sub(d, 1); break;
    case CmpPred::Sle: rel.hi = d; break;
    case CmpPred::Sgt: rel.lo = sat_add(d, 1); break;
    case CmpPred::Sge: rel.lo = d; break;
    default: break;
  }
  return rel;
}

// Do the intervals of both sides alone rule "a pred b" out?
static bool intervals_exclude(CmpPred pred, const Range& a, const Range& b) {
  const auto bounded = [](std::int64_t v) { return v != kMin && v != kMax; };
  switch (pred) {
    case CmpPred::Eq:
      return a.hi < b.lo || b.hi < a.lo || (a.is_single() && !b.allows(a.lo)) || (b.is_single() && !a.allows(b.lo));
    case CmpPred::Ne: return a.is_single() && b.is_single() && a.lo == b.lo;
    case CmpPred::Slt: return bounded(a.lo) && bounded(b.hi) && a.lo >= b.hi;
    case CmpPred::Sle: return bounded(a.lo) && bounded(b.hi) && a.lo > b.hi;
    case CmpPred::Sgt: return bounded(a.hi) && bounded(b.lo) && a.hi <= b.lo;
    case CmpPred::Sge: return bounded(a.hi) && bounded(b.lo) && a.hi < b.lo;
    default: return false;
  }
}

bool Facts::assume(TermArena& terms, TermId t, bool truth) {
  return assume_alone(terms, t, truth) && filter_cases(terms);
}

// Adds what is known of a - b to what was known. False: both cannot be.
bool Facts::relate(Relation rel) {
  if (rel.a > rel.b) {
    std::swap(rel.a, rel.b);
    const std::int64_t low = rel.lo;
    rel.lo = rel.hi == kMax ? kMin : -rel.hi;
    rel.hi = low == kMin ? kMax : -low;
  }
  auto it = std::lower_bound(relations_.begin(), relations_.end(), rel,
                             [](const Relation& l, const Relation& r) { return l.a != r.a ? l.a < r.a : l.b < r.b; });
  if (it != relations_.end() && it->a == rel.a && it->b == rel.b) {
    it->lo = std::max(it->lo, rel.lo);
    it->hi = std::min(it->hi, rel.hi);
    it->ne |= rel.ne;
    rel = *it;
  } else {
    relations_.insert(it, rel);
  }
  if (rel.ne && rel.lo == 0 && rel.hi == 0) return false;
  if (rel.lo > rel.hi) return false;
  return rel.lo == rel.hi || !ruled_out(relations_, rel);
}

// "a pred b" bounds each by the other's interval.
bool Facts::bound_each(const TermArena& terms, CmpPred pred, TermId a, TermId b, const Range& ra, const Range& rb) {
  Range na = ra, nb = rb;
  switch (pred) {
    case CmpPred::Slt: na.clip(kMin, sat_sub(rb.hi, 1)), nb.clip(sat_add(ra.lo, 1), kMax); break;
    case CmpPred::Sle: na.clip(kMin, rb.hi), nb.clip(ra.lo, kMax); break;
    case CmpPred::Sgt: na.clip(sat_add(rb.lo, 1), kMax), nb.clip(kMin, sat_sub(ra.hi, 1)); break;
    case CmpPred::Sge: na.clip(rb.lo, kMax), nb.clip(kMin, ra.hi); break;
    default: break;
  }
  if (na.empty() || nb.empty()) return false;
  if (terms[a].kind != TermKind::Const) set_range(a, na);
  if (terms[b].kind != TermKind::Const) set_range(b, nb);
  return true;
}

// Adds "a pred b" of two symbols.
bool Facts::compare_symbols(TermArena& terms, CmpPred pred, TermId a, TermId b) {
  // Equal addresses are impossible for distinct memory.
  if (pred == CmpPred::Eq && distinct_addresses(terms, a, b)) return false;
  auto [pa, ka] = terms.split(a);
  auto [pb, kb] = terms.split(b);
  const Range ra = range(terms, a), rb = range(terms, b);
  const bool no_sign = ra.lo >= 0 && rb.lo >= 0;
  const CmpPred order = no_sign ? as_signed(pred) : pred;
  const bool ordered = no_sign || pred == CmpPred::Eq || pred >= CmpPred::Slt;
  if (intervals_exclude(order, ra, rb)) return false;

  const std::int64_t d = static_cast<std::int64_t>(static_cast<std::uint64_t>(kb) - static_cast<std::uint64_t>(ka));
  Relation rel = related(order, pa, pb, d);
  rel.ne = d == 0 && (pred == CmpPred::Ne || pred == CmpPred::Ult || pred == CmpPred::Ugt);
  if (!relate(rel)) return false;

  // An equality carries the intervals over.
  if (pred == CmpPred::Eq && d == 0) {
    Range both = ra;
    both.meet(rb);
    if (both.empty()) return false;
    if (ka == 0) set_range(pa, both), set_range(pb, both);
    return true;
  }
  return !ordered || ka != 0 || kb != 0 || bound_each(terms, order, pa, pb, ra, rb);
}

bool Facts::assume_alone(TermArena& terms, TermId t, bool truth) {
  const Term x = terms[t];
  if (x.kind == TermKind::Const) return (x.imm != 0) == truth;
  if (x.kind == TermKind::Undef) return true;
  if (x.kind != TermKind::Cmp) return clip(terms, t, truth ? CmpPred::Ne : CmpPred::Eq, 0);

  // Asked again, a comparison gives the same answer even where intervals are too weak.
  if (const Range* r = find(t); r && r->is_single()) return (r->lo != 0) == truth;
  const auto pred = truth ? static_cast<CmpPred>(x.sub) : negate(static_cast<CmpPred>(x.sub));
  const bool possible = terms.is_const(x.right()) ? clip(terms, x.left(), pred, terms[x.right()].imm)
                                                  : compare_symbols(terms, pred, x.left(), x.right());
  if (!possible) return false;
  // Unsigned tests are not always expressible as an interval: the comparison itself is remembered.
  if (is_unsigned(pred)) set_range(t, Range{truth ? 1 : 0, truth ? 1 : 0, {}});
  return true;
}

int Facts::decide(TermArena& terms, TermId t) const {
  // What an assumption looks at is what is known of the terms it is made of, and how the two compared relate.
  std::vector<TermId> parts{t};
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const Term& x = terms[parts[n]];
    if (x.kind == TermKind::Cmp || x.kind == TermKind::Offset || x.kind == TermKind::Arith) parts.push_back(x.left());
    if (x.kind == TermKind::Cmp) parts.push_back(x.right());
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  Facts few;
  for (TermId p : parts)
    if (const Range* r = find(p)) few.ranges_.emplace_back(p, *r);
  for (const Relation& r : relations_)
    if (std::binary_search(parts.begin(), parts.end(), r.a) && std::binary_search(parts.begin(), parts.end(), r.b))
      few.relations_.push_back(r);
  // Then one of the cases must be left, too.
  auto possible = [&](bool truth) {
    Facts assumed = few;
    if (!assumed.assume_alone(terms, t, truth)) return false;
    if (cases_.empty()) return true;
    assumed.ranges_ = ranges_;
    assumed.relations_ = relations_;
    assumed.assume_alone(terms, t, truth);
    return std::any_of(cases_.begin(), cases_.end(), [&](const Case& c) {
      return std::none_of(c.begin(), c.end(), [&](const auto& e) {
        Range r = assumed.range(terms, e.first);
        r.meet(e.second);
        return r.empty();
      });
    });
  };
  if (!possible(true)) return 0;
  return possible(false) ? -1 : 1;
}

std::pair<std::int64_t, std::int64_t> Facts::difference(const TermArena& terms, TermId a, TermId b) const {
  const auto [pa, ka] = terms.split(a);
  const auto [pb, kb] = terms.split(b);
  const Range ra = range(terms, a), rb = range(terms, b);
  const auto finite = [](std::int64_t v) { return v != kMin && v != kMax; };
  std::int64_t lo = finite(ra.lo) && finite(rb.hi) ? sat_sub(ra.lo, rb.hi) : kMin;
  std::int64_t hi = finite(ra.hi) && finite(rb.lo) ? sat_sub(ra.hi, rb.lo) : kMax;
  const std::int64_t d = sat_sub(ka, kb);
  for (const Relation& r : relations_) {
    if (r.a == pa && r.b == pb) {
      lo = std::max(lo, sat_add(r.lo, d));
      hi = std::min(hi, sat_add(r.hi, d));
    } else if (r.a == pb && r.b == pa) {
      lo = std::max(lo, r.hi == kMax ? kMin : sat_add(-r.hi, d));
      hi = std::min(hi, r.lo == kMin ? kMax : sat_add(-r.lo, d));
    }
  }
  return {lo, hi};
}

}  // namespace reckon::symbolic
