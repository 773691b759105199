// The list of flags that may reach Clang, for those who show or test it without Clang's headers.
#pragma once

#include <string_view>
#include <vector>

namespace reckon::capture {

// All names on the list, with their dashes.
std::vector<std::string_view> allowed_names();

}  // namespace reckon::capture
