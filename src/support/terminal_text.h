// Text from outside made safe to print.
//
// The problem: names of files and functions, and messages of other programs, come from the code that is checked. A
// newline in a name would forge a line of the report, an escape sequence would command the terminal, and marks for
// writing from right to left would show text in another order than it has. The method: such characters, and bytes that
// are not UTF-8, are spelt out with a backslash, as C would; all else stays. Letters that look alike are not told
// apart.
#pragma once

#include <string>
#include <string_view>

namespace reckon::support {

// For one line: newlines and tabs are spelt out, too.
std::string printable(std::string_view text);

// For text of several lines: newlines and tabs stay.
std::string printable_lines(std::string_view text);

// For JSON that is written out: what could be misread on a terminal is escaped, and the values stay the same.
std::string printable_json(std::string_view json);

// Length of the UTF-8 sequence at `at`, 0 if there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

// Does the sequence of `length` bytes at `at` command a terminal, end a line or turn the direction of writing?
bool is_unprintable(std::string_view text, std::size_t at, std::size_t length);

}  // namespace reckon::support
