#include "program/named_calls.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "program/looked_up.h"
#include "program/tables.h"
#include "program/types.h"
#include "program/values.h"

namespace reckon::program {

using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;
using model::SymbolKind;
using model::TypeKind;

namespace {

// What specs describe functions in: NAME of all `NAME[N]`, RECORD of all `RECORD.FIELD`.
struct Places {
  Names tables, records;  // a record may also be a function that finds others by name

  explicit Places(const specs::SpecSet& specs) {
    for (const auto& spec : specs.functions()) {
      const std::size_t end = spec->name.find_first_of("[.");
      if (end != std::string::npos) (spec->name[end] == '[' ? tables : records).insert(spec->name.substr(0, end));
    }
  }
};

// What is known of the function in a place, and the place as the specs name it.
struct KnownFunction {
  const specs::FunctionSpec* spec = nullptr;
  std::string place;

  explicit operator bool() const { return spec != nullptr; }
  // The function that the place is a spelling of, else the place.
  const std::string& name() const { return spec->alias_of.empty() ? place : spec->alias_of; }
  // People know a function in a field by the field's name.
  std::string_view shown() const {
    const std::string_view text = name();
    return text.find("::") == std::string_view::npos ? text.substr(text.rfind('.') + 1) : text;
  }
};

class NamedCalls {
 public:
  NamedCalls(UnitId id, const model::Unit& unit, const specs::SpecSet& specs, const Places& places,
             const LookedUpVariables& looked_up)
      : id_(id), unit_(unit), specs_(specs), places_(places), looked_up_(looked_up) {
    for (model::SymId s{}; s < unit.symbols.size(); ++s) {
      const model::Symbol& symbol = unit.symbols[s];
      if (symbol.kind == SymbolKind::Variable && symbol.is_constant && symbol.init != kNone)
        if (FunctionsByOffset functions = functions_in(unit, symbol.init); !functions.empty())
          constants_.emplace(s, std::move(functions));
      if (symbol.kind == SymbolKind::Variable)
        has_entries_ = has_entries_ || places.tables.contains(unit.str(symbol.display)) ||
                       !looked_up.function(id, unit, s).empty();
      else
        has_entries_ = has_entries_ || places.records.contains(unit.name(s));
    }
    has_record_ = std::any_of(unit.types.begin(), unit.types.end(), [&](const model::Type& type) {
      return type.kind == TypeKind::Struct && places.records.contains(unit.str(type.name));
    });
  }

  // nullptr: there are no such calls.
  std::shared_ptr<const model::Unit> rewritten() {
    for (std::size_t f = 0; f < unit_.functions.size(); ++f) {
      if (!constants_.empty()) name_constants(f);
      if (has_entries_) name_entries(f);
      name_calls(f);
    }
    return std::move(result_);
  }

 private:
  void name_calls(std::size_t f) {
    const model::Body& body = unit_.functions[f].body;
    std::optional<ValueDefs> defs;
    for (const model::Instr& i : body.instrs) {
      if (i.op != Op::Call || i.num_operands == 0 || i.aux >= body.calls.size()) continue;
      const model::CallInfo& info = body.calls[i.aux];
      if (info.inline_asm || body.ops(i)[0].kind != OperandKind::Value) continue;
      KnownFunction known = info.origin != 0 ? behind(unit_.str(info.origin)) : KnownFunction{};
      if (!known && has_record_) {
        if (!defs) defs.emplace(body);
        known = chosen(*defs, body.ops(i)[0]);
      }
      if (known) {
        const model::SymId callee = function(known, info.type);
        Operand& operand = result_->functions[f].body.operands[i.first_operand];
        if (operand.kind == OperandKind::Value) operand = Operand::symbol(callee);
      }
    }
  }

  // Addresses read from constants of the program, wherever they go.
  void name_constants(std::size_t f) {
    const model::Body& body = unit_.functions[f].body;
    const ValueDefs defs(body);
    std::unordered_map<std::uint32_t, model::SymId> functions;  // by value
    for (const model::Instr& i : body.instrs) {
      if (i.op != Op::Load || i.result == kNone) continue;
      const auto [address, offset] = base_of(defs, body.ops(i)[0]);
      const auto table = address.kind == OperandKind::Symbol ? constants_.find(address.symbol_id()) : constants_.end();
      if (table == constants_.end()) continue;
      for (const auto& [at, function] : table->second)
        if (static_cast<std::int64_t>(at) == offset + address.imm) functions.emplace(i.result, function);
    }
    if (functions.empty()) return;
    if (result_ == nullptr) result_ = std::make_shared<model::Unit>(unit_);
    for (Operand& o : result_->functions[f].body.operands)
      if (const auto it = o.kind == OperandKind::Value ? functions.find(o.id) : functions.end(); it != functions.end())
        o = Operand::symbol(it->second);
  }

  // Where an address is that lies within something, and how far.
  static std::pair<Operand, std::int64_t> base_of(const ValueDefs& defs, Operand address) {
    std::int64_t offset = 0;
    for (const model::Instr* def = definition(defs, address); def != nullptr && def->op == Op::Field;
         def = definition(defs, address)) {
      offset += def->imm;
      address = defs.body().ops(*def)[0];
    }
    return {address, offset};
  }

  // Addresses read from tables, and those that were looked up by a name, wherever they go.
  void name_entries(std::size_t f) {
    const model::Body& body = unit_.functions[f].body;
    const ValueDefs defs(body);
    std::unordered_map<std::uint32_t, KnownFunction> entries;  // by value
    for (const model::Instr& i : body.instrs)
      if ((i.op == Op::Load || i.op == Op::Call) && i.result != kNone)
        if (KnownFunction known = i.op == Op::Load ? entry(defs, i) : found_by(body, i))
          entries.emplace(i.result, std::move(known));
    if (entries.empty()) return;
    for (const model::Instr& i : body.instrs)
      for (std::uint32_t n = 0; n < i.num_operands; ++n) {
        const Operand& o = body.operands[i.first_operand + n];
        const auto it = o.kind == OperandKind::Value ? entries.find(o.id) : entries.end();
        if (it == entries.end()) continue;
        const bool called = i.op == Op::Call && n == 0 && i.aux < body.calls.size();
        const model::SymId named = function(it->second, called ? body.calls[i.aux].type : model::TypeId{});
        result_->functions[f].body.operands[i.first_operand + n] = Operand::symbol(named);
      }
  }

  // The function whose address a load reads from a table: an array, or what a variable points to.
  KnownFunction entry(const ValueDefs& defs, const model::Instr& load) const {
    auto [address, offset] = base_of(defs, defs.body().ops(load)[0]);
    TypeKind kind = TypeKind::Array;
    if (const model::Instr* def = definition(defs, address); def != nullptr && def->op == Op::Load) {
      kind = TypeKind::Pointer;
      address = defs.body().ops(*def)[0];
      if (address.imm != 0) return {};
    }
    if (address.kind != OperandKind::Symbol) return {};
    offset += address.imm;
    const model::Symbol& table = unit_.symbols[address.id];
    if (kind == TypeKind::Array && offset == 0)
      if (std::string place(looked_up_.function(id_, unit_, address.symbol_id())); !place.empty())
        return known(std::move(place));
    const std::string_view name = unit_.str(table.display);
    if (table.kind != SymbolKind::Variable || unit_.type(table.type).kind != kind || !places_.tables.contains(name) ||
        offset < 0 || offset % unit_.pointer_size != 0)
      return {};
    return known(std::string(name) + "[" + std::to_string(offset / unit_.pointer_size) + "]");
  }

  // The function that a call looks up by its name.
  KnownFunction found_by(const model::Body& body, const model::Instr& call) const {
    std::string place = looked_up(unit_, body, call, places_.records);
    return place.empty() ? KnownFunction{} : known(std::move(place));
  }

  KnownFunction known(std::string place) const {
    const specs::FunctionSpec* spec = specs_.find(place);
    return {spec, std::move(place)};
  }

  static const model::Instr* definition(const ValueDefs& defs, const Operand& o) {
    return o.kind == OperandKind::Value ? defs.def(o.value_id()) : nullptr;
  }

  // The function behind a pointer that was read from there.
  const KnownFunction& behind(std::string_view origin) {
    auto it = by_origin_.find(origin);
    if (it == by_origin_.end()) {
      it = by_origin_.emplace(origin, KnownFunction{specs_.find(origin), std::string(origin)}).first;
      if (!it->second) it->second = in_embedded_struct(origin);
    }
    return it->second;
  }

  // The same for one of several pointers, if all were read from fields of one name: here, or in a function of the unit
  // that gave it, or on the way into a local that nobody else is told of.
  KnownFunction chosen(const ValueDefs& defs, const Operand& pointer) {
    struct Asked {
      const ValueDefs* defs;
      Operand value;
    };
    KnownFunction all;
    std::vector<Asked> todo{{&defs, pointer}};
    std::set<std::pair<const ValueDefs*, std::uint32_t>> seen;
    while (!todo.empty()) {
      const Asked at = todo.back();
      todo.pop_back();
      const model::Instr* def = definition(*at.defs, at.value);
      if (def == nullptr) return {};
      if (!seen.emplace(at.defs, at.value.id).second) continue;
      const std::span<const Operand> ops = at.defs->body().ops(*def);
      std::vector<Operand> from;
      const ValueDefs* where = at.defs;
      if (def->op == Op::Phi || def->op == Op::Cast)
        from.assign(ops.begin(), ops.end());
      else if (def->op == Op::Select && ops.size() == 3)
        from.assign({ops[1], ops[2]});
      else if (def->op == Op::Call && ops[0].kind == OperandKind::Symbol && (where = body_of(ops[0].symbol_id())))
        from = returned(where->body());
      else if (def->op == Op::Load)
        from = put_there(*at.defs, ops[0]);
      for (const Operand& o : from) todo.push_back({where, o});
      if (!from.empty()) continue;
      const model::Instr* field = def->op == Op::Load ? definition(*at.defs, ops[0]) : nullptr;
      if (field == nullptr || field->op != Op::Field || field->aux == kNone) return {};
      const model::FieldName& name = at.defs->body().fields[field->aux];
      const KnownFunction& one =
          behind(std::string(unit_.str(unit_.type(name.record).name)) + "." + std::string(unit_.str(name.path)));
      if (!one || (all && all.name() != one.name())) return {};
      all = one;
    }
    return all;
  }

  // The body of a function of this unit; nullptr: there is none.
  const ValueDefs* body_of(model::SymId symbol) {
    if (bodies_.empty())
      for (std::size_t f = 0; f < unit_.functions.size(); ++f) bodies_[unit_.functions[f].symbol].first = f;
    const auto it = bodies_.find(symbol);
    if (it == bodies_.end() || unit_.functions[it->second.first].body.blocks.empty()) return nullptr;
    if (!it->second.second)
      it->second.second = std::make_unique<const ValueDefs>(unit_.functions[it->second.first].body);
    return it->second.second.get();
  }

  static std::vector<Operand> returned(const model::Body& body) {
    std::vector<Operand> out;
    for (const model::Instr& i : body.instrs)
      if (i.op == Op::Ret && i.num_operands != 0) out.push_back(body.ops(i)[0]);
    return out;
  }

  // What is stored in a member of a local; nothing if a call gets its address.
  static std::vector<Operand> put_there(const ValueDefs& defs, const Operand& address) {
    const auto [base, offset] = base_of(defs, address);
    const model::Instr* local = definition(defs, base);
    if (local == nullptr || local->op != Op::Alloca) return {};
    std::vector<Operand> out;
    for (const model::Instr& i : defs.body().instrs) {
      const std::span<const Operand> ops = defs.body().ops(i);
      const auto is_local = [&](const Operand& o) { return definition(defs, base_of(defs, o).first) == local; };
      if (i.op == Op::Call && std::any_of(ops.begin(), ops.end(), is_local)) return {};
      if (i.op != Op::Store) continue;
      if (is_local(ops[1])) return {};
      if (is_local(ops[0]) && base_of(defs, ops[0]).second == offset) out.push_back(ops[1]);
    }
    return out;
  }

  // A struct may be embedded in the one that the source names: "heap.numbers.add" is the "add" of the inner one.
  KnownFunction in_embedded_struct(std::string_view origin) {
    const std::size_t first = origin.find('.');
    if (!has_record_ || first == std::string_view::npos || first == origin.rfind('.')) return {};
    if (records_.empty())
      for (model::TypeId t{}; t < unit_.types.size(); ++t)
        if (!unit_.types[t].fields.empty() && unit_.types[t].name != 0)
          records_.emplace(unit_.str(unit_.types[t].name), t);
    const auto record = records_.find(origin.substr(0, first));
    if (record == records_.end()) return {};
    const std::string_view path = origin.substr(first + 1);
    for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
      model::TypeId inner{};
      if (steps_of_path(unit_, record->second, path.substr(0, dot), &inner).empty()) continue;
      std::string place = std::string(unit_.str(unit_.type(inner).name)) + std::string(path.substr(dot));
      if (const specs::FunctionSpec* spec = specs_.find(place)) return {spec, std::move(place)};
    }
    return {};
  }

  // The symbol that stands for such a function; the unit is copied when the first is asked for.
  model::SymId function(const KnownFunction& known, model::TypeId type) {
    if (result_ == nullptr) result_ = std::make_shared<model::Unit>(unit_);
    if (functions_.empty())
      for (model::SymId s{}; s < unit_.symbols.size(); ++s)
        if (unit_.symbols[s].kind == SymbolKind::Function) functions_.emplace(unit_.name(s), s);
    const auto [it, fresh] = functions_.try_emplace(known.name(), static_cast<model::SymId>(result_->symbols.size()));
    if (fresh) {
      model::Symbol symbol;
      symbol.kind = SymbolKind::Function;
      symbol.name = text(known.name());
      symbol.display = text(known.shown());
      symbol.type = type;
      result_->symbols.push_back(std::move(symbol));
    } else if (model::Symbol& symbol = result_->symbols[it->second]; symbol.type == 0) {
      symbol.type = type;  // its address was met before a call of it
    }
    return it->second;
  }

  model::StrId text(std::string_view s) {
    result_->strings.emplace_back(s);
    return static_cast<model::StrId>(result_->strings.size() - 1);
  }

  UnitId id_;
  const model::Unit& unit_;
  const specs::SpecSet& specs_;
  const Places& places_;
  const LookedUpVariables& looked_up_;
  bool has_entries_ = false, has_record_ = false;        // does the unit know any of them?
  std::map<model::SymId, FunctionsByOffset> constants_;  // variables that hold functions and are never written
  std::shared_ptr<model::Unit> result_;
  std::map<std::string, model::SymId, std::less<>> functions_;  // by linker name; empty until one is asked for
  std::map<std::string, KnownFunction, std::less<>> by_origin_;
  std::unordered_map<std::string_view, model::TypeId> records_;
  std::map<model::SymId, std::pair<std::size_t, std::unique_ptr<const ValueDefs>>> bodies_;
};

}  // namespace

struct CallNamer::Known {
  Known(std::size_t units, const Lookups& lookups, const specs::SpecSet& all)
      : specs(all), places(all), looked_up(units, lookups, places.records) {}
  const specs::SpecSet& specs;
  Places places;
  LookedUpVariables looked_up;
};

CallNamer::CallNamer(std::size_t units, const Lookups& lookups, const specs::SpecSet& specs)
    : known_(std::make_unique<const Known>(units, lookups, specs)) {}
CallNamer::~CallNamer() = default;

std::string CallNamer::identity() const { return known_->looked_up.identity(); }

std::shared_ptr<const model::Unit> CallNamer::named(UnitId u, std::shared_ptr<const model::Unit> unit) const {
  if (auto copy = NamedCalls(u, *unit, known_->specs, known_->places, known_->looked_up).rewritten()) return copy;
  return unit;
}

Units with_named_calls(Units units, const specs::SpecSet& specs) {
  // Mostly nobody finds anything, and what is done with variables need not be known.
  const Places places(specs);
  const bool any = std::ranges::any_of(units, [&](const auto& unit) { return calls_any(*unit, places.records); });
  const CallNamer namer(units.size(), [&](UnitId u) { return any ? lookups_of(*units[u]) : LookupNotes(); }, specs);
  for (UnitId u{}; u < units.size(); ++u) units[u] = namer.named(u, std::move(units[u]));
  return units;
}

}  // namespace reckon::program
