// All specs in force, found by function name; and the parser's front door.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "specs/spec.h"

namespace reckon::specs {

struct SpecError {
  SpecLoc loc;
  std::string message;  // what was expected, what was found
};

// Parses one file's text. An error does not stop the parse, so that all of them are told; nothing may be analysed with
// what is left of a file that has one.
SpecFile parse_spec(std::string path, std::string_view text, std::vector<SpecError>& errors);

// Hashes and compares strings and, without joining them first, pairs joined by a dot.
struct DottedName {
  std::string_view left, right;
};
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const;
  std::size_t operator()(const DottedName& name) const;
};
struct NameEqual {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return a == b; }
  bool operator()(const DottedName& a, std::string_view b) const;
  bool operator()(std::string_view a, const DottedName& b) const { return (*this)(b, a); }
};

class SpecSet {
 public:
  // Later files win over earlier ones for the same name (a user's spec over ours). A function without a domain
  // takes the one of the spec it overrides.
  void add(SpecFile file);

  // Exact name first, then the longest matching pattern. nullptr: no spec.
  // All find functions only read, so several threads may call them; what they return stays valid until the next
  // add() or set_version().
  const FunctionSpec* find(std::string_view function) const;
  const GlobalSpec* find_global(std::string_view name) const;
  const SlotSpec* find_slot(std::string_view record, std::string_view field) const;
  const ContractSpec* find_contract(std::string_view name) const;
  // Structs with a slot whose contract promises this, sorted.
  std::vector<std::string> records_with(bool (*promise)(const ContractFlags&)) const;
  const CountedType* find_counted(std::string_view struct_tag) const;
  bool counts_types(std::string_view domain) const;  // does it name counted structs?
  const TableSpec* find_table(std::string_view record) const;
  const TypeObjectSpec* find_type_object(std::string_view global) const;
  // How functions in fields of tables are called, and which structs belong to which type, all there are.
  const std::vector<EntrySpec>& entries() const { return entries_; }
  const std::vector<RoutineSpec>& routines() const { return routines_; }
  const std::vector<TypeObjectSpec>& type_objects() const { return type_objects_; }
  const std::vector<RepairSpec>& repairs() const { return repairs_; }
  const DomainSpec* find_domain(std::string_view name) const;
  const std::vector<DomainSpec>& domains() const { return domains_; }
  // Every spec ever added, of whatever version, in the order of the files.
  const std::vector<std::unique_ptr<FunctionSpec>>& functions() const { return functions_; }

  // What is wrong with the files together: aliases of functions that nobody specified, slots with contracts that
  // nobody described.
  std::vector<SpecError> check() const;

  // Restricts to specs valid for `version` of `domain` ("python", "3.11"); empty version: the newest of each.
  void set_version(std::string domain, std::string version);

 private:
  template <class T>
  using ByName = std::unordered_map<std::string, T, NameHash, NameEqual>;
  struct Variant {
    const FunctionSpec* spec = nullptr;
    std::size_t file = 0;  // number of the file it came from
  };
  struct Alias {
    AliasSpec spec;
    std::size_t file = 0;
  };

  void rebuild();
  void resolve_aliases();
  void index_patterns();
  bool in_force(const std::string& domain, const std::string& since, const std::string& until) const;
  bool wins(const Variant& a, const Variant& b) const;
  const FunctionSpec* find_pattern(std::string_view function) const;

  std::vector<std::unique_ptr<FunctionSpec>> functions_;
  std::vector<std::size_t> file_of_;  // parallel to functions_
  std::vector<Alias> aliases_;
  std::vector<GlobalSpec> all_globals_;
  std::size_t files_ = 0;
  ByName<std::string> versions_;

  // Made by rebuild() from the above.
  std::vector<std::unique_ptr<FunctionSpec>> alias_copies_;
  ByName<Variant> by_name_;
  std::vector<const FunctionSpec*> patterns_;                        // longest first
  std::vector<std::vector<const FunctionSpec*>> patterns_by_first_;  // by first character of the name
  ByName<GlobalSpec> globals_;
  std::vector<const GlobalSpec*> global_patterns_;  // longest first

  ByName<SlotSpec> slots_;  // "record.field"
  ByName<ContractSpec> contracts_;
  ByName<CountedType> counted_;
  ByName<TableSpec> tables_;
  std::vector<EntrySpec> entries_;
  std::vector<RoutineSpec> routines_;
  std::vector<TypeObjectSpec> type_objects_;
  std::vector<RepairSpec> repairs_;
  std::vector<DomainSpec> domains_;
};

}  // namespace reckon::specs
