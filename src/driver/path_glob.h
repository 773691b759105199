// Patterns of paths, as in reckon.toml: `*` and `?` within a name, `**` across folders. A pattern that fits a folder
// fits all below it.
#pragma once

#include <string_view>

namespace reckon::driver {

bool path_matches(std::string_view pattern, std::string_view path);

}  // namespace reckon::driver
