// Repairs change few lines of long files, so the method is simple: hold the lines that are the same at both ends fixed,
// find the next line that is again the same in both texts, as near as possible, and go on from there. The result is a
// correct patch, not always the shortest one.
#include "report/patch.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "support/terminal_text.h"

namespace reckon::report {

namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kReach = 200;  // how far ahead a line that is the same again is looked for

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// Lines [a, a_end) of the old text became [b, b_end) of the new one.
struct Change {
  std::size_t a = 0, a_end = 0, b = 0, b_end = 0;
};

std::vector<Change> changes_of(const Lines& old_lines, const Lines& new_lines) {
  std::vector<Change> out;
  std::size_t i = 0, j = 0;
  while (i < old_lines.size() || j < new_lines.size()) {
    if (i < old_lines.size() && j < new_lines.size() && old_lines[i] == new_lines[j]) {
      ++i, ++j;
      continue;
    }
    Change change{i, old_lines.size(), j, new_lines.size()};
    for (std::size_t distance = 1; distance <= 2 * kReach; ++distance) {
      bool found = false;
      for (std::size_t skip_old = distance > kReach ? distance - kReach : 0; skip_old <= std::min(distance, kReach);
           ++skip_old) {
        const std::size_t a = i + skip_old, b = j + distance - skip_old;
        if (a < old_lines.size() && b < new_lines.size() && old_lines[a] == new_lines[b]) {
          change = {i, a, j, b};
          found = true;
          break;
        }
      }
      if (found) break;
    }
    i = change.a_end;
    j = change.b_end;
    out.push_back(change);
  }
  return out;
}

void put(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t first, std::size_t count) {
  // An empty range is named by the line before it.
  return count == 1 ? fmt::format("{}", first + 1) : fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

// As git and patch write and read a name that could not stand in a line as it is: within quotes, "a/na\"me\012".
std::string quoted_name(const std::string& name) {
  if (support::printable(name) == name && name.find_first_of("\"\\") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte < 0x20 || byte >= 0x7f)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

std::string unified_diff(const std::string& name, const std::string& before, const std::string& after) {
  if (before == after) return "";
  const Lines old_lines = lines_of(before), new_lines = lines_of(after);
  const std::vector<Change> changes = changes_of(old_lines, new_lines);
  std::string out = fmt::format("--- {}\n+++ {}\n", quoted_name("a/" + name), quoted_name("b/" + name));
  for (std::size_t k = 0; k < changes.size();) {
    // Changes whose context would touch are one hunk.
    std::size_t last = k;
    while (last + 1 < changes.size() && changes[last + 1].a - changes[last].a_end <= 2 * kContext) ++last;
    const std::size_t lead = std::min(kContext, changes[k].a);
    const std::size_t trail = std::min(kContext, old_lines.size() - changes[last].a_end);
    const std::size_t a = changes[k].a - lead, a_end = changes[last].a_end + trail;
    const std::size_t b = changes[k].b - lead, b_end = changes[last].b_end + trail;
    out += fmt::format("@@ -{} +{} @@\n", range(a, a_end - a), range(b, b_end - b));
    std::size_t i = a;
    for (; k <= last; ++k) {
      for (; i < changes[k].a; ++i) put(out, ' ', old_lines[i]);
      for (; i < changes[k].a_end; ++i) put(out, '-', old_lines[i]);
      for (std::size_t j = changes[k].b; j < changes[k].b_end; ++j) put(out, '+', new_lines[j]);
    }
    for (; i < a_end; ++i) put(out, ' ', old_lines[i]);
  }
  return out;
}

}  // namespace reckon::report
