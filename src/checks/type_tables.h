// What constant tables say of types and modules: which functions are theirs, and what they leave to others.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/core/context.h"

namespace reckon::checks {

// Names of variables are as the engine spells them: with "@" and the number of the unit if they are private to it.
std::string variable_key(const model::Unit& unit, program::UnitId id, model::SymId variable);

// Functions whose addresses a constant holds, itself or in the variables it points to, other than types.
void functions_of(const engine::Context& ctx, program::UnitId unit, model::ConstId constant,
                  std::set<engine::FuncId>& out);

// Those, and what they call in the program, a few calls deep.
std::set<engine::FuncId> with_callees(const engine::Context& ctx, const std::set<engine::FuncId>& functions);

// The structs that a function takes its own object for: its first argument, or what it makes and returns.
std::set<std::string> own_structs(const engine::Context& ctx, engine::FuncId f);

// How code uses variables of the program, other than texts. Whoever asks holds nothing of any unit: all are gone
// through.
class VariableUses {
 public:
  explicit VariableUses(const engine::Context& ctx);
  struct Given {  // the address of the variable goes to a call
    engine::FuncId function;
    std::uint32_t call;  // by number
    std::size_t argument;
  };
  const std::vector<Given>& given(const std::string& key) const;
  bool written(const std::string& key, std::uint64_t offset) const;
  bool copied(const std::string& key) const;  // written as a whole, or in ways not followed

 private:
  struct Uses {
    std::vector<Given> given;
    std::set<std::uint64_t> written;
    bool copied = false;
  };
  std::unordered_map<std::string, Uses> uses_;
};

// The definition of a module that keeps references in its state.
struct ModuleState {
  program::UnitId unit;
  model::SymId variable;
  bool by_phases = false;      // set up by functions of a table, as often as it is imported anew
  bool has_functions = false;  // that traverse, clear or free it
  std::set<engine::FuncId> functions = {};
  std::set<std::string> records = {};  // the struct of the state
};
struct MemberStore;
std::vector<ModuleState> module_states(const engine::Context& ctx, const std::vector<MemberStore>& stores);

}  // namespace reckon::checks
