#include "driver/call_ends.h"

#include <algorithm>

namespace reckon::driver {

namespace {

using specs::Outcome;
using specs::Place;
using specs::Value;

bool is_argument(const Place& p) { return p.root == Place::Root::Arg && p.path.empty() && p.field_path.empty(); }

// The one number that stands for the result: of several, the one nearest to 0, which is how failure is written.
std::optional<std::int64_t> number_of(const Value& v) {
  constexpr std::int64_t kNoMemory = -12;  // an error pointer as the kernel writes it
  switch (v.kind) {
    case Value::Kind::Int: return v.imm;
    case Value::Kind::Range: return v.hi < 0 ? v.hi : v.imm;
    case Value::Kind::ErrPtr: return kNoMemory;
    default: return std::nullopt;
  }
}

const char* name_of(specs::Exception e) {
  switch (e) {
    case specs::Exception::Set: return "set";
    case specs::Exception::Cleared: return "cleared";
    case specs::Exception::MaybeSet: return "may be set";
    case specs::Exception::Unchanged: return "";
  }
  return "";
}

report::CallEnd end_of(const std::vector<Outcome>& all, const Outcome& o) {
  report::CallEnd end;
  end.failure = o.failure && o.result.kind != Value::Kind::Unknown;
  end.value = number_of(o.result);
  end.exception = name_of(o.exception);
  end.decides = end.value == 0 && std::any_of(all.begin(), all.end(), [](const Outcome& other) {
                  return other.result.kind == Value::Kind::Object || other.result.kind == Value::Kind::Interior;
                });
  for (const specs::CountChange& c : o.counts)
    if (is_argument(c.object) && c.kind.empty())
      for (int n = c.delta; n < 0; ++n) end.released.push_back(c.object.index);
  for (const specs::Hold& h : o.holds)
    if (h.steals && is_argument(h.object)) end.released.push_back(h.object.index);
  for (const specs::StoreEffect& s : o.stores)
    if (s.where.root == Place::Root::Arg && s.where.path == std::vector<std::int64_t>{0} && s.where.field_path.empty())
      if (const auto value = number_of(s.value)) end.stores.push_back({s.where.index, *value});
  return end;
}

}  // namespace

void add_call_ends(report::Run& run, const specs::SpecSet& specs) {
  auto add = [&](const std::vector<report::Step>& path) {
    for (const report::Step& step : path) {
      const specs::FunctionSpec* spec = step.callee.empty() ? nullptr : specs.find(step.callee);
      if (!spec || step.outcome >= spec->outcomes.size()) continue;
      run.call_ends.try_emplace({step.callee, step.outcome}, end_of(spec->outcomes, spec->outcomes[step.outcome]));
    }
  };
  for (const report::Finding& f : run.findings) add(f.path), add(f.other_path);
}

}  // namespace reckon::driver
