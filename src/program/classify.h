// Which functions are worth analysing (the selective analysis of RID, section 5.2).
//
// The problem: in a large program only few functions have to do with counts, and executing the others
// symbolically is time lost. The method: first, bottom-up over the call graph, find the functions that may change
// counts: by a spec, by writing a counter, or by calling one that does. Then take, in each of these, the
// backward slice of its result and of the arguments and conditions of its count-changing calls: a function
// called in the slice steers counting, and so do, in turn, those in the slice of that one's result. Functions
// that steer are worth a summary only as long as they are simple; for the others any result is assumed.
//
// Limits: those of the call graph (unknown pointer targets) and of slice.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::program {

enum class Class : std::uint8_t {
  Changing,              // may change counts, itself or through callees: analysed in full
  AffectingAnalysed,     // its result steers a changing function, and it is simple enough to be summarised
  AffectingNotAnalysed,  // likewise, but it has too many branches, no body, or a spec that is used instead
  Other,                 // nothing it does matters
};

inline constexpr std::uint32_t kAnyBranches = UINT32_MAX;

struct ClassifyOptions {
  // An affecting function with more conditional branches than this is not analysed; a switch counts as one
  // for each case. Three is RID's choice; a check looks at all of them (kAnyBranches).
  std::uint32_t max_branches = 3;
  // Take what may run foreign code, collect garbage or touch a lock of the interpreter for a change as well.
  // Wanted where lent or unprotected pointers are checked, not only counts.
  bool side_effects_matter = false;
};

// By FuncId.
std::vector<Class> classify(const Program& program, const specs::SpecSet& specs, const ClassifyOptions& options = {});

struct ClassCounts {
  std::size_t changing = 0, affecting_analysed = 0, affecting_not_analysed = 0, other = 0;
  std::size_t total() const { return changing + affecting_analysed + affecting_not_analysed + other; }
};
ClassCounts count_classes(std::span<const Class> classes);
std::string_view class_name(Class c);

// Does any outcome change a count, make or take over a reference, or move the protection stack?
bool changes_counts(const specs::FunctionSpec& spec);

}  // namespace reckon::program
