// Names for people: how a programmer would call the thing a term stands for.

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "program/types.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;

// The variable that a term was put into; "" if none has it. In a kernel, names that begin with an underscore are those
// of variables inside macros, which no reader finds in the function.
std::string Trail::variable(TermId t) const {
  const auto it = term_values_.find(t);
  if (it == term_values_.end() || it->second >= body_.value_names.size()) return {};
  const std::string_view name = unit_.str(body_.value_names[it->second]);
  if (name.starts_with('_') && subject_.fails_by_errno(ctx_.unit_domain[unit_id_])) return {};
  return std::string(name);
}

// The variable that an answer was put into, else the function that gave it; "": an operation gave it.
std::string Trail::name_of_answer(TermId t) const {
  const std::string name = variable(t), function = calls_.asked_[static_cast<std::size_t>(terms_[t].imm)];
  return name.empty() && !function.empty() ? function + "()" : name;
}

const Member* Trail::member_at(TermId address) const {
  const auto it = members_.find(address);
  return it != members_.end() ? &it->second : nullptr;
}

const Member* Trail::member_at(TermId base, std::int64_t offset) const {
  return member_at(terms_.find_offset(base, offset));
}

std::string Trail::full_name(const Member& m) const {
  return std::string(unit_.str(unit_.type(m.record).name)) + "." + std::string(m.path);
}

void Trail::name_member(TermId address, const model::FieldName& field) {
  members_.try_emplace(address, Member{field.record, unit_.str(field.path), field.type});
}

void Trail::name_member(TermId address, model::TypeId struct_pointer, InstrId call) {
  const auto [base, offset] = terms_.split(address);
  if (offset < 0 || unit_.type(struct_pointer).kind != model::TypeKind::Pointer || member_at(address)) return;
  const model::TypeId record = unit_.type(struct_pointer).elem;
  const auto steps = program::steps_to_offset(unit_, record, static_cast<std::uint64_t>(offset));
  if (steps.empty()) return;
  const std::string path = program::spell_steps(unit_, steps, program::Elements::Numbered);
  Member member{record, *paths_.insert(path).first, {}, call};
  if (!program::steps_of_path(unit_, record, member.path, &member.type).empty()) members_.emplace(address, member);
}

std::string Trail::describe(TermId t) const {
  // A local, or a member of one.
  auto local = [&](TermId slot) {
    const TermId whole = terms_.split(slot).first;
    const std::string name = describe(whole);
    const Member* member = member_at(slot);
    if (!(manner_.names_members || subject_.fails_by_errno(ctx_.unit_domain[unit_id_])) || name.empty() || !member)
      return name;
    return name + "." + std::string(member->path);
  };
  // A member that only callees look at has no name in this function but its type has one for it.
  auto pointee = [&](TermId base) -> model::TypeId {
    const Term& b = terms_[base];
    model::TypeId type{};
    if (b.kind == TermKind::Param && b.a < fn_.params.size()) type = fn_.params[b.a].type;
    if (b.kind == TermKind::Fresh && b.a < body_.instrs.size() && body_.instrs[b.a].op == model::Op::Call)
      type = body_.instrs[b.a].type;
    return unit_.type(type).kind == model::TypeKind::Pointer ? unit_.type(type).elem : model::TypeId{};
  };
  auto field_at = [&](model::TypeId record, std::int64_t offset) {
    std::string path;
    for (int fuel = support::kLimits.operands.named_records;
         fuel > 0 && unit_.type(record).kind == model::TypeKind::Struct; --fuel) {
      const auto& fields = unit_.type(record).fields;
      auto f = std::find_if(fields.rbegin(), fields.rend(),
                            [&](const model::Field& x) { return static_cast<std::int64_t>(x.offset) <= offset; });
      if (f == fields.rend()) break;
      const std::string_view name = unit_.str(f->name);  // "" for one without
      path += (path.empty() || name.empty() ? "" : ".") + std::string(name);
      offset -= static_cast<std::int64_t>(f->offset);
      if (offset == 0) return path;
      record = f->type;
    }
    return std::string();
  };
  const Term& x = terms_[t];
  switch (x.kind) {
    case TermKind::Param:
      if (x.a < fn_.params.size() && fn_.params[x.a].name != 0) return std::string(unit_.str(fn_.params[x.a].name));
      return "argument " + std::to_string(x.a + 1);
    case TermKind::Slot: {
      const model::Instr& i = body_.instrs[x.a];
      if (i.op == model::Op::Alloca && i.aux != kNone && i.aux < body_.locals.size())
        return std::string(unit_.str(body_.locals[i.aux].name));
      return {};
    }
    case TermKind::Global: {
      std::string_view n = terms_.global_name(t);
      if (const specs::GlobalSpec* g = ctx_.specs.find_global(n); g && !g->shown.empty()) return g->shown;
      n = n.substr(0, n.find('@'));
      for (const model::Symbol& symbol : unit_.symbols)
        if (unit_.language == model::Language::Cxx && symbol.kind == model::SymbolKind::Variable &&
            unit_.str(symbol.name) == n && symbol.display != 0)
          return std::string(unit_.str(symbol.display));
      return std::string(n);
    }
    case TermKind::Fresh:
    case TermKind::Join: {
      if (std::string v = variable(t); !v.empty()) return v;
      if (x.kind == TermKind::Fresh && x.a < body_.instrs.size() && body_.instrs[x.a].op == model::Op::Call) {
        const std::string callee = callee_name(body_.instrs[x.a]);
        // An object that came back through an out-parameter is known by the local it was stored in.
        for (const auto& [value_term, slot] : memory_.slot_of_)
          if (value_term == t)
            if (std::string n = local(slot); !n.empty()) return n;
        if (!callee.empty()) return callee + "()";
      }
      return {};
    }
    case TermKind::Initial: {
      if (terms_[x.left()].kind == TermKind::Slot) return describe(x.left());
      const std::string base = describe(x.left());
      if (base.empty()) return variable(t);
      if (terms_[x.left()].kind == TermKind::Global && x.imm == 0) return base;
      const Member* member = member_at(x.left(), x.imm);
      if (!member) {
        if (std::string v = variable(t); !v.empty()) return v;
        return x.imm == 0 ? "*" + base : std::string{};
      }
      return base + "->" + std::string(member->path);
    }
    case TermKind::Offset: {
      const std::string base = describe(x.left());
      if (base.empty()) return {};
      const Member* member = member_at(t);
      const std::string field = member ? std::string(member->path) : field_at(pointee(x.left()), x.imm);
      return field.empty() ? field : "&" + base + "->" + field;
    }
    case TermKind::Answer: return name_of_answer(t);
    case TermKind::Index: {
      const std::string base = describe(x.left());
      return base.empty() ? base : base + "[...]";
    }
    default: return {};
  }
}

std::string Trail::giver_of(const model::Operand& o) const {
  std::vector<model::ValueId> todo, seen;
  if (o.kind == model::OperandKind::Value) todo.push_back(o.value_id());
  std::string giver;
  while (!todo.empty()) {
    const model::ValueId v = todo.back();
    todo.pop_back();
    if (std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
    seen.push_back(v);
    for (const model::Instr& i : body_.instrs) {
      if (i.result != v) continue;
      if (i.op == model::Op::Call) {
        const std::string name = callee_name(i);
        if (!giver.empty() && giver != name) return {};
        giver = name;
      } else if (i.op == model::Op::Phi || i.op == model::Op::Select || i.op == model::Op::Cast ||
                 i.op == model::Op::Field) {
        for (const model::Operand& from : body_.ops(i))
          if (from.kind == model::OperandKind::Value) todo.push_back(from.value_id());
      }
    }
  }
  return giver;
}

}  // namespace reckon::engine
