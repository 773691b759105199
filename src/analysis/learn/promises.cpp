// What specs are to the bodies of their functions.
//
// A function of the program that a spec names has to do what the spec says, for callers go by that. Three kinds of
// specs are no contract of a body: a pattern, which speaks of names and not of one function; what a header defines,
// since there stand in for the API what a configuration leaves out, and inline parts of the API itself; and the spec of
// a primitive (counters.h).

#include "analysis/learn/learn.h"

#include <algorithm>

#include "analysis/learn/counters.h"

namespace reckon::analysis {

namespace {

bool is_argument(const specs::Place& p, std::uint32_t arg) {
  return p.root == specs::Place::Root::Arg && p.index == arg && p.path.empty() && p.field_path.empty() && !p.address;
}

// Does the caller lose its reference to this argument when the call ends so?
bool takes(const specs::Outcome& o, std::uint32_t arg) {
  return std::ranges::any_of(o.holds, [&](const auto& h) { return h.steals && is_argument(h.object, arg); }) ||
         std::ranges::any_of(
             o.counts, [&](const auto& c) { return c.kind.empty() && c.delta == -1 && is_argument(c.object, arg); });
}

// Whatever happens, unless there is no object: the reference is the function's from the beginning.
bool always_takes(const specs::FunctionSpec& spec, std::uint32_t arg) {
  bool any = false;
  for (const specs::Outcome& o : spec.outcomes) {
    const bool null = std::ranges::any_of(o.when, [&](const specs::Condition& c) {
      return is_argument(c.place, arg) && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other;
    });
    if (null || o.never_returns) continue;
    if (!takes(o, arg)) return false;
    any = true;
  }
  return any;
}

}  // namespace

void learn_promises(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.promises.assign(program.num_functions(), {});
  Counters counters(ctx);
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    const program::FunctionHead& head = program.head(f);
    const specs::FunctionSpec* spec = ctx.spec_of[head.unit][head.symbol];
    if (!spec || !head.has_body || (head.from_header && !spec->from_source)) continue;
    const model::Function& fn = program.declared(f);
    Promise& promise = ctx.promises[f];
    promise.primitive = !spec->from_source && counters.primitive(f, *spec);
    if (promise.primitive || spec->name.find('*') != std::string::npos) continue;
    promise.spec = spec;
    if (spec->from_source) continue;
    for (std::uint32_t p = 0; p < fn.params.size() && p < 32; ++p)
      if (ctx.counted(head.unit, fn.params[p].type) && always_takes(*spec, p)) promise.given |= 1u << p;
  }
}

}  // namespace reckon::analysis
