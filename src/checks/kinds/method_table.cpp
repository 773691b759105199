// method-table: tables of functions whose flags say how each is called, and which end with an empty row.
//
// The problem: functions are put into such tables through casts, so the compiler does not see a function that takes
// more parameters than it is called with; and a table without its last row is read beyond its end. The method:
// `table` lines of the specs name the structs, the field that is zero in the last row, and the parameters for each
// value of the flags. All constant arrays and variables of such structs are compared with them.
//
// Limits: tables filled at run time are not looked at. The model has no places for rows, so a finding stands at the
// table and names the row.

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "checks/format_types.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"

namespace reckon::checks {

namespace {

using model::Constant;
using model::ConstId;
using model::ConstKind;
using model::Type;
using model::TypeId;
using model::TypeKind;
using report::Severity;
using specs::EntryParamKind;
using specs::EntrySpec;

class TableChecker {
 public:
  TableChecker(const engine::Context& ctx, program::UnitId unit, std::vector<report::Finding>& out)
      : ctx_(ctx), id_(unit), unit_(ctx.program.frame_at(unit)), types_(unit_, ctx.specs, false, false), out_(out) {}

  void check(const model::Symbol& variable) {
    variable_ = &variable;
    const Type& type = unit_.type(variable.type);
    const Constant& init = unit_.constants[variable.init];
    if (type.kind == TypeKind::Struct) return check_row(init, 0);
    if (type.kind != TypeKind::Array || unit_.type(type.elem).kind != TypeKind::Struct) return;
    if (init.kind != ConstKind::Aggregate) return;
    std::size_t n = 0;
    for (const ConstId row : init.children) check_row(unit_.constants[row], ++n);
    check_end(type.elem, init);
  }

 private:
  void add(const std::string& domain, std::string message, Severity severity, bool without_effect = false) {
    report::Finding f;
    f.check = id_in(domain, check_method_table);
    f.message = std::move(message);
    f.severity = severity;
    f.confidence = without_effect ? report::Confidence::Low : report::Confidence::High;
    f.object = std::string(unit_.str(variable_->display));
    f.loc = source_loc(unit_, variable_->loc);
    out_.push_back(std::move(f));
  }

  // The value of a field in a row, nullptr if the row does not say.
  const Constant* field(const Constant& row, std::string_view name) const {
    const Type& t = unit_.type(row.type);
    if (row.kind != ConstKind::Aggregate || t.fields.size() != row.children.size()) return nullptr;
    for (std::size_t i = 0; i < t.fields.size(); ++i)
      if (unit_.str(t.fields[i].name) == name) return &unit_.constants[row.children[i]];
    return nullptr;
  }

  void check_end(TypeId record, const Constant& rows) {
    const specs::TableSpec* table = ctx_.specs.find_table(unit_.str(unit_.type(record).name));
    if (!table) return;
    for (const ConstId c : rows.children) {
      const Constant& row = unit_.constants[c];
      if (row.kind == ConstKind::Zero) return;
      const Constant* end = field(row, table->end_field);
      if (!end || end->kind == ConstKind::Zero || end->kind == ConstKind::Other) return;
    }
    add(table->domain,
        fmt::format("table `{}` does not end with a row whose {} is 0", unit_.str(variable_->display),
                    table->end_field),
        Severity::High);
  }

  void check_row(const Constant& row, std::size_t number) {
    if (row.kind != ConstKind::Aggregate) return;
    const std::string_view record = unit_.str(unit_.type(row.type).name);
    if (record.empty()) return;
    std::vector<std::string_view> done;  // fields that were looked at
    for (const EntrySpec& e : ctx_.specs.entries()) {
      if (e.record != record || std::find(done.begin(), done.end(), e.field) != done.end()) continue;
      done.push_back(e.field);
      check_entry(row, number, e.record, e.field);
    }
  }

  std::optional<std::uint64_t> number_in(const Constant* c) const {
    if (c && c->kind == ConstKind::Zero) return 0;
    if (c && c->kind == ConstKind::Int) return static_cast<std::uint64_t>(c->imm);
    return std::nullopt;
  }

  void check_entry(const Constant& row, std::size_t number, const std::string& record, const std::string& name) {
    const Constant* entry = field(row, name);
    if (!entry || entry->kind != ConstKind::Address || entry->imm != 0) return;
    const model::Symbol& function = unit_.symbols[entry->ref];
    if (function.kind != model::SymbolKind::Function || unit_.type(function.type).kind != TypeKind::Function) return;

    // The first line whose flags are those of the row.
    const EntrySpec* way = nullptr;
    const EntrySpec* last = nullptr;
    std::uint64_t flags = 0;
    for (const EntrySpec& e : ctx_.specs.entries()) {
      if (e.record != record || e.field != name) continue;
      last = &e;
      if (!e.flags_field.empty()) {
        const auto value = number_in(field(row, e.flags_field));
        if (!value) return;
        flags = *value;
        if ((flags & e.mask) != e.value) continue;
      }
      way = &e;
      break;
    }
    const std::string_view table = unit_.str(variable_->display);
    const std::string where = number ? fmt::format("row {} of `{}`", number, table) : fmt::format("`{}`", table);
    if (!way)
      return add(last->domain,
                 fmt::format("{}: {} {:#x} is no way to call a function", where, last->flags_field, flags),
                 Severity::Medium);
    check_signature(where, *way, flags, function);
    check_result(where, record, name, function);
  }

  // The caller takes what the function returns for an object, or for a number.
  void check_result(const std::string& where, const std::string& record, const std::string& name,
                    const model::Symbol& function) {
    const specs::SlotSpec* slot = ctx_.specs.find_slot(record, name);
    const specs::ContractSpec* contract = slot ? ctx_.specs.find_contract(slot->contract) : nullptr;
    if (!contract) return;
    const TypeKind result = unit_.type(unit_.type(function.type).elem).kind;
    const bool object = contract->gives_new, number = contract->value_or_null || contract->runs_again;
    const bool wrong = object ? result == TypeKind::Int || result == TypeKind::Void || result == TypeKind::Float
                              : number && (result == TypeKind::Pointer || result == TypeKind::Void);
    if (!wrong) return;
    add(slot->domain,
        fmt::format("{}: {}() returns {}, its caller takes that for {}", where, unit_.str(function.display),
                    result == TypeKind::Void ? "nothing" : types_.name(unit_.type(function.type).elem),
                    object ? "an object" : "a number"),
        Severity::High);
  }

  static bool kind_fits(const FormatTypes& types, const model::Unit& unit, EntryParamKind kind, TypeId type) {
    const Type& t = unit.type(type);
    if (t.kind == TypeKind::Other || t.kind == TypeKind::Void) return true;
    const bool pointer = t.kind == TypeKind::Pointer;
    const TypeKind to = pointer ? unit.type(t.elem).kind : TypeKind::Void;
    switch (kind) {
      case EntryParamKind::Null:
      case EntryParamKind::Object: return pointer && types.is_object_pointer(type);
      case EntryParamKind::Objects:
        return pointer && (to == TypeKind::Pointer || to == TypeKind::Void || to == TypeKind::Other);
      case EntryParamKind::Number: return t.kind == TypeKind::Int;
      case EntryParamKind::Pointer: return pointer;
    }
    return true;
  }

  static std::string_view kind_name(EntryParamKind kind) {
    switch (kind) {
      case EntryParamKind::Null: return "NULL";
      case EntryParamKind::Object: return "an object";
      case EntryParamKind::Objects: return "an array of objects";
      case EntryParamKind::Number: return "a number";
      case EntryParamKind::Pointer: return "a pointer";
    }
    return {};
  }

  void check_signature(const std::string& where, const EntrySpec& way, std::uint64_t flags,
                       const model::Symbol& function) {
    const Type& type = unit_.type(function.type);
    if (type.variadic) return;
    const std::string name(unit_.str(function.display));
    const std::string how = way.flags_field.empty() ? "" : fmt::format(" by {} {:#x}", way.flags_field, flags);
    std::size_t least = way.params.size();
    while (least > 0 && way.params[least - 1].optional) --least;
    const std::size_t most = way.params.size(), have = type.params.size();
    if (have < least || have > most) {
      // What is not passed is read as garbage. What is passed and not taken is lost without a word; only a function
      // that takes some of it is likely to want the rest.
      const bool loses = have > 1 && have < least &&
                         std::any_of(
                             way.params.begin() + static_cast<std::ptrdiff_t>(have), way.params.end(),
                             [](const auto& p) { return p.kind != EntryParamKind::Null; });
      const Severity severity = have > most ? Severity::High : loses ? Severity::Medium : Severity::Low;
      return add(way.domain,
                 fmt::format("{}: {}() takes {} argument{}, it is called with {}{}", where, name, have,
                             have == 1 ? "" : "s", most, how),
                 severity, have < least && !loses);
    }
    for (std::size_t i = 0; i < have; ++i)
      if (!kind_fits(types_, unit_, way.params[i].kind, type.params[i]))
        return add(way.domain,
                   fmt::format("{}: parameter {} of {}() is {}, it is called with {}{}", where, i + 1, name,
                               types_.name(type.params[i]), kind_name(way.params[i].kind), how),
                   unit_.type(type.params[i]).kind == TypeKind::Pointer ? Severity::Medium : Severity::High,
                   unit_.type(type.params[i]).kind == TypeKind::Pointer && unused(function, i));
  }

  // A function of this unit that does not look at its parameter.
  bool unused(const model::Symbol& function, std::size_t parameter) const {
    for (std::size_t f = 0; f < unit_.functions.size(); ++f)
      if (&unit_.symbols[unit_.functions[f].symbol] == &function)
        return parameter < 32 && (ctx_.program.unit_notes(id_).functions[f].unused >> parameter & 1) != 0;
    return false;
  }

  const engine::Context& ctx_;
  const program::UnitId id_;
  const model::Unit& unit_;
  FormatTypes types_;
  std::vector<report::Finding>& out_;
  const model::Symbol* variable_ = nullptr;
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) {
  const program::Program& all = program.ctx.program;
  for (program::UnitId u{}; u < all.num_units(); ++u, all.rest()) {
    if (!program.ctx.unit_concerned[u]) continue;
    TableChecker checker(program.ctx, u, out);
    for (const model::Symbol& s : all.frame_at(u).symbols)
      if (s.kind == model::SymbolKind::Variable && s.defined && s.init != model::kNone) checker.check(s);
  }
}

}  // namespace

constinit const Check check_method_table{
    .kind = "method-table",
    .summary = "a table's flags and functions disagree, or it has no end",
    .program = run,
    .harm = report::Harm::Crash,
};

}  // namespace reckon::checks
