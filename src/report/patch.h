// A unified diff of two texts, as patch(1) and git apply take it.
#pragma once

#include <string>

namespace reckon::report {

// "" if they are the same. `name` is shown as a/NAME and b/NAME.
std::string unified_diff(const std::string& name, const std::string& before, const std::string& after);

}  // namespace reckon::report
