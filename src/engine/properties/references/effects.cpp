// What an outcome of a call does to counted objects: references gained, lost, taken over, kept, and objects that are
// new.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/conditions.h"
#include "engine/core/error_values.h"
#include "engine/core/hold_flags.h"
#include "engine/core/hooks.h"
#include "engine/core/object_symbol.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/deferred.h"
#include "engine/properties/references/references.h"
#include "support/limits.h"

namespace reckon::engine {

using model::CmpPred;
using specs::FunctionSpec;
using specs::Outcome;

namespace {
// Is an object that is only stored not asked for, since the addresses to store it at are NULL? `is_null` tells that of
// a place.
template <class IsNull>
bool nowhere_to_go(const Outcome& o, std::uint32_t object, const IsNull& is_null) {
  const auto is_it = [&](const specs::Value& v) { return v.kind == specs::Value::Kind::Object && v.object == object; };
  if (is_it(o.result)) return false;
  bool stored = false;
  for (const specs::StoreEffect& store : o.stores) {
    if (!is_it(store.value)) continue;
    specs::Place where = store.where;
    if (on_result(where) || where.path.empty() || !where.field_path.empty()) return false;
    where.path.pop_back();
    where.address = false;
    if (!is_null(where)) return false;
    stored = true;
  }
  return stored;
}

// A helper that does this whenever the object is there is as good as the API itself.
bool always(std::span<const Outcome> outcomes, const specs::CountChange& change) {
  return std::all_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
    const bool absent = std::any_of(o.when.begin(), o.when.end(), [&](const specs::Condition& c) {
      return c.place == change.object && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other &&
             c.mask == ~std::uint64_t{0};
    });
    return absent || o.never_returns || std::find(o.counts.begin(), o.counts.end(), change) != o.counts.end();
  });
}
}  // namespace

// Counts of objects the caller knows, and which objects are given away or kept by others.
void References::apply_counts(State& s, const Applying& call) {
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  // What the call did to objects the caller knows. Places speak of memory before the call.
  struct Change {
    TermId t;
    int delta;
    CountId kind;
    bool consumes;
    bool settled;
    std::size_t depth;
  };
  std::vector<Change> changes;
  for (const specs::CountChange& c : o.counts)
    // A reference that comes and goes with a member of the object is whose the member says, and not ours; but no member
    // decides what happens on all ways.
    if (!on_result(c.object) &&
        !(c.kind.empty() && !call.written && goes_with_member(o, c.object) && !always(call.all, c)))
      if (const auto t = calls_.place(s, c.object, args, index, kNoTerm);
          t && !(c.kind.empty() ? s.facts.known_zero(terms_, *t) : is_error_value(terms_, s.facts, *t)))
        changes.push_back({*t, c.delta, ctx_.count_id(c.kind),
                           std::find(o.consumes.begin(), o.consumes.end(), c.object) != o.consumes.end(),
                           (c.object.path.empty() || o.clobbers.empty()) && always(call.all, c), c.object.path.size()});
  // References are taken before others are given up: what one released object held may be what is taken. And what an
  // object holds is given up before the object.
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.delta != b.delta ? a.delta > b.delta : a.delta < 0 && a.depth > b.depth;
  });
  for (const Change& c : changes)
    if (c.delta < 0) props().deferred->part_released(s, c.t, c.kind == 0);
  for (const Change& c : changes) {
    if (c.kind != 0) {
      const CountStep step{c.t, c.kind, c.delta, index, call.callee};
      if (!hooks_.any<&Property::count_changes>(s, step)) s.change_count(c.t, c.kind, c.delta, index);
      continue;
    }
    if (!call.written && !c.settled)
      if (Obj* x = obj(s, c.t, index)) x->indirect = true;
    for (int k = 0; k < c.delta; ++k) acquire(s, c.t, index);
    for (int k = 0; k > c.delta; --k) {
      const Obj* before = c.consumes ? obj(s, c.t, index) : nullptr;
      const bool had = before && (before->owned > 0 || before->escaped || !before->holders.empty());
      release(s, c.t, index, call.callee);
      if (Obj* x = c.consumes && !had ? s.object(c.t) : nullptr) {
        x->consumed = x->stolen = true;
        s.note_deed(terms_, {specs::effect_rows::consumes, c.t});
      }
    }
  }
}

// Callers must have owned what is consumed only where its count falls by that.
void References::sum_up(const Exit&, const NewObjects&, Outcome& o) const {
  std::erase_if(o.consumes, [&](const specs::Place& p) {
    return std::none_of(o.counts.begin(), o.counts.end(),
                        [&](const specs::CountChange& c) { return c.object == p && c.kind.empty() && c.delta == -1; });
  });
}

// Memory that is given back as it is: is it an object? Memory from the same allocator need not be one.
bool References::freed_object(const State& s, TermId t) const {
  const Obj* x = s.object(t);
  const bool plain =
      t < trail_.term_types_.size() && trail_.term_types_[t] != 0 && !subject_.counted(trail_.term_types_[t]);
  return (x && x->kind != ObjKind::Loaded) || (!plain && contract_.frees_object);
}

std::vector<Taken> References::stolen_by(State& s, const Applying& call) {
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  std::vector<Taken> taken;
  for (const specs::Hold& h : o.holds) {
    if (on_result(h.object)) continue;
    const auto t = calls_.place(s, h.object, args, index, kNoTerm);
    if (!t || s.facts.known_zero(terms_, *t)) continue;
    // Memory from the same allocator need not be an object.
    if (std::find(o.bare_frees.begin(), o.bare_frees.end(), h.object) != o.bare_frees.end() && !freed_object(s, *t))
      continue;
    std::optional<TermId> holder;
    if (h.holder && !on_result(*h.holder)) holder = calls_.place(s, *h.holder, args, index, kNoTerm);
    if (h.holder && on_result(*h.holder)) holder = terms_.fresh(index, 0, 0);
    taken.push_back({*t, holder, h.steals});
  }
  // A helper need not know that what it gives back is an object.
  for (const specs::Place& p : o.bare_frees)
    if (std::none_of(o.holds.begin(), o.holds.end(), [&](const specs::Hold& h) { return h.object == p; }))
      if (const auto t = calls_.place(s, p, args, index, kNoTerm); t && s.object(*t) && freed_object(s, *t))
        taken.push_back({*t, std::nullopt, true});
  return taken;
}

void References::apply_holds(State& s, const Applying& call, const std::vector<Taken>& taken) {
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  // What objects of another domain keep that are collected, and not counted, is theirs: an external pointer of R has
  // a finalizer for it.
  const auto& domains = ctx_.specs.domains();
  const bool collected = call.spec && call.domain < domains.size() && domains[call.domain].reports_protection;
  for (const Taken& h : taken) {
    if (Obj* given = collected ? s.object(h.t) : nullptr) {
      if (given->domain != call.domain) trail_.silence(*given, Silence::KeptByCallee, index);
    } else if (h.steals) {
      steal(s, h.t, h.holder, index, o.failure);
      if (Obj* x = call.written ? nullptr : s.object(h.t)) x->indirect = true;
    } else if (Obj* x = obj(s, h.t, index); x && h.holder && !terms_.is_const(*h.holder)) {
      x->holders.push_back(*h.holder);
      std::sort(x->holders.begin(), x->holders.end());
      x->holders.erase(std::unique(x->holders.begin(), x->holders.end()), x->holders.end());
      if (x->holders.size() > support::kLimits.objects.holders) x->holders.resize(support::kLimits.objects.holders);
      x->touched = index;
    }
  }
}

// Objects the caller gets to know.
void References::make_objects(State& s, const Applying& call) {
  if (!manner_.counts_objects) return;  // nothing is counted there
  // Nor is what another domain's collector takes back: a vector of R in a file that is about OpenSSL.
  if (const auto& domains = ctx_.specs.domains();
      call.domain < domains.size() && domains[call.domain].reports_protection)
    return;
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  for (std::uint32_t k = 0; k < o.objects.size(); ++k) {
    const specs::Object& x = o.objects[k];
    const auto is_null = [&](const specs::Place& p) {
      const auto t = calls_.place(s, p, args, index, kNoTerm);
      return t && s.facts.known_zero(terms_, *t);
    };
    if (nowhere_to_go(o, k, is_null)) continue;
    Obj n;
    n.term = terms_.fresh(index, 0, symbol_of_object(call, k));
    n.kind = x.owned ? ObjKind::New : ObjKind::Borrowed;
    n.owned = x.owned ? 1 : 0;
    n.domain = call.domain;
    n.immortal = x.immortal;
    n.oom = s.oom;
    n.origin = n.touched = index;
    n.unstable = x.unstable;
    n.garbage = x.garbage;
    if (x.key)
      if (const auto t = calls_.place(s, *x.key, args, index, kNoTerm)) n.key = *t;
    if (x.borrowed_from)
      if (const auto t = calls_.place(s, *x.borrowed_from, args, index, kNoTerm))
        if (obj(s, terms_.root(*t), index)) n.owner = terms_.root(*t);
    if (!x.maybe_null) s.facts.assume_cmp(terms_, CmpPred::Ne, n.term, terms_.zero());
    if (subject_.fails_by_errno(call.domain)) {
      s.facts.assume_cmp(terms_, CmpPred::Ult, n.term, terms_.constant(kFirstError));  // an object is no error pointer
    }
    for (const specs::Hold& h : o.holds)
      if (h.object.root == specs::Place::Root::Object && h.object.index == k && h.object.path.empty() && h.holder)
        if (const auto t = calls_.place(s, *h.holder, args, index, kNoTerm); t && !terms_.is_const(*t))
          n.holders.push_back(*t);
    std::sort(n.holders.begin(), n.holders.end());
    s.add_object(n);
    if (x.owned) trail_.note(s, {.instr = index, .kind = PathNode::Kind::Owned, .object = n.term, .owned = 1});
  }
}

void References::apply_result_counts(State& s, const Applying& call, TermId result) {
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  for (const specs::CountChange& c : o.counts) {
    if (!on_result(c.object)) continue;
    const auto t = calls_.place(s, c.object, args, index, result);
    if (!t) continue;
    const CountId kind = ctx_.count_id(c.kind);
    if (kind == 0 && c.delta > 0 && subject_.embedded(*t) && !s.object(*t)) {  // the object is a part of what we got
      Obj n;
      n.term = *t;
      n.kind = ObjKind::New;
      n.domain = call.domain;
      n.oom = s.oom;
      n.origin = index;
      s.add_object(n);
    }
    if (kind != 0)
      s.change_count(*t, kind, c.delta, index);
    else if (c.delta > 0)
      acquire(s, *t, index);
    else
      release(s, *t, index, call.callee);
  }
}

// May one of the functions give the memory of its argument back as it is?
bool References::may_free_bare(const Targets& targets, std::uint32_t argument) const {
  const specs::Place of{.index = argument};
  return std::any_of(targets.functions.begin(), targets.functions.end(), [&](FuncId f) {
    const auto& outcomes = ctx_.summaries[f].outcomes;
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const specs::Outcome& o) {
      return std::find(o.bare_frees.begin(), o.bare_frees.end(), of) != o.bare_frees.end();
    });
  });
}

}  // namespace reckon::engine
