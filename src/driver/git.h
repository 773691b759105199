// git, asked so that it looks and does nothing else.
//
// A checkout may belong to somebody else, and its .git/config may name programs: monitors, hooks, pagers, diff drivers,
// filters for the work tree. None of them runs. The settings of a command line win over those of files; safe.directory
// is only taken from there and from the user's own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reckon::driver {

class Git {
 public:
  // The repository that the current folder is in. nullopt: there is none, or git does not work; `error` says why.
  static std::optional<Git> open(std::string& error);

  const std::string& root() const { return folder_; }
  std::optional<std::string> ask(const std::vector<std::string>& words, std::string& error) const;
  // The differences between a revision and the work tree, without context, renamed files as such.
  std::optional<std::string> diff(const std::string& revision, std::string& error) const;
  // Files that git does not know and would not ignore, relative to the root.
  std::optional<std::vector<std::string>> untracked(std::string& error) const;
  // What the file (relative to the root) holds in the revision; nullopt: it is not there.
  std::optional<std::string> content(const std::string& revision, const std::string& file) const;

 private:
  explicit Git(std::string folder) : folder_(std::move(folder)) {}
  bool switch_filters_off(std::string& error);

  std::string folder_;
  std::vector<std::string> overrides_;
};

struct LineRange {
  std::uint32_t first = 0, last = 0;
};

// Lines of the old text that became lines of the new one. A count of 0 stands for the gap behind the line `first`.
struct Hunk {
  std::uint32_t old_first = 0, old_count = 0, new_first = 0, new_count = 0;

  LineRange new_lines() const;  // nothing added: the lines around the gap
};

struct FileDiff {
  std::string old_name, new_name;  // relative to the root; "" if there is no file on that side
  std::vector<Hunk> hunks;         // in order

  // Where a line of the old text is now; nullopt: it was changed or taken away.
  std::optional<std::uint32_t> now(std::uint32_t old_line) const;
};

// Of a diff without context (git diff -U0).
std::vector<FileDiff> parse_file_diffs(std::string_view diff);

}  // namespace reckon::driver
