#include "support/suggest.h"

#include <algorithm>

namespace reckon::support {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: swapped neighbours look two rows back.
  std::vector<std::size_t> older(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, exchanged});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], older[j - 2] + 1);
    }
    std::swap(older, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string_view most_alike(std::string_view word, std::span<const std::string_view> known, std::size_t changes) {
  constexpr std::size_t kLongest = 100;  // nobody meant a longer word
  if (word.empty() || word.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = changes + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance < candidate.size()) least = distance, best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view best = most_alike(word, words, std::max<std::size_t>(1, word.size() / 3));
  return best.empty() ? "" : " (did you mean `" + std::string(best) + "`?)";
}

}  // namespace reckon::support
