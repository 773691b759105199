// Which functions change a counter themselves, rather than call what does.
#pragma once

#include <map>
#include <utility>

#include "analysis/context.h"

namespace reckon::analysis {

class Counters {
 public:
  explicit Counters(const Context& ctx) : ctx_(ctx) {}

  // Is it a primitive of the counts that its spec speaks of?
  bool primitive(FuncId f, const specs::FunctionSpec& spec);

 private:
  bool writes_counter(FuncId f, int fuel);
  bool counts_part_of(FuncId f, std::uint32_t param, int fuel);
  bool is_counter(program::UnitId u, program::FieldId field) const;
  bool is_stack_top(program::UnitId u, model::SymId variable) const;

  const Context& ctx_;
  std::map<FuncId, bool> writes_;
  std::map<std::pair<FuncId, std::uint32_t>, bool> counts_;
};

}  // namespace reckon::analysis
