// halves: two functions of one table that undo each other (resume and suspend, power_on and power_off, probe and
// remove) leave a named count higher or lower together; or one function with an argument that says which half it is to
// be, or with a flag in memory that it sets in the one and clears in the other.
//
// The method: what the ends that report success do to each count (Summary::count_exits). If all that one half does to a
// count is one number, and so of the other, the two add up to zero. An end behind a call that failed, or behind a
// condition on arguments and memory that the half does not write itself, may leave a count alone that other ends
// change.
//
// Where the halves reach an object by different names, or one of them makes it, all counts of the kind together are
// compared: what both leave of all objects is one number each.
//
// A half may have no other one at all: work that keeps what it took, a function behind a pointer that turns something
// on by its argument and never off. It is told if nothing in the files around it changes such a count the other way,
// except where somebody makes up for that.
//
// What a half hands out to be called later (work, an interrupt handler) may give back what it keeps, and of a half that
// calls what was given up on no more is known than what it shows: neither is held against the other.
//
// Limits: two objects of one kind that are confused with each other have a sum that is right. Where ends that succeed
// differ by state out of sight, the half without any change is not held against the other.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "checks/count_sums.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "engine/core/conditions.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using engine::Range;
using model::kNone;
using specs::Outcome;
using specs::Place;
using specs::StoreEffect;

using Key = std::pair<Place, std::string>;  // whose count, and which
struct End {
  const Outcome* what;
  bool after_failure;
  const std::vector<engine::CountExit::Unnamed>* unnamed;
};
using Ends = std::vector<End>;

// What the succeeding ends of a half do to one count.
struct Change {
  std::set<int> values;    // without 0
  bool untouched = false;  // on some of them nothing, and nothing in sight says why
};

class UndoPairs {
 public:
  UndoPairs(const engine::Context& ctx, std::vector<report::Finding>& out) : ctx_(ctx), out_(out), sums_(ctx) {}

  void check(FuncId f) {
    if (ctx_.unit_implements[ctx_.program.unit_id(f)]) return;
    check_switch(f);
    check_alone(f);
    for (const program::TableEntry& e : ctx_.program.roles(f)) {
      const specs::SlotSpec* slot = ctx_.specs.find_slot(e.record, e.field);
      if (!slot) continue;
      if (slot->switched_by >= 0) compare(f, f, slot->switched_by, e.record);
      for (const std::string& field : slot->undone_by)
        if (const std::set<FuncId>& other = sums_.beside(e, field); other.size() == 1)
          compare(f, *other.begin(), -1, e.record);
    }
    // A flag that a callee turns is told there.
    const auto callees = ctx_.program.callees(f);
    if (std::any_of(callees.begin(), callees.end(), [&](FuncId g) { return !flags(g).empty(); })) return;
    for (const Place& flag : flags(f))
      if (compare(f, f, turning(f, flag, true), turning(f, flag, false), true, {})) break;
  }

 private:
  // Parameters mean the same in both halves if they have the same type.
  bool same_parameter(FuncId f, FuncId g, std::uint32_t n) const {
    auto type = [&](FuncId x) -> std::string {
      const model::Function& fn = ctx_.program.declared(x);
      const model::Unit& unit = ctx_.program.frame(x);
      if (n >= fn.params.size() || unit.type(fn.params[n].type).kind != model::TypeKind::Pointer) return {};
      return std::string(unit.str(unit.type(unit.type(fn.params[n].type).elem).name));
    };
    return !type(f).empty() && type(f) == type(g);
  }

  static bool says_zero(const Outcome& o, const Place& p, bool zero) {
    const engine::PlaceRanges ranges = engine::ranges_of(o.when);
    const Range* r = engine::find_range(ranges, {&p, ~std::uint64_t{0}, {}});
    return r && (zero ? r->is_single() && r->lo == 0 : !r->allows(0));
  }

  static const StoreEffect* store_to(const Outcome& o, const Place& p) {
    const auto it = std::find_if(o.stores.begin(), o.stores.end(), [&](const StoreEffect& s) { return s.where == p; });
    return it == o.stores.end() ? nullptr : &*it;
  }

  bool succeeds(FuncId f, const Outcome& o) const {
    if (o.never_returns || o.failure) return false;
    if (ctx_.program.frame(f).type(ctx_.program.declared(f).result).kind != model::TypeKind::Int) return true;
    const Range r = engine::result_range(o);
    return r.hi >= 0 && (r.allows(0) || r.lo >= 0);
  }

  // The ends of `f` that count: those that succeed, with the argument `by` not zero or zero.
  Ends ends(FuncId f, int by, bool on) const {
    Ends out;
    Place decides;
    decides.index = static_cast<std::uint32_t>(by);
    const engine::Summary& sum = ctx_.summaries[f];
    static const std::vector<engine::CountExit::Unnamed> none;
    auto add = [&](const Outcome& o, bool after_failure, const std::vector<engine::CountExit::Unnamed>& unnamed) {
      if (succeeds(f, o) && !(by >= 0 && says_zero(o, decides, on))) out.push_back({&o, after_failure, &unnamed});
    };
    if (!sum.known) return out;
    for (const engine::CountExit& e : sum.count_exits) add(e.what, e.after_failure, e.unnamed);
    if (sum.count_exits.empty())  // no counts at all, or too many ends
      for (const Outcome& o : sum.outcomes) add(o, false, none);
    return out;
  }

  // Those that find the flag clear and set it, or find it set and clear it.
  Ends turning(FuncId f, const Place& flag, bool on) const {
    Ends out;
    for (const End& e : ends(f, -1, on)) {
      const StoreEffect* s = store_to(*e.what, flag);
      if (s && s->value.kind == specs::Value::Kind::Int && (s->value.imm != 0) == on && says_zero(*e.what, flag, on))
        out.push_back(e);
    }
    return out;
  }

  // Memory behind arguments that `f`, which changes named counts, both sets and clears.
  std::set<Place> flags(FuncId f) const {
    std::set<Place> out;
    const std::vector<Outcome>& outcomes = ctx_.summaries[f].outcomes;
    auto counts = [](const specs::ReferenceEffects& o) {
      return std::any_of(o.counts.begin(), o.counts.end(), [](const specs::CountChange& c) { return !c.kind.empty(); });
    };
    if (std::none_of(outcomes.begin(), outcomes.end(), counts)) return out;
    for (const Outcome& o : outcomes)
      for (const StoreEffect& s : o.stores)
        if (s.where.root == Place::Root::Arg && s.value.kind == specs::Value::Kind::Int && s.value.imm != 0)
          out.insert(s.where);
    std::erase_if(out, [&](const Place& p) { return turning(f, p, true).empty() || turning(f, p, false).empty(); });
    return out;
  }

  // Does a condition on what the half does not write itself tell these ends apart?
  static bool known_by_condition(const Outcome& a, const Outcome& b, const Ends& half) {
    const engine::PlaceRanges ra = engine::ranges_of(a.when), rb = engine::ranges_of(b.when);
    return std::any_of(ra.begin(), ra.end(), [&](const engine::PlaceRange& x) {
      if (x.place->root != Place::Root::Arg) return false;
      const Range* other = engine::find_range(rb, x);
      if (!other) return false;
      Range both = x.range;
      both.meet(*other);
      return both.empty() &&
             std::none_of(half.begin(), half.end(), [&](const End& e) { return store_to(*e.what, *x.place); });
    });
  }

  static int change(const specs::ReferenceEffects& o, const Key& key) {
    int delta = 0;
    for (const specs::CountChange& c : o.counts)
      if (c.object == key.first && c.kind == key.second) delta += c.delta;
    return delta;
  }

  static Change changes(const Ends& ends, const Key& key) {
    return changes(
        ends, [&](const End& e) { return change(*e.what, key); },
        [&](const End& e) { return says_zero(*e.what, key.first, true); });
  }
  // Ends behind a call that failed say something only where there are no others.
  static Change sums(const Ends& all, const std::string& kind) {
    Ends ends;
    std::copy_if(all.begin(), all.end(), std::back_inserter(ends), [](const End& e) { return !e.after_failure; });
    if (ends.empty()) ends = all;
    return changes(
        ends, [&](const End& e) { return CountSums::sum_of(*e.what, *e.unnamed, kind); },
        [&](const End& e) { return leads_nowhere(e, ends, kind); });
  }

  // Is one of the pointers by which other ends come to what they count NULL at this one?
  static bool leads_nowhere(const End& end, const Ends& others, const std::string& kind) {
    return std::any_of(others.begin(), others.end(), [&](const End& o) {
      return std::any_of(o.what->counts.begin(), o.what->counts.end(), [&](const specs::CountChange& c) {
        if (c.kind != kind) return false;
        for (Place p = c.object; !p.path.empty();) {
          p.path.pop_back();
          p.address = false;
          if (says_zero(*end.what, p, true)) return true;
        }
        return false;
      });
    });
  }

  template <class Count, class Absent>
  static Change changes(const Ends& ends, const Count& count, const Absent& absent) {
    Change out;
    Ends changing;
    for (const End& e : ends)
      if (const int d = count(e); d != 0) out.values.insert(d), changing.push_back(e);
    for (const End& e : ends) {
      if (count(e) != 0 || absent(e)) continue;  // nothing there to count
      if (!changing.empty() && e.after_failure) continue;
      if (!changing.empty() && std::all_of(changing.begin(), changing.end(),
                                           [&](const End& c) { return known_by_condition(*e.what, *c.what, ends); }))
        continue;
      out.untouched = true;
    }
    return out;
  }

  // What is made once and ends once (probe, remove): does some function of another table of the same file only ever
  // give such a count back? Then it may be the one that undoes it: runtime PM suspends what probing left running. Not
  // of its argument itself, which is a device that suspends and resumes. What must leave counts alone does not undo
  // what was taken.
  bool given_back_by_another(FuncId up, FuncId down, std::string_view record, const std::string& kind,
                             bool taken) const {
    auto ends_things = [&](FuncId f) { return ctx_.contracts[f].releases; };
    if (!ends_things(down)) return false;
    for (const FuncId g : ctx_.program.wholes()) {
      if (g == up || g == down || ends_things(g) || (taken && ctx_.contracts[g].balanced) ||
          ctx_.program.unit_id(g) != ctx_.program.unit_id(down) || ctx_.summaries[g].count_exits.empty())
        continue;
      const auto roles = ctx_.program.roles(g);
      if (roles.empty() || !ctx_.program.callers(g).empty() ||
          std::any_of(roles.begin(), roles.end(), [&](const auto& e) { return e.record == record; }))
        continue;
      bool gives = false, takes = false;
      for (const End& e : ends(g, -1, false))
        for (const specs::CountChange& c : e.what->counts)
          if (c.kind == kind && (c.delta > 0 || !c.object.path.empty())) (c.delta < 0 ? gives : takes) = true;
      if (gives && !takes) return true;
    }
    return false;
  }

  void compare(FuncId up, FuncId down, int by, std::string_view record) {
    if (up != down || by >= 0) compare(up, down, ends(up, by, true), ends(down, by, false), false, record);
  }

  // `by_flag`: of the same function, which flag decides is not known to be about this count.
  bool compare(FuncId up, FuncId down, const Ends& takes, const Ends& gives, bool by_flag, std::string_view record) {
    if (takes.empty() || gives.empty()) return false;
    std::set<Key> keys;
    for (const auto* all : {&takes, &gives})
      for (const End& e : *all)
        for (const specs::CountChange& c : e.what->counts)
          if (!c.kind.empty() && c.object.root == Place::Root::Arg && same_parameter(up, down, c.object.index))
            keys.emplace(c.object, c.kind);
    std::map<Key, Change> a, b;
    for (const Key& key : keys) a[key] = changes(takes, key), b[key] = changes(gives, key);
    auto listed = [&](const std::vector<std::string> engine::Summary::* list, const std::string& kind) {
      for (const FuncId f : {up, down}) {
        const std::vector<std::string>& kinds = ctx_.summaries[f].*list;
        if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return true;
      }
      return false;
    };
    // Some ends change it and some, for reasons out of sight, do not.
    auto open = [](const Change& c) { return c.untouched && !c.values.empty(); };
    // What the two do together; kNotOne where that is more than one number.
    constexpr int kNotOne = 1000;
    auto number = [](const Change& c) {
      return c.values.size() > 1 ? kNotOne : c.values.empty() ? 0 : *c.values.begin();
    };
    std::map<Key, int> sums;
    for (const Key& key : keys) sums[key] = number(a[key]) + number(b[key]);
    std::set<Place> reported_objects;
    std::set<std::string> reported_kinds;
    for (const Key& key : keys) {
      const Change &x = a[key], &y = b[key];
      if (x.values.size() > 1 || y.values.size() > 1 || sums[key] == 0) continue;
      if (listed(&engine::Summary::disputed_on_success, key.second)) continue;
      if ((open(x) || open(y)) && (by_flag || listed(&engine::Summary::disputed, key.second))) continue;
      const int dx = number(x), dy = number(y);
      if (by_flag && dx <= 0) continue;
      if (dx < -1 && ctx_.contracts[up].lent) continue;  // count-left tells it
      if (dy > 1 && ctx_.contracts[down].lent) continue;
      if (dx * dy > 0) continue;  // what both do is for the time of the call, and went wrong in following it
      if (!by_flag && dy > 0 && ctx_.contracts[down].releases_alone()) continue;  // count-left tells it
      // Where one of them does nothing, the other must do it always.
      if ((dx == 0 && y.untouched) || (dy == 0 && x.untouched)) continue;
      if (dy == 0 && (sums_.hands_out(up, key.second, -dx) || sums_.unsure_of(down, key.second, -dx))) continue;
      if (dx == 0 && sums_.unsure_of(up, key.second, -dy)) continue;
      // What the first half makes itself (memory of the driver's, what is looked up) it has no name for; a part of an
      // argument it can name.
      const bool part = key.first.path.empty() || (key.first.path.size() == 1 && key.first.address);
      if (dx == 0 && !part) continue;  // the sums tell it
      // The same count of another object, the other way round: reached by another name.
      if (std::any_of(keys.begin(), keys.end(),
                      [&](const Key& other) { return other.second == key.second && sums[other] == -sums[key]; }))
        continue;
      if (dy == 0 && given_back_by_another(up, down, record, key.second, dx > 0)) continue;
      // A clock has several counts, and often several clocks are forgotten together: one of them speaks for all.
      if (!reported_objects.insert(key.first).second || !reported_kinds.insert(key.second).second) continue;
      report(up, down, key, dx, dy);
    }
    if (reported_kinds.empty() && !by_flag) compare_sums(up, down, takes, gives, record);
    return !reported_kinds.empty();
  }

  // One of two halves does nothing to the count. Does a third function of the file do what it should have done? Or does
  // the other half, `calling`, do it by calling a function of a table itself: then it goes on where that table's others
  // left.
  bool done_by_another(FuncId up, FuncId down, const std::string& kind, int sign, FuncId calling) const {
    const auto callees = ctx_.program.callees(calling);
    if (std::any_of(callees.begin(), callees.end(),
                    [&](FuncId g) { return !ctx_.program.roles(g).empty() && sums_.may_change(g, kind, -sign); }))
      return true;
    const std::span<const FuncId> all = ctx_.program.wholes();
    return std::any_of(all.begin(), all.end(), [&](FuncId g) {
      return g != up && g != down && ctx_.program.unit_id(g) == ctx_.program.unit_id(calling) &&
             ctx_.program.head(g).has_body && sums_.is_entry(g) && sums_.is_half(g, kind, sign);
    });
  }

  // The same for all objects of a kind together, where their names do not tell which one of the one half is which of
  // the other.
  void compare_sums(FuncId up, FuncId down, const Ends& takes, const Ends& gives, std::string_view record) {
    std::set<std::string> kinds;
    for (const auto* all : {&takes, &gives})
      for (const End& e : *all) {
        for (const specs::CountChange& c : e.what->counts)
          if (!c.kind.empty()) kinds.insert(c.kind);
        for (const engine::CountExit::Unnamed& u : *e.unnamed) kinds.insert(u.kind);
      }
    std::set<std::pair<int, int>> told;  // a clock has several counts
    for (const std::string& kind : kinds) {
      if (sums_.open_sum(up, kind) || sums_.open_sum(down, kind)) continue;
      const Change x = sums(takes, kind), y = sums(gives, kind);
      if (x.untouched && !x.values.empty()) continue;
      if (y.untouched && !y.values.empty()) continue;
      if (x.values.size() > 1 || y.values.size() > 1) continue;
      const int dx = x.values.empty() ? 0 : *x.values.begin(), dy = y.values.empty() ? 0 : *y.values.begin();
      if (dx + dy == 0 || dx * dy > 0) continue;
      if (dy > 0 && ctx_.contracts[down].releases_alone()) continue;  // count-left tells it
      if (dx < 0 || dy > 1) continue;                                 // and that
      if (sums_.hands_out(up, kind, dx > 0 ? -1 : 1) || sums_.unsure_of(down, kind, -1) || sums_.unsure_of(up, kind, 1))
        continue;
      if (dy == 0 && given_back_by_another(up, down, record, kind, dx > 0)) continue;
      if (dx == 0 && done_by_another(up, down, kind, -dy, down)) continue;
      if (dy == 0 && done_by_another(up, down, kind, -dx, up)) continue;
      if (!told.emplace(dx, dy).second) continue;
      report_sum(up, down, dx != 0 ? takes : gives, kind, dx, dy);
    }
  }

  // A function behind a pointer that takes if some argument is not zero, and gives back if it is.
  void check_switch(FuncId f) {
    const model::Function& fn = ctx_.program.declared(f);
    if (ctx_.program.roles(f).empty() || ctx_.summaries[f].count_exits.empty()) return;
    for (const program::TableEntry& e : ctx_.program.roles(f))
      if (const specs::SlotSpec* slot = ctx_.specs.find_slot(e.record, e.field); slot && slot->switched_by >= 0) return;
    for (std::size_t by = 0; by < fn.params.size(); ++by) {
      if (ctx_.program.frame(f).type(fn.params[by].type).kind != model::TypeKind::Int) continue;
      const Ends on = ends(f, static_cast<int>(by), true), off = ends(f, static_cast<int>(by), false);
      std::set<std::string> kinds;
      for (const End& e : on)
        for (const specs::CountChange& c : e.what->counts) kinds.insert(c.kind);
      for (const std::string& kind : kinds) {
        const Change x = sums(on, kind), y = sums(off, kind);
        const bool both = x.values.size() == 1 && y.values.size() == 1 && !x.untouched && !y.untouched;
        if (!both || sums_.open_sum(f, kind) || *x.values.begin() <= 0 || *y.values.begin() >= 0) continue;
        if (*x.values.begin() + *y.values.begin() == 0) continue;
        return report_sum(f, f, on, kind, *x.values.begin(), *y.values.begin());
      }
    }
  }

  // Work, a timer, a function behind some pointer: it takes or gives back on every way, or never does the other, and
  // nobody is there for whom it could do so.
  void check_alone(FuncId f) {
    const engine::Contract& contract = ctx_.contracts[f];
    // What another contract says of counts is for others to judge.
    if (ctx_.summaries[f].count_exits.empty() || (contract.given && !contract.consumes)) return;
    if (ctx_.program.roles(f).empty() && !contract.consumes) return;
    std::set<std::string> kinds;
    for (const engine::CountExit& e : ctx_.summaries[f].count_exits)
      for (const specs::CountChange& c : e.what.counts) kinds.insert(c.kind);
    for (const std::string& kind : kinds) {
      std::set<int> sums = sums_.all_sums(f, kind);
      const bool always = sums.erase(0) == 0;
      if (sums.size() != 1 || sums_.open_sum(f, kind)) continue;
      const int d = *sums.begin(), sign = d > 0 ? 1 : -1;
      const bool does_both = sums_.may_change(f, kind, 1) && sums_.may_change(f, kind, -1);
      if (does_both ? !always || d > 0 : d < 0) continue;  // taken twice and given back once is told where it is done
      if (sums_.hands_out(f, kind, -sign) || sums_.unsure_of(f, kind, -sign) || sums_.has_another_half(f, kind, sign))
        continue;
      return report_alone(f, kind, d);
    }
  }

  void report_alone(FuncId f, const std::string& kind, int d) {
    Ends all;
    for (const engine::CountExit& e : ctx_.summaries[f].count_exits)
      all.push_back({&e.what, e.after_failure, &e.unnamed});
    report::Finding finding = finding_in(f, counted_object(f, all, kind));
    finding.message = fmt::format("the `{}` count of `{}` changes by {} in {}(), and nothing here makes up for it",
                                  kind, finding.object, text(d), finding.function);
    finding.confidence = report::Confidence::Low;
    out_.push_back(std::move(finding));
  }

  std::string name_of(FuncId f, const Place& p) const {
    const model::Function& fn = ctx_.program.declared(f);
    const model::Unit& unit = ctx_.program.frame(f);
    std::string out(unit.str(fn.params[p.index].name));
    if (out.empty()) out = "argument " + std::to_string(p.index + 1);
    model::TypeId type = fn.params[p.index].type;
    for (std::int64_t step : p.path) {
      std::string_view field;
      const model::TypeId record =
          unit.type(type).kind == model::TypeKind::Pointer ? unit.type(type).elem : model::TypeId{};
      type = model::TypeId{};
      for (const model::Field& x : unit.type(record).fields)
        if (static_cast<std::int64_t>(x.offset) == step) field = unit.str(x.name), type = x.type;
      out += "->" + (field.empty() ? std::string("...") : std::string(field));
    }
    return (p.address ? "&" : "") + out;
  }

  // An object that the ends change this count of, as people call it.
  std::string counted_object(FuncId f, const Ends& ends, const std::string& kind) const {
    for (const End& e : ends) {
      for (const specs::CountChange& c : e.what->counts)
        if (c.kind == kind && c.object.root == Place::Root::Arg) return name_of(f, c.object);
      for (const engine::CountExit::Unnamed& u : *e.unnamed)
        if (u.kind == kind && !u.object.empty()) return u.object;
    }
    return "an object";
  }

  void report_sum(FuncId up, FuncId down, const Ends& changing, const std::string& kind, int dx, int dy) {
    report(up, down, counted_object(dx != 0 ? up : down, changing, kind), kind, dx, dy);
    if (dx == 0) out_.back().confidence = report::Confidence::Low;  // who took it may be out of sight
  }
  void report(FuncId up, FuncId down, const Key& key, int dx, int dy) {
    report(up, down, name_of(down, key.first), key.second, dx, dy);
  }

  static std::string text(int n) { return n > 0 ? "+" + std::to_string(n) : std::to_string(n); }

  report::Finding finding_in(FuncId f, std::string object) const {
    report::Finding out;
    out.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(f)]].name, check_halves);
    out.function = std::string(ctx_.program.display(f));
    out.object = std::move(object);
    out.loc = source_loc(ctx_.program.frame(f), ctx_.program.declared(f).loc);
    out.severity = report::Severity::Medium;
    out.confidence = report::Confidence::Medium;
    return out;
  }

  void report(FuncId up, FuncId down, std::string object, const std::string& kind, int dx, int dy) {
    report::Finding f = finding_in(down, std::move(object));
    f.message =
        up == down
            ? fmt::format("the `{}` count of `{}` changes by {} when {}() turns it on and by {} when it turns it off",
                          kind, f.object, text(dx), f.function, text(dy))
            : fmt::format("the `{}` count of `{}` changes by {} in {}() and by {} in {}(), which should undo it", kind,
                          f.object, text(dx), ctx_.program.display(up), text(dy), f.function);
    if (up != down) f.further_places.push_back(source_loc(ctx_.program.frame(up), ctx_.program.declared(up).loc));
    out_.push_back(std::move(f));
  }

  const engine::Context& ctx_;
  std::vector<report::Finding>& out_;
  CountSums sums_;
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) {
  UndoPairs checker(program.ctx, out);
  for (const FuncId f : program.ctx.program.wholes())
    if (program.ctx.program.head(f).has_body) {
      checker.check(f);
      program.ctx.program.rest();
    }
}

}  // namespace

constinit const Check check_halves{
    .kind = "halves",
    .summary = "two functions that should undo each other do not add up",
    .program = run,
};

}  // namespace reckon::checks
