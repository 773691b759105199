#include "engine/properties/protection/protection.h"

#include <algorithm>

#include "support/limits.h"

namespace reckon::engine {

namespace {
constexpr int kMaxLinearDepth = support::kLimits.protection.sum_depth;

void linear_into(const TermArena& terms, TermId t, std::int64_t factor, Linear& out, int fuel) {
  const Term& x = terms[t];
  switch (x.kind) {
    case TermKind::Const: out.constant += factor * x.imm; return;
    case TermKind::Offset:
      out.constant += factor * x.imm;
      if (fuel > 0) return linear_into(terms, x.left(), factor, out, fuel - 1);
      break;
    case TermKind::Arith: {
      const auto op = static_cast<model::ArithOp>(x.sub);
      if (fuel <= 0) break;
      if (op == model::ArithOp::Add || op == model::ArithOp::Sub) {
        linear_into(terms, x.left(), factor, out, fuel - 1);
        return linear_into(terms, x.right(), op == model::ArithOp::Add ? factor : -factor, out, fuel - 1);
      }
      if (op == model::ArithOp::Mul && terms.is_const(x.right()) &&
          std::llabs(terms[x.right()].imm) < support::kLimits.protection.sum_factor)
        return linear_into(terms, x.left(), factor * terms[x.right()].imm, out, fuel - 1);
      break;
    }
    default: break;
  }
  const TermId symbol = x.kind == TermKind::Offset ? x.left() : t;
  auto it =
      std::lower_bound(out.parts.begin(), out.parts.end(), symbol, [](const auto& e, TermId k) { return e.first < k; });
  if (it != out.parts.end() && it->first == symbol) {
    it->second += factor;
    if (it->second == 0) out.parts.erase(it);
  } else {
    out.parts.insert(it, {symbol, factor});
  }
}

bool has(const std::vector<TermId>& list, TermId t) { return std::find(list.begin(), list.end(), t) != list.end(); }
}  // namespace

void Linear::add(const Linear& other, std::int64_t factor) {
  constant += factor * other.constant;
  for (const auto& [t, c] : other.parts) {
    auto it = std::lower_bound(parts.begin(), parts.end(), t, [](const auto& e, TermId k) { return e.first < k; });
    if (it != parts.end() && it->first == t) {
      it->second += factor * c;
      if (it->second == 0) parts.erase(it);
    } else {
      parts.insert(it, {t, factor * c});
    }
  }
}

Linear linear_of(const TermArena& terms, TermId t) {
  Linear out;
  linear_into(terms, t, 1, out, kMaxLinearDepth);
  return out;
}

TermId term_of(TermArena& terms, const Linear& l) {
  TermId sum = kNoTerm;
  for (const auto& [t, c] : l.parts) {
    TermId part = c == 1 ? t : terms.arith(model::ArithOp::Mul, t, terms.constant(c));
    sum = sum == kNoTerm ? part : terms.arith(model::ArithOp::Add, sum, part);
  }
  return sum == kNoTerm ? terms.constant(l.constant) : terms.offset(sum, l.constant);
}

GcObject* Protection::object(TermId t) {
  if (objects.empty() || objects.back().term < t) return nullptr;
  auto it = std::lower_bound(objects.begin(), objects.end(), t, [](const GcObject& o, TermId k) { return o.term < k; });
  return it != objects.end() && it->term == t ? &*it : nullptr;
}
const GcObject* Protection::object(TermId t) const { return const_cast<Protection*>(this)->object(t); }

GcObject& Protection::add(GcObject o) {
  auto it =
      std::lower_bound(objects.begin(), objects.end(), o.term, [](const GcObject& x, TermId k) { return x.term < k; });
  if (it != objects.end() && it->term == o.term) {
    *it = std::move(o);
    return *it;
  }
  return *objects.insert(it, std::move(o));
}

bool Protection::is_protected(const TermArena& terms, TermId t, const std::vector<TermId>& safe, int fuel) const {
  if (fuel <= 0 || has(safe, t)) return true;
  if (const GcObject* o = object(t)) return is_protected(terms, *o, safe, fuel - 1);
  // Read from memory of an object: as safe as that is.
  const TermId root = terms.owner_root(t);
  return root == t || is_protected(terms, root, safe, fuel - 1);
}

bool Protection::is_protected(const TermArena& terms, const GcObject& o, const std::vector<TermId>& safe,
                              int fuel) const {
  if (fuel <= 0 || o.escaped || !o.slots.empty() || has(safe, o.term)) return true;
  for (TermId h : o.holders)
    if (h != o.term && is_protected(terms, h, safe, fuel - 1)) return true;
  if (o.fresh) return false;
  return o.owner == kNoTerm || is_protected(terms, o.owner, safe, fuel - 1);
}

std::uint64_t Protection::rests_on(const TermArena& terms, TermId t, const std::vector<TermId>& safe, int fuel) const {
  if (fuel <= 0 || has(safe, t)) return 0;
  const GcObject* o = object(t);
  if (!o) {
    const TermId root = terms.owner_root(t);
    return root == t ? 0 : rests_on(terms, root, safe, fuel - 1);
  }
  if (o->escaped || !o->slots.empty()) return 0;
  std::uint64_t by_holder = 0;
  for (TermId h : o->holders) {
    if (h == t || !is_protected(terms, h, safe, fuel - 1)) continue;
    by_holder = rests_on(terms, h, safe, fuel - 1);
    if (by_holder == 0) return 0;
  }
  if (by_holder != 0) return by_holder;
  if (o->fresh) return 0;
  if (o->owner != kNoTerm) return rests_on(terms, o->owner, safe, fuel - 1);
  const Term& x = terms[t];
  return x.kind == TermKind::Param && x.a < 64 ? std::uint64_t{1} << x.a : 0;
}

bool Protection::is_exposed(const TermArena& terms, const GcObject& o) const {
  return !o.escaped && (o.exposed != model::kNone || !is_protected(terms, o, {}));
}

namespace {
// False: the expression speaks of something that is gone.
bool substitute(TermArena& terms, Linear& l, TermId s, TermId old) {
  Linear out;
  out.constant = l.constant;
  for (const auto& [t, c] : l.parts) {
    if (terms.contains(t, old)) return false;
    out.add(linear_of(terms, terms.substitute(t, s, old)), c);
  }
  l = std::move(out);
  return true;
}
}  // namespace

void Protection::age(TermArena& terms, TermId s, TermId old) {
  if (!on) return;
  if (depth && !substitute(terms, *depth, s, old)) depth.reset();
  // What is forgotten is replaced by what kept it, so that those it kept in turn stay as safe as they were.
  for (const GcObject& gone : objects) {
    if (!terms.contains(gone.term, old)) continue;
    for (GcObject& o : objects) {
      if (o.owner != kNoTerm && terms.owner_root(o.owner) == gone.term) {
        o.owner = gone.owner;
        if (gone.fresh) {
          o.fresh = true;
          o.slots.insert(o.slots.end(), gone.slots.begin(), gone.slots.end());
          o.holders.insert(o.holders.end(), gone.holders.begin(), gone.holders.end());
        }
        o.escaped.join(gone.escaped);
      }
      if (std::erase_if(o.holders, [&](TermId h) { return terms.owner_root(h) == gone.term; }) != 0) {
        o.slots.insert(o.slots.end(), gone.slots.begin(), gone.slots.end());
        for (TermId h : gone.holders)
          if (h != o.term) o.holders.push_back(h);
        if (!gone.fresh && gone.owner != kNoTerm) o.holders.push_back(gone.owner);
        if (!gone.fresh && gone.owner == kNoTerm) o.escaped.because(Silence::HolderForgotten);
        o.escaped.join(gone.escaped);
      }
    }
  }
  std::erase_if(objects, [&](const GcObject& o) { return terms.contains(o.term, old); });
  for (GcObject& o : objects) {
    o.term = terms.substitute(o.term, s, old);
    // A place that is told by something that is gone is still one of the whole.
    if (o.owner != kNoTerm && terms.contains(o.owner, old)) o.owner = terms.owner_root(o.owner);
    if (o.owner != kNoTerm) o.owner = terms.contains(o.owner, old) ? kNoTerm : terms.substitute(o.owner, s, old);
    const std::size_t before = o.holders.size();
    for (TermId& h : o.holders)  // a place that is told by something that is gone: still kept by the whole
      if (const TermId whole = terms.owner_root(h); terms.contains(h, old) && !terms.contains(whole, old)) h = whole;
    std::erase_if(o.holders, [&](TermId h) { return terms.contains(h, old); });
    if (o.holders.size() != before) o.escaped.because(Silence::HolderForgotten);
    for (TermId& h : o.holders) h = terms.substitute(h, s, old);
    std::sort(o.holders.begin(), o.holders.end());
    o.holders.erase(std::unique(o.holders.begin(), o.holders.end()), o.holders.end());
    std::erase_if(o.slots, [&](Linear& l) {
      const bool lost = !substitute(terms, l, s, old);
      if (lost) o.escaped.because(Silence::SomeSlot);
      return lost;
    });
  }
  std::sort(objects.begin(), objects.end(), [](const GcObject& a, const GcObject& b) { return a.term < b.term; });
}

bool Protection::same(const Protection& o) const {
  auto equal = [](const GcObject& a, const GcObject& b) {
    return a.same_property(b) && a.escaped == b.escaped && a.assumed_kind == b.assumed_kind && a.holders == b.holders &&
           a.slots == b.slots && a.depends == b.depends && (a.jumped == model::kNone) == (b.jumped == model::kNone);
  };
  return depth == o.depth && exposed_params == o.exposed_params && endangered_params == o.endangered_params &&
         collected == o.collected && ran_code == o.ran_code &&
         std::equal(objects.begin(), objects.end(), o.objects.begin(), o.objects.end(), equal);
}

}  // namespace reckon::engine
