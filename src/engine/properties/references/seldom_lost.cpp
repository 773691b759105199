// What seems to be lost at an end, and seldom is.
//
// Objects that change hands with pointers, lists and flags, by rules no function shows: the specs name their structs.
//
// A helper turns a device into the structure around it, and gives NULL, with a warning, for a device of another kind.
// Who returns what it gives without a look has asked for the kind before: in the search, as a rule. So the object that
// such an end keeps where the answer is NULL is seldom lost.
//
// A number that a module makes while it is set up and puts into its dictionary, or into that of a type, is there until
// the process ends: a reference too many, taken once, keeps nothing alive that would be gone otherwise. Neither does
// one to an object that a static variable holds, whatever else fails.
//
// A call gives up the frame around a text or an array, and gives what was in it. Who throws that away has it already,
// if it was read from the frame before.
//
// Limits: a call whose result is returned as it is, or is one of those that meet at the end.

#include "engine/properties/references/seldom_lost.h"

#include <algorithm>
#include <optional>

#include "program/values.h"
#include "support/limits.h"

namespace reckon::engine {

namespace {

using model::Instr;
using model::Op;
using model::Operand;
using model::OperandKind;

bool comes_from(const model::Body& body, const program::ValueDefs& defs, Operand o, const Instr& origin) {
  for (int fuel = support::kLimits.operands.cast_steps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
    const Instr* i = defs.def(o.value_id());
    if (i == &origin) return true;
    if (!i || i->op != Op::Cast) return false;
    o = body.ops(*i)[0];
  }
  return false;
}

// The argument itself or a part of it, or NULL.
bool converts(const std::vector<specs::Outcome>& outcomes, std::size_t argument) {
  const bool part = std::any_of(outcomes.begin(), outcomes.end(), [&](const specs::Outcome& o) {
    return o.result.kind == specs::Value::Kind::Place && o.result.place.root == specs::Place::Root::Arg &&
           o.result.place.index == argument && o.result.place.path.size() <= (o.result.place.address ? 1U : 0U);
  });
  return part && std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) {
           return o.result.kind == specs::Value::Kind::Int && o.result.imm == 0;
         });
}

// The parameter that the function gives up where it gives a new object; nullopt: there is none.
std::optional<std::uint32_t> given_up_for_result(const specs::FunctionSpec& spec) {
  for (const specs::Outcome& o : spec.outcomes)
    if (o.result.kind == specs::Value::Kind::Object && specs::owns(o, o.result.object))
      for (const specs::CountChange& c : o.counts)
        if (c.delta < 0 && c.kind.empty() && c.object.root == specs::Place::Root::Arg && c.object.path.empty())
          return c.object.index;
  return std::nullopt;
}

}  // namespace

bool read_before(const Context& ctx, FuncId f, const EventObject& o) {
  if (o.origin == model::kNone) return false;
  const model::Body& body = ctx.program.function(f).body;
  const Instr& call = body.instrs[o.origin];
  if (call.op != Op::Call || call.result == model::kNone || body.ops(call)[0].kind != OperandKind::Symbol) return false;
  const specs::FunctionSpec* spec = ctx.spec_of[ctx.program.unit_id(f)][body.ops(call)[0].symbol_id()];
  const auto frame = spec ? given_up_for_result(*spec) : std::nullopt;
  if (!frame || *frame + 1 >= body.ops(call).size()) return false;
  const Operand given = body.ops(call)[*frame + 1], result = Operand::value(call.result);
  const model::Unit& unit = ctx.program.unit(f);
  const program::ValueDefs defs(body);
  bool read = false;
  for (const Instr& i : body.instrs) {
    const auto ops = body.ops(i);
    if (std::find(ops.begin(), ops.end(), result) != ops.end()) return false;  // it is not thrown away
    if (i.op != Op::Load || unit.type(i.type).kind != model::TypeKind::Pointer || ops[0].kind != OperandKind::Value)
      continue;
    const Instr* field = defs.def(ops[0].value_id());
    read = read || ops[0] == given || (field && field->op == Op::Field && body.ops(*field)[0] == given);
  }
  return read;
}

bool kept_as_a_rule(const Context& ctx, FuncId f, const EventObject& o) {
  const auto& domains = ctx.specs.domains();
  if (o.domain >= domains.size() || domains[o.domain].kept_in.empty() || o.origin == model::kNone) return false;
  const std::vector<std::string>& kept = domains[o.domain].kept_in;
  const model::Unit& unit = ctx.program.unit(f);
  const model::Type& pointer = unit.type(ctx.program.function(f).body.instrs[o.origin].type);
  model::TypeId record = pointer.kind == model::TypeKind::Pointer ? pointer.elem : model::TypeId{};
  for (int depth = 0; record != 0 && depth < support::kLimits.program.first_members; ++depth) {
    const model::Type& r = unit.type(record);
    if (r.kind != model::TypeKind::Struct) return false;
    if (std::find(kept.begin(), kept.end(), unit.str(r.name)) != kept.end()) return true;
    if (r.fields.empty() || r.fields[0].offset != 0) return false;
    record = r.fields[0].type;
  }
  return false;
}

namespace {
// Was it made by a function that keeps some of its objects ready, as it does small numbers?
bool number(const Context& ctx, FuncId f, const Obj& o) {
  const model::Body& body = ctx.program.function(f).body;
  if (o.origin >= body.instrs.size() || body.instrs[o.origin].op != Op::Call) return false;
  const Operand callee = body.ops(body.instrs[o.origin])[0];
  const specs::FunctionSpec* spec =
      callee.kind == OperandKind::Symbol ? ctx.spec_of[ctx.program.unit_id(f)][callee.id] : nullptr;
  return spec && spec->ready.param != specs::Ready::kNever;
}
}  // namespace

bool held_from_set_up(const Context& ctx, FuncId f, const TermArena& terms, const State& s, const Obj& o, bool failed,
                      const std::vector<Exit>& exits) {
  const auto& domains = ctx.specs.domains();
  // A kernel's drivers are set up once for each device.
  if (o.domain >= domains.size() || domains[o.domain].failure_value != specs::FailureValue::Exception ||
      f >= ctx.phases.size() || ctx.phases[f] != Phase::Init)
    return false;
  if (std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
        return c.value == o.term && terms[terms.root(c.base)].kind == TermKind::Global;
      }))
    return true;
  if (!number(ctx, f, o)) return false;
  auto held = [](const State& at, const Obj& x) {
    return std::any_of(x.holders.begin(), x.holders.end(), [&](TermId h) {
      const Obj* holder = at.object(h);
      return !holder || holder->life == Life::Alive;
    });
  };
  if (!failed) return held(s, o);
  return std::any_of(exits.begin(), exits.end(), [&](const Exit& e) {
    auto the_same = [&](const Obj& x) { return x.origin == o.origin && x.owned > 0 && held(e.state, x); };
    return !e.state.failed && (std::any_of(e.state.objects.begin(), e.state.objects.end(), the_same) ||
                               std::any_of(e.state.lost.begin(), e.state.lost.end(),
                                           [&](const State::Lost& l) { return !l.failed && the_same(l.object); }));
  });
}

bool read_elsewhere(const model::Unit& unit, const model::Function& self, std::string_view variable) {
  const auto symbol = std::find_if(unit.symbols.begin(), unit.symbols.end(), [&](const model::Symbol& x) {
    return x.kind == model::SymbolKind::Variable && unit.str(x.name) == variable;
  });
  if (symbol == unit.symbols.end() || symbol->linkage != model::Linkage::Internal) return true;
  const auto id = static_cast<model::SymId>(symbol - unit.symbols.begin());
  return std::any_of(unit.functions.begin(), unit.functions.end(), [&](const model::Function& f) {
    if (&f == &self) return false;
    return std::any_of(f.body.instrs.begin(), f.body.instrs.end(), [&](const model::Instr& i) {
      const auto ops = f.body.ops(i);
      for (std::size_t k = i.op == model::Op::Store ? 1 : 0; k < ops.size(); ++k)
        if (ops[k].kind == model::OperandKind::Symbol && ops[k].symbol_id() == id) return true;
      return false;
    });
  });
}

bool ends_with_conversion(const Context& ctx, FuncId f, InstrId end, InstrId origin) {
  const model::Body& body = ctx.program.function(f).body;
  if (origin == model::kNone || end == model::kNone || body.instrs[end].op != Op::Ret) return false;
  const program::ValueDefs defs(body);
  const auto returned = body.ops(body.instrs[end]);
  std::vector<Operand> values(returned.begin(), returned.end());
  if (const Instr* i =
          values.empty() || values[0].kind != OperandKind::Value ? nullptr : defs.def(values[0].value_id());
      i && i->op == Op::Phi)
    values.assign(body.ops(*i).begin(), body.ops(*i).end());
  return std::any_of(values.begin(), values.end(), [&](const Operand& v) {
    const Instr* call = v.kind == OperandKind::Value ? defs.def(v.value_id()) : nullptr;
    if (!call || call->op != Op::Call) return false;
    const auto ops = body.ops(*call);
    if (ops[0].kind != OperandKind::Symbol) return false;
    const FuncId callee = ctx.program.definition(ctx.program.unit_id(f), ops[0].symbol_id());
    const std::vector<specs::Outcome>* outcomes = ctx.outcomes_before(callee, f);
    for (std::size_t a = 1; outcomes && a < ops.size(); ++a)
      if (comes_from(body, defs, ops[a], body.instrs[origin]) && converts(*outcomes, a - 1)) return true;
    return false;
  });
}

}  // namespace reckon::engine
