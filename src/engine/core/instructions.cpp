// Instructions that do not fork: memory, arithmetic, comparisons.

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/calls.h"
#include "engine/core/header_structs.h"
#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/memory.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/symbol_sets.h"
#include "engine/core/trail.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

namespace {
// Instruction numbers of symbols that no instruction makes.
constexpr InstrId kUnknownValue{kNone - 1};
constexpr InstrId kUnknownOperand{kNone - 2};
constexpr std::uint16_t kMaxWeight = support::kLimits.values.weight;
constexpr std::uint16_t kMaxChain = support::kLimits.values.chain;
constexpr std::uint32_t kChained = 999;  // which of the symbols of an instruction a deeper one is
}  // namespace

TermId Memory::eval(State& s, const Operand& o, InstrId instr) {
  switch (o.kind) {
    case OperandKind::Value: {
      const TermId t = s.value(o.value_id());
      return t != kNoTerm ? t : terms_.fresh(kUnknownValue, 0, o.id);
    }
    case OperandKind::Int: return terms_.constant(o.imm);
    case OperandKind::Null: return terms_.zero();
    case OperandKind::Undef: return terms_.undef();
    case OperandKind::Symbol: {
      const model::Symbol& sym = unit_.symbols[o.id];
      std::string name(unit_.str(sym.name));
      // Statics of different units are different things; the suffix keeps their names apart.
      if (sym.linkage == model::Linkage::Internal) name += "@" + std::to_string(unit_id_);
      return terms_.offset(terms_.global(name), o.imm);
    }
    case OperandKind::Other:
      return terms_.fresh(kUnknownOperand, instr, static_cast<std::uint32_t>(&o - body_.operands.data()));
  }
  return terms_.undef();
}

void Memory::remember_name(TermId t, model::ValueId v) {
  if (v >= body_.value_names.size() || body_.value_names[v] == 0) return;
  trail_.term_values_.emplace(t, v);
}

void Memory::bind(State& s, InstrId instr, TermId t) {
  const Instr& i = body_.instrs[instr];
  if (i.result == kNone) return;
  if (terms_.weight(t) > kMaxWeight) {  // unrolled arithmetic: nobody's condition, and costly to carry along
    renew(s, instr);
    t = terms_.fresh(instr, 0, 0);
  }
  s.bind(i.result, t);
  // A number that was made of a pointer (an error code of an error pointer) does not lend it its name.
  const bool of_pointer = unit_.type(i.type).kind == model::TypeKind::Int && t < trail_.term_types_.size() &&
                          unit_.type(trail_.term_types_[t]).kind == model::TypeKind::Pointer;
  if (!of_pointer) remember_name(t, i.result);
  if (i.type != 0) {
    if (trail_.term_types_.size() <= t) trail_.term_types_.resize(t + 64);
    if (trail_.term_types_[t] == 0) trail_.term_types_[t] = i.type;
  }
}

// Symbols this instruction made in an earlier round of a loop step back: from now on they are "the older one".
void Memory::renew(State& s, InstrId instr) {
  if (!flow_.in_cycle(loop_.current_)) return;
  MadeSymbols mine(terms_, instr);
  for (const auto& [v, t] : s.values) mine.add(t);
  for (const Cell& c : s.memory) mine.add(c.base), mine.add(c.value);
  State::for_each_part([&]<class P>(std::type_identity<P>) { s.P::scan(mine); });
  for (const auto& [t, r] : s.facts.ranges()) mine.add(t);
  State::for_each_part([&]<class P>(std::type_identity<P>) { s.P::scan_later(mine); });
  for (TermId t : mine.found()) {
    hooks_.each<&Property::renewed>(s, t);
    const Term x = terms_[t];
    const TermId old = terms_.fresh(x.instr(), 1, static_cast<std::uint32_t>(x.imm));
    if (answer_.asked()) hooks_.each<&Property::forgetting>(s, old);
    s.age(terms_, t, old);
  }
}

namespace {
// Does a cast, or a container's mark for its end, lead beyond the local that `alloca` makes?
bool behind_local(const model::Unit& unit, const model::Body& body, InstrId alloca, std::int64_t offset) {
  const std::uint64_t size = unit.type(unit.type(body.instrs[alloca].type).elem).size;
  return offset < 0 || (size != 0 && static_cast<std::uint64_t>(offset) >= size);
}
}  // namespace

// Elements of an array are rarely set where they are read: which of them have a value is more than we know.
bool Memory::is_array(TermId slot) const {
  const model::Type& t = unit_.type(body_.instrs[terms_[slot].a].type);
  return manner_.arrays_unknown && t.kind == model::TypeKind::Pointer &&
         unit_.type(t.elem).kind == model::TypeKind::Array;
}

// A load or store through `address`: false if the path ends here.
bool Memory::reach(State& s, TermId address, InstrId instr) {
  if (!hooks_.all<&Property::dereference>(s, address, instr)) return false;
  const TermId root = terms_.root(address);
  const TermKind kind = terms_[root].kind;
  if (kind == TermKind::Const || kind == TermKind::Slot || kind == TermKind::Global) return true;
  hooks_.each<&Property::touch>(s, root, instr);
  hooks_.each<&Property::dereferenced>(s, address, instr);
  return true;
}

TermId Memory::read(State& s, TermId address, model::TypeId type, InstrId instr) {
  auto [base, off] = terms_.split(address);
  if (const auto special = hooks_.first<&Property::special_read>(s, base, off)) return *special;
  if (const Cell* c = s.cell(base, off)) return c->value;
  const TermId root = terms_.root(base);
  const std::uint32_t epoch = std::max(s.epoch(base), s.epoch(root));
  if (epoch == 1) return terms_.zero();  // zero-filled
  if (epoch == 0 && base == root && terms_[root].kind == TermKind::Slot && !is_array(root) &&
      !behind_local(unit_, body_, terms_[root].instr(), off))
    return terms_.undef();
  TermId t = terms_.initial(base, off, epoch);
  if (terms_.weight(t) > kMaxChain) {  // a walk down a list: from here on, just "the next one"
    renew(s, instr);
    t = terms_.fresh(instr, 0, kChained);
  }
  if (type != 0) {
    if (trail_.term_types_.size() <= t) trail_.term_types_.resize(t + 64);
    if (trail_.term_types_[t] == 0) trail_.term_types_[t] = type;
  }
  // The same place gives the same value until somebody writes it.
  return t;
}

void Memory::write(State& s, TermId address, TermId value, InstrId instr) {
  auto [base, off] = terms_.split(address);
  const TermId root = terms_.root(base);
  if (hooks_.any<&Property::special_write>(s, base, off, value, instr)) return;
  if (base != root) {
    // An element at a variable index: whatever array it is in may now hold it, and other elements are unknown.
    hooks_.each<&Property::stored_somewhere>(s, value, instr);
    if (terms_[root].kind == TermKind::Slot) {
      for (const Cell& c : s.memory)
        if (c.base == root) hooks_.each<&Property::out_of_sight>(s, terms_.root(c.value));
      s.invalidate(root, instr + 2);
    }
  }
  hooks_.each<&Property::overwriting>(s, base, off, value);
  s.write(base, off, value);
  if (base == root && terms_[root].kind == TermKind::Slot)
    slot_of_.emplace(value, manner_.names_members ? terms_.offset(root, off) : root);
  hooks_.each<&Property::written>(s, terms_.root(value), instr);
}

namespace {

// Is an element read or written that a member's array does not have? A loop whose bound is not known comes there; what
// stands behind the array is not meant.
bool beyond_array(const model::Unit& unit, const model::Body& body, InstrId index, std::int64_t which) {
  constexpr std::uint32_t kNear = support::kLimits.operands.array_steps;  // the array's address is made right before
  const Instr& i = body.instrs[index];
  InstrId at = index;
  for (std::uint32_t n = 0; n < kNear && at > 0; ++n)
    if (body.ops(i)[0] == model::Operand::value(body.instrs[--at].result)) break;
  const Instr& field = body.instrs[at];
  if (field.op != Op::Field || field.aux == kNone || i.imm <= 0 ||
      !(body.ops(i)[0] == model::Operand::value(field.result)))
    return false;
  const model::Type& type = unit.type(body.fields[field.aux].type);
  const auto count = type.kind == model::TypeKind::Array ? static_cast<std::int64_t>(type.size) / i.imm : 0;
  if (count < 2 || which < count || index + 1 >= body.instrs.size())
    return false;                              // of fewer than two: as long as memory was asked for
  const Instr& next = body.instrs[index + 1];  // one behind the last may be pointed to
  return (next.op == Op::Load || next.op == Op::Store) && body.ops(next)[0] == model::Operand::value(i.result);
}

// A number for what an operation asks of its operands; none: it may give something else each time.
std::optional<std::uint32_t> number_of_operation(Calls& calls, const model::Body& body, const Instr& i) {
  std::vector<std::int64_t> which{static_cast<std::int64_t>(i.op), i.aux};
  if (i.op == Op::Cmp)
    which = {static_cast<std::int64_t>(i.op), i.sub, body.ops(i)[1].imm};
  else if (i.op != Op::Opaque || i.aux == kNone)
    return std::nullopt;
  const auto [it, added] =
      calls.pure_questions_.try_emplace({"", std::move(which)}, static_cast<std::uint32_t>(calls.asked_.size()));
  if (added) calls.asked_.emplace_back();
  return it->second;
}

}  // namespace

bool Memory::simple(State& s, InstrId index) {
  const Instr& i = body_.instrs[index];
  const auto ops = body_.ops(i);
  // The result of an operation that is not followed: what the same operation gave before, or anything.
  auto unknown_number = [&] {
    if (i.result == kNone) return;
    TermId same = kNoTerm;
    if (const auto question = number_of_operation(calls_, body_, i)) {
      same = terms_.zero();
      for (const Operand& o : ops) {
        if (o.kind == OperandKind::Other) continue;  // a constant, which the operation's number tells
        const TermId part = eval(s, o, index);
        same = same == kNoTerm || terms_[part].kind == TermKind::Undef ? kNoTerm : terms_.answer(*question, same, part);
      }
    }
    if (same == kNoTerm) renew(s, index);
    bind(s, index, same == kNoTerm ? terms_.fresh(index, 0, 0) : same);
  };
  switch (i.op) {
    case Op::Alloca: bind(s, index, terms_.slot(index)); return true;
    case Op::Load: {
      const TermId a = eval(s, ops[0], index);
      if (!reach(s, a, index)) return false;
      const TermId v = read(s, a, i.type, index);
      bind(s, index, v);
      hooks_.each<&Property::loaded>(s, a, v, index);
      return true;
    }
    case Op::Store: {
      const TermId a = eval(s, ops[0], index);
      if (!reach(s, a, index)) return false;
      const TermId value = eval(s, ops[1], index);
      if (hooks_.any<&Property::storing>(s, a, value, index)) return true;
      write(s, a, value, index);
      return true;
    }
    case Op::Field: {
      const TermId a = terms_.offset(eval(s, ops[0], index), i.imm);
      bind(s, index, a);
      if (i.aux != kNone) trail_.name_member(a, body_.fields[i.aux]);
      return true;
    }
    case Op::Index: {
      const TermId which = eval(s, ops[1], index);
      if (terms_.is_const(which) && beyond_array(unit_, body_, index, terms_[which].imm)) return false;
      bind(s, index, terms_.index(eval(s, ops[0], index), which, i.imm));
      return true;
    }
    case Op::Cmp: hooks_.each<&Property::compared>(s, index); [[fallthrough]];
    case Op::Arith: {
      const TermId a = eval(s, ops[0], index), b = eval(s, ops[1], index);
      // Locals that seem uninitialised, since whoever filled them is out of sight, are not all the same number.
      if (terms_[a].kind == TermKind::Undef || terms_[b].kind == TermKind::Undef) {
        renew(s, index);
        bind(s, index, terms_.fresh(index, 0, 0));
      } else if (i.op == Op::Cmp && static_cast<model::CmpPred>(i.sub) >= model::CmpPred::Flt) {
        const Range known = s.facts.range(terms_, a);
        if (known.is_single())
          bind(s, index, terms_.constant(holds(static_cast<model::CmpPred>(i.sub), known.lo, ops[1].imm)));
        else
          unknown_number();
      } else if (i.op == Op::Cmp) {
        bind(s, index, terms_.cmp(static_cast<model::CmpPred>(i.sub), a, b));
      } else {
        bind(s, index, terms_.arith(static_cast<model::ArithOp>(i.sub), a, b));
      }
      return true;
    }
    case Op::Cast: bind(s, index, eval(s, ops[0], index)); return true;
    case Op::Insert: insert(s, index); return true;
    case Op::Extract: extract(s, index); return true;
    default: unknown_number(); return true;
  }
}

}  // namespace reckon::engine
