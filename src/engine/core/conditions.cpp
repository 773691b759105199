#include "engine/core/conditions.h"

#include <algorithm>
#include <iterator>

namespace reckon::engine {

using specs::Condition;
using specs::Pred;

void restrict_range(Range& r, const Condition& c) {
  if (about_error_pointers(c)) {
    if (c.pred == Pred::Eq)
      r.clip(kFirstError, kLastError);
    else
      r.cut(kFirstError, kLastError);
    return;
  }
  switch (c.pred) {
    case Pred::Eq: r.clip(c.imm, c.imm); break;
    case Pred::Ne: r.exclude(c.imm); break;
    case Pred::Ge: r.clip(c.imm, kMax); break;
    case Pred::Le: r.clip(kMin, c.imm); break;
    case Pred::Gt: r.clip(c.imm == kMax ? kMax : c.imm + 1, kMax); break;
    case Pred::Lt: r.clip(kMin, c.imm == kMin ? kMin : c.imm - 1); break;
  }
}

PlaceRanges ranges_of(const std::vector<Condition>& conditions) {
  PlaceRanges out;
  for (const Condition& c : conditions)
    if (!c.other) restrict_range(out[{c.place, about_error_pointers(c) ? ~std::uint64_t{0} : c.mask}], c);
  return out;
}

void add_range(std::vector<Condition>& out, const specs::Place& p, std::uint64_t mask, const Range& r) {
  auto add = [&](Pred pred, std::int64_t v) { out.push_back({p, mask, pred, v, std::nullopt}); };
  if (r.is_single()) {
    add(Pred::Eq, r.lo);
    return;
  }
  if (mask == ~std::uint64_t{0} && r.lo == kFirstError && r.hi == kLastError && r.excluded.empty()) {
    out.push_back({p, specs::err_ptr_mask, Pred::Eq, specs::err_ptr_value, std::nullopt});
    return;
  }
  if (r.lo != kMin) add(Pred::Ge, r.lo);
  if (r.hi != kMax) add(Pred::Le, r.hi);
  for (std::int64_t v : r.excluded) add(Pred::Ne, v);
  if (mask == ~std::uint64_t{0} && r.has_gap() && r.gap_lo <= kFirstError && r.gap_hi >= kLastError)
    out.push_back({p, specs::err_ptr_mask, Pred::Ne, specs::err_ptr_value, std::nullopt});
}

std::vector<Condition> weaken(const std::vector<Condition>& a, const std::vector<Condition>& b) {
  std::vector<Condition> out;
  const PlaceRanges ra = ranges_of(a), rb = ranges_of(b);
  for (const auto& [key, r] : ra) {
    auto it = rb.find(key);
    if (it == rb.end()) continue;
    Range both = r;
    both.hull(it->second);
    if (!both.is_full()) add_range(out, key.first, key.second, both);
  }
  for (const Condition& c : a)  // on two places
    if (c.other && std::find(b.begin(), b.end(), c) != b.end()) out.push_back(c);
  return out;
}

bool unite_exactly(const std::vector<Condition>& a, const std::vector<Condition>& b) {
  auto on_two_places = [](const std::vector<Condition>& list) {
    std::vector<Condition> out;
    std::copy_if(list.begin(), list.end(), std::back_inserter(out),
                 [](const Condition& c) { return c.other.has_value(); });
    return out;
  };
  if (on_two_places(a) != on_two_places(b)) return false;
  const PlaceRanges ra = ranges_of(a), rb = ranges_of(b);
  auto implied = [](const PlaceRanges& weak, const PlaceRanges& strong) {
    for (const auto& [key, r] : weak) {
      auto it = strong.find(key);
      if (it == strong.end() || !it->second.within(r)) return false;
    }
    return true;
  };
  if (implied(ra, rb) || implied(rb, ra)) return true;
  std::size_t differences = 0;
  if (ra.size() != rb.size()) return false;
  for (auto x = ra.begin(), y = rb.begin(); x != ra.end(); ++x, ++y) {
    if (x->first != y->first) return false;
    if (x->second == y->second) continue;
    if (++differences > 1 || !x->second.unites_exactly(y->second)) return false;
  }
  return true;
}

Range result_range(const specs::Outcome& o) {
  Range r;
  if (o.result.kind == specs::Value::Kind::Int) r.clip(o.result.imm, o.result.imm);
  if (o.result.kind == specs::Value::Kind::Range) r.clip(o.result.imm, o.result.hi);
  if (o.result.kind == specs::Value::Kind::ErrPtr) r.clip(kFirstError, kLastError);
  if (o.result.kind == specs::Value::Kind::Object && !o.objects[o.result.object].maybe_null) r.exclude(0);
  for (const auto& [key, known] : ranges_of(o.when)) {
    const bool is_result = (key.first.root == specs::Place::Root::Result && key.first.path.empty()) ||
                           (o.result.kind == specs::Value::Kind::Place && key.first == o.result.place);
    if (!is_result || key.second != ~std::uint64_t{0}) continue;
    r.meet(known);
  }
  return r;
}

}  // namespace reckon::engine
