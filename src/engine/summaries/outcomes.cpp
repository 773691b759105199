// What callers need to know of one way a function can end, in their terms.
//
// A state at an end speaks of symbols that only this function knows. Callers know its arguments, globals, memory that
// is reached from these, and the result: the places of a spec. outcome_of() tells the end in places, one kind of fact
// after the other: result, conditions, stores, counts, escapes, protection, exception and lock. Objects that callers
// meet for the first time get numbers when the result or a store names them.
//
// An outcome has room for a few conditions and a few stores. Of conditions the first ones are kept, since callers may
// always know less; a store that is left out clobbers its place, and the summary is no longer complete.

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/call_symbols.h"
#include "engine/core/causes.h"
#include "engine/core/conditions.h"
#include "engine/core/failing.h"
#include "engine/core/hooks.h"
#include "engine/core/memory.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/exits.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/summaries/summing.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;
using specs::Outcome;
using specs::Place;

namespace {
constexpr std::size_t kMaxConditions = support::kLimits.outcomes.conditions;
constexpr std::size_t kMaxStores = support::kLimits.outcomes.stores;

// Was it read at some index on the way? Elements of arrays are moved in and out by all kinds of hands.
bool from_array(const TermArena& terms, TermId t) {
  while (terms[t].kind == TermKind::Initial) {
    t = terms.split(terms[t].left()).first;
    if (terms[t].kind == TermKind::Index) return true;
  }
  return false;
}

// The answer of a comparison with a constant, where what is known of the other side allows only one.
std::optional<std::int64_t> decided(const TermArena& terms, const Facts& facts, TermId t) {
  const Term& x = terms[t];
  if (x.kind != TermKind::Cmp || !terms.is_const(x.right())) return std::nullopt;
  const Range known = facts.range(terms, t), side = facts.range(terms, x.left());
  if (known.is_single()) return known.lo;
  const std::int64_t c = terms[x.right()].imm;
  const auto pred = static_cast<model::CmpPred>(x.sub);
  switch (pred) {
    case model::CmpPred::Slt:
    case model::CmpPred::Sle:
    case model::CmpPred::Sgt:
    case model::CmpPred::Sge:
      if (holds(pred, side.lo, c) == holds(pred, side.hi, c)) return holds(pred, side.lo, c);
      return std::nullopt;
    case model::CmpPred::Eq:
    case model::CmpPred::Ne:
      if (side.is_single() || !side.allows(c))
        return (side.is_single() && side.lo == c) == (pred == model::CmpPred::Eq);
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

// Is the cell in memory that outlives the call, and does `o` not tell callers about it?
bool Summing::is_hidden(const Cell& c, const Outcome& o) const {
  if (terms_[terms_.root(c.base)].kind == TermKind::Slot) return false;
  Place where;
  if (memory_.is_whole(c.base))
    where.root = Place::Root::Result;
  else if (!to_place(terms_, c.base, where) || where.address)
    return true;
  where.path.push_back(c.offset);
  return std::none_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& e) { return e.where == where; });
}

// References to `t` in hidden cells.
int Summing::hidden_stores(const State& s, TermId t, const Outcome& o) const {
  return static_cast<int>(std::count_if(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    return subject_.untagged(c.value) == t && is_hidden(c, o);
  }));
}

namespace {

specs::Value number(std::int64_t n) {
  specs::Value v;
  v.kind = specs::Value::Kind::Int;
  v.imm = n;
  return v;
}

specs::Value at_place(Place p) {
  specs::Value v;
  v.kind = specs::Value::Kind::Place;
  v.place = std::move(p);
  return v;
}

specs::Value object_number(std::uint32_t n) {
  specs::Value v;
  v.kind = specs::Value::Kind::Object;
  v.object = n;
  return v;
}

void add_once(std::vector<Place>& list, const Place& p) {
  if (std::find(list.begin(), list.end(), p) == list.end()) list.push_back(p);
}

}  // namespace

std::optional<specs::Value> Summing::Telling::known_object(TermId t) const {
  for (const auto& [k, n] : known)
    if (k == t) return object_number(n);
  return std::nullopt;
}

specs::Value Summing::Telling::add_object(TermId t, const specs::Object& object) {
  const auto n = static_cast<std::uint32_t>(o.objects.size());
  known.emplace_back(t, n);
  o.objects.push_back(object);
  return object_number(n);
}

// Is this an object that callers learn of by this end, and whose references this function has counted?
bool Summing::is_new_to_callers(const Obj* x, TermId t) const {
  if (!x || x->escaped || x->life != Life::Alive) return false;
  if (x->kind == ObjKind::New || x->kind == ObjKind::Borrowed) return true;
  // Something read from memory callers cannot name, with a reference of its own, is a new object to them.
  Place ignored;
  return x->owned > 0 && x->kind == ObjKind::Loaded && !to_place(terms_, t, ignored) && t < trail_.term_types_.size() &&
         subject_.counted(trail_.term_types_[t]);
}

specs::Object Summing::new_to_callers(const State& s, const Obj& x, TermId t) const {
  specs::Object n;
  // A global that callers cannot name, a table that holds it at some index, or a structure that was made here and that
  // somebody keeps, has one of the references.
  const auto kept = std::count_if(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    Place seen;
    const TermKind root = terms_[terms_.root(c.base)].kind;
    const Obj* around = s.object(c.base);
    return subject_.untagged(c.value) == t &&
           (root == TermKind::Global || (terms_[c.base].kind == TermKind::Index && root != TermKind::Slot) ||
            (around && around->kind == ObjKind::New && around->escaped)) &&
           !to_place(terms_, c.base, seen);
  });
  n.owned = x.owned > kept && !props().reference_exits->held_elsewhere(s, x);  // else lent, with a reference taken
  n.immortal = x.immortal;
  n.maybe_null = s.facts.range(terms_, t).allows(0);
  n.unstable = x.unstable && !n.owned;
  // Fields that were written since are not told, so callers take all of them for set.
  n.garbage = x.garbage && n.owned && s.epoch(t) == 0 &&
              std::none_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) { return c.base == t; });
  Place from;
  if (x.key != kNoTerm && to_place(terms_, x.key, from)) n.key = from;
  if (x.owner != kNoTerm && to_place(terms_, x.owner, from) && !from.address) n.borrowed_from = from;
  if (x.owned <= 0)
    for (TermId h : x.holders)
      if (to_place(terms_, h, from) && !from.address) n.borrowed_from = from;
  return n;
}

// Was the result found by a function that only looks, in memory callers cannot name? Whoever holds it goes on doing so.
bool Summing::is_found(const Telling& at, const Obj* x, TermId t) const {
  if (!manner_.counts_objects || t != at.e.result || !looks_only_ || !subject_.counted(fn_.result) ||
      terms_[t].kind != TermKind::Initial || props().references->from_local(t))
    return false;
  if (x && (x->kind != ObjKind::Loaded || x->owned != 0 || x->life != Life::Alive || x->escaped || x->handed))
    return false;
  Place ignored;
  return !to_place(terms_, t, ignored) && !from_array(terms_, t);
}

// A pointer into something that callers can name.
std::optional<specs::Value> Summing::part_for_callers(const State& s, TermId t) const {
  const Obj* x = s.object(t);
  const GcObject* g = !manner_.counts_objects ? s.gc.object(t) : nullptr;
  TermId whole = x && x->kind == ObjKind::Interior && !x->escaped ? x->owner : kNoTerm;
  if (g && g->interior && !g->escaped) whole = g->owner;
  Place p;
  if (whole == kNoTerm || !to_place(terms_, whole, p) || p.address || !s.facts.known_nonzero(terms_, t))
    return std::nullopt;
  specs::Value v;
  v.kind = specs::Value::Kind::Interior;
  v.place = std::move(p);
  v.read_only = g && g->guarded;
  return v;
}

// A value in the callers' terms; nullopt: they have no word for it.
std::optional<specs::Value> Summing::value_for_callers(Telling& at, TermId t) const {
  const State& s = at.s;
  if (terms_.is_const(t)) return number(terms_[t].imm);
  const Obj* x = s.object(t);
  if (is_new_to_callers(x, t)) {
    if (auto v = at.known_object(t)) return v;
    return at.add_object(t, new_to_callers(s, *x, t));
  }
  if (is_found(at, x, t)) {
    specs::Object n;
    n.owned = false;
    n.immortal = x && x->immortal;
    n.maybe_null = s.facts.range(terms_, t).allows(0);
    return at.add_object(t, n);
  }
  if (specs::Object n; !manner_.counts_objects && props().protection_exits->gc_value(s, t, n)) {
    if (auto v = at.known_object(t)) return v;
    return at.add_object(t, n);
  }
  if (Place p; to_place(terms_, t, p)) return at_place(p);
  if (auto v = part_for_callers(s, t)) return v;
  // It was found to be equal to something that has a name.
  for (const Relation& r : s.facts.relations())
    if (r.lo == 0 && r.hi == 0 && (r.a == t || r.b == t))
      if (Place p; to_place(terms_, r.a == t ? r.b : r.a, p) && !p.address) return at_place(p);
  // A comparison that this end has decided is a number.
  if (const auto answer = decided(terms_, s.facts, t)) return number(*answer);
  return std::nullopt;
}

// The result as a value, or, where callers have no word for that, as a range of numbers with those it cannot be. Memory
// that was made is no error pointer.
void Summing::tell_result(Telling& at) const {
  if (at.e.result == kNoTerm || fn_.result == 0) return;
  Outcome& o = at.o;
  if (auto v = value_for_callers(at, at.e.result)) {
    o.result = *v;
    return;
  }
  const Range r = at.s.facts.range(terms_, at.e.result);
  if (r.is_single() || r.lo != kMin || r.hi != kMax) {
    o.result.kind = r.is_single() ? specs::Value::Kind::Int : specs::Value::Kind::Range;
    o.result.imm = r.lo;
    o.result.hi = r.hi;
  }
  Place res;
  res.root = Place::Root::Result;
  for (std::int64_t x : r.excluded) o.when.push_back({res, ~std::uint64_t{0}, specs::Pred::Ne, x, std::nullopt});
  const bool memory = !r.allows(0) && subject_.fails_by_errno(ctx_.unit_domain[unit_id_]) &&
                      props().references->is_own_memory(at.s, at.e.result);
  if (memory || (r.has_gap() && !r.allows(kFirstError) && !r.allows(kLastError)))
    o.when.push_back({res, specs::err_ptr_mask, specs::Pred::Ne, specs::err_ptr_value, std::nullopt});
}

// Which values of what callers can see lead to this end: a number, or some bits of one.
void Summing::tell_ranges(Telling& at) const {
  Outcome& o = at.o;
  for (const auto& [t, r] : at.s.facts.ranges()) {
    if (o.when.size() >= kMaxConditions) break;
    Place p;
    const Term& x = terms_[t];
    if (to_place(terms_, t, p) && !p.address) {
      if (p.root == Place::Root::Global && p.path.empty()) continue;
      add_range(o.when, p, ~std::uint64_t{0}, r);
    } else if (x.kind == TermKind::Arith && static_cast<model::ArithOp>(x.sub) == model::ArithOp::And &&
               terms_.is_const(x.right()) && to_place(terms_, x.left(), p) && !p.address) {
      add_range(o.when, p, static_cast<std::uint64_t>(terms_[x.right()].imm), r);
    }
  }
}

// How two things that callers can see compare.
void Summing::tell_comparisons(Telling& at) const {
  Outcome& o = at.o;
  for (const Relation& r : at.s.facts.relations()) {
    if (o.when.size() >= kMaxConditions) break;
    Place a, b;
    if (!to_place(terms_, r.a, a) || a.address || !to_place(terms_, r.b, b) || b.address) continue;
    // Of globals only those that any pointer may be compared with: None and its like.
    auto usual = [&](const Place& p) {
      if (p.root != Place::Root::Global) return true;
      const auto* g = ctx_.specs.find_global(p.global);
      return p.path.empty() && g && g->immortal && !g->points_to && (r.ne || (r.lo == 0 && r.hi == 0));
    };
    if (!usual(a) || !usual(b)) continue;
    auto add = [&](specs::Pred pred) { o.when.push_back({a, ~std::uint64_t{0}, pred, 0, b}); };
    if (r.lo == 0 && r.hi == 0)
      add(specs::Pred::Eq);
    else if (r.lo >= 1)
      add(specs::Pred::Gt);
    else if (r.lo == 0)
      add(specs::Pred::Ge);
    else if (r.hi <= -1)
      add(specs::Pred::Lt);
    else if (r.hi == 0)
      add(specs::Pred::Le);
    if (r.ne && r.lo <= 0 && r.hi >= 0) add(specs::Pred::Ne);
  }
}

// A property of an object that callers get: of what kind it is, who gives it back.
std::optional<Place> Summing::of_result(const Telling& at, const Cell& c) const {
  if (specs::property_name(c.offset).empty()) return std::nullopt;
  Place where;
  where.root = Place::Root::Result;
  if (c.base == at.e.result) return where;
  where.root = Place::Root::Object;
  for (const auto& [term, number] : at.known)
    if (term == c.base) {
      where.index = number;
      return where;
    }
  return std::nullopt;
}

// A member of the object that is returned which is one: where the program counts references of its own, whoever gives
// one back asks for it, and frees what has no other.
bool Summing::begins_count(const Telling& at, const Cell& c) const {
  return c.base == at.e.result && c.offset >= 0 && terms_.is_const(c.value) && terms_[c.value].imm == 1 &&
         is_new_to_callers(at.s.object(c.base), c.base);
}

// An object made here, in memory made here that is returned: callers give back both.
bool Summing::in_new_memory(const Telling& at, const Cell& c) const {
  const Obj* x = c.base == at.e.result && manner_.counts_objects ? at.s.object(c.value) : nullptr;
  return x && x->kind == ObjKind::New && x->owned > 0 && is_new_to_callers(x, c.value) &&
         props().references->is_own_memory(at.s, c.base);
}

// What was written to memory that callers can see.
void Summing::tell_stores(Telling& at) const {
  const State& s = at.s;
  Outcome& o = at.o;
  std::vector<Cell> cells(s.memory.begin(), s.memory.end());
  if (cells.size() > kMaxStores) {       // an out parameter counts for more than the many members of a struct
    std::map<TermId, std::size_t> many;  // cells of each base, counted once: there may be thousands
    for (const Cell& c : cells) ++many[c.base];
    std::stable_sort(cells.begin(), cells.end(),
                     [&](const Cell& a, const Cell& b) { return many.at(a.base) < many.at(b.base); });
  }
  for (const Cell& c : cells) {
    Place where;
    if (c.base == at.e.result && (memory_.is_whole(c.base) || begins_count(at, c) || in_new_memory(at, c)))
      where.root = Place::Root::Result;
    else if (auto owner = of_result(at, c))
      where = *owner;
    else if (!to_place(terms_, c.base, where) || where.address || where.path.size() >= kMaxPath)
      continue;
    if (o.stores.size() >= kMaxStores) {
      at.complete = false;
      add_once(o.clobbers, where);
      continue;
    }
    where.path.push_back(c.offset);
    auto v = value_for_callers(at, c.value);
    // Who takes the lock back asks whether anything was kept when it was given up.
    if (!v && s.lock != 0 && s.facts.known_nonzero(terms_, c.value))
      v = specs::Value{specs::Value::Kind::Range, 1, kMax, {}, 0};
    // Of a number callers are told at least on which side of zero it is: an error that is handed out is below.
    if (const Range r = s.facts.range(terms_, c.value); !v && (r.hi < 0 || r.lo > 0))
      v = r.is_single() ? number(r.lo) : specs::Value{specs::Value::Kind::Range, r.lo, r.hi, {}, 0};
    o.stores.push_back({where, v ? *v : specs::Value{}});
  }
}

// A struct that is returned by value in the caller's memory: its pointers that were set to zero and not written since.
void Summing::tell_returned_struct(Telling& at) const {
  for (std::uint32_t a = 0; a < fn_.params.size() && unit_.type(fn_.result).kind == model::TypeKind::Struct; ++a) {
    const TermId param = terms_.find_param(a);
    const model::Type& type = unit_.type(fn_.params[a].type);
    if (param == kNoTerm || at.s.epoch(param) != 1 || type.kind != model::TypeKind::Pointer || type.elem != fn_.result)
      continue;
    for (const model::Field& f : unit_.type(type.elem).fields) {
      Place where;
      where.index = a;
      where.path.push_back(static_cast<std::int64_t>(f.offset));
      if (unit_.type(f.type).kind != model::TypeKind::Pointer || at.s.cell(param, where.path[0]) ||
          at.o.stores.size() >= kMaxStores)
        continue;
      at.o.stores.push_back({where, number(0)});
    }
  }
}

// What became of the references to one object that callers can name.
void Summing::tell_count(Telling& at, const Obj& x, const Place& p) const {
  const State& s = at.s;
  Outcome& o = at.o;
  if (x.escaped) {
    o.escapes.push_back(p);
    return;
  }
  // Stores that callers see are told as stores; one they cannot see has taken a reference, or remembers the object
  // without one.
  int delta = x.owned;
  const int hidden = hidden_stores(s, x.term, o);
  if (hidden > 0 && delta < hidden) {
    o.escapes.push_back(p);
    return;
  }
  delta -= hidden;
  // What an entry point takes of its arguments and never gives back is its own mistake, told there.
  if (delta > 0 && subject_.is_entry() && x.kind == ObjKind::Param && at.e.result != x.term)
    delta -= std::clamp(x.owned - props().references->stored_change(s, x), 0, delta);
  for (TermId h : x.holders) {
    if (delta >= 0) break;
    specs::Hold hold;
    hold.object = p;
    hold.steals = true;
    if (Place q; to_place(terms_, h, q) && !q.address) hold.holder = q;
    o.holds.push_back(hold);
    ++delta;
  }
  if (delta >= 0 && manner_.counts_objects) tell_holders(at, x, p);
  // What the standard library takes is some owner's: one that callers see, or one out of their sight.
  const bool library = unit_.language == model::Language::Cxx && cxx_library(unit_.name(fn_.symbol));
  const auto seen = std::count_if(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& st) {
    return st.value.kind == specs::Value::Kind::Place && st.value.place == p;
  });
  if (delta > seen && library) {
    o.escapes.push_back(p);
    return;
  }
  if (subject_.given(x.term)) --delta;  // that one was the caller's
  if (delta != 0) o.counts.push_back({p, "", delta});
}

// Containers that took a reference of their own.
void Summing::tell_holders(Telling& at, const Obj& x, const Place& p) const {
  for (TermId h : x.holders) {
    Place holder;
    if (!to_place(terms_, h, holder) || holder.address) continue;
    const bool told = std::any_of(at.o.holds.begin(), at.o.holds.end(),
                                  [&](const specs::Hold& hold) { return hold.object == p && hold.holder == holder; });
    if (!told) at.o.holds.push_back({p, holder, false});
  }
}

// Counts, and who holds or remembers what, of objects that callers can name.
void Summing::tell_counts(Telling& at) const {
  for (const Obj& x : at.s.objects)
    if (Place p; (x.kind == ObjKind::Param || x.kind == ObjKind::Loaded || x.kind == ObjKind::Global) &&
                 to_place(terms_, x.term, p))
      tell_count(at, x, p);
}

// An argument that was put where callers cannot see it, its count untouched, and in C++ what an owner of theirs held:
// somebody remembers it.
void Summing::tell_remembered(Telling& at) const {
  if (!manner_.counts_objects) return;
  std::vector<TermId> asked;      // in the order of the cells
  std::set<TermId> seen, hidden;  // thousands of cells may hold one value: each is asked about once
  for (const Cell& c : at.s.memory)
    if ((terms_[c.value].kind == TermKind::Param || held_by_caller(terms_, unit_, c.value)) && !at.s.object(c.value) &&
        seen.insert(c.value).second)
      asked.push_back(c.value);
  if (asked.empty()) return;
  for (const Cell& c : at.s.memory)
    if (const TermId value = subject_.untagged(c.value);
        seen.contains(value) && !hidden.contains(value) && is_hidden(c, at.o))
      hidden.insert(value);
  for (const TermId value : asked)
    if (Place p; hidden.contains(value) && to_place(terms_, value, p)) add_once(at.o.escapes, p);
}

// References to objects callers get to know; one comes with the object itself unless that is lent. What is more than
// that of an object that was made here is a leak of this function's, told there: callers need not be told again.
void Summing::tell_more_references(Telling& at) const {
  for (const auto& [t, n] : at.known) {
    const Obj* x = at.s.object(t);
    if (!x) continue;
    Place p;
    p.root = Place::Root::Object;
    p.index = n;
    if (at.o.objects[n].owned && manner_.counts_objects) tell_holders(at, *x, p);
    const int extra = x->owned - (at.o.objects[n].owned ? 1 : 0) - hidden_stores(at.s, t, at.o);
    if (extra <= 0 || (x->kind == ObjKind::New && at.o.objects[n].owned)) continue;
    at.o.counts.push_back({p, "", extra});
  }
}

// References to objects that are a part of what is returned.
void Summing::tell_embedded(Telling& at) const {
  for (const Obj& x : at.s.objects) {
    if (x.kind != ObjKind::New || x.owned <= 0 || x.escaped || at.e.result == kNoTerm || !subject_.embedded(x.term))
      continue;
    auto [base, offset] = terms_.split(x.term);
    if (base != at.e.result) continue;
    Place p;
    p.root = Place::Root::Result;
    p.path.push_back(offset);
    p.address = true;
    at.o.counts.push_back({p, "", x.owned});
  }
}

// Memory that code out of sight may have written.
void Summing::tell_clobbers(Telling& at) const {
  for (TermId t : at.s.clobbered)
    if (Place p; to_place(terms_, t, p)) add_once(at.o.clobbers, p);
}

// The place of a term that a deed speaks of.
std::optional<Place> Summing::place_of(const Telling& at, TermId t) const {
  Place p;
  for (const auto& [k, n] : at.known)
    if (k == t) {
      p.root = Place::Root::Object;
      p.index = n;
      return p;
    }
  return t != kNoTerm && to_place(terms_, t, p) ? std::optional(p) : std::nullopt;
}

// What the path did that its end does not show (core/deeds.h).
void Summing::tell_deeds(Telling& at) const {
  for (const Deed& d : at.s.deeds) {
    const auto object = place_of(at, d.object), other = place_of(at, d.other);
    if (!object || (d.other != kNoTerm && !other)) continue;
    specs::each_effect([&](auto effect) {
      if (effect.index != d.row) return;
      auto& field = at.o.*effect.field;
      using Field = std::remove_reference_t<decltype(field)>;
      if constexpr (std::is_same_v<Field, std::vector<Place>>)
        add_once(field, *object);
      else if constexpr (std::is_same_v<Field, std::vector<specs::Hold>>)
        field.push_back({*object, other, false});
      else if constexpr (std::is_same_v<Field, std::vector<specs::Reprotect>> ||
                         std::is_same_v<Field, std::vector<specs::DeferredCall>>)
        field.push_back({*object, *other});
    });
  }
}

// Conditions that the path took for granted: they hold only for callers who know that they do.
void Summing::mark_known(Telling& at) const {
  for (const Deed& d : at.s.deeds) {
    if (d.row != specs::effect_rows::when) continue;
    const auto object = place_of(at, d.object);
    const auto other = d.other == kNoTerm ? std::nullopt : place_of(at, d.other);
    if (!object || (d.other != kNoTerm && !other)) continue;
    for (specs::Condition& c : at.o.when) {
      const bool same = d.other == kNoTerm
                            ? !c.other && c.imm == 0 && c.place == *object
                            : (c.place == *object && c.other == other) || (c.place == *other && c.other == object);
      c.known = c.known || (c.pred == specs::Pred::Eq && same);
    }
  }
}

// Why the function fails, if it does.
void Summing::tell_cause(Telling& at) const {
  const Causes causes(ctx_, id_, path_);
  if (!at.o.failure && !failing(terms_, at.s, at.e.result, unit_.type(fn_.result).kind).sure) {
    // How a wrapper says that it failed is up to what it wraps.
    const auto returned = body_.ops(body_.instrs[at.e.instr]);
    if (at.e.result != kNoTerm && !returned.empty()) at.o.cause = causes.of_asked(at.s.path, returned[0]);
    return;
  }
  std::optional<std::int64_t> number;
  if (at.e.result != kNoTerm)
    if (const Range r = at.s.facts.range(terms_, at.e.result); r.is_single()) number = r.lo;
  at.o.cause = causes.of_way(at.s.path, true, number);
}

// The order matters: objects get their numbers, and conditions and stores their room, as they are met; counts are what
// remains after the stores were told.
Outcome Summing::outcome_of(const Exit& e, bool& complete) const {
  Telling at{e, e.state, complete, {}, {}};
  tell_result(at);
  tell_ranges(at);
  tell_comparisons(at);
  tell_stores(at);
  tell_returned_struct(at);
  tell_counts(at);
  tell_remembered(at);
  tell_more_references(at);
  tell_embedded(at);
  tell_clobbers(at);
  at.o.out_of_memory_only = e.state.oom;
  at.o.misuse_only = e.state.misused;
  tell_deeds(at);
  hooks_.each<&Property::sum_up>(e, at.known, at.o);
  mark_known(at);
  tell_cause(at);
  return std::move(at.o);
}

}  // namespace reckon::engine
