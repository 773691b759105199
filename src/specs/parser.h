// Further entrances to the parser; parse_spec itself is declared in spec_set.h.
#pragma once

#include <string_view>
#include <vector>

#include "specs/spec_set.h"

namespace reckon::specs {

// Reads `[FLAG ...] [-> ALTERNATIVE | ...]` for a function whose name and parameters `spec` already holds, as an
// annotation in the source gives it. On errors `spec` stays as it was. Columns count from `at`.
bool parse_contract(std::string_view text, const SpecLoc& at, FunctionSpec& spec, std::vector<SpecError>& errors);

// -1, 0, 1 as a is older than, the same as or newer than b ("3.9" < "3.10"). An empty version is the oldest.
int compare_versions(std::string_view a, std::string_view b);

// Is `version` `last` or older? "3.11.4" is not newer than "3.11".
bool up_to_version(std::string_view version, std::string_view last);

// Does `pattern`, in which each `*` stands for any run of characters, match all of `name`?
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace reckon::specs
