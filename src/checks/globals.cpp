#include "checks/globals.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "checks/kept.h"
#include "checks/static_checks.h"
#include "checks/type_tables.h"
#include "model/dominators.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using model::Instr;
using model::Op;
using model::Operand;
using model::OperandKind;
using program::FuncId;
using program::UnitId;

using Place = std::pair<std::string, std::int64_t>;  // a global's name and an offset

class Reader {
 public:
  Reader(const engine::Context& ctx, FuncId f)
      : ctx_(ctx),
        u_(ctx.program.unit_id(f)),
        unit_(ctx.program.unit(f)),
        body_(ctx.program.function(f).body),
        defs_(body_) {}

  std::vector<GlobalShare> run() {
    find_uses();
    for (model::BlockId b{}; b < body_.blocks.size(); ++b)
      for (const Instr& i : body_.block(b)) {
        if (i.op == Op::Store) store(i, b);
        if (i.op == Op::Load) load(i);
        if (i.op == Op::Call) call(i);
      }
    // A value that was stored and kept.
    for (const auto& [value, p] : stored_)
      if (std::find(kept_.begin(), kept_.end(), value) != kept_.end()) use(p).kept = true;
    std::vector<GlobalShare> out;
    for (auto& [p, share] : places_) out.push_back(std::move(share));
    return out;
  }

 private:
  std::optional<Place> place(const Operand& address) const {
    if (address.kind == OperandKind::Symbol) {
      const model::Symbol& s = unit_.symbols[address.id];
      if (s.kind != model::SymbolKind::Variable) return std::nullopt;
      return Place(variable_key(unit_, u_, address.symbol_id()), is_array(s) ? 0 : address.imm);
    }
    const Instr* def = address.kind == OperandKind::Value ? defs_.def(address.value_id()) : nullptr;
    if (!def || (def->op != Op::Field && def->op != Op::Index)) return std::nullopt;
    auto base = place(body_.ops(*def)[0]);
    if (base && def->op == Op::Field && !in_array(body_.ops(*def)[0])) base->second += def->imm;
    return base;
  }

  // All elements of an array are one place.
  bool is_array(const model::Symbol& s) const { return unit_.type(s.type).kind == model::TypeKind::Array; }
  bool in_array(const Operand& address) const {
    if (address.kind == OperandKind::Symbol) return is_array(unit_.symbols[address.id]);
    const Instr* def = address.kind == OperandKind::Value ? defs_.def(address.value_id()) : nullptr;
    return def && (def->op == Op::Index || (def->op == Op::Field && in_array(body_.ops(*def)[0])));
  }

  GlobalShare& use(const Place& p) {
    GlobalShare& out = places_[p];
    out.name = p.first;
    out.offset = p.second;
    return out;
  }

  bool is_object(model::TypeId type) const {
    const specs::DomainId domain = ctx_.counted_domain[u_][type];
    return domain != model::kNone && ctx_.specs.domains()[domain].reports_protection;
  }

  // Values that are used other than in comparisons.
  void find_uses() {
    used_.assign(body_.num_values, 0);
    for (const Instr& i : body_.instrs) {
      if (i.op == Op::Cmp) continue;
      for (const Operand& o : body_.ops(i))
        if (o.kind == OperandKind::Value) used_[o.id] = 1;
    }
  }

  void load(const Instr& i) {
    if (!is_object(i.type)) return;
    const auto p = place(body_.ops(i)[0]);
    if (!p || i.result == model::kNone || !used_[i.result]) return;
    GlobalShare& g = use(*p);
    g.reads = true;
    g.lasting = g.lasting || used_as_lasting(i.result);
  }

  bool lasting(const specs::Condition& c) const {
    if (c.place.path.size() != 1 || c.pred != specs::Pred::Eq || c.other) return false;
    const auto& kept = ctx_.specs.domains()[ctx_.unit_domain[u_]].kept_in;
    return std::find(kept.begin(), kept.end(), fmt::format("%{}={}", specs::property_name(c.place.path[0]), c.imm)) !=
           kept.end();
  }

  // Is the value given to a parameter that has to be of a kind others mostly keep?
  bool used_as_lasting(model::ValueId v) const {
    auto asks = [&](const Instr& i, std::size_t k) {
      const specs::FunctionSpec* spec = nullptr;
      const auto* all = outcomes(body_.ops(i)[0], &spec);
      return all && !all->empty() && std::all_of(all->begin(), all->end(), [&](const specs::Outcome& o) {
               return std::any_of(o.when.begin(), o.when.end(), [&](const specs::Condition& c) {
                 return c.place.root == specs::Place::Root::Arg && c.place.index + 1 == k && lasting(c);
               });
             });
    };
    for (const Instr& i : body_.instrs) {
      const auto ops = body_.ops(i);
      for (std::size_t k = 1; i.op == Op::Call && k < ops.size(); ++k)
        if (ops[k].kind == OperandKind::Value && ops[k].value_id() == v && asks(i, k)) return true;
    }
    return false;
  }

  void store(const Instr& i, model::BlockId block) {
    if (!is_object(i.type)) return;
    const auto p = place(body_.ops(i)[0]);
    if (!p) return;
    const bool guarded = tested_before(*p, block);
    GlobalShare& g = use(*p);
    if (!guarded) g.sets = true;
    const Operand& value = body_.ops(i)[1];
    if (unsafe(value, true) && !(pushed(value) && keeps_aside(*p)))
      g.unsafe.push_back({source_loc(unit_, i.loc), !defs_.def(root(value).value_id()), !unsafe(value, false)});
    stored_.emplace_back(root(value), *p);
  }

  // Does the value come out of a function that pushes it?
  bool pushed(const Operand& o) const {
    const Instr* def = o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr;
    if (def && def->op == Op::Cast) return pushed(body_.ops(*def)[0]);
    const specs::FunctionSpec* spec = nullptr;
    const auto* all = def && def->op == Op::Call ? outcomes(body_.ops(*def)[0], &spec) : nullptr;
    return all && all->size() == 1 && !all->front().protected_objects.empty();
  }

  // Is what the global holds read here, and used for more than a test?
  bool keeps_aside(const Place& p) const {
    for (const Instr& i : body_.instrs)
      if (i.op == Op::Load && i.result != model::kNone && used_[i.result])
        if (const auto q = place(body_.ops(i)[0]); q && *q == p) return true;
    return false;
  }

  bool tested_before(const Place& p, model::BlockId block) {
    if (!dominators_) dominators_.emplace(body_);
    for (model::BlockId b{}; b < body_.blocks.size(); ++b)
      for (const Instr& i : body_.block(b))
        if (b != block && i.op == Op::Load && dominators_->dominates(b, block))
          if (const auto q = place(body_.ops(i)[0]); q && *q == p) return true;
    return false;
  }

  const std::vector<specs::Outcome>* outcomes(const Operand& callee, const specs::FunctionSpec** spec_out) const {
    *spec_out = nullptr;
    if (callee.kind != OperandKind::Symbol) return nullptr;
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u_][callee.id]) {
      *spec_out = spec;
      return &spec->outcomes;
    }
    const FuncId f = ctx_.program.definition(u_, callee.symbol_id());
    return f != program::kNone && ctx_.summaries[f].known ? &ctx_.summaries[f].outcomes : nullptr;
  }

  // What a value is a copy of: through casts and functions that return their argument.
  Operand root(const Operand& o, int depth = 0) const {
    const Instr* def = o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr;
    if (!def || depth > support::kLimits.operands.copy_steps) return o;
    const auto ops = body_.ops(*def);
    if (def->op == Op::Cast) return root(ops[0], depth + 1);
    if (def->op != Op::Call) return o;
    const specs::FunctionSpec* spec = nullptr;
    const auto* all = outcomes(ops[0], &spec);
    if (!all || all->size() != 1) return o;
    const specs::Value& r = all->front().result;
    const bool argument = r.kind == specs::Value::Kind::Place && r.place.root == specs::Place::Root::Arg &&
                          r.place.path.empty() && r.place.field_path.empty();
    return argument && r.place.index + 1 < ops.size() ? root(ops[r.place.index + 1], depth + 1) : o;
  }

  // A fresh object that nobody keeps, or an argument of an entry point.
  bool unsafe(const Operand& value, bool entry, int depth = 0) const {
    const Operand o = root(value);
    if (o.kind != OperandKind::Value || depth > support::kLimits.operands.merged_copies) return false;
    const Instr* def = defs_.def(o.value_id());
    if (!def) return entry;
    const auto ops = body_.ops(*def);
    if (def->op == Op::Phi) {
      for (const Operand& p : ops)
        if (!(p == o) && unsafe(p, entry, depth + 1)) return true;
      return false;
    }
    if (def->op == Op::Select) return unsafe(ops[1], entry, depth + 1) || unsafe(ops[2], entry, depth + 1);
    if (def->op != Op::Call) return false;
    const specs::FunctionSpec* spec = nullptr;
    const auto* all = outcomes(ops[0], &spec);
    if (!all || (spec && spec->runs_code)) return false;
    const bool finds = !spec && runs_code(ops[0]);
    for (const specs::Outcome& out : *all)
      if (out.result.kind == specs::Value::Kind::Object && out.objects[out.result.object].owned &&
          !held(out, out.result.object) && !(finds && out.objects[out.result.object].maybe_null))
        return true;
    return false;
  }

  // Code that a helper runs may have found what the helper gives, unless that is certain to be new.
  bool runs_code(const Operand& callee) const {
    const FuncId f =
        callee.kind == OperandKind::Symbol ? ctx_.program.definition(u_, callee.symbol_id()) : program::kNone;
    return f != program::kNone && ctx_.summaries[f].runs_code;
  }

  static bool held(const specs::Outcome& out, std::uint32_t object) {
    for (const specs::Hold& h : out.holds) {
      if (h.object.root == specs::Place::Root::Result && h.object.path.empty()) return true;
      if (h.object.root == specs::Place::Root::Object && h.object.index == object) return true;
    }
    return false;
  }

  // An argument that the callee keeps somewhere: all globals it came from, or was stored to, are safe.
  void call(const Instr& i) {
    const auto ops = body_.ops(i);
    const specs::FunctionSpec* spec = nullptr;
    const auto* all = outcomes(ops[0], &spec);
    if (!all) return;
    auto mark = [&](const specs::Place& p) {
      if (p.root != specs::Place::Root::Arg || !p.path.empty() || !p.field_path.empty() || p.index + 1 >= ops.size())
        return;
      const Operand kept = root(ops[p.index + 1]);
      kept_.push_back(kept);
      const Instr* def = kept.kind == OperandKind::Value ? defs_.def(kept.value_id()) : nullptr;
      if (def && def->op == Op::Load)
        if (const auto from = place(body_.ops(*def)[0])) use(*from).kept = true;
    };
    for (const specs::Outcome& o : *all) {
      for (const specs::Hold& h : o.holds)
        if (!h.holder || h.holder->root == specs::Place::Root::Global || h.holder->root == specs::Place::Root::Arg)
          mark(h.object);
      for (const specs::Place& p : kept_by(o)) mark(p);
    }
  }

  const engine::Context& ctx_;
  UnitId u_;
  const model::Unit& unit_;
  const model::Body& body_;
  program::ValueDefs defs_;
  std::map<Place, GlobalShare> places_;
  std::optional<model::Dominators> dominators_;
  std::vector<char> used_;
  std::vector<std::pair<Operand, Place>> stored_;
  std::vector<Operand> kept_;
};

}  // namespace

bool concerns_globals(const engine::Context& ctx, FuncId f) {
  const UnitId u = ctx.program.unit_id(f);
  return ctx.unit_concerned[u] && ctx.specs.domains()[ctx.unit_domain[u]].reports_protection;
}

std::vector<GlobalShare> global_shares(const engine::Context& ctx, FuncId f) {
  if (!concerns_globals(ctx, f) || !ctx.program.head(f).has_body) return {};
  return Reader(ctx, f).run();
}

}  // namespace reckon::checks
