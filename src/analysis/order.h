// The order of work: which functions wait for which others.
//
// A function is looked at when all that it calls is known. Functions that call each other are a component, looked at
// together; components of one level depend on lower levels only and can be looked at in any order, or at once.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/context.h"

namespace reckon::analysis {

struct Order {
  std::vector<std::vector<FuncId>> callees;        // by function: those that it waits for because it calls them
  std::vector<std::vector<FuncId>> named;          // by function: those whose address it mentions, or that it calls
  std::vector<std::vector<FuncId>> components;     // callees before callers
  std::vector<std::vector<std::uint32_t>> levels;  // components by level
  std::vector<std::uint32_t> component_of;         // by function
};

Order order_of_work(const Context& ctx);

}  // namespace reckon::analysis
