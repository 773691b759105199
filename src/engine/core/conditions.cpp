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
  auto before = [](const PlaceRange& a, const PlaceRange& b) {
    const auto order = *a.place <=> *b.place;
    return order == 0 ? a.mask < b.mask : order < 0;
  };
  for (const Condition& c : conditions) {
    if (c.other) continue;
    const PlaceRange key{&c.place, about_error_pointers(c) ? ~std::uint64_t{0} : c.mask, {}};
    auto it = std::find_if(out.begin(), out.end(), [&](const PlaceRange& x) { return x.same_key(key); });
    if (it == out.end()) it = out.insert(std::lower_bound(out.begin(), out.end(), key, before), key);
    restrict_range(it->range, c);
  }
  return out;
}

const Range* find_range(const PlaceRanges& ranges, const PlaceRange& key) {
  auto it = std::find_if(ranges.begin(), ranges.end(), [&](const PlaceRange& x) { return x.same_key(key); });
  return it == ranges.end() ? nullptr : &it->range;
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
  for (const PlaceRange& x : ra) {
    const Range* other = find_range(rb, x);
    if (!other) continue;
    Range both = x.range;
    both.hull(*other);
    if (!both.is_full()) add_range(out, *x.place, x.mask, both);
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
    return std::all_of(weak.begin(), weak.end(), [&](const PlaceRange& x) {
      const Range* r = find_range(strong, x);
      return r && r->within(x.range);
    });
  };
  if (implied(ra, rb) || implied(rb, ra)) return true;
  std::size_t differences = 0;
  if (ra.size() != rb.size()) return false;
  for (auto x = ra.begin(), y = rb.begin(); x != ra.end(); ++x, ++y) {
    if (!x->same_key(*y)) return false;
    if (x->range == y->range) continue;
    if (++differences > 1 || !x->range.unites_exactly(y->range)) return false;
  }
  return true;
}

Range result_range(const specs::CoreEffects& o) {
  Range r;
  if (o.result.kind == specs::Value::Kind::Int) r.clip(o.result.imm, o.result.imm);
  if (o.result.kind == specs::Value::Kind::Range) r.clip(o.result.imm, o.result.hi);
  if (o.result.kind == specs::Value::Kind::ErrPtr) r.clip(kFirstError, kLastError);
  if (o.result.kind == specs::Value::Kind::Object && !o.objects[o.result.object].maybe_null) r.exclude(0);
  auto is_result = [&](const specs::Place& p) {
    return (p.root == specs::Place::Root::Result && p.path.empty()) ||
           (o.result.kind == specs::Value::Kind::Place && p == o.result.place);
  };
  if (std::none_of(o.when.begin(), o.when.end(), [&](const Condition& c) { return is_result(c.place); })) return r;
  for (const PlaceRange& known : ranges_of(o.when))
    if (known.mask == ~std::uint64_t{0} && is_result(*known.place)) r.meet(known.range);
  return r;
}

}  // namespace reckon::engine
