// Lines where garbage may be collected.
//
// The problem: whoever reads C code for a collected language has to know at each line whether objects may vanish there.
// The method: a call may collect if its spec says so for the arguments at hand, as far as they are known globals; a
// function of the program, if it calls something that may; an unknown one, if objects are in its signature. Calls that
// do not return are left out, and so are calls on the way to them only: what happens there is no danger to what
// follows.
//
// Limits: a call through a pointer collects if one of its known targets does, or if none is known. What arguments mean
// inside a callee is not looked at.

#include "checks/collections.h"

#include <algorithm>
#include <set>

#include "checks/static_checks.h"
#include "program/values.h"

namespace reckon::checks {

namespace {

using model::Op;
using model::Operand;
using model::OperandKind;
using program::FuncId;
using program::UnitId;

bool checks_protection(const engine::Context& ctx, UnitId u) {
  return ctx.unit_concerned[u] && ctx.specs.domains()[ctx.unit_domain[u]].reports_protection;
}

class Collections {
 public:
  explicit Collections(const engine::Context& ctx) : ctx_(ctx), collects_(ctx.program.num_functions(), 0) {
    for (bool again = true; again;) {
      again = false;
      for (const auto& component : ctx_.program.components())
        for (const FuncId f : component)
          if (!collects_[f] && function_collects(f)) collects_[f] = again = true;
    }
  }

  report::Collections points() const {
    std::set<std::pair<report::SourceLoc, std::string>> calls;  // in the order they are written
    for (FuncId f{}; f < collects_.size(); ++f) {
      const UnitId u = ctx_.program.unit_id(f);
      if (!checks_protection(ctx_, u)) continue;
      const model::Unit& unit = ctx_.program.unit(f);
      visit(f, [&](const model::Instr& call) {
        const Operand& callee = ctx_.program.function(f).body.ops(call)[0];
        calls.emplace(source_loc(unit, call.loc), callee.kind == OperandKind::Symbol
                                                      ? std::string(unit.str(unit.symbols[callee.id].display)) + "()"
                                                      : "a function behind a pointer");
        return false;
      });
    }
    report::Collections out;
    for (const auto& [loc, callee] : calls) {
      auto& line = out[loc.file][loc.line];
      if (std::find(line.begin(), line.end(), callee) == line.end()) line.push_back(callee);
    }
    return out;
  }

 private:
  bool function_collects(FuncId f) const {
    return visit(f, [](const model::Instr&) { return true; });
  }

  // Calls of `f` that may collect, on blocks from which it may return; ends when `found` says so, and says whether it
  // did.
  template <typename Found>
  bool visit(FuncId f, Found found) const {
    const model::Body& body = ctx_.program.function(f).body;
    const UnitId u = ctx_.program.unit_id(f);
    const std::vector<char> good = returning(u, body);
    for (model::BlockId b{}; b < body.blocks.size(); ++b) {
      if (!good[b]) continue;
      for (const model::Instr& i : body.block(b))
        if (i.op == Op::Call && may_collect(f, u, body, i) && found(i)) return true;
    }
    return false;
  }

  // Blocks from which a return can be reached.
  std::vector<char> returning(UnitId u, const model::Body& body) const {
    std::vector<char> ends(body.blocks.size(), 0), good(body.blocks.size(), 0);
    for (model::BlockId b{}; b < body.blocks.size(); ++b)
      for (const model::Instr& i : body.block(b))
        ends[b] = ends[b] || (i.op == Op::Call && never_returns(u, body.ops(i)[0]));
    for (bool again = true; again;) {
      again = false;
      for (model::BlockId b{}; b < body.blocks.size(); ++b) {
        if (good[b] || ends[b]) continue;
        const model::Instr& last = body.terminator(b);
        bool now = last.op == Op::Ret || last.op == Op::Resume;
        for (const model::BlockId next : body.succs(last)) now = now || good[next];
        if (now) good[b] = again = true;
      }
    }
    return good;
  }

  static bool all_never(const std::vector<specs::Outcome>& outcomes) {
    return !outcomes.empty() &&
           std::all_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) { return o.never_returns; });
  }

  bool never_returns(UnitId u, const Operand& callee) const {
    if (callee.kind != OperandKind::Symbol) return false;
    const model::Unit& unit = ctx_.program.unit_at(u);
    for (const model::Attribute& a : unit.symbols[callee.id].attributes)
      if (unit.str(a.name) == "noreturn") return true;
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][callee.id]) return all_never(spec->outcomes);
    const FuncId f = ctx_.program.definition(u, callee.symbol_id());
    return f != program::kNone && ctx_.summaries[f].known && all_never(ctx_.summaries[f].outcomes);
  }

  static bool any_allocates(const std::vector<specs::Outcome>& outcomes) {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [](const specs::Outcome& o) { return o.allocates && !o.never_returns; });
  }

  // The global an argument was read from, as in `getAttrib(x, R_DimSymbol)`; "" if it is something else.
  static std::string_view global_read(const model::Unit& unit, const program::ValueDefs& defs, const Operand& o) {
    const model::Instr* def = o.kind == OperandKind::Value ? defs.def(o.value_id()) : nullptr;
    if (!def || def->op != Op::Load) return {};
    const Operand& address = defs.body().ops(*def)[0];
    return address.kind == OperandKind::Symbol && address.imm == 0 ? unit.str(unit.symbols[address.id].name)
                                                                   : std::string_view();
  }

  // Does a condition on an argument that is or is not a certain global rule this alternative out?
  static bool possible(const specs::Outcome& o, const model::Unit& unit, const program::ValueDefs& defs,
                       std::span<const Operand> ops) {
    for (const specs::Condition& c : o.when) {
      if (c.place.root != specs::Place::Root::Arg || !c.place.path.empty() || !c.place.field_path.empty()) continue;
      if (!c.other || c.other->root != specs::Place::Root::Global || c.place.index + 1 >= ops.size()) continue;
      const std::string_view is = global_read(unit, defs, ops[c.place.index + 1]);
      if (is.empty() ? c.known : (c.pred == specs::Pred::Eq) != (is == c.other->global)) return false;
    }
    return true;
  }

  bool may_collect(FuncId caller, UnitId u, const model::Body& body, const model::Instr& call) const {
    if (body.calls[call.aux].inline_asm) return false;
    const model::Unit& unit = ctx_.program.unit_at(u);
    const Operand& callee = body.ops(call)[0];
    if (callee.kind != OperandKind::Symbol) {
      const auto targets = ctx_.program.targets(caller, call);
      return targets.empty() ||
             std::any_of(targets.begin(), targets.end(), [&](FuncId t) { return collects_[t] != 0; });
    }
    if (never_returns(u, callee)) return false;
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][callee.id]) {
      if (spec->allocates || !any_allocates(spec->outcomes)) return spec->allocates;
      const program::ValueDefs defs(body);
      return std::any_of(spec->outcomes.begin(), spec->outcomes.end(), [&](const specs::Outcome& o) {
        return o.allocates && !o.never_returns && possible(o, unit, defs, body.ops(call));
      });
    }
    if (const FuncId f = ctx_.program.definition(u, callee.symbol_id()); f != program::kNone) return collects_[f] != 0;
    return objects_in(u, unit.symbols[callee.id].type);
  }

  bool objects_in(UnitId u, model::TypeId type) const {
    const model::Type& t = ctx_.program.unit_at(u).type(type);
    if (t.kind != model::TypeKind::Function) return false;
    const auto object = [&](model::TypeId id) { return ctx_.counted(u, id); };
    return object(t.elem) || std::any_of(t.params.begin(), t.params.end(), object);
  }

  const engine::Context& ctx_;
  std::vector<char> collects_;
};

}  // namespace

report::Collections collection_points(const engine::Context& ctx) {
  for (UnitId u{}; u < ctx.program.num_units(); ++u)
    if (checks_protection(ctx, u)) return Collections(ctx).points();
  return {};
}

}  // namespace reckon::checks
