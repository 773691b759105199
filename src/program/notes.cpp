#include "program/notes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "program/flow.h"
#include "program/slice.h"
#include "program/tables.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::program {

using model::BlockId;
using model::Body;
using model::Instr;
using model::InstrId;
using model::Op;
using model::Operand;
using model::OperandKind;

namespace {

constexpr int kCastSteps = support::kLimits.operands.cast_steps;
constexpr int kMemberSteps = support::kLimits.program.released_steps;

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

// The members of a unit, each once.
class Fields {
 public:
  explicit Fields(std::vector<model::FieldName>& fields) : fields_(fields) {}
  FieldId add(const model::FieldName& field) {
    const auto [it, added] =
        known_.try_emplace({field.record, field.path, field.type}, static_cast<std::uint32_t>(fields_.size()));
    if (added) fields_.push_back(field);
    return it->second;
  }

 private:
  std::vector<model::FieldName>& fields_;
  std::map<std::tuple<model::TypeId, model::StrId, model::TypeId>, FieldId> known_;
};

// Where an operand comes from by way of members, elements, casts and one read.
struct Root {
  std::uint32_t param = kNone;
  bool member = false, read = false;
};

class NoteTaker {
 public:
  NoteTaker(const model::Unit& unit, Fields& fields, const model::Function& fn)
      : unit_(unit),
        fields_(fields),
        fn_(fn),
        body_(fn.body),
        defs_(fn.body),
        members_(body_.fields.size(), kNone),
        looked_into_(body_.fields.size(), false) {}

  FunctionNotes take() {
    out_.has_body = !body_.blocks.empty();
    out_.instructions = static_cast<std::uint32_t>(body_.instrs.size());
    out_.rest_of = fn_.rest_of;
    find_uses();
    for (InstrId n{}; n < body_.instrs.size(); ++n) {
      const Instr& i = body_.instrs[n];
      if (i.op == Op::CondBr) ++out_.branches;
      if (i.op == Op::Switch && i.num_targets > 0) out_.branches += i.num_targets - 1;
      note_symbols(i);
      if (i.op == Op::Call) note_call(n);
      if (i.op == Op::Store && i.num_operands == 2) note_store(i);
      if (i.op == Op::Load) note_own_member(i);
      if (i.op == Op::Field) note_look(i);
    }
    for (std::uint32_t n = 0; n < body_.fields.size(); ++n)
      if (!looked_into_[n]) out_.looks.push_back({fields_.add(body_.fields[n])});
    note_own_structs();
    out_.flow = flow_of(body_);
    sort_unique(out_.handed);
    sort_unique(out_.looks);
    sort_unique(out_.own_structs);
    sort_unique(out_.written);
    sort_unique(out_.written_globals);
    sort_unique(out_.nulled);
    sort_unique(out_.raised);
    sort_unique(out_.cleared);
    sort_unique(out_.touched);
    if (!out_.cleared.empty()) note_asked();
    note_decisions();
    return std::move(out_);
  }

 private:
  const Instr* def(const Operand& o) const { return o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr; }
  const Instr* behind_casts(const Operand& o) const {
    const Instr* i = def(o);
    for (int fuel = kMemberSteps; i && i->op == Op::Cast && fuel > 0; --fuel) i = def(body_.ops(*i)[0]);
    return i;
  }
  std::optional<FieldId> field(const Instr* i) {
    if (!i || i->op != Op::Field || i->aux == kNone) return std::nullopt;
    FieldId& known = members_[i->aux];
    if (known == kNone) known = fields_.add(body_.fields[i->aux]);
    return known;
  }

  // By value: the instructions that it is an operand of.
  void find_uses() {
    uses_.resize(body_.num_values);
    call_numbers_.resize(body_.num_values);
    std::uint32_t calls = 0;
    for (const Instr& i : body_.instrs) {
      if (i.op != Op::Call) continue;
      if (i.result != kNone && i.result < call_numbers_.size()) call_numbers_[i.result] = calls;
      ++calls;
    }
    for (InstrId n{}; n < body_.instrs.size(); ++n)
      for (const Operand& o : body_.ops(body_.instrs[n]))
        if (o.kind == OperandKind::Value && o.id < uses_.size()) uses_[o.id].push_back(n);
    for (std::uint32_t p = 0; out_.has_body && p < fn_.params.size() && p < 32; ++p)
      if (p >= uses_.size() || uses_[p].empty()) out_.unused |= 1u << p;
  }

  // ---- symbols

  void note_symbols(const Instr& i) {
    const auto ops = body_.ops(i);
    for (std::size_t k = 0; k < ops.size(); ++k) {
      if (ops[k].kind != OperandKind::Symbol) continue;
      const model::SymId s = ops[k].symbol_id();
      const model::Symbol& symbol = unit_.symbols[s];
      if (symbol.kind == model::SymbolKind::Function) {
        if (k > 0 || i.op != Op::Call) out_.handed.push_back(s);
        if (named_.size() < unit_.symbols.size()) named_.resize(unit_.symbols.size(), false);
        if (!named_[s]) named_[s] = true, out_.named.push_back(s);
      } else if (i.op != Op::Load && !symbol.is_constant && unit_.type(symbol.type).kind == model::TypeKind::Pointer &&
                 !(k == 0 && note_interned(i, s))) {
        out_.touched.push_back(s);
      }
    }
  }

  bool note_interned(const Instr& i, model::SymId variable) {
    const auto ops = body_.ops(i);
    if (i.op != Op::Store || ops[0].imm != 0) return false;
    const Instr* made = def(ops[1]);
    if (!made || made->op != Op::Call) return false;
    const auto call = body_.ops(*made);
    if (call.size() != 2 || call[0].kind != OperandKind::Symbol) return false;
    if (call[1].kind != OperandKind::Symbol || call[1].imm != 0) return false;
    const model::ConstId init = unit_.symbols[call[1].id].init;
    if (init == kNone || unit_.constants[init].kind != model::ConstKind::String) return false;
    out_.interned.push_back({variable, call[0].symbol_id(), unit_.constants[init].string_id()});
    return true;
  }

  // ---- calls

  void note_call(InstrId n) {
    const Instr& i = body_.instrs[n];
    const auto ops = body_.ops(i);
    CallNote call;
    if (i.aux < body_.calls.size()) {
      const model::CallInfo& info = body_.calls[i.aux];
      call.assembly = info.inline_asm;
      call.origin = info.origin;
      call.type = info.type;
      call.types = info.arg_types;
    }
    if (!ops.empty() && ops[0].kind == OperandKind::Symbol) {
      call.callee = ops[0].symbol_id();
      call.at_offset = ops[0].imm != 0;
      note_copy(call.callee, ops);
    } else if (!ops.empty() && ops[0].kind == OperandKind::Value && !call.assembly) {
      call.by_pointer = true;
      call.behind = addresses(defs_, ops[0]);
      if (ops[0].id < fn_.params.size()) call.param = ops[0].id;
    }
    call.passed_on = passed_on(i);
    bool registers = false;
    for (std::size_t a = 1; a < ops.size(); ++a) {
      call.arguments.push_back(argument(ops, a));
      const Instr* made = def(ops[a]);
      if (made && (made->op == Op::Cast || made->op == Op::Phi || made->op == Op::Select))
        if (std::vector<model::SymId> symbols = addresses(defs_, ops[a]); !symbols.empty())
          call.addresses.push_back({static_cast<std::uint32_t>(a - 1), std::move(symbols)});
      registers = registers ||
                  (ops[a].kind == OperandKind::Symbol && unit_.symbols[ops[a].id].kind == model::SymbolKind::Function);
      note_variable(ops[a], a - 1);
    }
    if (registers) note_registration(i);
    if (call.param != kNone && ops.size() > 1) note_visit(ops[1]);
    calls_.push_back(n);
    out_.calls.push_back(std::move(call));
  }

  std::uint32_t this_call() const { return static_cast<std::uint32_t>(out_.calls.size()); }

  // Where the result of the call goes.
  void note_registration(const Instr& call) {
    RegistrationNote note;
    note.call = this_call();
    note.loc = call.loc;
    std::vector<model::ValueId> same;
    if (call.result != kNone) same.push_back(call.result);
    for (std::size_t n = 0; n < same.size(); ++n)
      for (const InstrId u : uses_[same[n]]) {
        const Instr& i = body_.instrs[u];
        note.dropped = false;
        if (i.op == Op::Cast)
          same.push_back(i.result);
        else if (const auto member = i.op == Op::Store ? field(def(body_.ops(i)[0])) : std::nullopt)
          note.members.push_back(*member);
        else
          note.elsewhere = true;
      }
    out_.registrations.push_back(std::move(note));
  }

  void note_visit(Operand visited) {
    VisitNote note;
    note.call = this_call();
    const Instr* i = nullptr;
    bool typed = true;
    for (int step = 0; (i = def(visited)) != nullptr; ++step, visited = body_.ops(*i)[0]) {
      const model::Type& type = unit_.type(i->type);
      typed = typed && step < support::kLimits.operands.type_steps;
      if (typed && type.kind == model::TypeKind::Pointer && unit_.type(type.elem).kind == model::TypeKind::Struct)
        note.records.push_back(type.elem);
      typed = typed && i->op == Op::Cast;
      if (i->op != Op::Cast && i->op != Op::Load) break;
    }
    if (const auto member = field(i)) note.member = *member;
    out_.visits.push_back(std::move(note));
  }

  // Is the result of the call returned, and looked at in no way but by comparison?
  bool passed_on(const Instr& call) const {
    if (call.result == kNone) return false;
    std::vector<model::ValueId> values{call.result};
    bool returned = false;
    for (std::size_t n = 0; n < values.size(); ++n)
      for (const InstrId u : uses_[values[n]]) {
        const Instr& i = body_.instrs[u];
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

  ArgumentNote argument(std::span<const Operand> ops, std::size_t a) {
    using Kind = ArgumentNote::Kind;
    const Operand& o = ops[a];
    ArgumentNote note;
    switch (o.kind) {
      case OperandKind::Null: note.kind = Kind::Number; break;
      case OperandKind::Int:
        note.kind = Kind::Number;
        note.number = o.imm;
        break;
      case OperandKind::Symbol:
        note.kind = Kind::Symbol;
        note.id = o.id;
        note.number = o.imm;
        break;
      case OperandKind::Value:
        for (std::size_t other = 1; other < a && note.same == ArgumentNote::kNobody; ++other)
          if (ops[other] == o) note.same = static_cast<std::uint16_t>(other - 1);
        note_value(o, note);
        break;
      default: break;
    }
    return note;
  }

  void note_value(const Operand& o, ArgumentNote& note) {
    using Kind = ArgumentNote::Kind;
    const Root root = root_of_param(o);
    if (root.param < ArgumentNote::kNobody) {
      note.root = static_cast<std::uint16_t>(root.param);
      note.root_member = root.member;
      note.root_read = root.read;
    }
    if (const auto param = param_behind_casts(o)) {
      note.kind = Kind::Param;
      note.id = param->id;
      note.cast = !(*param == o);
      return;
    }
    const Instr* made = def(o);
    if (made && made->op == Op::Call) {
      note.kind = Kind::Result;
      note.id = call_numbers_[o.id];
      return;
    }
    if (made && made->op == Op::Load) {
      const Operand& from = body_.ops(*made)[0];
      if (from.kind == OperandKind::Symbol && from.imm == 0) {
        note.kind = Kind::Global;
        note.id = from.id;
        return;
      }
    }
    std::uint8_t loads = 0;
    for (int step = 0; made && step < kMemberSteps; ++step) {
      if (const auto member = field(made)) {
        note.kind = Kind::Member;
        note.id = *member;
        note.loads = loads;
      }
      if (made->op != Op::Load && made->op != Op::Cast) return;
      loads += made->op == Op::Load;
      made = def(body_.ops(*made)[0]);
    }
  }

  std::optional<Operand> param_behind_casts(Operand o) const {
    for (int fuel = kCastSteps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
      const Instr* i = def(o);
      if (!i || i->op != Op::Cast) break;
      o = body_.ops(*i)[0];
    }
    if (o.kind != OperandKind::Value || o.id >= fn_.params.size()) return std::nullopt;
    return o;
  }

  Root root_of_param(Operand o) const {
    Root out;
    while (o.kind == OperandKind::Value) {
      const Instr* i = def(o);
      if (!i) {
        out.param = o.id < fn_.params.size() ? o.id : std::uint32_t{kNone};
        return out;
      }
      const bool first_read = i->op == Op::Load && !out.read;
      if (i->op != Op::Field && i->op != Op::Cast && i->op != Op::Index && !first_read) return {};
      out.read = out.read || first_read;
      out.member = out.member || (i->op == Op::Field && i->aux != kNone);
      o = body_.ops(*i)[0];
    }
    return {};
  }

  // ---- stores

  void note_store(const Instr& i) {
    const auto ops = body_.ops(i);
    if (ops[0].kind == OperandKind::Symbol) out_.written_globals.push_back(ops[0].symbol_id());
    note_variable(ops[0], kNone);
    const Instr* target = behind_casts(ops[0]);
    if (const auto member = field(target)) {
      out_.written.push_back(*member);
      const Instr* base = behind_casts(body_.ops(*target)[0]);
      if (ops[1].kind == OperandKind::Null && !(base && base->op == Op::Call)) out_.nulled.push_back(*member);
    }
    note_flag(ops);
    const Root root = root_of_param(ops[0]);
    if (root.param < 32 && !root.read && adds(ops)) out_.adds_to |= 1u << root.param;
    std::vector<model::SymId> functions = addresses(defs_, ops[1]);
    std::erase_if(functions, [&](model::SymId s) { return unit_.symbols[s].kind != model::SymbolKind::Function; });
    if (functions.empty()) return;
    PutNote put = located(unit_, defs_, ops[0]);
    if (put.steps.empty() && put.variable == kNone) return;
    put.functions = std::move(functions);
    out_.puts.push_back(std::move(put));
  }

  void note_copy(model::SymId callee, std::span<const Operand> ops) {
    if (ops.size() >= 3)
      if (std::vector<PutNote> puts = copied(unit_, defs_, callee, ops[1], ops[2]); !puts.empty())
        out_.puts.insert(out_.puts.end(), puts.begin(), puts.end());
  }

  // Is what is stored what stood there, and something added to it?
  bool adds(std::span<const Operand> store) const {
    const Instr* sum = def(store[1]);
    if (!sum || sum->op != Op::Arith) return false;
    const auto op = static_cast<model::ArithOp>(sum->sub);
    if (op != model::ArithOp::Add && op != model::ArithOp::Sub) return false;
    return std::ranges::any_of(body_.ops(*sum), [&](const Operand& o) {
      const Instr* old = def(o);
      return old && old->op == Op::Load && same_address(body_.ops(*old)[0], store[0]);
    });
  }
  // The same address, written once more.
  bool same_address(const Operand& a, const Operand& b) const {
    if (a == b) return true;
    const Instr *x = def(a), *y = def(b);
    return x && y && x->op == y->op && (x->op == Op::Field || x->op == Op::Cast) && x->imm == y->imm &&
           same_address(body_.ops(*x)[0], body_.ops(*y)[0]);
  }

  void note_own_member(const Instr& i) {
    if (fn_.params.empty() || unit_.type(i.type).kind != model::TypeKind::Pointer) return;
    const Instr* member = def(body_.ops(i)[0]);
    if (!member || member->op != Op::Field || member->imm <= 0) return;
    Operand self = body_.ops(*member)[0];
    for (const Instr* cast = def(self); cast && cast->op == Op::Cast; cast = def(self)) self = body_.ops(*cast)[0];
    if (self.kind != OperandKind::Value || self.id != 0) return;
    OwnMemberNote note{member->imm, i.type, kNone};
    if (member->aux != kNone) note.record = body_.fields[member->aux].record;
    out_.own_members.push_back(note);
  }

  // The variable an address lies in, and how far from its start. `argument`: of the call at hand, kNone if it is stored
  // to. What simply is the address of a variable is an argument of which the call has a note.
  void note_variable(Operand o, std::size_t argument) {
    VariableNote note;
    if (argument != kNone) {
      if (o.kind == OperandKind::Symbol) return;
      note.call = this_call();
      note.argument = static_cast<std::uint32_t>(argument);
    }
    for (int fuel = support::kLimits.operands.variable_steps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
      const Instr* i = def(o);
      if (!i || (i->op != Op::Field && i->op != Op::Cast && i->op != Op::Index)) return;
      if (i->op == Op::Field) note.offset += static_cast<std::uint64_t>(i->imm);
      if (i->op == Op::Index) note.exact = false;
      o = body_.ops(*i)[0];
    }
    if (o.kind != OperandKind::Symbol || unit_.symbols[o.id].kind != model::SymbolKind::Variable) return;
    note.offset += static_cast<std::uint64_t>(o.imm);
    note.variable = o.symbol_id();
    out_.variables.push_back(note);
  }

  // ---- structs that are looked into

  void note_look(const Instr& i) {
    const auto member = field(&i);
    if (!member) return;
    looked_into_[i.aux] = true;
    out_.looks.push_back({*member, true, i.imm});
  }

  void note_own_structs() {
    auto bare = [&](Operand o) {
      for (const Instr* i = def(o); i && i->op == Op::Cast; i = def(o)) o = body_.ops(*i)[0];
      return o;
    };
    std::vector<Operand> returned;
    for (const Instr& i : body_.instrs)
      if (i.op == Op::Ret && i.num_operands > 0) returned.push_back(bare(body_.ops(i)[0]));
    for (const Instr& i : body_.instrs) {
      if (i.op != Op::Field || i.aux == kNone) continue;
      const Operand base = bare(body_.ops(i)[0]);
      if (base.kind != OperandKind::Value) continue;
      const bool self = base.id == 0 && !fn_.params.empty();
      const Instr* made = def(base);
      if (self || (made && made->op == Op::Call && std::ranges::find(returned, base) != returned.end()))
        out_.own_structs.push_back(body_.fields[i.aux].record);
    }
  }

  // ---- members that are asked, set and cleared

  std::optional<FieldId> number_at(const Operand& address) {
    const Instr* i = def(address);
    if (!i || i->op != Op::Field || i->aux == kNone) return std::nullopt;
    const model::FieldName& name = body_.fields[i->aux];
    if (unit_.type(name.record).name == 0 || unit_.type(name.type).kind != model::TypeKind::Int) return std::nullopt;
    return fields_.add(name);
  }

  // The member whose value, or a bit of it, this is.
  std::optional<FieldId> number_in(const Operand& value) {
    const Instr* i = def(value);
    for (int step = 0; i && step < kMemberSteps; ++step) {
      if (i->op == Op::Load) return number_at(body_.ops(*i)[0]);
      const bool masked = i->op == Op::Arith && body_.ops(*i)[1].kind == OperandKind::Int;
      if (i->op != Op::Cast && !masked) return std::nullopt;
      i = def(body_.ops(*i)[0]);
    }
    return std::nullopt;
  }

  void note_flag(std::span<const Operand> store) {
    const auto member = number_at(store[0]);
    if (!member) return;
    if (store[1].kind == OperandKind::Int) (store[1].imm == 0 ? out_.cleared : out_.raised).push_back(*member);
    const Instr* from = def(store[1]);
    if (!from || from->op != Op::Arith || number_in(body_.ops(*from)[0]) != member) return;
    if (static_cast<model::ArithOp>(from->sub) == model::ArithOp::And) out_.cleared.push_back(*member);
    if (static_cast<model::ArithOp>(from->sub) == model::ArithOp::Or) out_.raised.push_back(*member);
  }

  // The member that a condition asks; `when_set` becomes false if the condition holds where the member is zero.
  std::optional<FieldId> asked(const Operand& condition, bool& when_set) {
    const Instr* i = def(condition);
    for (int step = 0; i && step < kMemberSteps; ++step) {
      const auto ops = body_.ops(*i);
      if (i->op == Op::Cmp && ops[1].kind == OperandKind::Int && ops[1].imm == 0 &&
          static_cast<model::CmpPred>(i->sub) <= model::CmpPred::Ne) {
        if (static_cast<model::CmpPred>(i->sub) == model::CmpPred::Eq) when_set = !when_set;
      } else if (i->op == Op::Arith && static_cast<model::ArithOp>(i->sub) == model::ArithOp::Xor &&
                 ops[1].kind == OperandKind::Int) {
        when_set = !when_set;
      } else if (i->op != Op::Cast) {
        return number_in(i->result != kNone ? Operand::value(i->result) : Operand::undef());
      }
      if (const auto member = number_in(ops[0])) return member;
      i = def(ops[0]);
    }
    return std::nullopt;
  }

  void note_asked() {
    for (BlockId b{}; b < body_.blocks.size(); ++b) {
      const Instr& end = body_.terminator(b);
      if (end.op != Op::CondBr) continue;
      bool when_set = true;
      const auto member = asked(body_.ops(end)[0], when_set);
      if (!member || !std::binary_search(out_.cleared.begin(), out_.cleared.end(), *member)) continue;
      const auto to = body_.succs(end);
      const std::vector<bool> set = reachable(body_, to[when_set ? 0 : 1]),
                              clear = reachable(body_, to[when_set ? 1 : 0]);
      AskedNote note{*member, {}};
      for (BlockId at{}; at < body_.blocks.size(); ++at)
        if (set[at] && !clear[at])
          for (const Instr& i : body_.block(at))
            if (i.op == Op::Call && i.num_operands > 0 && body_.ops(i)[0].kind == OperandKind::Symbol)
              note.callees.push_back(body_.ops(i)[0].symbol_id());
      sort_unique(note.callees);
      if (!note.callees.empty()) out_.asked.push_back(std::move(note));
    }
  }

  // ---- what decides what

  void note_decisions() {
    std::vector<std::vector<InstrId>> wanted(2);  // what is returned, what is stored through parameters
    for (const InstrId n : calls_) wanted.push_back({n});
    for (InstrId n{}; n < body_.instrs.size(); ++n) {
      const Instr& i = body_.instrs[n];
      if (i.op == Op::Ret && i.num_operands != 0) wanted[0].push_back(n);
      if (i.op != Op::Store || i.num_operands == 0) continue;
      const Operand& address = body_.ops(i)[0];
      const Operand root = root_of(defs_, address);
      if (root.kind == OperandKind::Value && root.id < fn_.params.size()) wanted[1].push_back(n);
      if (unit_.type(i.type).kind != model::TypeKind::Int) continue;
      if (const auto member = field(def(address))) {
        out_.counts.push_back({*member, {}});
        wanted.push_back({n});
      }
    }
    auto found = deciding_calls(defs_, calls_, wanted);
    out_.result_decided_by = std::move(found[0]);
    out_.stores_decided_by = std::move(found[1]);
    auto next = found.begin() + 2;
    for (CallNote& call : out_.calls) call.decided_by = std::move(*next++);
    for (CountNote& count : out_.counts) count.decided_by = std::move(*next++);
  }

  const model::Unit& unit_;
  Fields& fields_;
  const model::Function& fn_;
  const Body& body_;
  const ValueDefs defs_;
  std::vector<FieldId> members_;   // of the unit, by number in the body; kNone: nobody has asked yet
  std::vector<bool> looked_into_;  // by number in the body
  std::vector<std::vector<InstrId>> uses_;
  std::vector<std::uint32_t> call_numbers_;  // by value: the call that gives it
  std::vector<InstrId> calls_;
  std::vector<bool> named_;
  FunctionNotes out_;
};

}  // namespace

UnitNotes notes_of(const model::Unit& unit) {
  UnitNotes out;
  Fields fields(out.fields);
  for (const model::Function& fn : unit.functions) out.functions.push_back(NoteTaker(unit, fields, fn).take());
  out.privates = private_functions(unit);
  return out;
}

}  // namespace reckon::program
