// The program: units linked by the rules of linkage.
//
// Statics stay private to their unit, external definitions are found by name, and Merged functions
// (inline, weak, linkonce) are one. Static functions from headers with identical bodies in several units
// are one, too (RID 5.3): they are stored and later analysed once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/model.h"
#include "program/record.h"
#include "program/unit_store.h"
#include "support/id.h"
#include "support/limits.h"

namespace reckon::program {

using FuncId = support::Id<struct FuncTag>;  // dense number of a distinct defined function
using model::kNone;

// A pointer with more possible targets than this (a method table's slot in a large program) is as good as
// unknown: it would only tie the call graph into one knot.
inline constexpr std::size_t kMaxPointerTargets = support::kLimits.program.pointer_targets;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};
template <typename T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

// Texts that are kept once, whoever has them.
class TextPool {
 public:
  std::string_view keep(std::string_view text) {
    if (const auto it = known_.find(text); it != known_.end()) return *it;
    return *known_.insert(texts_.emplace_back(text)).first;
  }

 private:
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> known_;
};

// A function pointer stored in a constant table or assigned to a field: who, and in which role.
struct TableEntry {
  FuncId function = kNone;
  // The innermost named struct that holds the pointer ("_typeobject", "PyMethodDef", "dev_pm_ops") and the
  // path from there ("tp_iternext", "ml_meth"). No such struct: record is "" and field starts with the
  // name of the global ("hook", "table.run").
  std::string_view record;
  std::string_view field;
  UnitId unit = kNone;
  model::SymId variable = model::kNone;   // the table, kNone if assigned at run time
  model::ConstId element = model::kNone;  // the constant of that struct (one PyMethodDef row), else of the array
};

// What is known of a function without its unit.
struct FunctionHead {
  UnitId unit;                     // the unit whose body represents it
  std::uint32_t index = 0;         // into Unit::functions
  model::SymId symbol = kNone;     // of that unit
  std::uint32_t instructions = 0;  // of its body
  bool has_body = false;
  bool from_header = false;
  std::string_view name, display;  // the linker's name, and what people call it
};

class Program {
 public:
  // Units that are in memory, as many at once as there are `jobs`.
  static Program link(Units units, unsigned jobs = 1);
  // From records alone: no unit is read before somebody asks for it.
  static Program link(std::shared_ptr<const UnitStore> units, std::shared_ptr<const RecordStore> records);

  std::size_t num_functions() const { return functions_.size(); }
  const FunctionHead& head(FuncId f) const { return functions_[f]; }
  const model::Function& function(FuncId f) const;
  const model::Unit& unit(FuncId f) const { return unit_at(functions_[f].unit); }
  UnitId unit_id(FuncId f) const { return functions_[f].unit; }
  std::string_view name(FuncId f) const { return functions_[f].name; }
  std::string_view display(FuncId f) const { return functions_[f].display; }
  std::size_t num_units() const { return units_->size(); }
  const model::Unit& unit_at(UnitId u) const { return units_->at(u); }
  // What is known without bodies, for those who ask about the whole program (record.h). Bodies are not to be read here.
  const model::Unit& frame_at(UnitId u) const { return *records_->at(u).frame; }
  const model::Unit& frame(FuncId f) const { return frame_at(functions_[f].unit); }
  const model::Function& declared(FuncId f) const { return frame(f).functions[functions_[f].index]; }
  const UnitNotes& unit_notes(UnitId u) const { return records_->at(u).notes; }
  const FunctionNotes& notes(FuncId f) const { return unit_notes(functions_[f].unit).functions[functions_[f].index]; }
  // A member that notes of a function in `u` name.
  const model::FieldName& member(UnitId u, FieldId field) const { return unit_notes(u).fields[field]; }
  // To be called between two functions or units, by whoever looks at all of them and holds nothing of any.
  void rest() const {
    units_->rest();
    records_->rest();
  }

  // What symbol `s` of `unit` refers to, kNone if it is not a function defined in the program. If several
  // units define a public name at different places (programs captured together), each definition stays a
  // function of its own and its unit means that one; everybody else means the first in unit order.
  FuncId definition(UnitId unit, model::SymId s) const;

  // Direct callees defined in the program, and known targets of calls through pointers, sorted, unique.
  std::span<const FuncId> callees(FuncId f) const;
  std::span<const FuncId> callers(FuncId f) const;  // rests are none
  // Functions that the body names, called or not, in the order of the text.
  std::span<const FuncId> named(FuncId f) const { return named_[f]; }
  // Known targets of an indirect call whose CallInfo::origin is `origin`, else empty, also if there are more
  // than kMaxPointerTargets. Origins are "struct.field" with the struct named by its tag and the field by its
  // path, from any named struct around it ("inner.run", "outer.ops.run"); or a global ("hook"), what is in
  // it ("table.run"), and elements by number, any element, or the array ("table[2]", "table[]", "table").
  // Globals of the same name in several units are not told apart.
  std::span<const FuncId> pointer_targets(std::string_view origin) const;

  // What the call instruction `call` of `f` may enter, sorted, unique: the function named, or the known targets.
  std::vector<FuncId> targets(FuncId f, const model::Instr& call) const;
  // The same for a call of some function of `u`.
  std::vector<FuncId> targets(UnitId u, const CallNote& call) const;

  // The function that `f` is the rest of (program/rests.h), after all that are rests themselves; `f` if it is none.
  FuncId whole(FuncId f) const { return whole_[f]; }
  // All functions that are no rests: what they do is all that the program does.
  std::span<const FuncId> wholes() const { return wholes_; }

  // Strongly connected components of the call graph, callees before callers.
  const std::vector<std::vector<FuncId>>& components() const { return components_; }

  // Roles of functions found in tables, by function.
  std::span<const TableEntry> roles(FuncId f) const;

 private:
  Program(std::shared_ptr<const UnitStore> units, std::shared_ptr<const RecordStore> records)
      : units_(std::move(units)), records_(std::move(records)) {}
  void add_function(UnitId u, std::uint32_t index);
  void resolve_symbols();
  void collect_tables();
  void resolve_outer_origins();
  const std::vector<FuncId>* inner_targets(const model::Unit& unit, model::TypeId record, std::string_view path) const;
  void build_call_graph();

  std::shared_ptr<const UnitStore> units_;
  std::shared_ptr<const RecordStore> records_;
  std::shared_ptr<TextPool> texts_ = std::make_shared<TextPool>();  // of functions_ and roles_
  std::vector<FunctionHead> functions_;
  std::vector<std::vector<FuncId>> definition_;  // [unit][symbol]
  std::vector<std::vector<FuncId>> callees_, callers_, named_;
  std::vector<FuncId> whole_, wholes_;
  TextMap<std::vector<FuncId>> pointer_targets_;
  std::vector<std::vector<FuncId>> components_;
  std::vector<std::vector<TableEntry>> roles_;
};

}  // namespace reckon::program
