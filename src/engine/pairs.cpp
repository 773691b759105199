// Inconsistent path pairs (RID 3.2): two ends of a function that its callers cannot tell apart, with different
// changes of a count. Whichever of the two the callers are written for, the other is wrong.
//
// Two ends can be told apart if their conditions on arguments, on memory reached from them, or on the result
// exclude each other, or if they left different values in memory the caller sees. Conditions are ranges per
// place, so "excludes" is a disjoint pair of ranges, and how two places compare.
//
// Beyond RID, a function that gives a count back when it succeeds and keeps it when it fails is reported even
// though its callers can tell: nobody undoes what a failed call says it did not do (RID's figure 10).

#include <algorithm>

#include "engine/conditions.h"
#include "engine/executor.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

namespace {

Range result_range(const Outcome& o) {
  Range r;
  if (o.result.kind == specs::Value::Kind::Int) r.clip(o.result.imm, o.result.imm);
  if (o.result.kind == specs::Value::Kind::Range) r.clip(o.result.imm, o.result.hi);
  if (o.result.kind == specs::Value::Kind::ErrPtr) r.clip(kFirstError, kLastError);
  if (o.result.kind == specs::Value::Kind::Object && !o.objects[o.result.object].maybe_null) r.exclude(0);
  for (const auto& [key, known] : ranges_of(o.when)) {
    const bool is_result = (key.first.root == Place::Root::Result && key.first.path.empty()) ||
                           (o.result.kind == specs::Value::Kind::Place && key.first == o.result.place);
    if (!is_result || key.second != ~std::uint64_t{0}) continue;
    r.meet(known);
  }
  return r;
}

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

bool told_apart(const Outcome& a, const Outcome& b, bool by_result) {
  for (const specs::Condition& c : a.when)
    for (const specs::Condition& d : b.when)
      if (c.other && c.place == d.place && c.mask == d.mask && c.other == d.other && exclude_each_other(c.pred, d.pred)) return true;
  const PlaceRanges ra = ranges_of(a.when), rb = ranges_of(b.when);
  for (const auto& [key, r] : ra) {
    if (!by_result && key.first.root == Place::Root::Result) continue;
    if (auto it = rb.find(key); it != rb.end() && disjoint(r, it->second)) return true;
  }
  if (!by_result) return false;
  return disjoint(result_range(a), result_range(b)) || a.stores != b.stores || a.escapes != b.escapes;
}

int change(const Outcome& o, const Place& p, const std::string& kind) {
  // A reference that goes to the caller as the result is accounted for.
  const int returned = kind.empty() && o.result.kind == specs::Value::Kind::Place && o.result.place == p ? 1 : 0;
  int delta = 0;
  for (const specs::CountChange& c : o.counts)
    if (c.object == p && c.kind == kind) delta += c.delta - (c.delta > 0 ? returned : 0);
  // Taken over is given up, whoever has it now.
  if (kind.empty())
    for (const specs::Hold& h : o.holds)
      if (h.steals && h.object == p) --delta;
  return delta;
}

}  // namespace

void Executor::check_pairs(const std::vector<std::pair<Outcome, const Exit*>>& exits) {
  if (exits.size() < 2) return;
  std::vector<std::pair<Place, std::string>> keys;  // what is counted anywhere
  auto add_key = [&](const Place& p, const std::string& kind) {
    if (kind.empty() && (p.root != Place::Root::Arg || !p.path.empty())) return;
    if (std::find(keys.begin(), keys.end(), std::pair{p, kind}) == keys.end()) keys.emplace_back(p, kind);
  };
  for (const auto& [o, e] : exits) {
    for (const specs::CountChange& c : o.counts) add_key(c.object, c.kind);
    for (const specs::Hold& h : o.holds)
      if (h.steals) add_key(h.object, "");
  }

  for (const auto& [p, kind] : keys) {
    bool reported = false;
    if (kind.empty()) {  // only what this function itself did: callees are judged on their own
      const TermId t = terms_.find_param(p.index);
      if (std::any_of(exits.begin(), exits.end(), [&](const auto& x) {
            const Obj* o = t == kNoTerm ? nullptr : x.second->state.object(t);
            return o && o->indirect;
          }))
        continue;
    }
    const auto& domains = ctx_.specs.domains();
    if (!kind.empty() && !domains[ctx_.count_domains[ctx_.count_kind(kind)]].reports_pairs) continue;
    auto report = [&](EventKind what, std::size_t high, std::size_t low) {
      const auto& [o, e] = exits[high];
      const auto& [o2, e2] = exits[low];
      Obj object;
      object.domain = ctx_.unit_domain[unit_id_];
      const std::uint16_t number = ctx_.count_kind(kind);
      for (const Count& c : e->state.counts)
        if (c.kind == number) {
          object.term = c.object;
          object.origin = c.touched;
        }
      if (kind.empty()) {
        object.term = terms_.find_param(p.index);
        if (const Obj* known = object.term == kNoTerm ? nullptr : e->state.object(object.term)) object = *known;
        what = change(o, p, kind) > 0 ? EventKind::Leak : EventKind::OverRelease;
      } else {
        object.domain = ctx_.count_domains[number];
      }
      const bool fell = kind.empty() && change(o, p, kind) < 0 && object.touched != model::kNone;
      if (Event* ev = emit(what, e->state, &object, fell ? object.touched : e->instr)) {
        ev->other_path = e2->state.path;
        ev->other_instr = e2->instr;
        ev->delta = change(o, p, kind);
        ev->other_delta = change(o2, p, kind);
        ev->count = kind;
      }
      reported = true;
    };
    // The pair with the largest difference tells most; one finding per count and function.
    for (std::size_t a = 0; a < exits.size() && !reported; ++a)
      for (std::size_t b = 0; b < exits.size() && !reported; ++b) {
        const int da = change(exits[a].first, p, kind), db = change(exits[b].first, p, kind);
        // A parameter remembered without a reference says nothing about counts.
        if (kind.empty() && std::find(exits[b].first.escapes.begin(), exits[b].first.escapes.end(), p) != exits[b].first.escapes.end()) continue;
        if (da <= db || told_apart(exits[a].first, exits[b].first, true)) continue;
        if (kind.empty() && ((da != 0 && db != 0) || exits[a].first.result.kind != exits[b].first.result.kind)) continue;
        // Of a count that should not have fallen, the lower end is the one to look at.
        if (kind.empty() && da == 0)
          report(EventKind::PathPair, b, a);
        else
          report(EventKind::PathPair, a, b);
      }
    for (std::size_t a = 0; a < exits.size() && !reported; ++a)
      for (std::size_t b = 0; b < exits.size() && !reported; ++b) {
        const int da = change(exits[a].first, p, kind), db = change(exits[b].first, p, kind);
        if (da <= 0 || db != 0) continue;
        const Range fa = result_range(exits[a].first), fb = result_range(exits[b].first);
        if (fa.hi >= 0 || fb.lo < 0 || told_apart(exits[a].first, exits[b].first, false)) continue;
        report(EventKind::FailureKeeps, a, b);
      }
  }
}

}  // namespace reckon::engine
