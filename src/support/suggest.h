// "Did you mean ...?" for a word that is not known.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::support {

// Letters that must be added, left out, exchanged or swapped with their neighbour to get from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The first of `known` that is most like `word`, with at most so many changes; "" if none is like it.
std::string_view most_alike(std::string_view word, std::span<const std::string_view> known, std::size_t changes);

// " (did you mean `X`?)", or "" if more than a third of the word would have to change.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace reckon::support
