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

// Parses one file's text. Errors do not stop the parse: the bad line is left out, the rest is kept.
SpecFile parse_spec(std::string path, std::string_view text, std::vector<SpecError>& errors);

class SpecSet {
 public:
  // Later files win over earlier ones for the same name (a user's spec over ours).
  void add(SpecFile file);

  // Exact name first, then the longest matching pattern. nullptr: no spec.
  // Safe to call from several threads once all files were added and freeze() was called.
  const FunctionSpec* find(std::string_view function) const;
  const GlobalSpec* find_global(std::string_view name) const;
  const SlotSpec* find_slot(std::string_view record, std::string_view field) const;
  const CountedType* find_counted(std::string_view struct_tag) const;
  const DomainSpec* find_domain(std::string_view name) const;
  const std::vector<DomainSpec>& domains() const { return domains_; }
  const std::vector<std::unique_ptr<FunctionSpec>>& functions() const { return functions_; }

  // Restricts to specs valid for `version` of `domain` ("python", "3.11"); empty version: all.
  void set_version(std::string domain, std::string version);

 private:
  std::vector<std::unique_ptr<FunctionSpec>> functions_;
  std::unordered_map<std::string, const FunctionSpec*> by_name_;
  std::vector<const FunctionSpec*> patterns_;  // longest first
  std::unordered_map<std::string, GlobalSpec> globals_;
  std::unordered_map<std::string, SlotSpec> slots_;  // "record.field"
  std::unordered_map<std::string, CountedType> counted_;
  std::vector<DomainSpec> domains_;
  std::unordered_map<std::string, std::string> versions_;
};

}  // namespace reckon::specs
