#include "driver/path_glob.h"

#include <vector>

namespace reckon::driver {

namespace {

// All places of the pattern at which a match of the text so far can stand: stars do not multiply, as they would if each
// were tried at each length.
class Places {
 public:
  explicit Places(std::string_view pattern) : pattern_(pattern), now_(pattern.size() + 1), next_(pattern.size() + 1) {
    now_[0] = true;
    pass_stars(now_);
  }
  bool at_end() const { return now_[pattern_.size()]; }
  void step(char c) {
    next_.assign(next_.size(), false);
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      if (!now_[i]) continue;
      if (pattern_[i] == '*')
        next_[i] = next_[i] || c != '/' || crosses_folders(i);
      else if (pattern_[i] == c || (pattern_[i] == '?' && c != '/'))
        next_[i + 1] = true;
    }
    pass_stars(next_);
    std::swap(now_, next_);
  }

 private:
  bool crosses_folders(std::size_t i) const { return pattern_.substr(i).starts_with("**"); }
  // A star may stand for nothing; "**/x" fits x itself, too.
  void pass_stars(std::vector<bool>& places) const {
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      if (!places[i] || pattern_[i] != '*') continue;
      const std::size_t behind = i + (crosses_folders(i) ? 2 : 1);
      places[behind] = true;
      if (behind == i + 2 && behind < pattern_.size() && pattern_[behind] == '/') places[behind + 1] = true;
    }
  }

  std::string_view pattern_;
  std::vector<bool> now_, next_;
};

}  // namespace

bool path_matches(std::string_view pattern, std::string_view path) {
  while (pattern.ends_with("/")) pattern.remove_suffix(1);
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  Places places(pattern);
  for (const char c : path) {
    if (c == '/' && places.at_end()) return true;  // a folder above
    places.step(c);
  }
  return places.at_end();
}

}  // namespace reckon::driver
