// Joining and widening facts, and the cases ("either this or that") that joins leave behind.

#include "symbolic/facts.h"

#include <algorithm>

namespace reckon::symbolic {

void Facts::join(const TermArena& terms, const Facts& other) {
  std::vector<Case> both = whole_cases();
  for (Case& c : other.whole_cases()) both.push_back(std::move(c));
  std::vector<std::pair<TermId, Range>> out;
  out.reserve(ranges_.size());
  for (auto& [t, r] : ranges_) {
    Range o = other.range(terms, t);
    r.hull(o);
    if (!r.is_full()) out.emplace_back(t, std::move(r));
  }
  ranges_ = std::move(out);
  std::vector<Relation> rels;
  for (Relation& r : relations_) {
    for (const Relation& o : other.relations_) {
      if (o.a != r.a || o.b != r.b) continue;
      r.lo = std::min(r.lo, o.lo);
      r.hi = std::max(r.hi, o.hi);
      // "differs" survives if the other side's bounds exclude equality, too.
      r.ne = (r.ne || r.lo > 0 || r.hi < 0) && (o.ne || o.lo > 0 || o.hi < 0);
      if (r.lo != kMin || r.hi != kMax || r.ne) rels.push_back(r);
    }
  }
  relations_ = std::move(rels);
  cases_ = std::move(both);
  reduce_cases();
}

void Facts::substitute(TermArena& terms, TermId from, TermId to) {
  std::vector<std::pair<TermId, Range>> moved;
  std::erase_if(ranges_, [&](auto& e) {
    if (!terms.contains(e.first, from)) return false;
    moved.emplace_back(terms.substitute(e.first, from, to), std::move(e.second));
    return true;
  });
  for (auto& [t, r] : moved)
    if (!terms.is_const(t)) set_range(t, std::move(r));
  for (Case& c : cases_) {
    bool changed = false;
    for (auto& e : c)
      if (terms.contains(e.first, from)) {
        e.first = terms.substitute(e.first, from, to);
        changed = true;
      }
    if (!changed) continue;
    std::erase_if(c, [&](const auto& e) { return terms.is_const(e.first); });
    std::stable_sort(c.begin(), c.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    c.erase(std::unique(c.begin(), c.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), c.end());
  }
  std::erase_if(relations_, [&](const Relation& r) { return terms.contains(r.a, from) || terms.contains(r.b, from); });
}

void Facts::widen_against(const TermArena& terms, const Facts& older) {
  cases_.clear();
  for (auto& [t, r] : ranges_) {
    const Range o = older.range(terms, t);
    if (r.lo < o.lo) r.lo = r.lo >= 0 ? 0 : kMin;  // 0 and infinity are the thresholds
    if (r.hi > o.hi) r.hi = r.hi <= 0 ? 0 : kMax;
    r.normalise();
  }
  std::erase_if(ranges_, [](const auto& e) { return e.second.is_full(); });
  for (Relation& r : relations_) {
    for (const Relation& o : older.relations_) {
      if (o.a != r.a || o.b != r.b) continue;
      if (r.lo < o.lo) r.lo = r.lo >= 0 ? 0 : kMin;
      if (r.hi > o.hi) r.hi = r.hi <= 0 ? 0 : kMax;
    }
  }
  std::erase_if(relations_, [](const Relation& r) { return r.lo == kMin && r.hi == kMax && !r.ne; });
}

// Each case with all that holds in it.
std::vector<Facts::Case> Facts::whole_cases() const {
  if (cases_.empty()) return {ranges_};
  std::vector<Case> out;
  for (const Case& c : cases_) {
    Case whole;
    auto i = ranges_.begin();
    for (const auto& [t, r] : c) {
      for (; i != ranges_.end() && i->first < t; ++i) whole.push_back(*i);
      Range both = r;
      if (i != ranges_.end() && i->first == t) both.meet(i++->second);
      whole.emplace_back(t, std::move(both));
    }
    whole.insert(whole.end(), i, ranges_.end());
    out.push_back(std::move(whole));
  }
  return out;
}

// Brings the cases into a short form: without what holds in all of them, without those that others include, and with
// those that differ in one range only united.
void Facts::reduce_cases() {
  auto common = [&](TermId t) {
    const Range* r = find(t);
    return r ? *r : Range{};
  };
  auto tidy = [&](Case& c) { std::erase_if(c, [&](const auto& e) { return common(e.first).within(e.second); }); };
  auto in = [&](const Case& c, TermId t) {
    auto it = std::lower_bound(c.begin(), c.end(), t, [](const auto& e, TermId k) { return e.first < k; });
    return it != c.end() && it->first == t ? it->second : common(t);
  };
  auto included = [&](const Case& a, const Case& b) {
    return std::all_of(b.begin(), b.end(), [&](const auto& e) { return in(a, e.first).within(e.second); });
  };
  for (Case& c : cases_) tidy(c);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < cases_.size() && !changed; ++i)
      for (std::size_t j = 0; j < cases_.size() && !changed; ++j) {
        if (i == j) continue;
        if (included(cases_[j], cases_[i])) {
          cases_.erase(cases_.begin() + static_cast<std::ptrdiff_t>(j));
          changed = true;
          break;
        }
        if (j < i || cases_[i].size() != cases_[j].size()) continue;
        std::size_t differs = cases_[i].size(), differences = 0;
        for (std::size_t k = 0; k < cases_[i].size(); ++k) {
          if (cases_[i][k] == cases_[j][k]) continue;
          differs = k;
          differences += cases_[i][k].first == cases_[j][k].first ? 1 : 2;
        }
        if (differences != 1 || !cases_[i][differs].second.unites_exactly(cases_[j][differs].second)) continue;
        cases_[i][differs].second.hull(cases_[j][differs].second);
        tidy(cases_[i]);
        cases_.erase(cases_.begin() + static_cast<std::ptrdiff_t>(j));
        changed = true;
      }
  }
  if (cases_.size() == 1)
    for (auto& [t, r] : cases_[0]) {
      r.meet(common(t));
      set_range(t, std::move(r));
    }
  if (cases_.size() < 2 || cases_.size() > kMaxCases) cases_.clear();
}

// Cases that contradict what is known by now go. False: none is left.
bool Facts::filter_cases(const TermArena& terms) {
  if (cases_.empty()) return true;
  const std::size_t before = cases_.size();
  std::erase_if(cases_, [&](const Case& c) {
    return std::any_of(c.begin(), c.end(), [&](const auto& e) {
      Range r = range(terms, e.first);
      r.meet(e.second);
      return r.empty();
    });
  });
  if (cases_.empty()) return false;
  if (cases_.size() < before) reduce_cases();
  return true;
}

Facts::Copied Facts::read_all(const TermArena& terms, TermId source) const {
  Copied out{range(terms, source), {}};
  for (const Case& c : cases_) {
    Range r = out.range;
    for (const auto& [t, in_case] : c)
      if (t == source) r.meet(in_case);
    out.in_case.push_back(std::move(r));
  }
  return out;
}

void Facts::write_all(TermId t, Copied value) {
  for (std::size_t k = 0; k < cases_.size() && k < value.in_case.size(); ++k) {
    Case& c = cases_[k];
    auto it = std::lower_bound(c.begin(), c.end(), t, [](const auto& e, TermId key) { return e.first < key; });
    if (it != c.end() && it->first == t) it = c.erase(it);
    if (!value.in_case[k].is_full()) c.insert(it, {t, std::move(value.in_case[k])});
  }
  set_range(t, std::move(value.range));
}

std::vector<Facts> Facts::alternatives() const {
  std::vector<Facts> out;
  for (Case& c : whole_cases()) {
    Facts f;
    f.ranges_ = std::move(c);
    f.relations_ = relations_;
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace reckon::symbolic
