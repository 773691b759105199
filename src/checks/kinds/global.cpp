// global: a C global that keeps an object from one call of native code to the next, while nothing protects it.
//
// The problem: a collector of garbage knows its own roots, not the globals of C code. An object that is made (or
// received as an argument) in one call of native code and found again through a global in another may be gone by then,
// unless somebody preserved it. The method: stores of fresh objects and of arguments to globals and their fields are
// collected, and what is ever passed to a function that keeps its argument; a global that is never kept is reported if
// an entry point reads it, directly or in what it calls, without setting it first. A store behind a test of the same
// global ("if it is not there yet") does not count as setting it.
//
// A function that keeps aside what the global held, and pushes what it puts there, has set it for as long as it runs.
// What is used as an environment somewhere, and came as an argument, mostly is a package's own: told with low
// confidence.
//
// Limits: only globals, fields of global structs and arrays (whose elements are one place), no pointers to such.
// Results of functions that run code, directly or in what they call, are left out unless they are certain to be new:
// what they find mostly has another owner. A global used only while
// the call that set it runs, by a callback, is not reported. Whether it is released again is not looked at.

#include <map>
#include <set>

#include <fmt/core.h>

#include "checks/kept.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"
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

using Place = std::pair<std::string, std::int64_t>;  // a global's name (with its unit if private) and an offset

struct StoreSite {
  FuncId function;
  const Instr* instr;
  bool guarded;   // behind a test of the global itself
  bool argument;  // of an entry point
};

struct GlobalUse {
  std::string name;  // for people
  std::vector<StoreSite> unsafe;
  std::set<FuncId> sets;   // functions that store to it whatever it holds
  std::set<FuncId> reads;  // functions that use what they find in it
  bool kept = false;
  bool lasting = false;  // some use asks for a kind of object that others mostly keep (`kept-in %type=4`)
};

// One function's share in all that.
class Reader {
 public:
  Reader(const engine::Context& ctx, FuncId f, bool entry, std::map<Place, GlobalUse>& places)
      : ctx_(ctx),
        f_(f),
        u_(ctx.program.unit_id(f)),
        unit_(ctx.program.unit(f)),
        body_(ctx.program.function(f).body),
        defs_(body_),
        entry_(entry),
        places_(places) {}

  void run() {
    if (body_.blocks.empty()) return;
    find_uses();
    for (model::BlockId b{}; b < body_.blocks.size(); ++b)
      for (const Instr& i : body_.block(b)) {
        if (i.op == Op::Store) store(i, b);
        if (i.op == Op::Load) load(i);
        if (i.op == Op::Call) call(i);
      }
  }

 private:
  std::optional<Place> place(const Operand& address) const {
    if (address.kind == OperandKind::Symbol) {
      const model::Symbol& s = unit_.symbols[address.id];
      if (s.kind != model::SymbolKind::Variable) return std::nullopt;
      std::string name(unit_.str(s.name));
      if (s.linkage == model::Linkage::Internal) name = fmt::format("{}:{}", u_, name);
      return Place(std::move(name), is_array(s) ? 0 : address.imm);
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

  GlobalUse& use(const Place& p) {
    GlobalUse& out = places_[p];
    if (out.name.empty()) {
      const std::size_t colon = p.first.find(':');
      out.name = colon == std::string::npos ? p.first : p.first.substr(colon + 1);
    }
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
    GlobalUse& g = use(*p);
    g.reads.insert(f_);
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
    GlobalUse& g = use(*p);
    if (!guarded) g.sets.insert(f_);
    if (unsafe(body_.ops(i)[1]) && !(pushed(body_.ops(i)[1]) && keeps_aside(*p)))
      g.unsafe.push_back({f_, &i, guarded, !defs_.def(root(body_.ops(i)[1]).value_id())});
    stored_.emplace_back(root(body_.ops(i)[1]), *p);
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
  bool unsafe(const Operand& value, int depth = 0) const {
    const Operand o = root(value);
    if (o.kind != OperandKind::Value || depth > support::kLimits.operands.merged_copies) return false;
    const Instr* def = defs_.def(o.value_id());
    if (!def) return entry_;
    const auto ops = body_.ops(*def);
    if (def->op == Op::Phi) {
      for (const Operand& p : ops)
        if (!(p == o) && unsafe(p, depth + 1)) return true;
      return false;
    }
    if (def->op == Op::Select) return unsafe(ops[1], depth + 1) || unsafe(ops[2], depth + 1);
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

 public:
  // After all functions were read: a value that was stored and kept.
  void settle() {
    for (const auto& [value, p] : stored_)
      for (const Operand& k : kept_)
        if (k == value) use(p).kept = true;
  }

 private:
  const engine::Context& ctx_;
  FuncId f_;
  UnitId u_;
  const model::Unit& unit_;
  const model::Body& body_;
  program::ValueDefs defs_;
  bool entry_;
  std::map<Place, GlobalUse>& places_;
  std::optional<model::Dominators> dominators_;
  std::vector<char> used_;
  std::vector<std::pair<Operand, Place>> stored_;
  std::vector<Operand> kept_;
};

class GlobalChecker {
 public:
  explicit GlobalChecker(const engine::Context& ctx) : ctx_(ctx) {}

  void run(std::vector<report::Finding>& out) {
    for (program::UnitId u{}; u < ctx_.program.num_units(); ++u, ctx_.program.rest()) {
      const model::Unit& unit = ctx_.program.frame_at(u);
      for (const model::Symbol& s : unit.symbols)
        if (s.kind == model::SymbolKind::Function && s.address_taken) callbacks_.emplace(unit.str(s.name));
    }
    for (const FuncId f : ctx_.program.wholes()) {
      if (!concerned(f)) continue;
      Reader reader(ctx_, f, is_entry(f), places_);
      reader.run();
      reader.settle();
    }
    for (const auto& [place, g] : places_)
      if (!g.kept && !g.unsafe.empty() && !known_root(g.name)) judge(g, out);
  }

 private:
  // A variable that the collector looks at itself.
  bool known_root(const std::string& name) const {
    const specs::GlobalSpec* spec = ctx_.specs.find_global(name);
    return spec && spec->immortal && spec->points_to;
  }

  bool concerned(FuncId f) const {
    const UnitId u = ctx_.program.unit_id(f);
    return ctx_.unit_concerned[u] && ctx_.specs.domains()[ctx_.unit_domain[u]].reports_protection;
  }

  bool is_entry(FuncId f) const {
    for (const program::TableEntry& role : ctx_.program.roles(f))
      for (const specs::RoutineSpec& r : ctx_.specs.routines())
        if (role.field == r.function_field) return true;
    const model::Unit& unit = ctx_.program.unit(f);
    const model::Symbol& symbol = unit.symbols[ctx_.program.function(f).symbol];
    return symbol.linkage == model::Linkage::External && ctx_.program.callers(f).empty() &&
           !callbacks_.contains(unit.str(symbol.name));
  }

  // Does some entry point read it without anything on the way that sets it?
  void judge(const GlobalUse& g, std::vector<report::Finding>& out) const {
    for (FuncId e{}; e < ctx_.program.num_functions(); ++e) {
      if (!concerned(e) || !is_entry(e)) continue;
      std::set<FuncId> seen{e};
      std::vector<FuncId> todo{e};
      bool reads = false, sets = false;
      while (!todo.empty() && !sets) {
        const FuncId f = todo.back();
        todo.pop_back();
        reads = reads || g.reads.contains(f);
        sets = g.sets.contains(f);
        for (const FuncId next : ctx_.program.callees(f))
          if (seen.insert(next).second) todo.push_back(next);
      }
      if (reads && !sets) return add(g, e, out);
    }
  }

  void add(const GlobalUse& g, FuncId reader, std::vector<report::Finding>& out) const {
    const StoreSite& site = g.unsafe.front();
    const model::Unit& unit = ctx_.program.unit(site.function);
    report::Finding f;
    f.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(site.function)]].name, check_global);
    f.message = fmt::format("`{}` keeps an object that nothing protects, and {}() finds it there later", g.name,
                            ctx_.program.display(reader));
    f.severity = report::Severity::High;
    f.confidence = site.argument && g.lasting ? report::Confidence::Low : report::Confidence::Medium;
    f.function = ctx_.program.display(site.function);
    f.object = g.name;
    f.loc = source_loc(unit, site.instr->loc);
    for (std::size_t i = 1; i < g.unsafe.size(); ++i)
      f.further_places.push_back(source_loc(ctx_.program.unit(g.unsafe[i].function), g.unsafe[i].instr->loc));
    out.push_back(std::move(f));
  }

  const engine::Context& ctx_;
  std::map<Place, GlobalUse> places_;
  std::set<std::string, std::less<>> callbacks_;  // functions whose address is taken: somebody calls them back
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) { GlobalChecker(program.ctx).run(out); }

}  // namespace

constinit const Check check_global{
    .kind = "global",
    .summary = "a global keeps an object that nothing protects",
    .program = run,
    .harm = report::Harm::Collected,
};

}  // namespace reckon::checks
