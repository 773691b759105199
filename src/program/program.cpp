// Linking. Public functions are found by name, private ones by what they are; the rest follows from there.
//
// The order of everything comes from the order of the units and of the functions in them: the same units in
// the same order give the same numbers. Limits: visibility and shared libraries are not modelled. Of several
// public definitions of a name the first in unit order answers for units that have none.
#include "program/program.h"

#include <algorithm>
#include <string>
#include <utility>

#include "program/content_hash.h"
#include "program/scc.h"
#include "program/tables.h"
#include "program/types.h"
#include "program/values.h"

namespace reckon::program {

using model::Linkage;

namespace {

// Which definition of a public name to take: a strong one before a weak one, one with a body before one without.
int rank(const model::Unit& unit, const model::Function& f) {
  return (unit.symbols[f.symbol].linkage == Linkage::External ? 2 : 0) + (f.body.blocks.empty() ? 0 : 1);
}

void sort_unique(std::vector<FuncId>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace

Program Program::link(std::vector<std::shared_ptr<const model::Unit>> units) {
  Program p;
  p.units_ = std::move(units);
  p.resolve_symbols();
  p.collect_tables();
  p.build_call_graph();
  return p;
}

void Program::resolve_symbols() {
  struct Public {
    Def def;
    int rank;
    FuncId id = kNone;
  };
  const std::size_t num_units = units_.size();
  std::unordered_map<std::string_view, Public> publics;
  for (UnitId u{}; u < num_units; ++u) {
    const model::Unit& unit = *units_[u];
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      const model::Function& f = unit.functions[i];
      if (unit.symbols[f.symbol].linkage == Linkage::Internal) continue;
      const Public candidate{{u, i}, rank(unit, f)};
      const auto [it, added] = publics.emplace(unit.name(f.symbol), candidate);
      if (!added && it->second.rank < candidate.rank) it->second = candidate;
    }
  }
  // A second strong definition is a function of its own, unless it is the same source compiled once more.
  auto is_rival = [&](UnitId u, const model::Function& f) {
    const model::Unit& unit = *units_[u];
    if (unit.symbols[f.symbol].linkage != Linkage::External) return false;
    const Def& def = publics.find(unit.name(f.symbol))->second.def;
    if (def.unit == u) return false;
    const model::Unit& other_unit = *units_[def.unit];
    const model::Function& other = other_unit.functions[def.index];
    return f.loc.line != other.loc.line || unit.str(f.loc.file) != other_unit.str(other.loc.file);
  };

  definition_.resize(num_units);
  std::unordered_map<Digest, FuncId, DigestHash> privates;
  for (UnitId u{}; u < num_units; ++u) {
    const model::Unit& unit = *units_[u];
    definition_[u].assign(unit.symbols.size(), kNone);
    std::vector<std::uint32_t> candidates;
    std::vector<bool> rival(unit.symbols.size(), false);
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      const model::Function& f = unit.functions[i];
      if (unit.symbols[f.symbol].linkage != Linkage::Internal)
        rival[f.symbol] = is_rival(u, f);
      else if (f.from_header || f.loc.file != 0)
        candidates.push_back(i);
    }
    ContentHasher hasher(unit, [&](model::SymId s) { return rival[s] ? std::uint64_t{u} + 1 : 0; });
    const std::vector<Digest> digests = hasher.functions(candidates);
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      const model::SymId s = unit.functions[i].symbol;
      const auto fresh = static_cast<FuncId>(functions_.size());
      FuncId id = fresh;
      if (next < candidates.size() && candidates[next] == i) {
        id = privates.emplace(digests[next++], fresh).first->second;
      } else if (unit.symbols[s].linkage != Linkage::Internal && !rival[s]) {
        Public& best = publics.find(unit.name(s))->second;
        if (best.def.unit != u || best.def.index != i) continue;
        best.id = fresh;
      }
      if (id == fresh) functions_.push_back({u, i});
      definition_[u][s] = id;
    }
  }

  for (UnitId u{}; u < num_units; ++u) {
    const model::Unit& unit = *units_[u];
    for (model::SymId s{}; s < unit.symbols.size(); ++s) {
      const model::Symbol& symbol = unit.symbols[s];
      if (definition_[u][s] != kNone || symbol.kind != model::SymbolKind::Function) continue;
      if (symbol.linkage == Linkage::Internal) continue;
      if (const auto it = publics.find(unit.str(symbol.name)); it != publics.end()) definition_[u][s] = it->second.id;
    }
  }
}

void Program::collect_tables() {
  TableCollector tables(functions_.size(), [this](UnitId u, model::SymId s) { return definition(u, s); });
  for (UnitId u{}; u < units_.size(); ++u) tables.add_variables(u, *units_[u]);
  for (const Def& d : functions_) tables.add_stores(d.unit, *units_[d.unit], units_[d.unit]->functions[d.index].body);
  pointer_targets_ = tables.take_targets();
  resolve_outer_origins();
  roles_ = tables.take_roles();
  names_ = tables.names();
}

// A call may name the pointer from an outer struct ("device.ops.run") while the functions were only ever put into an
// inner one by itself ("ops.run"), to be copied from there. Then the inner one's targets are the best we know.
void Program::resolve_outer_origins() {
  for (const std::shared_ptr<const model::Unit>& u : units_) {
    std::unordered_map<std::string_view, model::TypeId> records;
    std::vector<bool> seen(u->strings.size(), false);
    for (const model::Function& f : u->functions) {
      for (const model::CallInfo& call : f.body.calls) {
        if (call.origin == 0 || seen[call.origin]) continue;
        seen[call.origin] = true;
        const std::string_view origin = u->str(call.origin);
        const std::size_t dot = origin.find('.');
        if (dot == std::string_view::npos || pointer_targets_.contains(origin)) continue;
        if (records.empty()) {
          for (model::TypeId t{}; t < u->types.size(); ++t)
            if (!u->types[t].fields.empty() && u->types[t].name != 0) records.emplace(u->str(u->types[t].name), t);
        }
        const auto record = records.find(origin.substr(0, dot));
        if (record == records.end()) continue;
        if (const std::vector<FuncId>* inner = inner_targets(*u, record->second, origin.substr(dot + 1))) {
          std::vector<FuncId> targets = *inner;  // the table may move when it grows
          pointer_targets_.emplace(std::string(origin), std::move(targets));
        }
      }
    }
  }
}

// What is known of the innermost struct on the way from `record` along `path` under which anything is known.
const std::vector<FuncId>* Program::inner_targets(const model::Unit& unit, model::TypeId record,
                                                  std::string_view path) const {
  for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
    model::TypeId reached{};
    if (steps_of_path(unit, record, path.substr(0, dot), &reached).empty()) continue;
    while (unit.type(reached).kind == model::TypeKind::Array) reached = unit.type(reached).elem;
    if (unit.type(reached).name == 0) continue;
    std::string key(unit.str(unit.type(reached).name));
    key += path.substr(dot);
    if (const auto it = pointer_targets_.find(key); it != pointer_targets_.end()) return &it->second;
  }
  return nullptr;
}

void Program::build_call_graph() {
  const std::size_t n = functions_.size();
  callees_.resize(n);
  callers_.resize(n);
  for (FuncId f{}; f < n; ++f) {
    for (const model::Instr& i : function(f).body.instrs) {
      if (i.op != model::Op::Call) continue;
      for (const FuncId g : targets(f, i)) callees_[f].push_back(g);
    }
    if (whole(f) == f)
      wholes_.push_back(f);
    else
      callees_[whole(f)].push_back(f);
  }
  for (FuncId f{}; f < n; ++f) sort_unique(callees_[f]);
  for (const FuncId f : wholes_)
    for (const FuncId g : callees_[f]) callers_[g].push_back(f);  // ascending, as f is
  components_ = strong_components(callees_);
}

FuncId Program::whole(FuncId f) const {
  while (function(f).rest_of != kNone) f = definition(unit_id(f), function(f).rest_of);
  return f;
}

std::vector<FuncId> Program::targets(FuncId f, const model::Instr& call) const {
  const model::Body& body = function(f).body;
  if (call.op != model::Op::Call || call.num_operands == 0) return {};
  const model::CallInfo* info = call.aux < body.calls.size() ? &body.calls[call.aux] : nullptr;
  if (info != nullptr && info->inline_asm) return {};
  const UnitId u = unit_id(f);
  const model::Operand callee = body.ops(call)[0];
  std::vector<FuncId> found;
  auto take = [&](model::SymId s) {
    if (const FuncId g = definition(u, s); g != kNone) found.push_back(g);
  };
  if (callee.kind == model::OperandKind::Symbol) {
    if (callee.imm == 0) take(callee.symbol_id());
    return found;
  }
  if (callee.kind != model::OperandKind::Value) return {};
  for (const model::SymId s : addresses(ValueDefs(body), callee)) take(s);
  if (info != nullptr && info->origin != 0) {
    const std::span<const FuncId> known = pointer_targets(unit(f).str(info->origin));
    found.insert(found.end(), known.begin(), known.end());
  }
  sort_unique(found);
  return found;
}

const model::Function& Program::function(FuncId f) const {
  return units_[functions_[f].unit]->functions[functions_[f].index];
}
const model::Unit& Program::unit(FuncId f) const { return *units_[functions_[f].unit]; }
UnitId Program::unit_id(FuncId f) const { return functions_[f].unit; }
std::string_view Program::name(FuncId f) const { return unit(f).name(function(f).symbol); }
std::string_view Program::display(FuncId f) const {
  const model::StrId display = unit(f).symbols[function(f).symbol].display;
  return display == 0 ? name(f) : unit(f).str(display);
}

FuncId Program::definition(UnitId unit, model::SymId s) const {
  return unit < definition_.size() && s < definition_[unit].size() ? definition_[unit][s] : kNone;
}
std::span<const FuncId> Program::callees(FuncId f) const { return callees_[f]; }
std::span<const FuncId> Program::callers(FuncId f) const { return callers_[f]; }
std::span<const FuncId> Program::pointer_targets(std::string_view origin) const {
  const auto it = pointer_targets_.find(origin);
  return it == pointer_targets_.end() ? std::span<const FuncId>{} : std::span<const FuncId>(it->second);
}
std::span<const TableEntry> Program::roles(FuncId f) const { return roles_[f]; }

}  // namespace reckon::program
