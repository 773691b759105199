// References that leave a function's sight without being given up: with a structure that was queued and will be handed
// to code of ours later, with an action registered to run at some end, with a callback. And memory that is freed, and
// with it what it held.
//
// A queue either took the one reference that was held for it or none: both are possible, so two ends that differ by
// that one are alike (pairs.cpp). An action that is registered settles its debt at once, as far as counts go. Limits:
// which callback belongs to which queue is not looked up; an action of which nothing is known takes all that hangs on
// its argument.

#include <algorithm>
#include <optional>

#include "engine/core/applying.h"
#include "engine/core/calls.h"
#include "engine/core/memory.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/deferred.h"
#include "engine/properties/references/references.h"
#include "support/limits.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

// `t` is remembered somewhere.
void Deferred::kept(State& s, TermId t, InstrId instr) {
  if (!subject_.embedded(t) || s.object(t)) {
    if (Obj* x = props().references->obj(s, t, instr)) trail_.silence(*x, Silence::KeptByCallee, instr);
    return;
  }
  Deferral c = s.deferral(terms_.root(t));
  c.kept = true;
  s.set_deferral(c);
}

void Deferred::taken_back(State& s, TermId t, TermId key, InstrId instr) {
  if (subject_.embedded(t) || ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].reports_pairs) {
    Deferral c = s.deferral(terms_.root(t));
    c.dropped = true;
    s.set_deferral(c);
  }
  props().references->contents_dropped(s, t, key, instr);
}

// Does a call with one of these outcomes give up, take over or keep what it gets as this argument?
bool Deferred::may_end(std::span<const Outcome> outcomes, std::uint32_t argument) {
  const auto is_it = [&](const Place& p) {
    return p.root == Place::Root::Arg && p.index == argument && p.path.empty() && !p.address;
  };
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
    return std::any_of(o.counts.begin(), o.counts.end(),
                       [&](const specs::CountChange& c) { return c.delta < 0 && c.kind.empty() && is_it(c.object); }) ||
           std::any_of(o.holds.begin(), o.holds.end(),
                       [&](const specs::Hold& h) { return h.steals && is_it(h.object); }) ||
           std::any_of(o.frees.begin(), o.frees.end(), is_it) || std::any_of(o.escapes.begin(), o.escapes.end(), is_it);
  });
}

// Is a reference to an object that was there before kept in the memory at `t`, and nowhere else in sight?
bool Deferred::only_in(const State& s, const Obj& o, TermId t) const {
  if (o.kind == ObjKind::New || o.kind == ObjKind::Borrowed || o.immortal || !o.holders.empty() ||
      props().references->stored_change(s, o) != 1)
    return false;
  if (std::any_of(s.values.begin(), s.values.end(), [&](const auto& v) { return v.second == o.term; })) return false;
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) { return c.base == t && c.value == o.term; });
}

// What the memory held is lost, unless somebody else names it; an object in it that still has a reference of ours can
// never be given up any more. A bare counter that was set up and not yet shared just goes.
void Deferred::freed(State& s, TermId t, InstrId instr) {
  if (terms_.is_const(t)) return;
  std::erase_if(s.counts, [&](const Count& c) {
    return c.delta > 0 && (c.object == t || (subject_.embedded(c.object) && terms_.root(c.object) == t));
  });
  for (Obj& o : s.objects) {
    const bool part = o.term == t || (subject_.embedded(o.term) && terms_.root(o.term) == t);
    if ((!part && !only_in(s, o, t)) || o.escaped || o.owned <= 0) continue;
    trail_.emit(EventKind::Leak, s, &o, instr);
    o.escaped.because(Silence::Reported);
  }
  s.invalidate(t, instr + 2);
}

// A part of a structure was given up, and with it perhaps the structure and all that it holds. Where a function that
// does that was stored in the structure on this path (`ends_itself`: the part calls it), it shows what it gives up.
void Deferred::part_released(State& s, TermId part, bool ends_itself) {
  const TermId root = terms_.root(part);
  // Others hold it, too: it does not end here.
  if (const Obj* whole = s.object(root); whole && part == root && whole->kind == ObjKind::New && !whole->escaped &&
                                         (whole->owned > 1 || !whole->holders.empty()))
    return;
  std::vector<TermId> held;
  const std::vector<Outcome>* end = nullptr;
  for (const Cell& c : s.memory) {
    if (c.base != root) continue;
    if (const Obj* o = s.object(c.value); o && o->owned > 0 && !o->escaped) held.push_back(o->term);
    if (const auto* outcomes = ends_itself ? calls_.outcomes_behind(c.value) : nullptr) end = outcomes;
  }
  for (TermId t : held) {
    bool given_up = !end;
    if (end)
      for (const Outcome& o : *end)
        for (const specs::CountChange& c : o.counts) {
          if (c.delta >= 0 || !c.kind.empty()) continue;
          State copy = s;
          given_up = given_up || calls_.place(copy, c.object, {part}, InstrId(0), kNoTerm) == t;
        }
    if (given_up) trail_.silence(*s.object(t), Silence::HolderEnded);
  }
}

// `function(data)` will be called when nobody here looks: the counts it gives back are no longer ours to give back.
// Until then the function waits with what it will give up; not if it had to run at once.
void Deferred::run_deferred(State& s, TermId function, TermId data, InstrId instr, bool at_once) {
  const auto* outcomes = calls_.outcomes_behind(function);
  if (!outcomes) {
    // Reached through what the function is given.
    auto hangs_on = [&, top = terms_.root(data)](TermId t) {
      for (t = terms_.root(t); t != top; t = terms_.root(terms_[t].left()))
        if (terms_[t].kind != TermKind::Initial) return false;
      return true;
    };
    std::erase_if(s.counts, [&](const Count& c) { return c.delta > 0 && hangs_on(c.object); });
    for (Obj& o : s.objects)
      if (hangs_on(o.term)) trail_.silence(o, Silence::RunsLater, instr);
    return;
  }
  // Of several ways it may go, the one that gives back most.
  const Outcome* best = nullptr;
  auto given_back = [](const specs::ReferenceEffects& o) {
    int n = 0;
    for (const specs::CountChange& c : o.counts) n -= std::min(0, c.delta);
    return n;
  };
  for (const Outcome& o : *outcomes)
    if (!best || given_back(o) > given_back(*best)) best = &o;
  if (!best) return;
  for (const specs::CountChange& c : best->counts) {
    if (c.delta >= 0) continue;
    const auto t = calls_.place(s, c.object, {data}, instr, kNoTerm);
    if (!t || s.facts.known_zero(terms_, *t)) continue;
    if (const CountId kind = ctx_.count_id(c.kind); kind != 0)
      s.change_count(*t, kind, c.delta, instr);
    else
      props().references->steal(s, *t, at_once ? std::nullopt : std::optional(function), instr, false);
  }
}

// Unknown code gets a function and, as it seems, the argument for it. If that function gives up a reference which is
// held right now, it may be the one that the callback was given.
void Deferred::hand_to_callback(State& s, const std::vector<TermId>& args) {
  for (TermId f : args) {
    const auto* outcomes = calls_.outcomes_behind(f);
    if (!outcomes) continue;
    for (const Outcome& o : *outcomes)
      for (const specs::CountChange& c : o.counts) {
        if (c.delta >= 0 || c.object.root != Place::Root::Arg) continue;
        for (TermId data : args) {
          if (data == f || terms_.is_const(data)) continue;
          State copy = s;
          const auto t =
              calls_.place(copy, c.object, std::vector<TermId>(c.object.index + 1, data), InstrId(0), kNoTerm);
          if (!t) continue;
          const CountId kind = ctx_.count_id(c.kind);
          const Obj* x = s.object(*t);
          if (kind != 0 ? s.count(*t, kind) <= 0 : !x || x->owned <= 0) continue;
          Deferral deferral = s.deferral(terms_.root(data));
          deferral.kept = true;
          s.set_deferral(deferral);
        }
      }
  }
}

void Deferred::program_call(State& s, const Call& call) {
  if (!contract_.transmits) return;
  for (TermId a : call.args)
    if (const TermId root = terms_.root(a); terms_[root].kind == TermKind::Param) {  // a queue's from now on, perhaps
      Deferral c = s.deferral(root);
      c.root = root;
      c.kept = true;
      s.set_deferral(c);
    }
}

void Deferred::unknown(State& s, const Call& call, const model::Type*) {
  // A function pointer called with an object that stands beside it is what that object is given up with.
  if (const TermId function = memory_.eval(s, body_.ops(body_.instrs[call.index])[0], call.index);
      manner_.counts_objects && terms_[function].kind == TermKind::Initial)
    for (TermId t : call.args)
      if (terms_[t].kind == TermKind::Initial && terms_.owner_root(t) == terms_.owner_root(function))
        kept(s, t, call.index);
  hand_to_callback(s, call.args);
}

namespace {

constexpr std::size_t kMostStores = support::kLimits.outcomes.stores;
constexpr std::uint32_t kZeroed = 1;  // the epoch of memory that is all zero

// What stands in memory of our callers in the end was made of what stood there before, in a way that is not known, as
// where a list loses nodes in a loop: callers are not told that the one who had it has lost it.
void keep_replaced(TermArena& terms, const Exit& e, Outcome& o, auto points) {
  for (const Cell& c : e.state.memory) {
    Place there;
    const std::size_t terms_before = terms.size();
    const TermId before = terms.initial(c.base, c.offset, 0);
    const bool read = terms.size() == terms_before;  // else what stood there is gone for sure
    if (!read || !points(before) || !to_place(terms, before, there)) continue;
    if (const Obj* x = e.state.object(before); x && x->owned != 0) continue;
    const bool unknown = std::any_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& x) {
      return x.where == there && x.value.kind == specs::Value::Kind::Unknown;
    });
    if (unknown && std::find(o.escapes.begin(), o.escapes.end(), there) == o.escapes.end()) o.escapes.push_back(there);
  }
}

// What was given up stood in memory that is all zero now: who gives that up again finds nothing there.
void forget_cleared(const TermArena& terms, const Exit& e, Outcome& o) {
  for (const Obj& x : e.state.objects) {
    const Term& t = terms[x.term];
    Place there;
    if (t.kind != TermKind::Initial || x.owned >= 0 || e.state.epoch(t.left()) != kZeroed ||
        e.state.cell(t.left(), t.imm) || o.stores.size() >= kMostStores || !to_place(terms, x.term, there))
      continue;
    o.stores.push_back({there, {specs::Value::Kind::Int, 0, 0, {}, 0}});
  }
}

}  // namespace

// A container that has something again is not told as emptied, where the order of the two would be lost.
void Deferred::sum_up(const Exit& e, const NewObjects&, Outcome& o) const {
  if (!manner_.counts_objects) return;
  // Of lists, and of structs that are freed member by member, which make up the programs of such a domain.
  if (ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].unknown_result == specs::UnknownResult::None) {
    keep_replaced(terms_, e, o, [&](TermId t) {
      const auto& types = trail_.term_types_;
      return t < types.size() && unit_.type(types[t]).kind == model::TypeKind::Pointer;
    });
    forget_cleared(terms_, e, o);
  }
  std::erase_if(o.releases_holds, [&](const specs::Hold& h) {
    return std::any_of(o.holds.begin(), o.holds.end(), [&](const specs::Hold& x) { return x.holder == h.object; });
  });
}

namespace {

// The member that the store counts down by one; nullopt: it does something else.
std::optional<Place> counted_down(const specs::StoreEffect& store) {
  Place member = store.value.place;
  if (store.value.kind != specs::Value::Kind::Place || !member.address || member.path.empty() ||
      member.path.back() != -1)
    return std::nullopt;
  member.path.pop_back();
  member.address = false;
  return member == store.where && !member.path.empty() ? std::optional(member) : std::nullopt;
}

bool ends_in_one(std::span<const Outcome> outcomes, const Place& object) {
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
    return std::any_of(o.counts.begin(), o.counts.end(),
                       [&](const specs::CountChange& c) { return c.delta < 0 && c.object == object; }) ||
           std::find(o.escapes.begin(), o.escapes.end(), object) != o.escapes.end() ||
           std::find(o.frees.begin(), o.frees.end(), object) != o.frees.end();
  });
}

}  // namespace

// A helper that counts a member of an object down, and gives the object up where that was the last reference, has given
// up ours where it was not. Of a count that is known it is seen what is left.
void Deferred::effects(State& s, const Applying& call) {
  const specs::Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  auto place = [&](const specs::Place& p) { return calls_.place(s, p, args, call.index, kNoTerm); };
  for (const specs::StoreEffect& store : o.stores) {
    const auto member = call.written || !manner_.counts_objects ? std::nullopt : counted_down(store);
    if (!member) continue;
    Place object = *member;
    object.path.pop_back();
    const auto before = place(*member), t = place(object);
    if (!t || (before && terms_.is_const(*before)) || !ends_in_one(call.all, object)) continue;
    if (Obj* x = s.object(*t); x && x->owned > 0) trail_.silence(*x, Silence::KeptByCallee, call.index);
  }
  for (const specs::Place& p : o.escapes)
    if (const auto t = place(p)) kept(s, *t, call.index);
  for (const specs::Hold& h : o.releases_holds)
    if (const auto t = place(h.object)) {
      const TermId key = h.holder ? place(*h.holder).value_or(kNoTerm) : kNoTerm;
      taken_back(s, *t, key, call.index);
      if (manner_.counts_objects) s.note_deed(terms_, {specs::effect_rows::releases_holds, *t, key});
    }
  for (const specs::DeferredCall& later : o.runs) {
    const auto function = place(later.function), data = place(later.data);
    if (!function || !data) continue;
    run_deferred(s, *function, *data, call.index, o.failure);
    if (!calls_.outcomes_behind(*function)) s.note_deed(terms_, {specs::effect_rows::runs, *function, *data});
  }
  for (const specs::Place& p : o.frees)
    if (const auto t = place(p)) {
      freed(s, *t, call.index);
      s.note_deed(terms_, {specs::effect_rows::frees, *t});
    }
}

}  // namespace reckon::engine
