// Members in which the program remembers objects from one call to the next, without a reference as far as it shows.
//
// Some function uses what the member holds as an object, and no function ever releases it, hands it over, or sets the
// member to NULL other than in an object that is being made: where one does, the member may be a pointer back to
// something whose end is told (a parent that clears its children's pointers), or have references of its own.
//
// What a function of the program does with an argument it does with the member that it is given: used, released or
// handed over, through as many functions as it takes.
//
// Limits: a member whose address goes to a function of the program, or whose content goes to one out of sight, may be
// released there, and is left out.

#include <vector>

#include "analysis/learn/learn.h"
#include "program/values.h"

namespace reckon::analysis {

namespace {

using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

bool is_argument(const specs::Place& p, std::size_t a) {
  return p.root == specs::Place::Root::Arg && p.index == a && p.path.empty() && p.field_path.empty();
}
bool gives_up(const specs::FunctionSpec& spec, std::size_t a) {
  for (const specs::Outcome& o : spec.outcomes) {
    for (const specs::CountChange& c : o.counts)
      if (c.delta < 0 && is_argument(c.object, a)) return true;
    for (const specs::Hold& h : o.holds)
      if (h.steals && is_argument(h.object, a)) return true;
  }
  return false;
}
bool changes(const specs::FunctionSpec& spec, std::size_t a) {
  for (const specs::Outcome& o : spec.outcomes)
    for (const specs::CountChange& c : o.counts)
      if (is_argument(c.object, a)) return true;
  return false;
}

// What becomes of an object that a function is given.
struct Fate {
  bool used = false, ended = false;
  bool add(const Fate& other) {
    const Fate before = *this;
    used = used || other.used;
    ended = ended || other.ended;
    return used != before.used || ended != before.ended;
  }
};

// The fates of the parameters of all functions.
class Fates {
 public:
  explicit Fates(const Context& ctx) : ctx_(ctx), fates_(ctx.program.num_functions()) {
    for (FuncId f{}; f < fates_.size(); ++f, ctx.program.rest())
      fates_[f].resize(ctx.program.function(f).params.size());
    for (const FuncId f : ctx.program.wholes()) read(f), ctx.program.rest();
    for (bool again = true; again;) {
      again = false;
      for (const Passed& p : passed_) again = fates_[p.from][p.param].add(at(p.to, p.argument)) || again;
    }
  }

  // Of argument `a` of a call, by what stands in the place of the callee.
  Fate of(program::UnitId u, const Operand& callee, std::size_t a) const {
    if (callee.kind != OperandKind::Symbol) return {.ended = true};
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][callee.id])
      return {.used = !gives_up(*spec, a) && !changes(*spec, a), .ended = gives_up(*spec, a)};
    const FuncId f = ctx_.program.definition(u, callee.symbol_id());
    return f == kNone ? Fate{.ended = true} : at(f, a);
  }

 private:
  struct Passed {
    FuncId from, to;
    std::size_t param, argument;
  };

  Fate at(FuncId f, std::size_t a) const {
    return a < fates_[f].size() && ctx_.program.head(f).has_body ? fates_[f][a] : Fate{.ended = true};
  }

  void read(FuncId f) {
    const model::Function& fn = ctx_.program.function(f);
    const program::ValueDefs defs(fn.body);
    const program::UnitId u = ctx_.program.unit_id(f);
    for (const Instr& i : fn.body.instrs) {
      if (i.op != Op::Call) continue;
      const auto ops = fn.body.ops(i);
      for (std::size_t a = 1; a < ops.size(); ++a) {
        Operand o = ops[a];
        for (const Instr* def = nullptr;
             o.kind == OperandKind::Value && (def = defs.def(o.value_id())) != nullptr && def->op == Op::Cast;)
          o = fn.body.ops(*def)[0];
        if (o.kind != OperandKind::Value || o.id >= fn.params.size()) continue;
        const bool by_name = ops[0].kind == OperandKind::Symbol;
        const FuncId callee =
            by_name && !ctx_.spec_of[u][ops[0].id] ? ctx_.program.definition(u, ops[0].symbol_id()) : FuncId(kNone);
        if (callee != kNone)
          passed_.push_back({f, callee, o.id, a - 1});
        else
          fates_[f][o.id].add(of(u, ops[0], a - 1));
      }
    }
  }

  const Context& ctx_;
  std::vector<std::vector<Fate>> fates_;  // by function and parameter
  std::vector<Passed> passed_;
};

class FieldReader {
 public:
  FieldReader(const Context& ctx, const Fates& fates, FuncId f, std::unordered_set<std::string>& used,
              std::unordered_set<std::string>& ended)
      : ctx_(ctx),
        fates_(fates),
        f_(f),
        unit_(ctx.program.unit(f)),
        u_(ctx.program.unit_id(f)),
        body_(ctx.program.function(f).body),
        defs_(body_),
        used_(used),
        ended_(ended) {}

  void run() {
    for (const Instr& i : body_.instrs) {
      if (i.op == Op::Store) store(i);
      if (i.op == Op::Call) call(i);
    }
  }

 private:
  const Instr* def(const Operand& o) const { return o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr; }
  const Instr* bare(Operand o) const {
    const Instr* i = def(o);
    while (i && i->op == Op::Cast) i = def(body_.ops(*i)[0]);
    return i;
  }
  // The member at an address; "" if it is none that may hold an object.
  std::string member_at(const Instr* i) const {
    if (!i || i->op != Op::Field || i->aux == kNone) return {};
    const model::FieldName& field = body_.fields[i->aux];
    const std::string_view record = unit_.str(unit_.type(field.record).name);
    if (record.empty() || !ctx_.counted(u_, field.type)) return {};
    return std::string(record) + "." + std::string(unit_.str(field.path));
  }
  std::string member_in(const Operand& value) const {
    const Instr* i = bare(value);
    return i && i->op == Op::Load ? member_at(bare(body_.ops(*i)[0])) : std::string();
  }

  void store(const Instr& i) {
    const auto ops = body_.ops(i);
    if (ops[1].kind != OperandKind::Null) return;
    const Instr* field = bare(ops[0]);
    const std::string member = member_at(field);
    if (member.empty()) return;
    const Instr* base = bare(body_.ops(*field)[0]);
    const bool being_made = (base && base->op == Op::Call) || ctx_.contracts[f_].runs_again;
    if (!being_made) ended_.insert(member);
  }

  void call(const Instr& i) {
    const auto ops = body_.ops(i);
    const specs::FunctionSpec* spec = ops[0].kind == OperandKind::Symbol ? ctx_.spec_of[u_][ops[0].id] : nullptr;
    for (std::size_t a = 1; a < ops.size(); ++a) {
      // A parser that fills the member does nothing to what it holds.
      if (const std::string member = member_at(bare(ops[a]));
          !member.empty() && !(spec && spec->varargs != specs::VarargKind::None))
        ended_.insert(member);
      const std::string member = member_in(ops[a]);
      if (member.empty()) continue;
      const Fate fate = fates_.of(u_, ops[0], a - 1);
      if (fate.ended)
        ended_.insert(member);
      else if (fate.used)
        used_.insert(member);
    }
  }

  const Context& ctx_;
  const Fates& fates_;
  FuncId f_;
  const model::Unit& unit_;
  program::UnitId u_;
  const model::Body& body_;
  const program::ValueDefs defs_;
  std::unordered_set<std::string>& used_;
  std::unordered_set<std::string>& ended_;
};

}  // namespace

void learn_lasting_fields(Context& ctx) {
  std::unordered_set<std::string> used, ended;
  const auto& domains = ctx.specs.domains();
  const Fates fates(ctx);
  for (const FuncId f : ctx.program.wholes()) {
    const DomainId domain = ctx.unit_domain[ctx.program.unit_id(f)];
    if (domain < domains.size() && domains[domain].failure_value == specs::FailureValue::Exception)
      FieldReader(ctx, fates, f, used, ended).run();
    ctx.program.rest();
  }
  for (const std::string& member : used)
    if (!ended.contains(member)) ctx.lasting_fields.insert(member);
}

}  // namespace reckon::analysis
