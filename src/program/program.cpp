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
#include "support/parallel.h"

namespace reckon::program {

using model::Linkage;

namespace {

// Which definition of a public name to take: a strong one before a weak one, one with a body before one without.
int rank(const UnitRecord& record, std::uint32_t index) {
  const model::Symbol& symbol = record.frame->symbols[record.frame->functions[index].symbol];
  return (symbol.linkage == Linkage::External ? 2 : 0) + (record.notes.functions[index].has_body ? 1 : 0);
}

void sort_unique(std::vector<FuncId>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

// The definition of a public name that is taken.
struct Public {
  UnitId unit;
  std::uint32_t index;  // into Unit::functions
  int rank;
  std::string_view file;
  std::uint32_t line;
  FuncId id = kNone;
};
using Publics = std::unordered_map<std::string_view, Public>;

// The texts are kept in `texts`.
Publics publics_of(const RecordStore& records, TextPool& texts) {
  Publics out;
  for (UnitId u{}; u < records.size(); ++u, records.rest()) {
    const model::Unit& unit = *records.at(u).frame;
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      const model::Function& f = unit.functions[i];
      if (unit.symbols[f.symbol].linkage == Linkage::Internal) continue;
      const Public candidate{u, i, rank(records.at(u), i), texts.keep(unit.str(f.loc.file)), f.loc.line};
      const auto [it, added] = out.emplace(texts.keep(unit.name(f.symbol)), candidate);
      if (!added && it->second.rank < candidate.rank) it->second = candidate;
    }
  }
  return out;
}

}  // namespace

Program Program::link(Units units, unsigned jobs) {
  RecordStore::All records(units.size());
  support::in_parallel(jobs, units.size(),
                       [&](std::size_t u) { records[u] = std::make_shared<const UnitRecord>(record_of(units[u])); });
  return link(std::make_shared<const UnitStore>(std::move(units)),
              std::make_shared<const RecordStore>(std::move(records)));
}

Program Program::link(std::shared_ptr<const UnitStore> units, std::shared_ptr<const RecordStore> records) {
  Program p(std::move(units), std::move(records));
  p.resolve_symbols();
  p.collect_tables();
  p.build_call_graph();
  return p;
}

void Program::add_function(UnitId u, std::uint32_t index) {
  const model::Unit& unit = frame_at(u);
  const model::Function& f = unit.functions[index];
  const FunctionNotes& notes = unit_notes(u).functions[index];
  const model::StrId display = unit.symbols[f.symbol].display;
  FunctionHead head;
  head.unit = u;
  head.index = index;
  head.symbol = f.symbol;
  head.instructions = notes.instructions;
  head.has_body = notes.has_body;
  head.from_header = f.from_header;
  head.name = texts_->keep(unit.name(f.symbol));
  head.display = display == 0 ? head.name : texts_->keep(unit.str(display));
  functions_.push_back(head);
}

void Program::resolve_symbols() {
  const std::size_t num_units = units_->size();
  Publics publics = publics_of(*records_, *texts_);
  // A second strong definition is a function of its own, unless it is the same source compiled once more.
  auto is_rival = [&](UnitId u, const model::Function& f) {
    const model::Unit& unit = frame_at(u);
    if (unit.symbols[f.symbol].linkage != Linkage::External) return false;
    const Public& other = publics.find(unit.name(f.symbol))->second;
    return other.unit != u && (f.loc.line != other.line || unit.str(f.loc.file) != other.file);
  };

  definition_.resize(num_units);
  std::unordered_map<Digest, FuncId, DigestHash> privates;
  for (UnitId u{}; u < num_units; ++u, rest()) {
    const model::Unit& unit = frame_at(u);
    definition_[u].assign(unit.symbols.size(), kNone);
    std::vector<bool> rival(unit.symbols.size(), false);
    for (const model::Function& f : unit.functions)
      if (unit.symbols[f.symbol].linkage != Linkage::Internal) rival[f.symbol] = is_rival(u, f);
    const std::vector<PrivateFunction>& candidates = unit_notes(u).privates;
    // One that reaches a rival has no copies in other units, where that name is another function.
    auto digest_of = [&](const PrivateFunction& f) {
      if (std::none_of(f.publics.begin(), f.publics.end(), [&](model::SymId s) { return rival[s]; })) return f.digest;
      return Digest{f.digest.low + std::uint64_t{u} + 1, ~f.digest.high};
    };
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      const model::SymId s = unit.functions[i].symbol;
      const auto fresh = static_cast<FuncId>(functions_.size());
      FuncId id = fresh;
      if (next < candidates.size() && candidates[next].index == i) {
        id = privates.emplace(digest_of(candidates[next++]), fresh).first->second;
      } else if (unit.symbols[s].linkage != Linkage::Internal && !rival[s]) {
        Public& best = publics.find(unit.name(s))->second;
        if (best.unit != u || best.index != i) continue;
        best.id = fresh;
      }
      if (id == fresh) add_function(u, i);
      definition_[u][s] = id;
    }
  }

  for (UnitId u{}; u < num_units; ++u, rest()) {
    const model::Unit& unit = frame_at(u);
    for (model::SymId s{}; s < unit.symbols.size(); ++s) {
      const model::Symbol& symbol = unit.symbols[s];
      if (definition_[u][s] != kNone || symbol.kind != model::SymbolKind::Function) continue;
      if (symbol.linkage == Linkage::Internal) continue;
      if (const auto it = publics.find(unit.str(symbol.name)); it != publics.end()) definition_[u][s] = it->second.id;
    }
  }
}

void Program::collect_tables() {
  TableCollector tables(functions_.size(), *texts_, [this](UnitId u, model::SymId s) { return definition(u, s); });
  for (UnitId u{}; u < units_->size(); ++u, rest()) tables.add_variables(u, frame_at(u));
  for (FuncId f{}; f < functions_.size(); ++f, rest()) tables.add_puts(unit_id(f), frame(f), notes(f).puts);
  pointer_targets_ = tables.take_targets();
  resolve_outer_origins();
  roles_ = tables.take_roles();
}

// A call may name the pointer from an outer struct ("device.ops.run") while the functions were only ever put into an
// inner one by itself ("ops.run"), to be copied from there. Then the inner one's targets are the best we know.
void Program::resolve_outer_origins() {
  for (UnitId id{}; id < units_->size(); ++id, rest()) {
    const model::Unit& u = frame_at(id);
    std::unordered_map<std::string_view, model::TypeId> records;
    std::vector<bool> seen(u.strings.size(), false);
    for (const FunctionNotes& f : unit_notes(id).functions) {
      for (const CallNote& call : f.calls) {
        if (call.origin == 0 || seen[call.origin]) continue;
        seen[call.origin] = true;
        const std::string_view origin = u.str(call.origin);
        const std::size_t dot = origin.find('.');
        if (dot == std::string_view::npos || pointer_targets_.contains(origin)) continue;
        if (records.empty()) {
          for (model::TypeId t{}; t < u.types.size(); ++t)
            if (!u.types[t].fields.empty() && u.types[t].name != 0) records.emplace(u.str(u.types[t].name), t);
        }
        const auto record = records.find(origin.substr(0, dot));
        if (record == records.end()) continue;
        if (const std::vector<FuncId>* inner = inner_targets(u, record->second, origin.substr(dot + 1))) {
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
  named_.resize(n);
  whole_.resize(n);
  for (FuncId f{}; f < n; ++f, rest()) {
    const FunctionNotes& fn = notes(f);
    for (const CallNote& call : fn.calls)
      for (const FuncId g : targets(unit_id(f), call)) callees_[f].push_back(g);
    for (const model::SymId s : fn.named)
      if (const FuncId g = definition(unit_id(f), s); g != kNone) named_[f].push_back(g);
    whole_[f] = fn.rest_of != kNone ? definition(unit_id(f), fn.rest_of) : f;
  }
  for (FuncId f{}; f < n; ++f) {
    FuncId w = whole_[f];
    while (whole_[w] != w) w = whole_[w];
    whole_[f] = w;
    if (w == f)
      wholes_.push_back(f);
    else
      callees_[w].push_back(f);
  }
  for (FuncId f{}; f < n; ++f) sort_unique(callees_[f]);
  for (const FuncId f : wholes_)
    for (const FuncId g : callees_[f]) callers_[g].push_back(f);  // ascending, as f is
  components_ = strong_components(callees_);
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

std::vector<FuncId> Program::targets(UnitId u, const CallNote& call) const {
  if (call.assembly) return {};
  if (call.callee != kNone) {
    const FuncId g = call.at_offset ? FuncId(kNone) : definition(u, call.callee);
    return g == kNone ? std::vector<FuncId>() : std::vector<FuncId>{g};
  }
  std::vector<FuncId> found;
  for (const model::SymId s : call.behind)
    if (const FuncId g = definition(u, s); g != kNone) found.push_back(g);
  if (call.by_pointer && call.origin != 0) {
    const std::span<const FuncId> known = pointer_targets(frame_at(u).str(call.origin));
    found.insert(found.end(), known.begin(), known.end());
  }
  sort_unique(found);
  return found;
}

const model::Function& Program::function(FuncId f) const { return unit(f).functions[functions_[f].index]; }

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
