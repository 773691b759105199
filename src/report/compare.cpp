#include "report/compare.h"

#include <algorithm>
#include <map>

namespace reckon::report {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Matcher {
 public:
  Matcher(const State& before, const State& now, const PlaceNow& place_now)
      : before_(before.findings),
        now_(now.findings),
        before_kin_(before.kin),
        now_kin_(now.kin),
        partner_(before_.size(), kNone),
        taken_(now_.size()) {
    for (const Finding& f : before_) places_.push_back(place_now(f.loc));
  }

  // For each of `before` its partner in `now`, or kNone.
  const std::vector<std::size_t>& match() {
    std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> kins;
    for (std::size_t i = 0; i < before_.size(); ++i) kins[before_kin_[i]].first.push_back(i);
    for (std::size_t j = 0; j < now_.size(); ++j) kins[now_kin_[j]].second.push_back(j);
    for (const auto& [kin, both] : kins) {
      pair_up(both.first, both.second, [&](std::size_t i, std::size_t j) { return maps_to(i, j); });
      pair_up(both.first, both.second, [](std::size_t, std::size_t) { return true; });
    }
    std::vector<std::size_t> all_before(before_.size()), all_now(now_.size());
    for (std::size_t i = 0; i < all_before.size(); ++i) all_before[i] = i;
    for (std::size_t j = 0; j < all_now.size(); ++j) all_now[j] = j;
    auto renamed = [&](std::size_t i, std::size_t j) { return before_[i].check == now_[j].check && maps_to(i, j); };
    pair_up(all_before, all_now,
            [&](std::size_t i, std::size_t j) { return renamed(i, j) && before_[i].object == now_[j].object; });
    pair_up(all_before, all_now, renamed);
    pair_up(all_before, all_now, [&](std::size_t i, std::size_t j) { return moved_along(before_[i], now_[j]); });
    return partner_;
  }

 private:
  bool maps_to(std::size_t i, std::size_t j) const {
    return places_[i] && places_[i]->first == now_[j].loc.file && places_[i]->second == now_[j].loc.line;
  }

  // The function went to another file.
  static bool moved_along(const Finding& then, const Finding& now) {
    return !then.function.empty() && then.function == now.function && then.loc.file != now.loc.file &&
           then.check == now.check && then.object == now.object && then.message == now.message;
  }

  template <typename Fits>
  void pair_up(const std::vector<std::size_t>& before, const std::vector<std::size_t>& now, Fits fits) {
    for (const std::size_t i : before)
      for (const std::size_t j : now) {
        if (partner_[i] != kNone) break;
        if (taken_[j] || !fits(i, j)) continue;
        partner_[i] = j;
        taken_[j] = 1;
      }
  }

  const std::vector<Finding>& before_;
  const std::vector<Finding>& now_;
  const std::vector<std::string>&before_kin_, &now_kin_;
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
