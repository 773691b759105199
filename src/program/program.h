// The program: units linked by the rules of linkage.
//
// Statics stay private to their unit, external definitions are found by name, and Merged functions
// (inline, weak, linkonce) are one. Static functions from headers with identical bodies in several units
// are one, too (RID 5.3): they are stored and later analysed once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/model.h"

namespace reckon::program {

using FuncId = std::uint32_t;  // dense number of a distinct defined function
using UnitId = std::uint32_t;
inline constexpr std::uint32_t kNone = model::kNone;

// A function pointer stored in a constant table or assigned to a field: who, and in which role.
struct TableEntry {
  FuncId function = kNone;
  std::string_view record;  // struct tag of the table's type ("_typeobject", "PyMethodDef", "dev_pm_ops")
  std::string_view field;   // field path ("tp_iternext", "ml_meth")
  UnitId unit = kNone;
  model::SymId variable = model::kNone;  // the table, kNone if assigned at run time
  model::ConstId element = model::kNone; // the aggregate constant holding the field (one PyMethodDef row)
};

class Program {
 public:
  static Program link(std::vector<std::shared_ptr<const model::Unit>> units);

  std::size_t num_functions() const { return functions_.size(); }
  const model::Function& function(FuncId f) const;
  const model::Unit& unit(FuncId f) const;       // the unit whose body represents f
  UnitId unit_id(FuncId f) const;
  std::string_view name(FuncId f) const;         // linker name
  std::string_view display(FuncId f) const;
  std::span<const std::shared_ptr<const model::Unit>> units() const { return units_; }

  // What symbol `s` of `unit` refers to, kNone if it is not a function defined in the program.
  FuncId definition(UnitId unit, model::SymId s) const;

  // Direct callees defined in the program, and known targets of calls through pointers, sorted, unique.
  std::span<const FuncId> callees(FuncId f) const;
  std::span<const FuncId> callers(FuncId f) const;
  // Known targets of an indirect call whose CallInfo::origin is `origin` ("struct.field"), else empty.
  std::span<const FuncId> pointer_targets(std::string_view origin) const;

  // Strongly connected components of the call graph, callees before callers.
  const std::vector<std::vector<FuncId>>& components() const { return components_; }

  // Roles of functions found in tables, by function.
  std::span<const TableEntry> roles(FuncId f) const;

 private:
  struct Def {
    UnitId unit;
    std::uint32_t index;  // into Unit::functions
  };
  std::vector<std::shared_ptr<const model::Unit>> units_;
  std::vector<Def> functions_;
  std::vector<std::vector<FuncId>> definition_;  // [unit][symbol]
  std::vector<std::vector<FuncId>> callees_, callers_;
  std::unordered_map<std::string_view, std::vector<FuncId>> pointer_targets_;
  std::vector<std::vector<FuncId>> components_;
  std::vector<std::vector<TableEntry>> roles_;
};

}  // namespace reckon::program
