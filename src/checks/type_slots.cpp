// type-dealloc, for what a type leaves out: no deallocator at all for objects that hold references, and a function that
// traverses objects of a type made at run time without visiting that type.
//
// A static type without a deallocator inherits that of its base, and a type made at run time gets one that knows only
// members declared in a table: what C code keeps in other members is never released. The method: functions that a
// type's table names, and what these call, keep references in the struct they take their object for; nothing of that
// type, nor any deallocator of the program, looks at that struct.
//
// Limits: types with a base other than the interpreter's own, and tables that code fills at run time, are not judged.

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/type_checks.h"
#include "checks/type_tables.h"
#include "specs/parser.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::Constant;
using model::ConstKind;
using model::kNone;

class TypeChecker {
 public:
  TypeChecker(const engine::Context& ctx, const std::vector<MemberStore>& stores, std::vector<report::Finding>& out)
      : ctx_(ctx),
        stores_(stores),
        rows_(ctx.specs.records_with([](const specs::ContractFlags& c) { return c.drops_type; })),
        out_(out) {}

  void run() {
    std::vector<std::pair<program::UnitId, model::SymId>> found;
    for (program::UnitId u{}; u < ctx_.program.num_units(); ++u, ctx_.program.rest()) {
      unit_ = &ctx_.program.frame_at(u);
      for (model::SymId s{}; s < unit_->symbols.size(); ++s) {
        const model::Symbol& symbol = unit_->symbols[s];
        if (symbol.kind != model::SymbolKind::Variable || !symbol.defined || symbol.init == kNone) continue;
        if (unit_->constants[symbol.init].kind != ConstKind::Aggregate) continue;
        if (is_type(s) || is_table_of_rows(s)) found.emplace_back(u, s);
      }
    }
    if (!found.empty()) uses_.emplace(ctx_);
    for (const auto& [u, s] : found) {
      unit_ = &ctx_.program.frame_at(u);
      id_ = u;
      const Constant& init = unit_->constants[unit_->symbols[s].init];
      if (is_type(s) ? static_without(s, init) : heap_without(s, init)) judge(s);
      ctx_.program.rest();
    }
    for (const FuncId f : ctx_.program.wholes()) {
      traverse(f);
      ctx_.program.rest();
    }
  }

 private:
  bool is_one_of(const std::vector<std::string>& records, const model::Type& type) const {
    return type.kind == model::TypeKind::Struct &&
           std::find(records.begin(), records.end(), unit_->str(type.name)) != records.end();
  }
  bool is_type(model::SymId variable) const {
    return is_one_of(ctx_.type_records, unit_->type(unit_->symbols[variable].type));
  }
  bool is_table_of_rows(model::SymId variable) const {
    const model::Type& type = unit_->type(unit_->symbols[variable].type);
    return type.kind == model::TypeKind::Array && is_one_of(rows_, unit_->type(type.elem));
  }
  static bool is_zero(const Constant& c) {
    return c.kind == ConstKind::Zero || (c.kind == ConstKind::Int && c.imm == 0);
  }
  const specs::ContractSpec* contract_of(const specs::SlotSpec* slot) const {
    return slot ? ctx_.specs.find_contract(slot->contract) : nullptr;
  }
  bool ends(const specs::SlotSpec* slot) const {
    const specs::ContractSpec* c = contract_of(slot);
    return c && ((c->frees_object && !c->memory_only) || (c->ends_object && !c->clears_members));
  }
  const VariableUses& uses() const { return *uses_; }

  // A type of the interpreter: what it releases are its own members.
  bool is_known_type(const Constant& c) const {
    const specs::GlobalSpec* known =
        c.kind == ConstKind::Address ? ctx_.specs.find_global(unit_->str(unit_->symbols[c.ref].name)) : nullptr;
    return known && known->immortal;
  }

  // A type with neither a deallocator of its own nor a base in the program.
  bool static_without(model::SymId variable, const Constant& init) {
    const model::Type& type = unit_->type(unit_->symbols[variable].type);
    if (type.fields.size() != init.children.size()) return false;
    std::vector<std::uint64_t> decisive;
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      const model::Type& field = unit_->type(type.fields[i].type);
      const bool base = field.kind == model::TypeKind::Pointer && is_one_of(ctx_.type_records, unit_->type(field.elem));
      if (!base && !ends(ctx_.specs.find_slot(unit_->str(type.name), unit_->str(type.fields[i].name)))) continue;
      const Constant& value = unit_->constants[init.children[i]];
      if (!is_zero(value) && !(base && is_known_type(value))) return false;
      decisive.push_back(type.fields[i].offset);
    }
    const std::string key = variable_key(*unit_, id_, variable);
    return !decisive.empty() && !uses().copied(key) &&
           std::none_of(decisive.begin(), decisive.end(),
                        [&](std::uint64_t offset) { return uses().written(key, offset); });
  }

  // The same by rows of number and value. The number of a base or of a table of members has no contract: both are known
  // by what the row points to, and a base may also be given to the call that makes the type, behind the spec.
  bool heap_without(model::SymId variable, const Constant& rows) {
    const std::string record(unit_->str(unit_->type(unit_->type(unit_->symbols[variable].type).elem).name));
    for (const model::ConstId r : rows.children) {
      const Constant& row = unit_->constants[r];
      if (is_zero(row)) continue;
      if (row.kind != ConstKind::Aggregate || row.children.size() != 2) return false;
      const Constant &number = unit_->constants[row.children[0]], &value = unit_->constants[row.children[1]];
      if (is_zero(number)) continue;
      if (number.kind != ConstKind::Int || is_zero(value)) return false;
      if (ends(ctx_.specs.find_slot(record, "[" + std::to_string(number.imm) + "]"))) return false;
      if (value.kind != ConstKind::Address || unit_->symbols[value.ref].kind == model::SymbolKind::Function) continue;
      const model::Type* type = &unit_->type(unit_->symbols[value.ref].type);
      if (type->kind == model::TypeKind::Array) type = &unit_->type(type->elem);
      const auto& entries = ctx_.specs.entries();
      if (type->kind == model::TypeKind::Struct &&
          std::none_of(entries.begin(), entries.end(),
                       [&](const specs::EntrySpec& e) { return e.record == unit_->str(type->name); }))
        return false;
    }
    const std::string key = variable_key(*unit_, id_, variable);
    return !uses().copied(key) && made_without_base(variable);
  }

  bool made_without_base(model::SymId rows) {
    bool made = false;
    for (model::SymId s{}; s < unit_->symbols.size(); ++s) {
      const model::Symbol& symbol = unit_->symbols[s];
      if (s == rows || symbol.kind != model::SymbolKind::Variable || symbol.init == kNone ||
          !points_to(symbol.init, rows))
        continue;
      const std::string key = variable_key(*unit_, id_, s);
      if (uses().copied(key)) return false;
      for (const VariableUses::Given& g : uses().given(key)) {
        made = true;
        const auto& arguments = ctx_.program.notes(g.function).calls[g.call].arguments;
        for (std::size_t a = g.argument + 1; a < arguments.size(); ++a)
          if (arguments[a].kind != program::ArgumentNote::Kind::Number || arguments[a].number != 0) return false;
      }
    }
    return made;
  }

  bool points_to(model::ConstId constant, model::SymId symbol) const {
    const Constant& c = unit_->constants[constant];
    if (c.kind == ConstKind::Address && c.symbol_id() == symbol) return true;
    return std::any_of(c.children.begin(), c.children.end(),
                       [&](model::ConstId child) { return points_to(child, symbol); });
  }

  void judge(model::SymId variable) {
    std::set<FuncId> functions;
    functions_of(ctx_, id_, unit_->symbols[variable].init, functions);
    std::set<std::string> records;
    for (const FuncId f : functions) records.merge(own_structs(ctx_, f));
    const std::set<FuncId> all = with_callees(ctx_, functions);
    for (const MemberStore& store : stores_) {
      if (!records.contains(store.member.record) || !all.contains(store.function) ||
          seen_to().contains(store.member.record))
        continue;
      report::Finding f;
      f.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[id_]].name, check_type_dealloc);
      f.object = store.member.path;
      f.loc = source_loc(*unit_, unit_->symbols[variable].loc);
      f.message = fmt::format("`{}` of `{}` holds a reference that nothing releases: the type has no deallocator",
                              store.member.path, store.member.record);
      out_.push_back(std::move(f));
      return;  // one function mends it for all members
    }
  }

  // Structs that some deallocator of the program looks into: a type may share it in ways not seen.
  const std::set<std::string>& seen_to() {
    if (seen_to_) return *seen_to_;
    seen_to_.emplace();
    std::set<FuncId> ends;
    for (FuncId f{}; f < ctx_.program.num_functions(); ++f)
      if (ctx_.contracts[f].frees_object) ends.insert(f);
    for (const FuncId f : with_callees(ctx_, ends)) {
      const model::Unit& unit = ctx_.program.frame(f);
      for (const program::LookNote& look : ctx_.program.notes(f).looks)
        seen_to_->emplace(unit.str(unit.type(ctx_.program.member(ctx_.program.unit_id(f), look.member).record).name));
    }
    return *seen_to_;
  }

  // Objects of a type made at run time hold a reference to it, which is part of cycles like any other.
  void traverse(FuncId f) {
    const auto roles = ctx_.program.roles(f);
    const auto by_row = [&](const program::TableEntry& e) {
      return std::find(rows_.begin(), rows_.end(), e.record) != rows_.end();
    };
    if (roles.empty() || !std::all_of(roles.begin(), roles.end(), by_row)) return;
    for (const program::TableEntry& e : roles) {
      if (e.unit == kNone || e.element == kNone) return;
      const model::Unit& unit = ctx_.program.frame_at(e.unit);
      const Constant& row = unit.constants[e.element];
      if (row.kind != ConstKind::Aggregate || row.children.empty()) return;
      const specs::SlotSpec* slot =
          ctx_.specs.find_slot(e.record, "[" + std::to_string(unit.constants[row.children[0]].imm) + "]");
      const std::string& version = ctx_.unit_version[e.unit];
      const specs::ContractSpec* contract = contract_of(slot);
      if (!contract || !contract->visits_type || version.empty() || !specs::up_to_version(slot->since, version)) return;
    }
    std::set<FuncId> seen;
    if (visits_type(f, 1, seen)) return;
    const model::Unit& unit = ctx_.program.frame(f);
    report::Finding finding;
    finding.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(f)]].name, check_type_dealloc);
    finding.function = std::string(ctx_.program.display(f));
    finding.loc = source_loc(unit, ctx_.program.declared(f).loc);
    finding.severity = report::Severity::Low;
    finding.message = fmt::format("objects hold a reference to their type that {}() never visits", finding.function);
    out_.push_back(std::move(finding));
  }

  // Does the function call its parameter `visit` with a type, or hand it to code out of sight?
  bool visits_type(FuncId f, std::size_t visit, std::set<FuncId>& seen) {
    if (!seen.insert(f).second) return false;
    using Kind = program::ArgumentNote::Kind;
    const program::FunctionNotes& notes = ctx_.program.notes(f);
    const program::UnitId u = ctx_.program.unit_id(f);
    if (!notes.has_body || visit >= ctx_.program.declared(f).params.size()) return true;
    for (const program::VisitNote& note : notes.visits)
      if (notes.calls[note.call].param == visit && gives_type(u, note)) return true;
    for (const program::CallNote& call : notes.calls) {
      if (call.param == visit) continue;
      const auto at = std::find_if(call.arguments.begin(), call.arguments.end(), [&](const program::ArgumentNote& a) {
        return a.kind == Kind::Param && !a.cast && a.id == visit;
      });
      if (at == call.arguments.end()) continue;
      if (call.callee == kNone) return true;
      if (ctx_.spec_of[u][call.callee]) continue;
      const FuncId callee = ctx_.program.definition(u, call.callee);
      if (callee == kNone || visits_type(callee, static_cast<std::size_t>(at - call.arguments.begin()), seen))
        return true;
    }
    return false;
  }

  bool gives_type(program::UnitId u, const program::VisitNote& visit) const {
    const model::Unit& unit = ctx_.program.frame_at(u);
    return std::any_of(visit.records.begin(), visit.records.end(), [&](model::TypeId record) {
      const auto& types = ctx_.type_records;
      return std::find(types.begin(), types.end(), unit.str(unit.type(record).name)) != types.end();
    });
  }

  const engine::Context& ctx_;
  const std::vector<MemberStore>& stores_;
  const std::vector<std::string> rows_;  // structs of the rows that describe a type made at run time
  std::vector<report::Finding>& out_;
  const model::Unit* unit_ = nullptr;
  program::UnitId id_{};
  std::optional<VariableUses> uses_;
  std::optional<std::set<std::string>> seen_to_;
};

}  // namespace

void check_type_slots(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                      std::vector<report::Finding>& out) {
  TypeChecker(ctx, stores, out).run();
}

}  // namespace reckon::checks
