// Function pointers kept in memory: who may be behind "struct.field", and in which roles a function stands.
//
// The problem: drivers, methods and type slots are called through pointers that were put into a struct
// elsewhere. The method: a pointer is known by the field it is kept in, whatever object it is in. All initial
// values of variables and all stores of a function's address to a named field or a global are collected.
//
// Limits: no alias analysis. Addresses passed as arguments, copied from one field to another, or stored through
// a plain pointer to a function pointer are not seen, so a target set is what is known, not all there is.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/model.h"
#include "program/content_hash.h"
#include "program/notes.h"
#include "program/program.h"
#include "program/types.h"
#include "program/values.h"

namespace reckon::program {
// The functions whose addresses a constant holds, by byte offset.
using FunctionsByOffset = std::vector<std::pair<std::uint64_t, model::SymId>>;
FunctionsByOffset functions_in(const model::Unit& unit, model::ConstId constant);

// Where an address is, as a note without functions.
PutNote located(const model::Unit& unit, const ValueDefs& defs, model::Operand address);
// The functions that a call copies with constant data; a local struct gets its initial value so, and its own type says
// what the functions in there are.
std::vector<PutNote> copied(const model::Unit& unit, const ValueDefs& defs, model::SymId callee,
                            const model::Operand& to, const model::Operand& from);

class TableCollector {
 public:
  using Definition = std::function<FuncId(UnitId, model::SymId)>;
  // `texts`: keeps the texts of roles.
  TableCollector(std::size_t num_functions, TextPool& texts, Definition definition);

  // Initial values of all variables of a unit. A variable seen before (one of a header) adds nothing.
  void add_variables(UnitId id, const model::Unit& unit);
  // Addresses that a function puts somewhere.
  void add_puts(UnitId id, const model::Unit& unit, std::span<const PutNote> puts);

  // To be called once, at the end.
  TextMap<std::vector<FuncId>> take_targets();
  std::vector<std::vector<TableEntry>> take_roles() { return std::move(roles_); }

 private:
  struct Where {
    UnitId id;
    const model::Unit& unit;
    model::SymId variable;                // the global, kNone if the object is not known
    model::ConstId init;                  // its initial value, kNone for a store
    std::vector<Step> steps;              // from the global, or from the outermost struct known
    std::vector<model::ConstId> holders;  // the aggregate each step starts from; empty for a store
  };
  void walk(Where& where, model::TypeId type, model::ConstId constant);
  void add(const Where& where, FuncId function);
  void add_target(std::string key, FuncId function) { targets_[std::move(key)].push_back(function); }

  TextPool& texts_;
  Definition definition_;
  TextMap<std::vector<FuncId>> targets_;
  std::vector<std::vector<TableEntry>> roles_;
  std::unordered_set<Digest, DigestHash> seen_variables_;
};

}  // namespace reckon::program
