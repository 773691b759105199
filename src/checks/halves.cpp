// halves: two functions of one table that undo each other (resume and suspend, power_on and power_off, probe and remove)
// leave a named count higher or lower together; or one function with an argument that says which half it is to be.
//
// The method: what the ends that report success do to each count, by the outcomes the engine computed. If all that one
// half does to a count is one number, and so of the other, the two add up to zero.
//
// Limits: objects are compared by how they are reached from the arguments; one that a half makes itself, or reaches in
// another way, is not seen, so that what only the second half gives back is told of parts of arguments alone. Where ends
// that succeed differ (by state, or by hardware), the half without any change is not held against the other. Outcomes
// that were given up are not judged.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "checks/static_checks.h"
#include "engine/conditions.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using engine::Range;
using model::kNone;
using specs::Outcome;
using specs::Place;

using Key = std::pair<Place, std::string>;  // whose count, and which

// What the succeeding ends of a half do to one count.
struct Change {
  std::set<int> values;   // without 0
  bool untouched = false; // on some of them nothing
};

class HalvesChecker {
 public:
  HalvesChecker(const engine::Context& ctx, std::vector<report::Finding>& out) : ctx_(ctx), out_(out) {
    for (FuncId f = 0; f < ctx.program.num_functions(); ++f)
      for (const program::TableEntry& e : ctx.program.roles(f)) entries_[place_of(e, e.field)].insert(f);
  }

  void check(FuncId f) {
    if (ctx_.unit_implements[ctx_.program.unit_id(f)]) return;
    for (const program::TableEntry& e : ctx_.program.roles(f)) {
      const specs::SlotSpec* slot = ctx_.specs.find_slot(e.record, e.field);
      if (!slot) continue;
      if (slot->switched_by >= 0) compare(f, f, slot->switched_by);
      const auto it = slot->undone_by.empty() ? entries_.end() : entries_.find(place_of(e, slot->undone_by));
      if (it != entries_.end() && it->second.size() == 1) compare(f, *it->second.begin(), -1);
    }
  }

 private:
  using TablePlace = std::tuple<program::UnitId, model::SymId, model::ConstId, std::string, std::string>;
  static TablePlace place_of(const program::TableEntry& e, std::string_view field) {
    return {e.unit, e.variable, e.element, std::string(e.record), std::string(field)};
  }

  // Parameters mean the same in both halves if they have the same type.
  bool same_parameter(FuncId f, FuncId g, std::uint32_t n) const {
    auto type = [&](FuncId x) -> std::string {
      const model::Function& fn = ctx_.program.function(x);
      const model::Unit& unit = ctx_.program.unit(x);
      if (n >= fn.params.size() || unit.type(fn.params[n].type).kind != model::TypeKind::Pointer) return {};
      return std::string(unit.str(unit.type(unit.type(fn.params[n].type).elem).name));
    };
    return !type(f).empty() && type(f) == type(g);
  }

  static bool says_zero(const Outcome& o, const Place& p, bool zero) {
    for (const auto& [key, r] : engine::ranges_of(o.when))
      if (key.first == p && key.second == ~std::uint64_t{0} && (zero ? r.is_single() && r.lo == 0 : !r.allows(0))) return true;
    return false;
  }

  // The ends of `f` that count: those that succeed, with the argument `by` not zero or zero.
  std::optional<std::vector<const Outcome*>> ends(FuncId f, int by, bool on) const {
    const engine::Summary& sum = ctx_.summaries[f];
    if (!sum.ready || !sum.complete) return std::nullopt;
    std::vector<const Outcome*> out;
    const bool number = ctx_.program.unit(f).type(ctx_.program.function(f).result).kind == model::TypeKind::Int;
    for (const Outcome& o : sum.outcomes) {
      if (o.never_returns || o.failure || (number && engine::result_range(o).hi < 0)) continue;
      if (number && !engine::result_range(o).allows(0) && engine::result_range(o).lo < 0) continue;
      Place decides;
      decides.index = static_cast<std::uint32_t>(by);
      if (by >= 0 && says_zero(o, decides, on)) continue;
      out.push_back(&o);
    }
    return out;
  }

  std::map<Key, Change> changes(const std::vector<const Outcome*>& ends, const std::set<Key>& keys) const {
    std::map<Key, Change> out;
    for (const Outcome* o : ends)
      for (const Key& key : keys) {
        if (says_zero(*o, key.first, true)) continue;  // nothing there to count
        int delta = 0;
        for (const specs::CountChange& c : o->counts)
          if (c.object == key.first && c.kind == key.second) delta += c.delta;
        if (delta != 0)
          out[key].values.insert(delta);
        else
          out[key].untouched = true;
      }
    return out;
  }

  void compare(FuncId up, FuncId down, int by) {
    if (up == down && by < 0) return;
    const auto takes = ends(up, by, true), gives = ends(down, by, false);
    if (!takes || !gives || takes->empty() || gives->empty()) return;
    std::set<Key> keys;
    for (const auto* all : {&*takes, &*gives})
      for (const Outcome* o : *all)
        for (const specs::CountChange& c : o->counts)
          if (!c.kind.empty() && c.object.root == Place::Root::Arg && same_parameter(up, down, c.object.index)) keys.emplace(c.object, c.kind);
    std::map<Key, Change> a = changes(*takes, keys), b = changes(*gives, keys);
    auto disputed = [&](const std::string& kind) {
      for (FuncId f : {up, down})
        for (const std::string& d : ctx_.summaries[f].disputed)
          if (d == kind) return true;
      return false;
    };
    // What the two do together; kNotOne where that is more than one number.
    constexpr int kNotOne = 1000;
    auto number = [](const Change& c) { return c.values.size() > 1 ? kNotOne : c.values.empty() ? 0 : *c.values.begin(); };
    std::map<Key, int> sums;
    for (const Key& key : keys) sums[key] = number(a[key]) + number(b[key]);
    for (const Key& key : keys) {
      const Change &x = a[key], &y = b[key];
      if (x.values.size() > 1 || y.values.size() > 1 || sums[key] == 0 || disputed(key.second)) continue;
      const int dx = number(x), dy = number(y);
      if (dy > 0 && ctx_.contracts[down] == engine::Contract::Release) continue;  // count-left tells it
      // Where one of them does nothing, the other must do it always.
      if ((dx == 0 && y.untouched) || (dy == 0 && x.untouched)) continue;
      // What the first half makes itself (memory of the driver's, what is looked up) it has no name for; a part of an argument
      // it can name.
      const bool part = key.first.path.empty() || (key.first.path.size() == 1 && key.first.address);
      if (dx == 0 && !part) continue;
      // The same count of another object, the other way round: reached by another name.
      if (std::any_of(keys.begin(), keys.end(), [&](const Key& other) { return other.second == key.second && sums[other] == -sums[key]; }))
        continue;
      report(up, down, key, dx, dy);
      return;
    }
  }

  std::string name_of(FuncId f, const Place& p) const {
    const model::Function& fn = ctx_.program.function(f);
    const model::Unit& unit = ctx_.program.unit(f);
    std::string out(unit.str(fn.params[p.index].name));
    if (out.empty()) out = "argument " + std::to_string(p.index + 1);
    model::TypeId type = fn.params[p.index].type;
    for (std::int64_t step : p.path) {
      std::string_view field;
      const model::TypeId record = unit.type(type).kind == model::TypeKind::Pointer ? unit.type(type).elem : 0;
      type = 0;
      for (const model::Field& x : unit.type(record).fields)
        if (static_cast<std::int64_t>(x.offset) == step) field = unit.str(x.name), type = x.type;
      out += "->" + (field.empty() ? std::string("...") : std::string(field));
    }
    return (p.address ? "&" : "") + out;
  }

  void report(FuncId up, FuncId down, const Key& key, int dx, int dy) {
    auto text = [](int n) { return n > 0 ? "+" + std::to_string(n) : std::to_string(n); };
    const model::Unit& unit = ctx_.program.unit(down);
    report::Finding f;
    f.check = ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(down)]].name + "-halves";
    f.function = std::string(ctx_.program.display(down));
    f.object = name_of(down, key.first);
    f.loc = source_loc(unit, ctx_.program.function(down).loc);
    f.severity = report::Severity::Medium;
    f.confidence = report::Confidence::Medium;
    f.message = up == down ? fmt::format("the `{}` count of `{}` changes by {} when {}() turns it on and by {} when it turns it off",
                                         key.second, f.object, text(dx), f.function, text(dy))
                           : fmt::format("the `{}` count of `{}` changes by {} in {}() and by {} in {}(), which should undo it", key.second,
                                         f.object, text(dx), ctx_.program.display(up), text(dy), f.function);
    if (up != down) f.further_places.push_back(source_loc(ctx_.program.unit(up), ctx_.program.function(up).loc));
    out_.push_back(std::move(f));
  }

  const engine::Context& ctx_;
  std::vector<report::Finding>& out_;
  std::map<TablePlace, std::set<FuncId>> entries_;
};

}  // namespace

void check_halves(const engine::Context& ctx, std::vector<report::Finding>& out) {
  HalvesChecker checker(ctx, out);
  for (FuncId f = 0; f < ctx.program.num_functions(); ++f)
    if (!ctx.program.function(f).body.blocks.empty()) checker.check(f);
}

}  // namespace reckon::checks
