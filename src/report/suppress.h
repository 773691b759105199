// Suppression in the source: a comment of the form
//
//   // reckon: ignore[python-leak] the interpreter ends here
//
// Inside the brackets: ids, kinds ("leak") or globs, separated by commas. Behind code it holds for its line and the
// statement that line belongs to; on a line of its own for the statement below it; before a function or in its head
// for all of the function. A reason is required. A comment that suppresses nothing is reported, so that they do not
// outlive their cause.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/run.h"
#include "report/sources.h"

namespace reckon::report {

// A comment that asks for suppression, and the lines it holds for.
struct IgnoreComment {
  std::uint32_t line = 0, col = 0;
  std::uint32_t first = 0, last = 0;  // lines it holds for
  bool function = false;              // a whole function
  std::vector<std::string> checks;
  std::string reason;
  std::string problem;  // not empty: it is malformed and suppresses nothing
};

// All such comments of a source. `functions` are those of the same file, in order of line.
std::vector<IgnoreComment> find_ignores(const SourceFile& source,
                                        const std::vector<const FunctionCoverage*>& functions);

// Marks the findings of `run` that a comment suppresses, and lists the comments that are malformed or, if `all_checked`
// (no check or function was left out by the user), suppress nothing.
void apply_suppressions(Run& run, Sources& sources, bool all_checked);

}  // namespace reckon::report
