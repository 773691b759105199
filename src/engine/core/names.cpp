// Names for people: how a programmer would call the thing a term stands for.

#include <algorithm>

#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;

std::string Trail::describe(TermId t) const {
  auto variable = [&](TermId x) -> std::string {
    auto it = term_values_.find(x);
    if (it == term_values_.end() || it->second >= body_.value_names.size()) return {};
    return std::string(unit_.str(body_.value_names[it->second]));
  };
  // A local, or a member of one.
  auto local = [&](TermId slot) {
    const TermId whole = terms_.split(slot).first;
    const std::string name = describe(whole);
    const auto field = field_names_.find(slot);
    if (!(gc_ || subject_.fails_by_errno(ctx_.unit_domain[unit_id_])) || name.empty() || field == field_names_.end())
      return name;
    return name + "." + std::string(unit_.str(body_.fields[field->second].path));
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
      if (i.aux != kNone && i.aux < body_.locals.size()) return std::string(unit_.str(body_.locals[i.aux].name));
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
      auto it = field_names_.find(terms_.find_offset(x.left(), x.imm));
      if (it == field_names_.end()) {
        if (std::string v = variable(t); !v.empty()) return v;
        return x.imm == 0 ? "*" + base : std::string{};
      }
      return base + "->" + std::string(unit_.str(body_.fields[it->second].path));
    }
    case TermKind::Offset: {
      const std::string base = describe(x.left());
      auto it = field_names_.find(t);
      if (base.empty()) return {};
      const std::string field = it != field_names_.end() ? std::string(unit_.str(body_.fields[it->second].path))
                                                         : field_at(pointee(x.left()), x.imm);
      return field.empty() ? field : "&" + base + "->" + field;
    }
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
