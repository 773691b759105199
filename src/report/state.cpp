#include "report/state.h"

#include <algorithm>

namespace reckon::report {

void merge(StateChange& into, const StateChange& from) {
  for (const ObjectState& o : from.objects) {
    const auto it =
        std::find_if(into.objects.begin(), into.objects.end(), [&](const ObjectState& x) { return x.id == o.id; });
    if (it == into.objects.end())
      into.objects.push_back(o);
    else
      *it = o;
  }
  if (!from.exception.empty()) into.exception = from.exception;
  if (!from.lock.empty()) into.lock = from.lock;
  if (from.depth.empty()) return;
  into.depth = from.depth;
  into.stack = from.stack;
  into.bare = from.bare;
}

void PathState::apply(const StateChange& change) {
  for (const ObjectState& o : change.objects) objects_.insert_or_assign(o.id, o);
  if (!change.exception.empty()) exception_ = change.exception;
  if (!change.lock.empty()) lock_ = change.lock;
  if (!change.depth.empty()) {
    depth_ = change.depth;
    stack_ = change.stack;
    bare_ = change.bare;
  }
  last_ = change;
}

std::vector<Fact> PathState::facts() const {
  std::vector<Fact> out;
  for (const auto& [id, o] : objects_) {
    const bool changed =
        std::any_of(last_.objects.begin(), last_.objects.end(), [&](const ObjectState& x) { return x.id == o.id; });
    const std::string name = o.name.empty() ? "an object" : o.name;
    if (!o.count.empty()) {
      out.push_back({FactKind::Count, o.count + " count of `" + name + "`",
                     (o.owned > 0 ? "+" : "") + std::to_string(o.owned), changed});
      continue;
    }
    out.push_back({FactKind::Owned, name, std::to_string(o.owned), changed});
    for (const std::string& holder : o.holders) out.push_back({FactKind::Holder, name, holder, changed});
  }
  if (!exception_.empty()) out.push_back({FactKind::Exception, "", exception_, !last_.exception.empty()});
  if (!lock_.empty()) out.push_back({FactKind::Lock, "", lock_, !last_.lock.empty()});
  if (depth_.empty()) return out;
  const bool changed = !last_.depth.empty();
  out.push_back({FactKind::Protection, "", depth_, changed});
  for (const std::string& name : stack_) out.push_back({FactKind::Protection, name, "on the stack", changed});
  for (const std::string& name : bare_) out.push_back({FactKind::Protection, name, "not protected", changed});
  return out;
}

}  // namespace reckon::report
