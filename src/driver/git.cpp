#include "driver/git.h"

#include <algorithm>
#include <charconv>

#include "host/subprocess.h"

namespace reckon::driver {

namespace {

constexpr const char* kSeconds = "600";  // a pipe among the files of a checkout would let git wait for ever

std::string without_newline(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// git writes names with odd characters in C's manner.
std::string unquoted(std::string_view name) {
  while (!name.empty() && (name.back() == '\t' || name.back() == '\r')) name.remove_suffix(1);
  if (name.size() < 2 || name.front() != '"') return std::string(name);
  name = name.substr(1, name.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\' || i + 1 == name.size()) {
      out += name[i];
    } else if (name[i + 1] >= '0' && name[i + 1] <= '3' && i + 3 < name.size()) {
      out += static_cast<char>((name[i + 1] - '0') * 64 + (name[i + 2] - '0') * 8 + (name[i + 3] - '0'));
      i += 3;
    } else {
      const char c = name[++i];
      out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
  }
  return out;
}

// The "12,3" or "12" behind `sign` in "@@ -10,2 +12,3 @@".
bool read_range(std::string_view line, char sign, std::uint32_t& first, std::uint32_t& count) {
  const std::size_t at = line.find(sign);
  if (at == std::string_view::npos) return false;
  const char* end = line.data() + line.size();
  const auto result = std::from_chars(line.data() + at + 1, end, first);
  count = 1;
  if (result.ec != std::errc()) return false;
  if (result.ptr != end && *result.ptr == ',') std::from_chars(result.ptr + 1, end, count);
  return true;
}

// "b/src/x.c" without the letter; "" of /dev/null.
std::string side(std::string_view name, std::string_view prefix) {
  const std::string plain = unquoted(name);
  return plain.starts_with(prefix) ? plain.substr(prefix.size()) : "";
}

}  // namespace

std::optional<Git> Git::open(std::string& error) {
  const auto top = Git("").ask({"rev-parse", "--show-toplevel"}, error);
  if (!top) return std::nullopt;
  Git git(without_newline(*top));
  if (!git.switch_filters_off(error)) return std::nullopt;
  return git;
}

std::optional<std::string> Git::ask(const std::vector<std::string>& words, std::string& error) const {
  std::vector<std::string> command = {"timeout",
                                      "--foreground",
                                      "--kill-after=5",
                                      kSeconds,
                                      "env",
                                      "GIT_OPTIONAL_LOCKS=0",
                                      "GIT_NO_LAZY_FETCH=1",
                                      "GIT_TERMINAL_PROMPT=0",
                                      "GIT_ALLOW_PROTOCOL=",
                                      "GIT_EXTERNAL_DIFF=",
                                      "git",
                                      "--no-pager",
                                      "-c",
                                      "safe.directory=*",
                                      "-c",
                                      "core.fsmonitor=false",
                                      "-c",
                                      "core.hooksPath=/dev/null",
                                      "-c",
                                      "core.sshCommand=false",
                                      "-c",
                                      "diff.external="};
  for (const std::string& setting : overrides_) command.insert(command.end(), {"-c", setting});
  if (!folder_.empty()) command.insert(command.end(), {"-C", folder_});
  command.insert(command.end(), words.begin(), words.end());
  return host::output_of(command, error);
}

// Filters (clean, smudge, process) have names of their own, so each that is set is switched off by its name. A name
// with `=` cannot be given to -c, which takes the text before the first one for the whole name.
bool Git::switch_filters_off(std::string& error) {
  const auto names = ask({"config", "--null", "--name-only", "--list"}, error);
  if (!names) return false;
  for (std::string_view rest = *names; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (!name.starts_with("filter.")) continue;
    if (name.find('=') != std::string_view::npos) {
      error = "the settings of the checkout have a filter that cannot be switched off: " + std::string(name);
      return false;
    }
    overrides_.push_back(std::string(name) + (name.ends_with(".required") ? "=false" : "="));
  }
  return true;
}

std::optional<std::string> Git::diff(const std::string& revision, std::string& error) const {
  return ask({"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-prefix",
              "--src-prefix=a/", "--dst-prefix=b/", "--find-renames", "-U0", revision, "--"},
             error);
}

std::optional<std::vector<std::string>> Git::untracked(std::string& error) const {
  const auto list = ask({"ls-files", "-z", "--others", "--exclude-standard"}, error);
  if (!list) return std::nullopt;
  std::vector<std::string> names;
  for (std::string_view rest = *list; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    names.emplace_back(name);
  }
  return names;
}

std::optional<std::string> Git::content(const std::string& revision, const std::string& file) const {
  std::string ignored;  // the file is not there, which is an answer
  return ask({"cat-file", "blob", revision + ":" + file}, ignored);
}

LineRange Hunk::new_lines() const {
  if (new_count == 0) return {new_first, new_first + 1};
  return {new_first, new_first + new_count - 1};
}

std::optional<std::uint32_t> FileDiff::now(std::uint32_t old_line) const {
  std::int64_t shift = 0;
  for (const Hunk& hunk : hunks) {
    const std::uint32_t behind = hunk.old_count == 0 ? hunk.old_first + 1 : hunk.old_first;
    if (old_line < behind) break;
    if (old_line < hunk.old_first + hunk.old_count) return std::nullopt;
    shift += static_cast<std::int64_t>(hunk.new_count) - static_cast<std::int64_t>(hunk.old_count);
  }
  return static_cast<std::uint32_t>(old_line + shift);
}

std::vector<FileDiff> parse_file_diffs(std::string_view diff) {
  std::vector<FileDiff> out;
  bool in_header = false;
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
    if (line.starts_with("diff ")) {
      out.emplace_back();
      in_header = true;
    } else if (out.empty()) {
      continue;
    } else if (Hunk hunk; line.starts_with("@@ ") && read_range(line, '-', hunk.old_first, hunk.old_count) &&
                          read_range(line, '+', hunk.new_first, hunk.new_count)) {
      out.back().hunks.push_back(hunk);
      in_header = false;
    } else if (!in_header) {
      continue;  // a line of the text may look like anything
    } else if (line.starts_with("--- ")) {
      out.back().old_name = side(line.substr(4), "a/");
    } else if (line.starts_with("+++ ")) {
      out.back().new_name = side(line.substr(4), "b/");
    } else if (line.starts_with("rename from ")) {  // without a changed line there is no other mention of the names
      out.back().old_name = unquoted(line.substr(12));
    } else if (line.starts_with("rename to ")) {
      out.back().new_name = unquoted(line.substr(10));
    }
  }
  return out;
}

}  // namespace reckon::driver
