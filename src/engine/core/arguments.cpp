// What is asked of a call's arguments before its outcomes count: what must not be NULL, used up or unprotected.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "program/values.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;

// Does the prototype say that argument `a` of this call is a counted object?
bool Calls::object_parameter(InstrId index, std::size_t a) const {
  const Instr& i = body_.instrs[index];
  if (i.aux == kNone || body_.calls[i.aux].type == 0) return false;
  const model::Type& t = unit_.type(body_.calls[i.aux].type);
  return a < t.params.size() && subject_.counted(t.params[a]);
}

// Does the call store something at this offset of what argument `a` points to, on some way that is no failure?
bool Calls::fills(InstrId index, const FunctionSpec* spec, std::size_t a, std::int64_t offset) const {
  const auto outcomes = outcomes_of({.index = index, .spec = spec, .args = {}});
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
    return !o.failure && std::any_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& st) {
      return st.where.root == Place::Root::Arg && st.where.index == a && st.where.field_path.empty() &&
             st.where.path.size() == 1 && st.where.path[0] == offset;
    });
  });
}

// Of a function that a spec describes, or of the one that is called by its name.
std::span<const Outcome> Calls::outcomes_of(const Call& call) const {
  if (call.spec) return call.spec->outcomes;
  const model::Operand callee = body_.ops(body_.instrs[call.index])[0];
  const FuncId f =
      callee.kind == OperandKind::Symbol ? ctx_.program.definition(unit_id_, callee.symbol_id()) : program::kNone;
  return f != program::kNone && ctx_.summaries[f].known ? std::span(ctx_.summaries[f].outcomes)
                                                        : std::span<const Outcome>();
}

bool Calls::check_arguments(State& s, Call& call) {
  call.callee = trail_.callee_name(body_.instrs[call.index]);
  // Releasing has checks of its own: a second release is no "use".
  call.releases = hooks_.any<&Property::gives_up_argument>(outcomes_of(call));
  if (!hooks_.all<&Property::arguments>(s, call)) return false;
  for (std::size_t a = 0; a < call.args.size(); ++a)
    if (!hooks_.all<&Property::argument>(s, call, a)) return false;
  return true;
}

// Does the function look at what this call returned, or hand it on as a value? Asked whenever the call is executed.
bool Calls::result_tested(InstrId index) {
  return results_tested_.get(index, [&] { return find_result_test(index); });
}

bool Calls::find_result_test(InstrId index) const {
  std::vector<model::ValueId> values{body_.instrs[index].result};
  if (values[0] == kNone) return false;
  for (InstrId n{}; n < body_.instrs.size(); ++n) {
    const Instr& i = body_.instrs[n];
    for (const model::Operand& o : body_.ops(i)) {
      if (o.kind != OperandKind::Value || std::find(values.begin(), values.end(), o.value_id()) == values.end())
        continue;
      const bool pointer = unit_.type(body_.instrs[index].type).kind == model::TypeKind::Pointer;
      if (i.op == model::Op::Cast || i.op == model::Op::Phi || i.op == model::Op::Select) {
        if (std::find(values.begin(), values.end(), i.result) == values.end()) values.push_back(i.result);
      } else if (i.op == model::Op::Cmp) {
        for (const model::Operand& with : body_.ops(i))
          if (with.kind == OperandKind::Null || with.kind == OperandKind::Int) return true;
      } else if (i.op == model::Op::Arith || i.op == model::Op::Switch || (i.op == model::Op::Ret && !pointer) ||
                 (i.op == model::Op::Store && !pointer && o == body_.ops(i)[1])) {  // whoever reads it there may ask
        return true;
      }
      break;
    }
  }
  return false;
}

}  // namespace reckon::engine
