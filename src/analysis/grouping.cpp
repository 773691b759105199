#include "analysis/grouping.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "checks/check.h"

namespace reckon::analysis {

namespace {

using checks::Grouping;

Grouping grouping_of(const report::Finding& f) {
  const checks::Check* check = checks::check_of(f.check);
  return check ? check->grouping : Grouping::ByPlace;
}

// Does it all happen within one expansion of a macro?
bool within_macro(const report::Finding& f) {
  auto outside = [&](const report::SourceLoc& l) { return l.macro != f.origin.macro || l.line != f.origin.line; };
  // A leak shows at the end of the function, wherever it was made.
  if (f.origin.macro.empty() || (outside(f.loc) && grouping_of(f) != Grouping::ByObject)) return false;
  bool reached = false;
  for (const report::Step& s : f.path) {
    reached = reached || s.loc == f.origin;
    if (reached && s.essential && s.depth == 0 && outside(s.loc)) return false;
  }
  return reached;
}

// Are both known by the place where the object was obtained, and by the same one? Fingerprints are made of that.
bool same_origin(const report::Finding& a, const report::Finding& b) {
  return !a.origin.file.empty() && !a.origin_api.empty() && a.check == b.check && a.origin == b.origin &&
         a.origin_api == b.origin_api && a.origin_index == b.origin_index;
}

// What has to go wrong for the finding to show, the least first.
auto price(const report::Finding& f) {
  const auto failed = [](const report::Step& s) { return s.essential && s.failed; };
  return std::pair(f.trigger, std::count_if(f.path.begin(), f.path.end(), failed));
}

}  // namespace

void group_by_root_cause(std::vector<report::Finding>& findings) {
  std::vector<report::Finding> out;
  std::sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.check, a.origin, a.loc) < std::tie(b.check, b.origin, b.loc);
  });
  for (report::Finding& f : findings) {
    const Grouping grouping = grouping_of(f);
    auto same = [&](const report::Finding& o) {
      // One wrong release, use or return is one finding, whatever it may concern; one return can leak several things.
      // What is wrong by itself and what is wrong beside another path are two.
      // One end can leave several counts wrong: what another function takes of another object is another mistake.
      const bool another_count =
          grouping == Grouping::ByCount && o.origin_api != f.origin_api && (o.object != f.object || f.object.empty());
      if (o.check == f.check && o.loc == f.loc && grouping != Grouping::ByObject &&
          o.other_path.empty() == f.other_path.empty() && !another_count)
        return true;
      if (f.origin.file.empty() || o.origin != f.origin || o.origin_api != f.origin_api) return false;
      // What one call made and nobody protects is one mistake, however much it is and whatever happens to it.
      if (grouping == Grouping::ByMaker && grouping_of(o) == Grouping::ByMaker) return true;
      return o.check == f.check && o.origin_index == f.origin_index;
    };
    auto it = std::find_if(out.begin(), out.end(), same);
    if (it == out.end()) {
      out.push_back(std::move(f));
      continue;
    }
    // The most severe one speaks for all; of equal ones with one origin, that which takes the least to show.
    const auto weight = std::pair(it->confidence, it->severity), other = std::pair(f.confidence, f.severity);
    if (weight < other || (weight == other && price(f) < price(*it) && same_origin(*it, f))) std::swap(*it, f);
    if (f.loc != it->loc && f.loc != it->origin) it->further_places.push_back(f.loc);
    it->further_places.insert(it->further_places.end(), f.further_places.begin(), f.further_places.end());
  }
  findings = std::move(out);
}

void put_in_order(std::vector<report::Finding>& findings) {
  auto key = [](const report::Finding& f) {
    return std::tie(f.loc, f.check, f.message, f.function, f.origin, f.origin_index, f.path, f.other_path,
                    f.further_places);
  };
  std::sort(findings.begin(), findings.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  findings.erase(
      std::unique(findings.begin(), findings.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
      findings.end());
}

void group_by_text(std::vector<report::Finding>& findings) {
  using Key = std::tuple<std::string, std::string, report::SourceLoc, report::SourceLoc, std::string, std::uint32_t>;
  std::map<Key, std::size_t> first;
  std::vector<report::Finding> out;
  for (report::Finding& f : findings) {
    const bool macro = within_macro(f);
    report::SourceLoc origin = f.origin, at = f.loc;
    if (macro) at = {}, origin.line = origin.col = 0;
    const Key key{f.check, f.message, std::move(at), std::move(origin), f.origin_api, f.origin_index};
    const auto [it, fresh] = first.emplace(key, out.size());
    if (fresh) {
      if (macro) f.loc = f.origin;  // the use of the macro, not where the function ends
      out.push_back(std::move(f));
    } else {
      report::Finding& same = out[it->second];
      if (f.trigger < same.trigger && !macro) {  // the way that takes less to show is the one to tell
        same.path.swap(f.path);
        same.other_path.swap(f.other_path);
        std::swap(same.trigger, f.trigger);
      }
      same.place = std::min(same.place, f.place);
      same.confidence = std::max(same.confidence, f.confidence);
      if (macro && f.origin != same.origin) same.further_places.push_back(f.origin);
    }
  }
  for (report::Finding& f : out) {
    std::sort(f.further_places.begin(), f.further_places.end());
    f.further_places.erase(std::unique(f.further_places.begin(), f.further_places.end()), f.further_places.end());
  }
  findings = std::move(out);
}

}  // namespace reckon::analysis
