// What its callers say of a function that stands in no table.
//
// The problem: an entry function often is a shell that reads its arguments and returns what another function gives it
// (Argument Clinic writes all of CPython's so). The contract is the inner one's to keep, and the arguments that come
// through are as much the caller's property there as in the shell. The method: if in every call in sight the result
// goes straight out of a function that promises a new reference, the function itself promises one; and if in every
// call an argument is one that an entry function was given and took no reference to, it is lent.
//
// Limits: only direct calls; a function whose address is taken, or that has roles in tables, is left alone.

#include <algorithm>

#include "analysis/learn/learn.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

struct Site {
  FuncId caller;
  model::InstrId instr;
};

bool promises_new(const Contract& c) { return c.gives_new || c.result_goes_out; }

// Is the result of the call returned, and looked at in no way but by comparison?
bool passed_on(const model::Body& body, model::InstrId call) {
  if (body.instrs[call].result == kNone) return false;
  std::vector<model::ValueId> values{body.instrs[call].result};
  bool returned = false;
  for (std::size_t n = 0; n < values.size(); ++n)
    for (const Instr& i : body.instrs)
      for (const Operand& o : body.ops(i)) {
        if (o.kind != OperandKind::Value || o.value_id() != values[n]) continue;
        if (i.op == Op::Cast || i.op == Op::Phi || i.op == Op::Select) {
          if (std::find(values.begin(), values.end(), i.result) == values.end()) values.push_back(i.result);
        } else if (i.op == Op::Ret) {
          returned = true;
        } else if (i.op != Op::Cmp) {
          return false;
        }
      }
  return returned;
}

Operand without_casts(const program::ValueDefs& defs, Operand o) {
  for (int fuel = support::kLimits.operands.cast_steps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
    const Instr* i = defs.def(o.value_id());
    if (!i || i->op != Op::Cast) break;
    o = defs.body().ops(*i)[0];
  }
  return o;
}

class Callers {
 public:
  explicit Callers(Context& ctx) : ctx_(ctx), sites_(ctx.program.num_functions()) {
    const program::Program& program = ctx.program;
    for (const FuncId f : program.wholes()) {
      const model::Body& body = program.function(f).body;
      for (model::InstrId n{}; n < body.instrs.size(); ++n) {
        const Instr& i = body.instrs[n];
        if (i.op != Op::Call || body.ops(i).empty() || body.ops(i)[0].kind != OperandKind::Symbol) continue;
        const FuncId callee = program.definition(program.unit_id(f), body.ops(i)[0].symbol_id());
        if (callee != kNone) sites_[callee].push_back({f, n});
      }
      program.rest();
    }
  }

  void learn() {
    for (int round = 0; round < support::kLimits.program.caller_rounds; ++round) {
      bool changed = false;
      for (FuncId f{}; f < sites_.size(); ++f, ctx_.program.rest()) changed = look_at(f) || changed;
      if (!changed) break;
    }
  }

 private:
  bool look_at(FuncId f) {
    const model::Function& fn = ctx_.program.function(f);
    const program::UnitId u = ctx_.program.unit_id(f);
    const model::Symbol& symbol = ctx_.program.unit(f).symbols[fn.symbol];
    const Contract& contract = ctx_.contracts[f];
    if (sites_[f].empty() || fn.body.blocks.empty() || symbol.address_taken || !ctx_.program.roles(f).empty())
      return false;
    if (!contract.plain()) return false;
    bool changed = false;
    if (!contract.given && ctx_.counted(u, fn.result) &&
        std::all_of(sites_[f].begin(), sites_[f].end(), [&](const Site& s) {
          return promises_new(ctx_.contracts[s.caller]) && passed_on(ctx_.program.function(s.caller).body, s.instr);
        })) {
      ctx_.contracts[f].given = ctx_.contracts[f].result_goes_out = true;
      changed = true;
    }
    for (std::uint32_t p = 0; p < fn.params.size() && p < 32; ++p) {
      if ((ctx_.borrowed_params[f] >> p & 1) != 0 || !ctx_.counted(u, fn.params[p].type)) continue;
      if (!std::all_of(sites_[f].begin(), sites_[f].end(), [&](const Site& s) { return lends(s, p); })) continue;
      ctx_.borrowed_params[f] |= 1u << p;
      changed = true;
    }
    return changed;
  }

  // Is argument `p` of this call one that came with a call from outside, and no reference of the caller's own?
  bool lends(const Site& s, std::uint32_t p) const {
    const model::Function& fn = ctx_.program.function(s.caller);
    const auto ops = fn.body.ops(fn.body.instrs[s.instr]);
    if (p + 1 >= ops.size() || ops[p + 1].kind != OperandKind::Value) return false;
    const program::ValueDefs defs(fn.body);
    const Operand given = without_casts(defs, ops[p + 1]);
    if (given.kind != OperandKind::Value || given.id >= fn.params.size()) return false;
    const bool outside =
        ctx_.contracts[s.caller].entry || (given.id < 32 && (ctx_.borrowed_params[s.caller] >> given.id & 1) != 0);
    return outside && !acquired(s.caller, defs, given);
  }

  bool acquired(FuncId f, const program::ValueDefs& defs, const Operand& value) const {
    const program::UnitId u = ctx_.program.unit_id(f);
    for (const Instr& i : defs.body().instrs) {
      if (i.op != Op::Call) continue;
      const auto ops = defs.body().ops(i);
      if (ops.empty() || ops[0].kind != OperandKind::Symbol) continue;
      const specs::FunctionSpec* spec = ctx_.spec_of[u][ops[0].id];
      if (!spec) continue;
      for (const specs::Outcome& o : spec->outcomes)
        for (const specs::CountChange& c : o.counts)
          if (c.delta > 0 && c.object.root == specs::Place::Root::Arg && c.object.path.empty() &&
              c.object.index + 1 < ops.size() && without_casts(defs, ops[c.object.index + 1]) == value)
            return true;
    }
    return false;
  }

  Context& ctx_;
  std::vector<std::vector<Site>> sites_;  // direct calls, by callee
};

}  // namespace

void learn_from_callers(Context& ctx) {
  ctx.borrowed_params.assign(ctx.program.num_functions(), 0);
  if (std::any_of(ctx.contracts.begin(), ctx.contracts.end(), [](const Contract& c) { return c.entry; }))
    Callers(ctx).learn();
}

}  // namespace reckon::analysis
