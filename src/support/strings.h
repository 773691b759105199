// Small helpers on strings that several folders need.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::support {

// A letter, `_`, `$` or `.`, then these or digits: what linkers and C take as a name without quoting.
bool is_identifier(std::string_view s);

bool is_utf8(std::string_view s);

// In double quotes, with backslash escapes for quotes, backslashes, control characters and, unless all of `s` is
// valid UTF-8, every byte beyond ASCII. unquote() takes it back.
std::string quote(std::string_view s);

// `s` starts at an opening quote. Returns the text and sets `length` to the characters consumed, both quotes
// included; nothing if there is no closing quote or an unknown escape.
std::optional<std::string> unquote(std::string_view s, std::size_t& length);

// The text between line ends: one more than there are of them.
std::vector<std::string> lines_of(std::string_view text);

// Without line ends, for use in one-line comments and messages.
std::string one_line(std::string_view s);

}  // namespace reckon::support
