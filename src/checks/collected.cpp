#include "checks/collected.h"

namespace reckon::checks {

using model::kNone;

std::string call_name(const View& v, model::InstrId instr) {
  const std::string name = v.callee_of(instr);
  return name.empty() ? "the call" : name + "()";
}

void explain_history(const View& v, report::Finding& f) {
  std::vector<report::Step> steps;
  auto add = [&](model::InstrId instr, std::string text) {
    if (instr == kNone) return;
    report::Step step;
    step.loc = v.loc(instr);
    step.text = std::move(text);
    steps.push_back(std::move(step));
  };
  const engine::EventObject& o = v.object();
  add(o.origin, v.quoted_object() + " is made here");
  add(o.touched, v.quoted_object() + " is no longer protected from here on");
  add(o.released, call_name(v, o.released) + " may collect garbage");
  for (report::Step& s : f.path) s.essential = s.essential && !s.text.starts_with("when ");
  f.path.insert(f.path.end(), steps.begin(), steps.end());
}

}  // namespace reckon::checks
