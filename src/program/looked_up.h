// Functions that a program asks for by name at run time: `fun = lookup("package", "function")`.
//
// The problem: a library hands functions to others through a function that finds them, and they are called through a
// variable from then on. The method: a call of such a function with constant texts is the address of a function that
// bears the finder's name and the texts (`lookup.package.function`), which specs may describe. A variable that all
// stores in the program give this address, or NULL, holds it wherever it is read.
//
// Limits: texts that are not constants, and variables whose address goes somewhere else, say nothing.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "program/unit_store.h"

namespace reckon::program {

using Names = std::set<std::string, std::less<>>;

// What the specs would call the function that this call finds, if it calls one of these finders; "" if it does not.
std::string looked_up(const model::Unit& unit, const model::Body& body, const model::Instr& call, const Names& finders);

// What a unit does with its variables, as far as it is asked about here, whoever is a finder.
struct LookupNotes {
  struct Use {
    std::string variable;  // its linker name
    bool is_private = false;
    std::string function;  // that it gets if the call is one of a finder; "": it is no such call
    auto operator<=>(const Use&) const = default;
  };
  std::vector<Use> uses;  // other than reading a variable and setting it to NULL; each once
};
LookupNotes lookups_of(const model::Unit& unit);
bool calls_any(const model::Unit& unit, const Names& finders);

class LookedUpVariables {
 public:
  // `notes`: gives those of a unit.
  LookedUpVariables(std::size_t units, const std::function<LookupNotes(UnitId)>& notes, const Names& finders);

  bool empty() const { return shared_.empty() && own_.empty(); }
  // The function whose address the variable of unit `u` holds; "" if none is known.
  std::string_view function(UnitId u, const model::Unit& unit, model::SymId variable) const;
  // Equal texts for equal knowledge.
  std::string identity() const;

 private:
  using ByName = std::map<std::string, std::string, std::less<>>;  // variables; "": they hold something else, too

  ByName shared_;                 // those that units share, by linker name
  std::map<UnitId, ByName> own_;  // those that are private to a unit
};

}  // namespace reckon::program
