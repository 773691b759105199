// Inconsistent path pairs (RID 3.2): two ends of a function that its callers cannot tell apart, with different
// changes of a count. Whichever of the two the callers are written for, the other is wrong.
//
// Two ends can be told apart if their conditions on arguments, on memory reached from them, or on the result
// exclude each other, or if they left different values in memory the caller sees. Conditions are ranges per
// place, so "excludes" is a disjoint pair of ranges, and how two places compare.
//
// check_count() asks a list of rules in order of rank; the first one that reports ends it, so that a count has one
// finding a function. The first rule compares all pairs, and a list of excuses says which pairs prove nothing.
//
// Beyond RID, an end can be wrong by what it took itself, even though callers can tell it from others:
// one_sided_exits.cpp.

#include <algorithm>

#include "engine/core/conditions.h"
#include "engine/core/error_values.h"
#include "engine/core/hold_flags.h"
#include "engine/core/loops.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/counts/deferrals.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

namespace {

bool disjoint(Range a, const Range& b) {
  a.meet(b);
  return a.empty();
}

// Two statements about how the same two places compare: can both hold?
bool exclude_each_other(specs::Pred p, specs::Pred q) {
  auto signs = [](specs::Pred x) {  // which of below, equal, above it allows
    switch (x) {
      case specs::Pred::Lt: return 1;
      case specs::Pred::Eq: return 2;
      case specs::Pred::Le: return 3;
      case specs::Pred::Gt: return 4;
      case specs::Pred::Ne: return 5;
      case specs::Pred::Ge: return 6;
    }
    return 7;
  };
  return (signs(p) & signs(q)) == 0;
}

bool is_number(const Outcome& o) {
  return o.result.kind == specs::Value::Kind::Int || o.result.kind == specs::Value::Kind::Range ||
         o.result.kind == specs::Value::Kind::Unknown;
}

bool distinguishable(const Outcome& a, const Outcome& b, bool by_result, bool by_stores = true) {
  for (const specs::Condition& c : a.when)
    for (const specs::Condition& d : b.when)
      if (c.other && d.other && c.place == d.place && c.mask == d.mask && c.other == d.other &&
          exclude_each_other(c.pred, d.pred))
        return true;
  const PlaceRanges ra = ranges_of(a.when), rb = ranges_of(b.when);
  for (const PlaceRange& x : ra) {
    if (!by_result && x.place->root == Place::Root::Result) continue;
    if (const Range* other = find_range(rb, x); other && disjoint(x.range, *other)) return true;
  }
  if (!by_result) return false;
  return disjoint(result_range(a), result_range(b)) || (by_stores && a.stores != b.stores) || a.escapes != b.escapes;
}

}  // namespace
using ExitPair = std::pair<Outcome, const Exit*>;

// What is counted anywhere. Ordinary counts are looked at for arguments and parts of what they point to.
std::vector<CountKey> Counts::counted_keys(const std::vector<ExitPair>& exits) const {
  std::vector<CountKey> keys;
  const auto& domains = ctx_.specs.domains();
  auto add = [&](CountKey k) {
    if (k.kind.empty() && subject_.has_contract()) return;  // ends are compared with the contract
    if (!k.kind.empty() && !domains[ctx_.count_domains[ctx_.count_id(k.kind)]].reports_pairs) return;
    if (std::none_of(keys.begin(), keys.end(), [&](const CountKey& x) {
          return x.kind == k.kind && x.visible == k.visible && (k.visible ? x.place == k.place : x.term == k.term);
        }))
      keys.push_back(std::move(k));
  };
  for (const auto& [o, e] : exits) {
    for (const specs::CountChange& c : o.counts)
      if (!c.kind.empty() || (c.object.root == Place::Root::Arg && c.object.path.empty()))
        add({c.object, true, c.kind.empty() ? terms_.find_param(c.object.index) : kNoTerm, c.kind});
    // By the kernel's rules a function that fails has done nothing: then also references taken to what arguments point
    // to.
    for (const Obj& x : e->state.objects)
      if (Place p;
          x.kind == ObjKind::Loaded && x.owned > 0 && subject_.fails_by_errno(x.domain) && to_place(terms_, x.term, p))
        add({p, true, x.term, ""});
    for (const specs::Hold& h : o.holds)
      if (h.steals && h.object.root == Place::Root::Arg && h.object.path.empty())
        add({h.object, true, terms_.find_param(h.object.index), ""});
    for (const Count& c : e->state.counts) {
      Place p;
      const std::string& kind = ctx_.count_names[c.kind];
      if (!subject_.visible_place(c.object, p)) {
        if (terms_[terms_.owner_root(c.object)].kind == TermKind::Fresh) add({{}, false, c.object, kind});
        continue;
      }
      for (CountKey& k : keys)
        if (k.visible && k.kind == kind && k.place == p) k.term = c.object;
    }
  }
  return keys;
}

int Counts::change(const ExitPair& exit, const CountKey& key) const {
  const auto& [o, e] = exit;
  if (!key.visible) return e->state.count(key.term, ctx_.count_id(key.kind));
  // A reference that goes to the caller as the result is accounted for.
  const int returned =
      key.kind.empty() && o.result.kind == specs::Value::Kind::Place && o.result.place == key.place ? 1 : 0;
  int delta = 0;
  for (const specs::CountChange& c : o.counts)
    if (c.object == key.place && c.kind == key.kind) delta += c.delta - (c.delta > 0 ? returned : 0);
  // One that memory of the caller's now holds, too.
  if (key.kind.empty())
    for (const specs::StoreEffect& st : o.stores)
      if (delta > 0 && st.value.kind == specs::Value::Kind::Place && st.value.place == key.place) --delta;
  // Taken over is given up, whoever has it now.
  if (key.kind.empty())
    for (const specs::Hold& h : o.holds)
      if (h.steals && h.object == key.place) --delta;
  return delta;
}

void Counts::report_count(EventKind what, const CountKey& key, const ExitPair& at, const ExitPair* other, int delta,
                          int other_delta) {
  const auto& [o, e] = at;
  Obj object;
  object.domain = ctx_.unit_domain[unit_id_];
  object.term = key.term;
  const CountId number = ctx_.count_id(key.kind);
  const bool by_failure = what == EventKind::FailureKeeps;
  if (key.kind.empty()) {
    if (const Obj* known = object.term == kNoTerm ? nullptr : e->state.object(object.term)) object = *known;
    what = delta > 0 ? EventKind::Leak : EventKind::OverRelease;
    // The end itself was judged already.
    if (std::any_of(result_.events.begin(), result_.events.end(), [&](const Event& known) {
          return known.kind == EventKind::CountLeft && known.object.term == object.term;
        }))
      return;
  } else {
    object.domain = ctx_.count_domains[number];
    for (const Count& c : e->state.counts)
      if (c.kind == number && (key.term == kNoTerm || c.object == key.term)) {
        object.term = c.object;
        object.origin = c.touched;
      }
  }
  const bool fell = key.kind.empty() && delta < 0 && object.touched != model::kNone;
  Event* ev = trail_.emit(what, e->state, &object, fell ? object.touched : e->instr);
  if (!ev) return;
  CountFacts facts{.count = key.kind, .delta = delta, .other_delta = other_delta};
  if (other) {
    facts.other_path = other->second->state.path;
    facts.other_instr = other->second->instr;
  }
  if (what == EventKind::Leak)
    ev->get<LeakFacts>() = {.success_releases = by_failure, .ends = std::move(facts)};
  else if (what == EventKind::OverRelease)
    ev->get<OverReleaseFacts>().ends = std::move(facts);
  else
    ev->get<CountFacts>() = std::move(facts);
}

// Is the counted object part of what goes to callers as the result, or is stored for them, where the other end gives
// them something else? They see which one it is.
bool Counts::found_for_callers(const ExitPair& x, const ExitPair& other, const CountKey& key) const {
  if (key.term == kNoTerm) return false;
  auto leads_there = [&](TermId t) {
    if (t == kNoTerm || terms_.is_const(t) || terms_[terms_.root(t)].kind == TermKind::Param) return false;
    for (TermId o = terms_.root(key.term);; o = terms_.root(terms_[o].left())) {
      if (o == terms_.root(t)) return true;
      if (terms_[o].kind != TermKind::Initial) return false;
    }
  };
  const TermId result = x.second->result;
  if (result != other.second->result && unit_.type(fn_.result).kind == model::TypeKind::Pointer && leads_there(result))
    return true;
  return std::any_of(x.second->state.memory.begin(), x.second->state.memory.end(), [&](const Cell& c) {
    const Cell* there = other.second->state.cell(c.base, c.offset);
    return terms_[terms_.root(c.base)].kind == TermKind::Param && leads_there(c.value) &&
           (!there || there->value != c.value);
  });
}

// Does `x` change a count of the same kind by as much, of another element that the same walk came to?
bool Counts::counts_another(const ExitPair& x, const ExitPair& than, const CountKey& key) const {
  if (key.term == kNoTerm) return false;
  // A walk goes through the same member again and again.
  auto walked = [&](TermId t) {
    std::vector<std::int64_t> steps;
    for (t = terms_.root(t); terms_[t].kind == TermKind::Initial; t = terms_.root(terms_[t].left()))
      steps.push_back(terms_[t].imm);
    return steps;
  };
  const CountId kind = ctx_.count_id(key.kind);
  const int delta = change(than, key);
  const std::vector<std::int64_t> mine = walked(key.term);
  return std::any_of(x.second->state.counts.begin(), x.second->state.counts.end(), [&](const Count& c) {
    if (c.kind != kind || c.object == key.term || c.delta != delta ||
        terms_.owner_root(c.object) != terms_.owner_root(key.term))
      return false;
    const std::vector<std::int64_t> other = walked(c.object);
    return other.size() != mine.size() && !mine.empty() && !other.empty() && mine.front() == other.front();
  });
}

// Did the call that changed the count on the way to `than` change, on the way to `x`, the same count of another object
// and not of this one? Then each way counts what it has found.
bool Counts::changed_by_same_call(const State& x, const State& than, const CountKey& key) const {
  const History there = history(than, key), here = history(x, key);
  const CountId kind = ctx_.count_id(key.kind);
  auto objects_at = [&](const State& s, InstrId call) {
    std::vector<TermId> out;
    for (PathId n = s.path; n != model::kNone; n = path_[n].parent)
      if (path_[n].kind == PathNode::Kind::State && path_[n].instr == call)
        for (const Count& c : changes_[path_[n].which].counts)
          if (c.kind == kind) out.push_back(c.object);
    return out;
  };
  auto of_another = [&](InstrId call, const std::vector<InstrId>& mine) {
    if (std::binary_search(mine.begin(), mine.end(), call)) return false;
    const std::vector<TermId> theirs = objects_at(than, call);
    const std::vector<TermId> ours = objects_at(x, call);
    return std::any_of(ours.begin(), ours.end(),
                       [&](TermId o) { return std::find(theirs.begin(), theirs.end(), o) == theirs.end(); });
  };
  return std::any_of(there.raised.begin(), there.raised.end(),
                     [&](InstrId call) { return of_another(call, here.raised); }) ||
         std::any_of(there.lowered.begin(), there.lowered.end(),
                     [&](InstrId call) { return of_another(call, here.lowered); });
}

void Counts::check_pairs(const std::vector<ExitPair>& exits) {
  // Given back twice after it was taken once, on all ways that succeed: not if that is the function's job. Another
  // mistake than what other ends keep.
  auto given_twice = [&](const CountKey& key) {
    if (key.kind.empty() || contract_.releases || contract_.consumes) return false;
    const ExitPair* found = nullptr;
    for (const ExitPair& x : exits) {
      if (subject_.fails_for_callers(*x.second) || subject_.says_no_success(*x.second)) continue;
      if (key.term != kNoTerm && is_error_value(terms_, x.second->state.facts, terms_.root(key.term))) continue;
      const History h = history(x.second->state, key);
      if (h.raised.empty()) continue;
      const int d = change(x, key);
      const bool carried = deferral_of(terms_, x.second->state, key.term, change(x, key)).dropped;
      const bool unknown =
          let_go(x, key, h) || under_another_name(*x.second, key, d) ||
          std::any_of(h.raised.begin(), h.raised.end(), [&](InstrId i) { return in_loop(body_, flow_, i); });
      if (d >= 0 || carried || unknown || h.gives <= h.takes || decided_elsewhere(h, {}, key)) return false;
      if (!found) found = &x;
    }
    if (!found) return false;
    report_count(EventKind::CountKept, key, *found, nullptr, change(*found, key), 0);
    return true;
  };
  for (const CountKey& key : counted_keys(exits)) {
    if (key.kind.empty() && contract_.transmits) {
      check_contract(key, exits);
      continue;
    }
    if (key.kind.empty()) {  // only what this function itself did: callees are judged on their own
      const auto by_callee = std::find_if(exits.begin(), exits.end(), [&](const auto& x) {
        const Obj* o = key.term == kNoTerm ? nullptr : x.second->state.object(key.term);
        return o && o->indirect;
      });
      if (by_callee != exits.end() && trail_.silent(Silence::ChangedByCallee, key.term, by_callee->second->instr))
        continue;
      // What came with the call is this function's to end.
      if (contract_.consumes && trail_.silent(Silence::ConsumesByContract, key.term, model::kNone)) continue;
    }
    // The counter behind the API follows other rules.
    if (!key.kind.empty() && ctx_.unit_implements[unit_id_] &&
        trail_.silent(Silence::ImplementsApi, key.term, model::kNone))
      continue;
    const std::size_t before = result_.events.size();
    bool told = check_count(key, exits);
    // Given back once too often where it succeeds is another mistake than what other ends keep.
    const auto now = result_.events.begin() + static_cast<std::ptrdiff_t>(std::min(before, result_.events.size()));
    if (std::none_of(now, result_.events.end(), [](const Event& e) {
          const CountFacts* count = e.count_facts();
          return e.kind != EventKind::StatePair && count && (count->delta < 0 || count->other_delta < 0);
        }))
      told |= given_twice(key);
    if (!told) check_contract(key, exits);
    if (!key.kind.empty() && result_.events.size() == before) check_failures_alike(key, exits);
  }
}

// Two failures, one because the count could not be taken and one that keeps it: what they wrote before is not looked at
// by callers who are told that nothing was done.
void Counts::check_failures_alike(const CountKey& key, const std::vector<ExitPair>& exits) {
  for (const ExitPair& a : exits)
    for (const ExitPair& b : exits) {
      if (change(a, key) != 1 || change(b, key) != 0 || !subject_.fails_for_callers(*a.second) ||
          !subject_.fails_for_callers(*b.second))
        continue;
      if (distinguishable(a.first, b.first, true, false) ||
          subject_.begin_differently(a.second->state, b.second->state))
        continue;
      if (told_as_held(ctx_, trail_, terms_, a.second->state, ctx_.count_id(key.kind)) &&
          trail_.silent(Silence::FollowsState, key.term, a.second->instr, b.second->instr))
        continue;
      if (!key.visible || under_another_name(*a.second, key, 1) ||
          deferral_of(terms_, a.second->state, key.term, 1).kept)
        continue;
      const History took = history(a.second->state, key), other = history(b.second->state, key);
      if (let_go(a, key, took) || took.raised.empty() || !took.refused.empty() || !other.raised.empty() ||
          !passed(other, took.raised))
        continue;
      if (pair_evidence(a, b, key) != PairEvidence::Mistake || unchecked_get(a, b, key) != model::kNone) continue;
      report_count(EventKind::PathPair, key, a, &b, 1, 0);
      return;
    }
}

int Counts::Changes::delta_of(const ExitPair& x) const {
  return ends[static_cast<std::size_t>(&x - exits.data())].delta;
}

// What every end does to the count, once for each: there are many pairs.
Counts::Changes Counts::changes(const CountKey& key, const std::vector<ExitPair>& exits) const {
  Changes all{key, exits, key.kind.empty(), subject_.fails_by_errno(ctx_.unit_domain[unit_id_]), {}, {}, {}};
  for (const ExitPair& x : exits) {
    const State& s = x.second->state;
    Change& c = all.ends.emplace_back();
    c.delta = c.low = c.high = change(x, key);
    if (key.term == kNoTerm) continue;
    // What a queue may have taken along, or given back, makes the change a range.
    const auto deferred = all.ordinary ? reference_deferral : deferral_of;
    const Deferral deferral = deferred(terms_, s, key.term, c.delta);
    c.low -= deferral.kept ? 1 : 0;
    c.high += deferral.dropped ? 1 : 0;
    c.absent = is_error_value(terms_, s.facts, terms_.root(key.term));
  }
  return all;
}

// Where the object is NULL there is nothing to count.
bool Counts::nothing_to_count(const Changes& all, const Pair& p) const {
  return p.in_b.absent || (all.key.visible && p.in_a.absent);
}

// A parameter that is remembered without a reference says nothing about counts.
bool Counts::remembered(const Changes& all, const Pair& p) const {
  const std::vector<Place>& escapes = p.b.first.escapes;
  return all.ordinary && std::find(escapes.begin(), escapes.end(), all.key.place) != escapes.end();
}

// The first end must have more references left than the second, whatever queues did. (The other order of the two is a
// pair of its own.)
bool Counts::not_above(const Changes&, const Pair& p) const { return p.in_a.low <= p.in_b.high; }

// Callers know which of the two ends they got.
bool Counts::callers_know(const Changes& all, const Pair& p) const {
  return distinguishable(p.a.first, p.b.first, true) ||
         (all.by_errno && told_by_error(result_range(p.a.first), result_range(p.b.first))) ||
         subject_.begin_differently(p.a.second->state, p.b.second->state);
}

// Of an object that only this function knows a count is lost if it was taken and the object is not passed on.
bool Counts::passed_on(const Changes& all, const Pair& p) const {
  if (all.key.visible) return false;
  const TermId result = p.a.second->result;
  return p.in_a.delta <= 0 || unit_.type(fn_.result).kind == model::TypeKind::Pointer ||
         (result != kNoTerm && terms_.owner_root(result) == terms_.owner_root(all.key.term));
}

// The count is of something else on the two ends: what was found for callers, another element, another name.
bool Counts::of_another_object(const Changes& all, const Pair& p) const {
  const CountKey& key = all.key;
  return !all.ordinary &&
         (found_for_callers(p.a, p.b, key) || counts_another(p.b, p.a, key) ||
          under_another_name(*p.a.second, key, p.in_a.delta) || under_another_name(*p.b.second, key, p.in_b.delta) ||
          changed_by_same_call(p.a.second->state, p.b.second->state, key) ||
          changed_by_same_call(p.b.second->state, p.a.second->state, key));
}

// What falls is the timer's or the work's own reference; not where only a get that failed is undone twice.
bool Counts::came_with_the_call(const Changes& all, const Pair& p) const {
  return contract_.consumes && p.in_a.delta == 0 && !undone_twice(p.a, p.b, all.key);
}

// What falls was held by whoever set the member that says so; what rises was told by one.
bool Counts::follows_flag(const Changes& all, const Pair& p) const {
  return !all.ordinary &&
         ((p.in_b.delta < 0 && falls_with_flag(terms_, p.b.second->state)) ||
          (p.in_a.delta > 0 && (rises_with_flag(terms_, p.a.second->state) ||
                                told_as_held(ctx_, trail_, terms_, p.a.second->state, ctx_.count_id(all.key.kind)))));
}

// Of references, one of the two ends must leave the count alone, and both must return the same kind of thing.
bool Counts::not_comparable(const Changes& all, const Pair& p) const {
  if (!all.ordinary) return false;
  return (p.in_a.delta != 0 && p.in_b.delta != 0) || !(p.a.first.result.kind == p.b.first.result.kind ||
                                                       (all.by_errno && is_number(p.a.first) && is_number(p.b.first)));
}

// A struct gives up what it holds by its state. An object that was passed to somebody may have been taken over.
bool Counts::given_to_somebody(const Changes& all, const Pair& p) const {
  if (!all.ordinary) return false;
  if (!all.key.place.path.empty() && p.in_a.delta <= 0) return true;
  // Of what arguments point to, a reference that a failure keeps is lost; otherwise the structure may have it.
  if (!all.key.place.path.empty() && !subject_.fails_for_callers(*p.a.second)) return true;
  const std::vector<Place>& escapes = p.a.first.escapes;
  const Obj* o = all.key.term == kNoTerm ? nullptr : p.a.second->state.object(all.key.term);
  return p.in_a.delta == 0 && ((o && (o->handed || o->escaped)) ||
                               std::find(escapes.begin(), escapes.end(), all.key.place) != escapes.end());
}

// Of a named count the two ways must prove a mistake. Those that only prove that the count follows some state are kept
// for the last rule.
bool Counts::proves_mistake(Changes& all, const Pair& p) {
  const CountKey& key = all.key;
  if (all.ordinary) return true;
  auto silent = [&](Silence why) { trail_.silent(why, key.term, p.a.second->instr, p.b.second->instr); };
  if (((p.a.second->state.coarsened | p.b.second->state.coarsened) & kind_bit(ctx_.count_id(key.kind))) != 0) {
    silent(Silence::LoopForgot);
    return false;
  }
  if (std::find(disputed_.begin(), disputed_.end(), key.kind) == disputed_.end()) disputed_.push_back(key.kind);
  const PairEvidence found = pair_evidence(p.a, p.b, key);
  if (found == PairEvidence::State && !all.by_state.first) all.by_state = {&p.a, &p.b};
  if (found != PairEvidence::Mistake)
    silent(found == PairEvidence::State ? Silence::FollowsState : Silence::NoEvidence);
  return found == PairEvidence::Mistake;
}

// Should the count not have fallen? Then the lower end is the one to look at: where success has not lowered it.
bool Counts::fell_wrongly(const Changes& all, const Pair& p) const {
  if (p.in_a.delta != 0) return false;
  if (all.ordinary) return true;
  if (p.in_b.delta >= 0 || p.a.second->instr == p.b.second->instr) return false;
  if (!subject_.fails_for_callers(*p.b.second)) return !history(p.a.second->state, all.key).raised.empty();
  return std::none_of(all.exits.begin(), all.exits.end(),
                      [&](const ExitPair& x) { return all.delta_of(x) < 0 && !subject_.fails_for_callers(*x.second); });
}

// Two ends that callers cannot tell apart leave different counts.
bool Counts::ends_differ(Changes& all) {
  struct Excuse {
    bool (Counts::*holds)(const Changes&, const Pair&) const;
    Silence why;
  };
  static constexpr Excuse kExcuses[] = {// the cheap ones first: there are many pairs
                                        {&Counts::nothing_to_count, Silence::NoObject},
                                        {&Counts::remembered, Silence::StoredWithoutCount},
                                        {&Counts::not_above, Silence::None},  // there is no difference to report
                                        {&Counts::callers_know, Silence::CallersKnow},
                                        {&Counts::passed_on, Silence::PassedOn},
                                        {&Counts::of_another_object, Silence::AnotherObject},
                                        {&Counts::came_with_the_call, Silence::CameWithTheCall},
                                        {&Counts::follows_flag, Silence::FollowsState},
                                        {&Counts::not_comparable, Silence::NotComparable},
                                        {&Counts::given_to_somebody, Silence::GivenToSomebody}};
  auto excused = [&](const Pair& p) {
    return std::any_of(std::begin(kExcuses), std::end(kExcuses), [&](const Excuse& e) {
      if (!(this->*e.holds)(all, p)) return false;
      return e.why == Silence::None || p.in_a.delta == p.in_b.delta ||
             trail_.silent(e.why, all.key.term, p.a.second->instr, p.b.second->instr);
    });
  };
  const ExitPair *kept = nullptr, *not_taken = nullptr;  // the first pair that whatever undoes the function settles
  for (std::size_t n = 0; n < all.exits.size(); ++n)
    for (std::size_t m = 0; m < all.exits.size(); ++m) {
      const Pair p{all.exits[n], all.exits[m], all.ends[n], all.ends[m]};
      if (excused(p) || !proves_mistake(all, p)) continue;
      if (left_to_undo(contract_, all.key) && p.in_a.delta > 0 && p.in_b.delta == 0 &&
          history(p.b.second->state, all.key).raised.empty()) {
        if (!kept) kept = &p.a, not_taken = &p.b;
        continue;
      }
      if (unchecked_get(p.a, p.b, all.key) != model::kNone) {
        if (!all.by_unchecked_get.first) all.by_unchecked_get = {&p.a, &p.b};
        continue;
      }
      if (fell_wrongly(all, p))
        report_count(EventKind::PathPair, all.key, p.b, &p.a, p.in_b.delta, p.in_a.delta);
      else
        report_count(EventKind::PathPair, all.key, p.a, &p.b, p.in_a.delta, p.in_b.delta);
      return true;
    }
  if (!kept) return false;
  const std::size_t before = result_.events.size();
  report_count(EventKind::PathPair, all.key, *kept, not_taken, all.delta_of(*kept), all.delta_of(*not_taken));
  if (result_.events.size() > before) result_.events.back().doubtful = true;
  return true;
}

// A reference was taken for a queue that did not want it: the queue has one already.
bool Counts::queue_had_one(Changes& all) {
  if (all.key.term == kNoTerm ||
      std::none_of(all.ends.begin(), all.ends.end(), [](const Change& x) { return x.delta > 0; }))
    return false;
  const TermId root = terms_.root(all.key.term);
  for (const ExitPair& a : all.exits)
    for (const ExitPair& b : all.exits) {
      const int d = all.delta_of(a);
      if (d <= 0 || d != all.delta_of(b) || a.second->state.deferral(root).kept || !b.second->state.deferral(root).kept)
        continue;
      if (std::any_of(all.ends.begin(), all.ends.end(), [&](const Change& x) { return x.delta != d; })) continue;
      if (distinguishable(a.first, b.first, true)) continue;
      report_count(EventKind::PathPair, all.key, a, &b, d, d - 1);
      return true;
    }
  return false;
}

// An end keeps what it took itself, or gives back more (one_sided_exits.cpp).
bool Counts::wrong_by_itself(Changes& all) { return !all.ordinary && check_one_sided(all.key, all.exits); }

// A failing end keeps a reference that a succeeding one gives back.
bool Counts::failure_keeps(Changes& all) {
  if (!all.ordinary) return false;
  for (const ExitPair& a : all.exits)
    for (const ExitPair& b : all.exits) {
      const int da = all.delta_of(a), db = all.delta_of(b);
      // Where a test found it to be an error value, it was none.
      if (da <= 0 || db != 0 || all.ends[static_cast<std::size_t>(&a - all.exits.data())].absent) continue;
      const bool fails = result_range(a.first).hi < 0 || (all.by_errno && subject_.fails_for_callers(*a.second));
      if (!fails || result_range(b.first).lo < 0) continue;
      // Whatever arguments made them part: both took it by the same call.
      const History ha = history(a.second->state, all.key);
      const bool together = all.by_errno && !ha.raised.empty() && ha.raised == history(b.second->state, all.key).raised;
      if (!together &&
          (distinguishable(a.first, b.first, false) || subject_.begin_differently(a.second->state, b.second->state)))
        continue;
      report_count(EventKind::FailureKeeps, all.key, a, &b, da, db);
      return true;
    }
  return false;
}

// A flag in the caller's memory follows the count up (`up` sets it so) and down, and one end raises the count without
// touching the flag.
bool Counts::flag_left(const Changes& all, const ExitPair& up, const Place& flag) {
  for (const ExitPair& a : all.exits) {
    const bool untouched =
        std::none_of(a.first.stores.begin(), a.first.stores.end(), [&](const auto& x) { return x.where == flag; });
    const bool by_arguments = distinguishable(a.first, up.first, false);
    if (all.delta_of(a) != all.delta_of(up) || !untouched || by_arguments) continue;
    report_count(EventKind::PathPair, all.key, a, &up, all.delta_of(a), 0);
    return true;
  }
  return false;
}

bool Counts::flag_does_not_follow(Changes& all) {
  for (const ExitPair& up : all.exits)
    for (const ExitPair& down : all.exits) {
      if (all.delta_of(up) <= 0 || all.delta_of(down) >= 0) continue;
      for (const specs::StoreEffect& set : up.first.stores) {
        auto cleared = [&](const specs::StoreEffect& x) {
          return x.where == set.where && x.value.kind == specs::Value::Kind::Int && set.value.kind == x.value.kind &&
                 !(x.value == set.value);
        };
        if (std::any_of(down.first.stores.begin(), down.first.stores.end(), cleared) && flag_left(all, up, set.where))
          return true;
      }
    }
  return false;
}

// Two ends differ by some state that callers may know. That is told, but does not keep other checks from looking.
bool Counts::differ_by_state(Changes& all) {
  const auto [a, b] = all.by_state;
  if (a && !all.by_unchecked_get.first)
    report_count(EventKind::StatePair, all.key, *a, b, all.delta_of(*a), all.delta_of(*b));
  return false;
}

// One finding per count and function: the first rule that has one.
bool Counts::check_count(const CountKey& key, const std::vector<ExitPair>& exits) {
  using Rule = bool (Counts::*)(Changes&);
  static constexpr Rule kRules[] = {&Counts::ends_differ,    &Counts::queue_had_one,        &Counts::wrong_by_itself,
                                    &Counts::failure_keeps,  &Counts::flag_does_not_follow, &Counts::get_not_checked,
                                    &Counts::differ_by_state};
  Changes all = changes(key, exits);
  if (all.alike()) return queue_had_one(all) || wrong_by_itself(all);
  return std::any_of(std::begin(kRules), std::end(kRules), [&](Rule rule) { return (this->*rule)(all); });
}

}  // namespace reckon::engine
