#include "report/compare.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace reckon::report {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// What two findings must have in common to be the same; those that are compared by less leave fields empty.
using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::uint32_t>;

// Pairs findings up in rounds, each by less than the one before. Within a round a finding gets the first that is left
// of those with its key, so a round costs as much as there are findings, however many are alike.
class Matcher {
 public:
  Matcher(const State& before, const State& now, const PlaceNow& place_now)
      : before_(before.findings), now_(now.findings), partner_(before_.size(), kNone), taken_(now_.size()) {
    for (const Finding& f : before_) places_.push_back(place_now(f.loc));
    kin_round(before.kin, now.kin);
  }

  // For each of `before` its partner in `now`, or kNone.
  const std::vector<std::size_t>& match() {
    // The function was renamed.
    round([&](std::size_t i) { return place_key(i, before_[i].check, before_[i].object); },
          [&](std::size_t j) { return place_key(now_[j], now_[j].check, now_[j].object); });
    round([&](std::size_t i) { return place_key(i, before_[i].check, ""); },
          [&](std::size_t j) { return place_key(now_[j], now_[j].check, ""); });
    moved_round();
    return partner_;
  }

 private:
  void kin_round(const std::vector<std::string>& before, const std::vector<std::string>& now) {
    round([&](std::size_t i) { return place_key(i, before[i], ""); },
          [&](std::size_t j) { return place_key(now_[j], now[j], ""); });
    round([&](std::size_t i) { return std::optional<Key>({before[i], "", "", "", 0}); },
          [&](std::size_t j) { return std::optional<Key>({now[j], "", "", "", 0}); });
  }

  static std::optional<Key> place_key(const Finding& f, std::string_view first, std::string_view second) {
    return Key{first, second, f.loc.file, "", f.loc.line};
  }
  // By the place where a finding of before would be now, if there is one.
  std::optional<Key> place_key(std::size_t i, std::string_view first, std::string_view second) const {
    if (!places_[i]) return std::nullopt;
    return Key{first, second, places_[i]->first, "", places_[i]->second};
  }

  template <typename KeyBefore, typename KeyNow>
  void round(KeyBefore key_before, KeyNow key_now) {
    std::map<Key, std::deque<std::size_t>> left;
    for (std::size_t j = 0; j < now_.size(); ++j)
      if (!taken_[j]) left[*key_now(j)].push_back(j);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const std::optional<Key> key = partner_[i] == kNone ? key_before(i) : std::nullopt;
      const auto fitting = key ? left.find(*key) : left.end();
      if (fitting == left.end() || fitting->second.empty()) continue;
      pair(i, fitting->second.front());
      fitting->second.pop_front();
    }
  }

  // The function went to another file: the first finding of any other file will do.
  void moved_round() {
    struct Alike {
      std::map<std::string_view, std::deque<std::size_t>> by_file;
      std::set<std::pair<std::size_t, std::string_view>> first;  // of each file
    };
    const auto key = [](const Finding& f) { return Key{f.function, f.check, f.object, f.message, 0}; };
    std::map<Key, Alike> left;
    for (std::size_t j = 0; j < now_.size(); ++j) {
      if (taken_[j] || now_[j].function.empty()) continue;
      Alike& alike = left[key(now_[j])];
      std::deque<std::size_t>& same_file = alike.by_file[now_[j].loc.file];
      if (same_file.empty()) alike.first.emplace(j, now_[j].loc.file);
      same_file.push_back(j);
    }
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (partner_[i] != kNone) continue;
      const auto it = left.find(key(before_[i]));
      if (it == left.end()) continue;
      Alike& alike = it->second;
      const auto other = std::find_if(alike.first.begin(), alike.first.end(),
                                      [&](const auto& candidate) { return candidate.second != before_[i].loc.file; });
      if (other == alike.first.end()) continue;
      const auto [j, file] = *other;
      pair(i, j);
      alike.first.erase(other);
      std::deque<std::size_t>& same_file = alike.by_file[file];
      same_file.pop_front();
      if (!same_file.empty()) alike.first.emplace(same_file.front(), file);
    }
  }

  void pair(std::size_t i, std::size_t j) {
    partner_[i] = j;
    taken_[j] = 1;
  }

  const std::vector<Finding>& before_;
  const std::vector<Finding>& now_;
  std::vector<std::optional<std::pair<std::string, std::uint32_t>>> places_;  // of before_, now
  std::vector<std::size_t> partner_;
  std::vector<char> taken_;
};

}  // namespace

Difference compare(const State& before, const State& now, const PlaceNow& place_now) {
  const std::vector<std::size_t> partner = Matcher(before, now, place_now).match();
  Difference out;
  for (std::size_t i = 0; i < before.findings.size(); ++i) {
    if (before.findings[i].suppression) continue;
    if (partner[i] == kNone)
      out.gone.push_back(before.findings[i]);
    else
      out.remaining.insert(now.findings[partner[i]].fingerprint);
  }
  return out;
}

}  // namespace reckon::report
