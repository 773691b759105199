// "Did you mean ...?" for a word that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reckon::support {

// Letters that must be added, left out, exchanged or swapped with their neighbour to get from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The one of `known` that is most like `word`; "" if none is like it: more than a third of it would have to change.
std::string most_alike(std::string_view word, const std::vector<std::string>& known);

// " (did you mean 'X'?)", or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace reckon::support
