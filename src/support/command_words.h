// The words of a command: split as a shell would, quoted for one, response files expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reckon::support {

// Splits as a POSIX shell would: quotes, backslashes, no expansion. Unbalanced quotes end with the text.
std::vector<std::string> split_command(std::string_view command);

// The word in quotes: a shell, and split_command(), take it for one word, whatever it holds.
std::string shell_word(std::string_view word);

// Replaces each @FILE by the arguments in FILE (relative to `directory`), which may name further files. A compiler
// cannot do without one that is missing, so that is an error, as are a file that names itself and files that name each
// other so often that the words would not end. On an error `error` says why, and no words come back.
std::vector<std::string> expand_response_files(std::vector<std::string> arguments, const std::string& directory,
                                               std::string& error);

}  // namespace reckon::support
