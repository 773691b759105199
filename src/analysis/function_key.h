// Keys of functions: equal keys, equal analysis.
//
// The problem: an earlier run's answer about a function may be taken over only if nothing has changed that its analysis
// looks at. The method: hash all of that, with the numbers of the unit replaced by what they stand for: the body, the
// types it reaches, what the context knows of the function, and the outcomes of every function it calls or names. Lines
// count from the start of the function, so that an edit elsewhere in the file does not matter. The names that the
// compiler numbers (string literals) are hashed apart: they matter only to answers that mention one.
//
// Limit: types are followed a few steps deep (support/limits.h), which is more than any path of fields in a spec.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/context.h"
#include "support/hash.h"
#include "support/limits.h"

namespace reckon::analysis {

struct FunctionKey {
  support::Hash128 content;
  support::Hash128 literals;  // names of string literals
};

// All limits, byte by byte: a changed one makes what earlier runs found out of date.
support::Hash128 hash_of(const support::Limits& limits);

class FunctionKeys {
 public:
  // `environment` stands for all that holds for the whole run: specs, options, the version of the analysis.
  FunctionKeys(const Context& context, std::string_view environment, unsigned jobs);

  // Of functions that are analysed together. All others they call are settled.
  FunctionKey of(const std::vector<FuncId>& members) const;

  // The outcomes of `f` are final. Different functions may settle at the same time.
  void settle(FuncId f);

  // First line of a function whose places all stand in one file, so that they move together; else 0.
  std::uint32_t base_line(FuncId f) const;

  // Names of globals that are private to a unit end in its number, which may change between runs: `to_kept` writes the
  // unit's path instead, `from_kept` does the opposite.
  bool to_kept(std::string& name) const;
  bool from_kept(std::string& name) const;

 private:
  struct UnitTable {
    std::vector<std::uint64_t> strings, types;
    std::unordered_map<std::string_view, model::SymId> symbols;  // by linker name
    std::string identity;
    std::uint64_t format_headers = 1;  // a bit for each header that decides what a format means: is it included?
  };
  class Feed;
  UnitTable table_of(program::UnitId u) const;

  const Context& ctx_;
  support::Hash128 environment_;
  std::vector<UnitTable> units_;
  std::unordered_map<std::string, program::UnitId> unit_by_identity_;
  std::vector<support::Hash128> outcomes_;              // by function
  std::vector<std::vector<std::string>> global_names_;  // by function: those its outcomes mention
};

}  // namespace reckon::analysis
