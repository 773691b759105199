#include "symbolic/term.h"
#include "support/limits.h"

#include <algorithm>
#include <utility>

namespace reckon::symbolic {

using model::ArithOp;
using model::CmpPred;

namespace {
constexpr std::size_t kFirstSlots = 256;

std::uint64_t hash_of(const Term& t) {
  std::uint64_t h = (static_cast<std::uint64_t>(t.kind) << 8 | t.sub) ^ (static_cast<std::uint64_t>(t.a) << 32 | t.b);
  h = (h ^ h >> 31) * 0xff51afd7ed558ccdull;
  h ^= static_cast<std::uint64_t>(t.imm) * 0x9e3779b97f4a7c15ull;
  h = (h ^ h >> 29) * 0xc4ceb9fe1a85ec53ull;
  return h ^ h >> 32;
}
}  // namespace

TermArena::TermArena() : slots_(kFirstSlots, kNoTerm) { zero_ = constant(0); }

std::size_t TermArena::slot_of(const Term& t) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t k = hash_of(t) & mask;
  while (slots_[k] != kNoTerm && !(terms_[slots_[k]] == t)) k = (k + 1) & mask;
  return k;
}

TermId TermArena::find(const Term& t) const { return slots_[slot_of(t)]; }

TermId TermArena::intern(const Term& t) {
  const std::size_t k = slot_of(t);
  if (slots_[k] != kNoTerm) return slots_[k];
  const auto id = static_cast<TermId>(terms_.size());
  slots_[k] = id;
  terms_.push_back(t);
  std::uint32_t weight = 1;
  std::uint8_t joins = t.kind == TermKind::Join;
  switch (t.kind) {
    case TermKind::Initial:
    case TermKind::Offset:
      weight += weights_[t.left()];
      joins = joins_[t.left()];
      break;
    case TermKind::Index:
    case TermKind::Arith:
    case TermKind::Cmp:
    case TermKind::Answer:
      weight += weights_[t.left()] + weights_[t.right()];
      joins = joins_[t.left()] | joins_[t.right()];
      break;
    default: break;
  }
  weights_.push_back(static_cast<std::uint16_t>(std::min<std::uint32_t>(weight, 0xffff)));
  joins_.push_back(joins);
  if (terms_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, kNoTerm);
    for (TermId i{}; i < terms_.size(); ++i) slots_[slot_of(terms_[i])] = i;
  }
  return id;
}

TermId TermArena::constant(std::int64_t v) { return intern({TermKind::Const, 0, 0, 0, v}); }

TermId TermArena::global(std::string_view name) {
  auto [it, added] = global_ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(global_names_.size()));
  if (added) global_names_.emplace_back(name);
  return intern({TermKind::Global, 0, it->second, 0, 0});
}

namespace {
std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
}  // namespace

TermId TermArena::offset(TermId base, std::int64_t k) {
  if (k == 0) return base;
  const Term x = terms_[base];
  if (x.kind == TermKind::Const) return constant(wrapping_add(x.imm, k));
  if (x.kind == TermKind::Offset) return offset(x.left(), wrapping_add(x.imm, k));
  return intern({TermKind::Offset, 0, base, 0, k});
}

TermId TermArena::index(TermId base, TermId idx, std::int64_t size) {
  const Term i = terms_[idx];
  if (i.kind == TermKind::Const) return offset(base, wrapping_mul(i.imm, size));
  if (i.kind == TermKind::Offset) return offset(index(base, i.left(), size), wrapping_mul(i.imm, size));
  if (terms_[base].kind == TermKind::Offset) {
    auto [b, k] = split(base);
    return offset(index(b, idx, size), k);
  }
  return intern({TermKind::Index, 0, base, idx, size});
}

std::uint64_t TermArena::possible_bits(TermId t, int depth) const {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const Term& x = terms_[t];
  if (x.kind == TermKind::Const) return static_cast<std::uint64_t>(x.imm);
  if (x.kind == TermKind::Cmp) return 1;
  if (x.kind != TermKind::Arith || depth == 0) return all;
  const bool by_constant = is_const(x.right());
  const std::uint64_t k = by_constant ? static_cast<std::uint64_t>(terms_[x.right()].imm) : 64;
  switch (static_cast<ArithOp>(x.sub)) {
    case ArithOp::And: return possible_bits(x.left(), depth - 1) & possible_bits(x.right(), depth - 1);
    case ArithOp::Or:
    case ArithOp::Xor: return possible_bits(x.left(), depth - 1) | possible_bits(x.right(), depth - 1);
    case ArithOp::Shl: return k < 64 ? possible_bits(x.left(), depth - 1) << k : all;
    case ArithOp::Shr: return k < 64 ? possible_bits(x.left(), depth - 1) >> k : all;
    default: return all;
  }
}

// One bit-field is written by masking its word and adding the new bits; of that, what is read of a neighbour needs
// nothing.
TermId TermArena::only_bits(TermId t, std::uint64_t wanted, int depth) {
  const Term x = terms_[t];
  if (x.kind != TermKind::Arith || depth == 0) return t;
  switch (static_cast<ArithOp>(x.sub)) {
    case ArithOp::Or:
      if ((possible_bits(x.left(), depth) & wanted) == 0) return only_bits(x.right(), wanted, depth - 1);
      if ((possible_bits(x.right(), depth) & wanted) == 0) return only_bits(x.left(), wanted, depth - 1);
      return t;
    case ArithOp::And:
      return is_const(x.right()) && (wanted & ~static_cast<std::uint64_t>(terms_[x.right()].imm)) == 0
                 ? only_bits(x.left(), wanted, depth - 1)
                 : t;
    case ArithOp::Shr: {
      const std::uint64_t k = is_const(x.right()) ? static_cast<std::uint64_t>(terms_[x.right()].imm) : 64;
      if (k >= 64 || (wanted << k) >> k != wanted) return t;
      const TermId inner = only_bits(x.left(), wanted << k, depth - 1);
      return inner == x.left() ? t : arith(ArithOp::Shr, inner, x.right());
    }
    default: return t;
  }
}

TermId TermArena::arith(ArithOp op, TermId a, TermId b) {
  const Term x = terms_[a];
  const Term y = terms_[b];
  const bool cx = x.kind == TermKind::Const, cy = y.kind == TermKind::Const;
  if (cx && cy) {
    const std::uint64_t u = static_cast<std::uint64_t>(x.imm), v = static_cast<std::uint64_t>(y.imm);
    switch (op) {
      case ArithOp::Add: return constant(static_cast<std::int64_t>(u + v));
      case ArithOp::Sub: return constant(static_cast<std::int64_t>(u - v));
      case ArithOp::Mul: return constant(static_cast<std::int64_t>(u * v));
      case ArithOp::And: return constant(static_cast<std::int64_t>(u & v));
      case ArithOp::Or: return constant(static_cast<std::int64_t>(u | v));
      case ArithOp::Xor: return constant(static_cast<std::int64_t>(u ^ v));
      case ArithOp::Shl: return constant(v < 64 ? static_cast<std::int64_t>(u << v) : 0);
      case ArithOp::Shr: return constant(v < 64 ? static_cast<std::int64_t>(u >> v) : 0);
      case ArithOp::Sar: return constant(v < 64 ? x.imm >> v : (x.imm < 0 ? -1 : 0));
      case ArithOp::Div:
        if (y.imm != 0 && y.imm != -1) return constant(x.imm / y.imm);
        break;
      case ArithOp::Rem:
        if (y.imm != 0 && y.imm != -1) return constant(x.imm % y.imm);
        break;
    }
  }
  if (op == ArithOp::Add) {
    if (cy) return offset(a, y.imm);
    if (cx) return offset(b, x.imm);
  }
  if (op == ArithOp::Sub) {
    if (cy) return offset(a, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(y.imm)));
    if (a == b) return zero_;
    auto [ba, ka] = split(a);
    auto [bb, kb] = split(b);
    if (ba == bb) return constant(wrapping_add(ka, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(kb))));
  }
  if (op == ArithOp::And && ((cx && x.imm == 0) || (cy && y.imm == 0))) return zero_;
  if (op == ArithOp::And && a == b) return a;
  if (op == ArithOp::And && cy && x.kind == TermKind::Cmp && (y.imm & 1) != 0) return a;
  if (cy && x.kind == TermKind::Arith && (op == ArithOp::And || (op == ArithOp::Shr && y.imm > 0 && y.imm < 64))) {
    constexpr int kDepth = support::kLimits.values.bit_depth;
    const std::uint64_t imm = static_cast<std::uint64_t>(y.imm);
    const std::uint64_t wanted = op == ArithOp::And ? imm : ~std::uint64_t{0} << imm;
    if ((possible_bits(a, kDepth) & wanted) == 0) return zero_;
    if (const TermId needed = only_bits(a, wanted, kDepth); needed != a) return arith(op, needed, b);
    if (op == ArithOp::And && (possible_bits(a, kDepth) & ~wanted) == 0) return a;
  }
  if ((op == ArithOp::Or || op == ArithOp::Xor) && cy && y.imm == 0) return a;
  if (op == ArithOp::Xor && cy && y.imm == 1 && x.kind == TermKind::Cmp)  // `!` of a truth value
    return cmp(negate(static_cast<CmpPred>(x.sub)), x.left(), x.right());
  if (op == ArithOp::Mul && cy && y.imm == 1) return a;
  // Commutative operations in one order, so that equal sums are equal terms.
  const bool commutes =
      op == ArithOp::Add || op == ArithOp::Mul || op == ArithOp::And || op == ArithOp::Or || op == ArithOp::Xor;
  if (commutes && !cy && (cx || b < a)) std::swap(a, b);
  return intern({TermKind::Arith, static_cast<std::uint8_t>(op), a, b, 0});
}

TermId TermArena::cmp(CmpPred pred, TermId a, TermId b) {
  if (is_const(a) && is_const(b)) return constant(holds(pred, terms_[a].imm, terms_[b].imm) ? 1 : 0);
  if (is_const(a)) {
    std::swap(a, b);
    pred = swap_sides(pred);
  }
  // (x cmp y) != 0 is x cmp y; (x cmp y) == 0 its negation.
  if (is_zero(b) && terms_[a].kind == TermKind::Cmp) {
    const Term x = terms_[a];
    if (pred == CmpPred::Ne || pred == CmpPred::Ugt || pred == CmpPred::Sgt) return a;
    if (pred == CmpPred::Eq) return cmp(negate(static_cast<CmpPred>(x.sub)), x.left(), x.right());
  }
  auto [ba, ka] = split(a);
  auto [bb, kb] = split(b);
  if (ba == bb) return constant(holds(pred, ka, kb) ? 1 : 0);
  // The address of a member of a variable is never NULL.
  if ((pred == CmpPred::Eq || pred == CmpPred::Ne) && is_zero(b) && ka != 0 &&
      (terms_[ba].kind == TermKind::Slot || terms_[ba].kind == TermKind::Global))
    return constant(pred == CmpPred::Ne ? 1 : 0);
  // x + k == c  ->  x == c - k: exact for (dis)equalities even when the sum wraps.
  if ((pred == CmpPred::Eq || pred == CmpPred::Ne) && is_const(b) && ka != 0) {
    const std::int64_t c = wrapping_add(terms_[b].imm, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(ka)));
    return cmp(pred, ba, constant(c));
  }
  // x - y == 0  ->  x == y
  if ((pred == CmpPred::Eq || pred == CmpPred::Ne) && is_zero(b) && terms_[a].kind == TermKind::Arith &&
      static_cast<ArithOp>(terms_[a].sub) == ArithOp::Sub) {
    const Term x = terms_[a];
    return cmp(pred, x.left(), x.right());
  }
  if (!is_const(b) && b < a) {
    std::swap(a, b);
    pred = swap_sides(pred);
  }
  return intern({TermKind::Cmp, static_cast<std::uint8_t>(pred), a, b, 0});
}

TermId TermArena::root(TermId t) const {
  while (terms_[t].kind == TermKind::Offset || terms_[t].kind == TermKind::Index) t = terms_[t].left();
  return t;
}

TermId TermArena::owner_root(TermId t) const {
  for (;;) {
    const Term& x = terms_[t];
    if (x.kind == TermKind::Offset || x.kind == TermKind::Index || x.kind == TermKind::Initial)
      t = x.left();
    else
      return t;
  }
}

bool TermArena::contains(TermId t, TermId needle) const {
  if (t == needle) return true;
  if (t < needle) return false;  // a term is interned after its parts
  const Term& x = terms_[t];
  switch (x.kind) {
    case TermKind::Initial:
    case TermKind::Offset: return contains(x.left(), needle);
    case TermKind::Index:
    case TermKind::Arith:
    case TermKind::Cmp:
    case TermKind::Answer: return contains(x.left(), needle) || contains(x.right(), needle);
    default: return false;
  }
}

bool TermArena::mentions_any(TermId t, const std::vector<TermId>& sorted) const {
  if (!joins_[t]) return false;
  const Term& x = terms_[t];
  switch (x.kind) {
    case TermKind::Join: return std::binary_search(sorted.begin(), sorted.end(), t);
    case TermKind::Initial:
    case TermKind::Offset: return mentions_any(x.left(), sorted);
    case TermKind::Index:
    case TermKind::Arith:
    case TermKind::Cmp:
    case TermKind::Answer: return mentions_any(x.left(), sorted) || mentions_any(x.right(), sorted);
    default: return false;
  }
}

TermId TermArena::substitute(TermId t, TermId from, TermId to) {
  if (t == from) return to;
  if (!contains(t, from)) return t;
  const Term x = terms_[t];
  switch (x.kind) {
    case TermKind::Initial: return initial(substitute(x.left(), from, to), x.imm, x.b);
    case TermKind::Offset: return offset(substitute(x.left(), from, to), x.imm);
    case TermKind::Index: return index(substitute(x.left(), from, to), substitute(x.right(), from, to), x.imm);
    case TermKind::Arith:
      return arith(static_cast<ArithOp>(x.sub), substitute(x.left(), from, to), substitute(x.right(), from, to));
    case TermKind::Cmp:
      return cmp(static_cast<CmpPred>(x.sub), substitute(x.left(), from, to), substitute(x.right(), from, to));
    case TermKind::Answer:
      return answer(static_cast<std::uint32_t>(x.imm), substitute(x.left(), from, to), substitute(x.right(), from, to));
    default: return t;
  }
}

CmpPred negate(CmpPred p) {
  switch (p) {
    case CmpPred::Eq: return CmpPred::Ne;
    case CmpPred::Ne: return CmpPred::Eq;
    case CmpPred::Ult: return CmpPred::Uge;
    case CmpPred::Ule: return CmpPred::Ugt;
    case CmpPred::Ugt: return CmpPred::Ule;
    case CmpPred::Uge: return CmpPred::Ult;
    case CmpPred::Slt: return CmpPred::Sge;
    case CmpPred::Sle: return CmpPred::Sgt;
    case CmpPred::Sgt: return CmpPred::Sle;
    case CmpPred::Sge: return CmpPred::Slt;
    case CmpPred::Flt: return CmpPred::Fge;
    case CmpPred::Fle: return CmpPred::Fgt;
    case CmpPred::Fgt: return CmpPred::Fle;
    case CmpPred::Fge: return CmpPred::Flt;
  }
  return p;
}

CmpPred swap_sides(CmpPred p) {
  switch (p) {
    case CmpPred::Ult: return CmpPred::Ugt;
    case CmpPred::Ule: return CmpPred::Uge;
    case CmpPred::Ugt: return CmpPred::Ult;
    case CmpPred::Uge: return CmpPred::Ule;
    case CmpPred::Slt: return CmpPred::Sgt;
    case CmpPred::Sle: return CmpPred::Sge;
    case CmpPred::Sgt: return CmpPred::Slt;
    case CmpPred::Sge: return CmpPred::Sle;
    default: return p;
  }
}

bool holds(CmpPred p, std::int64_t a, std::int64_t b) {
  const std::uint64_t u = static_cast<std::uint64_t>(a), v = static_cast<std::uint64_t>(b);
  switch (p) {
    case CmpPred::Eq: return a == b;
    case CmpPred::Ne: return a != b;
    case CmpPred::Ult: return u < v;
    case CmpPred::Ule: return u <= v;
    case CmpPred::Ugt: return u > v;
    case CmpPred::Uge: return u >= v;
    case CmpPred::Slt:
    case CmpPred::Flt: return a < b;
    case CmpPred::Sle:
    case CmpPred::Fle: return a <= b;
    case CmpPred::Sgt:
    case CmpPred::Fgt: return a > b;
    case CmpPred::Sge:
    case CmpPred::Fge: return a >= b;
  }
  return false;
}

}  // namespace reckon::symbolic
