// The end of a function that deals with protected objects: is the stack as it was, and what do callers need to know?
//
// A function may leave the stack deeper or less deep on purpose: a wrapper around push or pop, a guard's constructor or
// destructor, a helper that makes objects for its caller. It is taken for one if all it leaves on the stack is what it
// was given, returns or puts where its caller finds it, if it tells its caller the number (by a counter of the
// caller's, or as its result), or if it only pops and makes nothing. Its callers' balance is judged with what it does.
// A function that nobody in the program calls, or that stands in a table by which others call it, is no wrapper if it
// leaves a new object on the stack: its callers are not written for that. Counters of the caller's are evidence even
// so.

#include <algorithm>

#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/exits.h"
#include "engine/properties/protection/open_depth.h"
#include "engine/properties/protection/stack.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;
using specs::Outcome;
using specs::Place;

namespace {

constexpr std::size_t kMaxPointerConditions = support::kLimits.outcomes.pointer_conditions;
constexpr std::int64_t kFewPushes = support::kLimits.protection.few_pushes;

// Is it in memory that callers see?
bool handed_over(const TermArena& terms, const State& s, TermId t) {
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    Place where;
    return c.value == t && to_place(terms, c.base, where) && where.root == Place::Root::Arg;
  });
}

// Objects made here, other than those that go to the caller, that are still on the stack.
bool leaves_own_objects(const TermArena& terms, const State& s, TermId result, bool by_memory) {
  return std::any_of(s.gc.objects.begin(), s.gc.objects.end(), [&](const GcObject& o) {
    return o.fresh && !o.slots.empty() && o.term != result && !(by_memory && handed_over(terms, s, o.term));
  });
}

// Every slot above the depth at entry holds something that callers find in memory of theirs.
bool hands_all_over(const TermArena& terms, const State& s) {
  const Linear& d = *s.gc.depth;
  if (!d.is_const() || d.constant <= 0) return false;
  std::int64_t seen = 0;
  for (const GcObject& o : s.gc.objects)
    if (!o.slots.empty() && handed_over(terms, s, o.term)) seen += static_cast<std::int64_t>(o.slots.size());
  return seen == d.constant;
}

// Has the number that is in memory been raised by the number of slots pushed, or (`set`) set to that?
bool counts_pushes(const TermArena& terms, const Cell& c, const Linear& depth, bool set) {
  Linear rest = linear_of(terms, c.value);
  rest.add(depth, -1);
  if (rest.constant != 0 || rest.parts.size() > 1) return false;
  if (rest.parts.empty()) return set;
  const Term& before = terms[rest.parts[0].first];
  return rest.parts[0].second == 1 && before.kind == TermKind::Initial && before.left() == c.base &&
         before.imm == c.offset;
}

// A counter that callers keep.
bool tells_caller(const TermArena& terms, const State& s, bool set) {
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    Place where;
    return to_place(terms, c.base, where) && where.root == Place::Root::Arg &&
           counts_pushes(terms, c, *s.gc.depth, set);
  });
}

// A counter private to the unit, of which callers are not told.
bool counts_in_private(const TermArena& terms, const State& s) {
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
    Place where;
    return terms[c.base].kind == TermKind::Global && !to_place(terms, c.base, where) &&
           counts_pushes(terms, c, *s.gc.depth, false);
  });
}

// Called from outside the program only.
bool called_from_outside(const Context& ctx, FuncId f) {
  if (ctx.contracts[f].given) return true;
  const model::Symbol& symbol = ctx.program.unit(f).symbols[ctx.program.function(f).symbol];
  return symbol.linkage == model::Linkage::External && !symbol.address_taken && ctx.program.callers(f).empty();
}

}  // namespace

// Is a change of the depth what the function is for?
bool ProtectionExits::changes_depth_on_purpose(const State& s, TermId result) const {
  const Linear& d = *s.gc.depth;
  if (subject_.has_contract() && std::ranges::any_of(subject_.promise().spec->outcomes, [](const Outcome& o) {
        return o.protects != 0 || o.unprotects || o.depth_unknown || !o.unprotected.empty();
      }))
    return true;
  if (!ctx_.program.roles(id_).empty()) return false;  // called through a table, by somebody who knows nothing of that
  const bool outside = called_from_outside(ctx_, id_);
  if (props().protection_stack->pushes_ && (!d.is_const() || d.constant > 0) && !ctx_.contracts[id_].given) {
    if (tells_caller(terms_, s, !outside)) return true;
    if (!outside && hands_all_over(terms_, s)) return true;
    if (!outside && result != kNoTerm && !subject_.counted(fn_.result) && linear_of(terms_, result) == d) return true;
  }
  if (props().protection_stack->pushes_ && !props().protection_stack->pops_)
    return !leaves_own_objects(terms_, s, outside ? kNoTerm : result, !outside);
  if (props().protection_stack->pops_ && !props().protection_stack->pushes_) {
    // Objects of the caller's are taken off by name.
    const auto named = std::count_if(s.deeds.begin(), s.deeds.end(),
                                     [](const Deed& x) { return x.row == specs::effect_rows::unprotected; });
    return fn_.result == 0 || !d.is_const() || (!outside && named > 0 && d.constant == -named);
  }
  return false;
}

// Once per function is enough: other ends that go wrong are mostly the same mistake.
bool ProtectionStack::depth_reported() const {
  return std::any_of(result_.events.begin(), result_.events.end(), [](const Event& e) {
    return e.kind == EventKind::DepthInLoop || e.kind == EventKind::DepthNegative || e.kind == EventKind::DepthAtExit;
  });
}

void ProtectionExits::gc_exit(const Exit& e) {
  if (e.by_exception) return;
  if (!e.state.gc.depth) {
    if (e.state.gc.on) trail_.silent(Silence::DepthLost, kNoTerm, e.instr);
    return;
  }
  State s = e.state;
  const int c = props().protection_stack->compare_zero(s, *s.gc.depth);
  result_.unsure |= (c == 2 || c == 3) && left_open_by_join(terms_, flow_, *s.gc.depth);
  if (s.gc.below != kNone && !(props().protection_stack->pops_ && !props().protection_stack->pushes_ &&
                               changes_depth_on_purpose(s, e.result))) {
    if (props().protection_stack->depth_reported())
      trail_.silent(Silence::DepthReported, kNoTerm, s.gc.below);
    else
      props().collector->emit_gc(EventKind::DepthNegative, s, nullptr, s.gc.below);
    return;
  }
  // Some number of objects, not always none: a counter that a guard let pass.
  auto sometimes_deeper = [&] {
    const Linear& d = *s.gc.depth;
    if (c != 3 || d.constant != 0 || d.parts.size() != 1 || d.parts[0].second != 1) return false;
    const Range r = s.facts.range(terms_, d.parts[0].first);
    return r.lo == 0 && r.hi > 0 && r.hi < kFewPushes;
  };
  // Counted in a loop that does not push: popped as often as it went round.
  auto sometimes_lower = [&] {
    const Linear& d = *s.gc.depth;
    if (joining_ != Joining::Paths || d.parts.size() != 1 || d.parts[0].second != -1 ||
        terms_[d.parts[0].first].kind != TermKind::Join)
      return false;
    const Range r = s.facts.range(terms_, d.parts[0].first);
    return r.lo == d.constant && r.hi > r.lo;
  };
  const bool wrong = c == 1 || c == -1 || sometimes_deeper() || sometimes_lower();
  if (!wrong && c == 0) return;
  if (const Silence why = !wrong                                       ? Silence::DepthUnclear
                          : props().protection_stack->depth_reported() ? Silence::DepthReported
                          : changes_depth_on_purpose(s, e.result)      ? Silence::DepthOnPurpose
                                                                       : Silence::None;
      why != Silence::None) {
    trail_.silent(why, kNoTerm, e.instr);
    return;
  }
  // Ways that joined here may have been such as exclude each other, if others come out right at the same place.
  const bool right_otherwise =
      joining_ != Joining::Paths && std::any_of(exits_.begin(), exits_.end(), [&](const Exit& other) {
        State t = other.state;
        return other.instr == e.instr && !other.by_exception && t.gc.depth &&
               props().protection_stack->compare_zero(t, *t.gc.depth) == 0;
      });
  if (Event* ev = props().collector->emit_gc(EventKind::DepthAtExit, s, nullptr, e.instr)) {
    if (s.gc.depth->is_const()) ev->get<DepthFacts>().left = static_cast<int>(s.gc.depth->constant);
    ev->assumed_kind = right_otherwise;
  }
}

// The object `t` in the callers' terms; false: it is none of those told so.
bool ProtectionExits::gc_value(const State& s, TermId t, specs::Object& out) const {
  const GcObject* o = s.gc.object(t);
  if (!o || o->interior || terms_[t].kind == TermKind::Param) return false;
  out = specs::Object{};
  out.maybe_null = !o->distinct;
  out.owned = false;
  if (o->escaped) return true;
  // What a callee found to be the object that a global names, nil as a rule, is nothing new.
  const bool has_a_name = std::any_of(s.facts.relations().begin(), s.facts.relations().end(), [&](const Relation& r) {
    if (r.lo != 0 || r.hi != 0 || (r.a != t && r.b != t)) return false;
    const Term& other = terms_[r.a == t ? r.b : r.a];
    return other.kind == TermKind::Initial && terms_[other.left()].kind == TermKind::Global;
  });
  if (has_a_name) return true;
  Place p;
  // A place that an argument tells is told by the callers' argument; any other element is just one of the whole.
  auto told = [&](TermId owner) {
    const Term& x = terms_[owner];
    if (x.kind != TermKind::Initial || terms_[x.left()].kind != TermKind::Index) return owner;
    const Term& element = terms_[x.left()];
    const bool by_argument = fn_.params.size() == 2 && terms_[element.right()].kind == TermKind::Param;
    return by_argument ? element.left() : terms_.owner_root(owner);
  };
  const GcObject* at = o;
  for (int fuel = support::kLimits.protection.owner_steps; fuel > 0 && at && !at->fresh && at->owner != kNoTerm;
       --fuel) {
    if (to_place(terms_, told(at->owner), p) && !p.address && p.root == Place::Root::Arg) {
      out.borrowed_from = p;
      return true;
    }
    const GcObject* next = s.gc.object(at->owner);
    if (!next) next = s.gc.object(terms_.owner_root(at->owner));
    if (!next || next == at) return true;
    at = next;
  }
  if (!at || (!at->fresh && at->owner == kNoTerm)) return true;
  // A part of something made here is as new as that is; what somebody keeps beyond this call is not new.
  auto outlives = [&](TermId h, auto&& self, int fuel) -> bool {
    const GcObject* holder = s.gc.object(h);
    if (!holder) holder = s.gc.object(terms_.owner_root(h));
    if (!holder || holder->escaped || fuel <= 0) return true;
    if (s.gc.rests_on(terms_, h, {}) != 0 || (!holder->fresh && s.gc.is_protected(terms_, h, {}))) return true;
    return std::any_of(holder->holders.begin(), holder->holders.end(),
                       [&](TermId next) { return next != h && self(next, self, fuel - 1); });
  };
  for (TermId h : at->holders) {
    if (to_place(terms_, h, p) && !p.address) {
      if (p.root == Place::Root::Arg) out.borrowed_from = p;
      return true;
    }
    if (outlives(h, outlives, support::kLimits.protection.owner_steps)) return true;
  }
  out.owned = true;
  out.assumed_kind = at->assumed_kind;
  return true;
}

// Who keeps what, of objects and holders that callers see.
template <class Visible>
void ProtectionExits::tell_holders(const State& s, Outcome& o, Visible&& visible) const {
  for (const GcObject& g : s.gc.objects) {
    Place object;
    if (!visible(g.term, object)) continue;
    if (g.escaped && terms_[g.term].kind == TermKind::Param) o.escapes.push_back(object);
    // A part of something new that callers get as well: it is held by that.
    const GcObject* inner = &g;
    for (int fuel = support::kLimits.protection.owner_steps; fuel > 0 && inner && !inner->fresh; --fuel) {
      if (inner->interior || inner->owner == kNoTerm) break;
      const TermId whole = terms_.owner_root(inner->owner);
      if (Place holder; visible(whole, holder) && holder.root == Place::Root::Object) {
        specs::Hold held;
        held.object = object;
        held.holder = holder;
        o.holds.push_back(held);
        break;
      }
      inner = s.gc.object(whole);
    }
    for (TermId h : g.holders) {
      specs::Hold hold;
      hold.object = object;
      Place holder;
      if (visible(h, holder)) {
        hold.holder = holder;
        o.holds.push_back(hold);
        continue;
      }
      // One of several places of what it is kept in.
      if (const Term& x = terms_[h]; x.kind == TermKind::Initial && terms_[x.left()].kind == TermKind::Index &&
                                     visible(terms_[x.left()].left(), holder)) {
        hold.holder = holder;
        o.holds.push_back(hold);
        continue;
      }
      // Kept by a part of an argument, or by something out of sight.
      const TermId root = terms_.owner_root(h);
      const GcObject* part = s.gc.object(h);
      const TermId owner = part && part->owner != kNoTerm ? part->owner : root;
      if (visible(owner, holder)) {
        hold.holder = holder;
        o.holds.push_back(hold);
      } else if (!part && terms_[g.term].kind == TermKind::Param) {
        o.escapes.push_back(object);
      }
    }
  }
}

void ProtectionExits::gc_outcome(const State& s, TermId result, Outcome& o, const NewObjects& known) const {
  auto visible = [&](TermId t, Place& p) {
    for (const auto& [k, n] : known)
      if (k == t) {
        p = Place{};
        p.root = Place::Root::Object;
        p.index = n;
        return true;
      }
    return to_place(terms_, t, p) && !p.address;
  };
  if (s.gc.depth && changes_depth_on_purpose(s, result)) {
    const Linear& d = *s.gc.depth;
    Place n;
    // Callers in the unit read the counter, but no outcome speaks of it; what was pushed is safe for all they know.
    if (!(d == Linear{}) && counts_in_private(terms_, s)) o.depth_unknown = true;
    if (d.is_const() && std::llabs(d.constant) < support::kLimits.protection.told_depth) {
      o.protects = static_cast<int>(d.constant);
      std::vector<std::pair<std::int64_t, Place>> pushed;
      for (const GcObject& g : s.gc.objects)
        for (const Linear& slot : g.slots)
          if (Place p; slot.is_const() && slot.constant >= 0 && visible(g.term, p))
            pushed.emplace_back(slot.constant, p);
      std::sort(pushed.begin(), pushed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (auto& [at, p] : pushed)
        if (o.protected_objects.size() < static_cast<std::size_t>(std::max(0, o.protects)))
          o.protected_objects.push_back(p);
    } else if (d.parts.size() == 1 && d.parts[0].second == -1 && to_place(terms_, d.parts[0].first, n) && !n.address) {
      o.unprotects = n;
      o.protects = static_cast<int>(d.constant);
    } else {
      o.depth_unknown = true;
    }
  } else if (!s.gc.depth && props().protection_stack->pops_ != props().protection_stack->pushes_) {
    o.depth_unknown = true;
  }
  // Pointers that were compared: which constant, symbol or argument something is.
  auto pointer = [&](TermId t, Place& p) {
    const Term& x = terms_[t];
    if (x.kind == TermKind::Initial && x.b == 0 &&
        terms_[x.left()].kind == TermKind::Global) {  // also one private to its unit
      p = Place{};
      p.root = Place::Root::Global;
      p.global = std::string(terms_.global_name(x.left()));
      p.path.push_back(x.imm);
      return true;
    }
    return to_place(terms_, t, p) && !p.address;
  };
  for (const Relation& r : s.facts.relations()) {
    const bool equal = r.lo == 0 && r.hi == 0;
    if ((!equal && !r.ne) || o.when.size() >= kMaxPointerConditions) continue;
    specs::Condition c;
    c.pred = equal ? specs::Pred::Eq : specs::Pred::Ne;
    Place other;
    if (!pointer(r.a, c.place) || !pointer(r.b, other)) continue;
    if (c.place.root == Place::Root::Global && other.root == Place::Root::Global) continue;
    if (c.place.root == Place::Root::Global) std::swap(c.place, other);
    c.other = other;
    o.when.push_back(std::move(c));
  }
  o.allocates = s.gc.collected;
  for (std::uint32_t p = 0; p < fn_.params.size() && p < 64; ++p) {
    Place place;
    place.index = p;
    if (s.gc.exposed_params >> p & 1) o.exposes.push_back(place);
    if (s.gc.endangered_params >> p & 1) o.endangers.push_back(place);
  }
  tell_holders(s, o, visible);
  // What was taken off by name is told so, not as a fall of the depth.
  const int named = static_cast<int>(o.unprotected.size());
  if (o.depth_unknown || o.protects > -named)
    o.unprotected.clear();
  else
    o.protects += named;
}

}  // namespace reckon::engine
