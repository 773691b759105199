#include "driver/path_glob.h"

namespace reckon::driver {

namespace {

bool fits(std::string_view p, std::string_view s) {
  while (!p.empty()) {
    if (p.starts_with("**")) {
      p.remove_prefix(2);
      if (p.starts_with("/")) {  // "**/x" fits x itself, too
        if (fits(p.substr(1), s)) return true;
      }
      for (std::size_t i = 0; i <= s.size(); ++i)
        if (fits(p, s.substr(i))) return true;
      return false;
    }
    if (p.front() == '*') {
      for (std::size_t i = 0;; ++i) {
        if (fits(p.substr(1), s.substr(i))) return true;
        if (i == s.size() || s[i] == '/') return false;
      }
    }
    if (s.empty() || (p.front() != s.front() && !(p.front() == '?' && s.front() != '/'))) return false;
    p.remove_prefix(1);
    s.remove_prefix(1);
  }
  return s.empty() || s.front() == '/';
}

}  // namespace

bool path_matches(std::string_view pattern, std::string_view path) {
  while (pattern.ends_with("/")) pattern.remove_suffix(1);
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  return fits(pattern, path);
}

}  // namespace reckon::driver
