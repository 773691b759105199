#include "report/state.h"

#include <algorithm>

namespace reckon::report {

void merge(StateChange& into, const StateChange& from) {
  for (const ObjectState& o : from.objects) {
    const auto it = std::find_if(into.objects.begin(), into.objects.end(), [&](const ObjectState& x) { return x.id == o.id; });
    if (it == into.objects.end()) into.objects.push_back(o);
    else *it = o;
  }
  if (!from.exception.empty()) into.exception = from.exception;
  if (!from.lock.empty()) into.lock = from.lock;
  if (from.protects >= 0) into.protects = from.protects;
}

void PathState::apply(const StateChange& change) {
  for (const ObjectState& o : change.objects) objects_.insert_or_assign(o.id, o);
  if (!change.exception.empty()) exception_ = change.exception;
  if (!change.lock.empty()) lock_ = change.lock;
  if (change.protects >= 0) protects_ = change.protects;
  last_ = change;
}

std::vector<Fact> PathState::facts() const {
  std::vector<Fact> out;
  for (const auto& [id, o] : objects_) {
    const bool changed = std::any_of(last_.objects.begin(), last_.objects.end(), [&](const ObjectState& x) { return x.id == o.id; });
    const std::string name = o.name.empty() ? "an object" : o.name;
    if (!o.count.empty()) {
      out.push_back({FactKind::Count, o.count + " count of `" + name + "`", (o.owned > 0 ? "+" : "") + std::to_string(o.owned), changed});
      continue;
    }
    out.push_back({FactKind::Owned, name, std::to_string(o.owned), changed});
    for (const std::string& holder : o.holders) out.push_back({FactKind::Holder, name, holder, changed});
  }
  if (!exception_.empty()) out.push_back({FactKind::Exception, "", exception_, !last_.exception.empty()});
  if (!lock_.empty()) out.push_back({FactKind::Lock, "", lock_, !last_.lock.empty()});
  if (protects_ >= 0) out.push_back({FactKind::Protection, "", std::to_string(protects_), last_.protects >= 0});
  return out;
}

}  // namespace reckon::report
