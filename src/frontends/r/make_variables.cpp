#include "frontends/r/make_variables.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "support/file.h"

namespace reckon::frontends {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxDepth = 50;                             // of references in references
constexpr int kMaxIncludes = 10;                          // of files in files
constexpr std::size_t kMaxLength = std::size_t{1} << 20;  // of one value
constexpr std::size_t kMaxSteps = 1'000'000;              // references in all, long values count for more
constexpr std::size_t kBytesAStep = 64;
constexpr std::size_t kMaxEntries = 1'000'000;  // of folders, looked at for wildcards

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    std::size_t end = 0;
    while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end]))) ++end;
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// The end of a reference that opens at text[at] with ( or {; text.size() if it is not closed.
std::size_t closing(std::string_view text, std::size_t at) {
  const char open = text[at], close = open == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i;
  }
  return text.size();
}

// Arguments of a function: commas outside of references separate.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{') ++depth;
    if (text[i] == ')' || text[i] == '}') --depth;
    if (text[i] != ',' || depth != 0) continue;
    out.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  out.push_back(text.substr(start));
  return out;
}

// Does `word` match a pattern with at most one %? The part that % stands for.
bool matches(std::string_view pattern, std::string_view word, std::string_view& stem) {
  const std::size_t percent = pattern.find('%');
  if (percent == std::string_view::npos) return pattern == word;
  const std::string_view before = pattern.substr(0, percent), after = pattern.substr(percent + 1);
  if (word.size() < before.size() + after.size() || !word.starts_with(before) || !word.ends_with(after)) return false;
  stem = word.substr(before.size(), word.size() - before.size() - after.size());
  return true;
}

std::string substituted(std::string_view pattern, std::string_view replacement, const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    std::string_view stem;
    if (!matches(pattern, word, stem)) {
      out.push_back(word);
      continue;
    }
    const std::size_t percent = replacement.find('%');
    if (percent == std::string_view::npos || pattern.find('%') == std::string_view::npos)
      out.emplace_back(replacement);
    else
      out.push_back(std::string(replacement.substr(0, percent)) + std::string(stem) +
                    std::string(replacement.substr(percent + 1)));
  }
  return joined(out);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text + std::string(to);
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t found = text.find(from, at);
    out += text.substr(at, found - at);
    if (found == std::string::npos || out.size() > kMaxLength) return out;
    out += to;
    at = found + from.size();
  }
}

// From the first # that no backslash stands before.
std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || text[i - 1] != '\\')) return text.substr(0, i);
  return text;
}

}  // namespace

MakeVariables::MakeVariables(std::string root, std::string folder)
    : root_(std::move(root)), folder_(std::move(folder)) {}

void MakeVariables::set(const std::string& name, std::string value) {
  variables_[name] = {std::move(value), true, true};
}

void MakeVariables::set_expression(const std::string& name, std::string text) {
  variables_[name] = {std::move(text), false, true};
}

void MakeVariables::set_default(const std::string& name, std::string text) {
  variables_.try_emplace(name, Variable{std::move(text), false, false});
}

void MakeVariables::add_unknown(std::string what) {
  if (std::find(unknown_.begin(), unknown_.end(), what) == unknown_.end()) unknown_.push_back(std::move(what));
}

bool MakeVariables::read_trusted(const std::string& path, std::string& error) {
  trusted_ = true;
  const bool good = read_file(path, error);
  trusted_ = false;
  return good;
}

bool MakeVariables::read_file(const std::string& path, std::string& error) {
  std::string text;
  if (!support::read_input(path, text, error)) return false;
  read_text(text, path);
  return true;
}

void MakeVariables::read_text(std::string_view text, const std::string& name) {
  ++includes_;
  const std::vector<Condition> outer = std::exchange(conditions_, {});
  in_recipe_ = in_define_ = false;
  std::string pending;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (part.ends_with('\r')) part.remove_suffix(1);
    if (!pending.empty()) part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
    if (part.ends_with('\\')) {  // with the blanks around it one blank
      part.remove_suffix(1);
      pending += part.substr(0, part.find_last_not_of(" \t") + 1);
      pending += ' ';
      continue;
    }
    pending += part;
    line(std::exchange(pending, ""));
  }
  if (!pending.empty()) line(pending);
  if (!conditions_.empty()) add_unknown(name + ": a condition without an end");
  conditions_ = outer;
  --includes_;
}

void MakeVariables::line(const std::string& text) {
  if (text.starts_with('\t') && in_recipe_) return;
  const std::string_view content = trimmed(without_comment(text));
  if (content.empty()) return;
  const std::size_t end = std::min(content.find_first_of(" \t("), content.size());
  const std::string_view word = content.substr(0, end);
  if (in_define_) {
    in_define_ = word != "endef";
    return;
  }
  if (directive(word, trimmed(content.substr(end)))) return;
  if (!reading()) return;
  std::string_view rest = content;
  for (const std::string_view prefix : {"export ", "override ", "private "})
    if (rest.starts_with(prefix)) rest = trimmed(rest.substr(prefix.size()));
  std::string_view name, value;
  const Assignment how = find_assignment(rest, name, value);
  if (how == Assignment::None) {
    in_recipe_ = rest.find(':') != std::string_view::npos;
    return;
  }
  in_recipe_ = false;
  assign(expand(name), how, value);
}

// Conditions, includes and what is skipped. False: the line is something else.
bool MakeVariables::directive(std::string_view word, std::string_view rest) {
  if (word == "ifeq" || word == "ifneq" || word == "ifdef" || word == "ifndef") {
    open_condition(!reading() || holds(word, rest));
  } else if (word == "else") {
    else_branch(rest);
  } else if (word == "endif") {
    if (!conditions_.empty()) conditions_.pop_back();
  } else if (!reading()) {
    return false;
  } else if (word == "include" || word == "-include" || word == "sinclude") {
    include(rest, word != "include");
  } else if (word == "define") {
    in_define_ = true;
    if (!trusted_) add_unknown("define " + std::string(rest));
  } else {
    return word == "vpath" || word == "unexport" || (word == "export" && rest.find('=') == std::string_view::npos);
  }
  return true;
}

void MakeVariables::open_condition(bool holds) {
  const bool above = reading();
  conditions_.push_back({holds, holds, above});
}

void MakeVariables::else_branch(std::string_view rest) {
  if (conditions_.empty()) return;
  Condition& c = conditions_.back();
  const bool free = !c.taken;
  c.active = true;  // for reading() of the condition behind `else`
  if (!rest.empty() && free && c.above) {
    const std::size_t end = std::min(rest.find_first_of(" \t("), rest.size());
    c.active = holds(rest.substr(0, end), trimmed(rest.substr(end)));
  } else {
    c.active = free;
  }
  c.taken = c.taken || c.active;
}

bool MakeVariables::holds(std::string_view word, std::string_view rest) {
  if (word == "ifdef" || word == "ifndef") {
    const auto it = variables_.find(expand(rest));
    return (it != variables_.end() && !it->second.text.empty()) == (word == "ifdef");
  }
  std::string left, right;
  if (rest.starts_with('(')) {
    const std::size_t end = closing(rest, 0);
    const auto arguments = arguments_of(rest.substr(1, end - 1));
    left = trimmed(expand(arguments[0]));
    if (arguments.size() > 1) right = trimmed(expand(arguments[1]));
  } else {
    std::array<std::string*, 2> sides{&left, &right};
    for (std::string* side : sides) {
      if (rest.empty()) break;
      const std::size_t end = std::min(rest.find(rest[0], 1), rest.size());
      *side = expand(rest.substr(1, end - 1));
      rest = trimmed(rest.substr(std::min(end + 1, rest.size())));
    }
  }
  return (left == right) == (word == "ifeq");
}

void MakeVariables::include(std::string_view files, bool may_be_missing) {
  for (const std::string& file : words_of(expand(files))) {
    const std::string path = (fs::path(folder_) / file).lexically_normal().string();
    std::string error;
    if (includes_ >= kMaxIncludes)
      add_unknown("include " + file + ": too many files in files");
    else if (!trusted_ && !is_below_root(path))
      add_unknown("include " + file + ": it is outside the package");
    else if (!read_file(path, error) && !may_be_missing)
      add_unknown("include " + file + ": " + error);
  }
}

void MakeVariables::assign(const std::string& name, Assignment how, std::string_view value) {
  Variable& variable = variables_[name];
  if (variable.fixed) return;
  switch (how) {
    case Assignment::Recursive: variable = {std::string(value), false, false}; break;
    case Assignment::Simple: {
      const std::string outer = std::exchange(current_, name);
      std::string expanded = expand(value);
      current_ = outer;
      variables_[name] = {std::move(expanded), true, false};
      break;
    }
    case Assignment::Append: {
      const std::string outer = std::exchange(current_, name);
      const std::string more = variable.literal ? expand(value) : std::string(value);
      current_ = outer;
      Variable& again = variables_[name];
      if (again.text.size() + more.size() < kMaxLength) again.text += (again.text.empty() ? "" : " ") + more;
      break;
    }
    case Assignment::IfUnset:
      if (variable.text.empty()) variable = {std::string(value), false, false};
      break;
    case Assignment::Shell:
      variable = {"", true, false};
      add_unknown(name + " != " + std::string(value));
      break;
    case Assignment::None: break;
  }
}

// `NAME = VALUE` and its kin. A colon before any = makes a rule.
MakeVariables::Assignment MakeVariables::find_assignment(std::string_view text, std::string_view& name,
                                                         std::string_view& value) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '(' || text[i + 1] == '{')) {
      i = closing(text, i + 1);
      continue;
    }
    if (text[i] != '=' && text[i] != ':') continue;
    std::size_t equals = i;
    while (equals < text.size() && text[equals] == ':') ++equals;
    if (equals >= text.size() || text[equals] != '=') return Assignment::None;
    value = trimmed(text.substr(equals + 1));
    std::size_t end = i;
    Assignment how = equals > i ? Assignment::Simple : Assignment::Recursive;
    if (i > 0 && equals == i) {
      const char before = text[i - 1];
      if (before == '+') how = Assignment::Append;
      if (before == '?') how = Assignment::IfUnset;
      if (before == '!') how = Assignment::Shell;
      if (how != Assignment::Recursive) --end;
    }
    name = trimmed(text.substr(0, end));
    return name.empty() || name.find_first_of(" \t") != std::string_view::npos ? Assignment::None : how;
  }
  return Assignment::None;
}

std::string MakeVariables::value(const std::string& name) {
  const auto it = variables_.find(name);
  if (it == variables_.end()) return "";
  if (it->second.literal) return it->second.text;
  const std::string outer = std::exchange(current_, name);
  const std::string text = it->second.text;
  std::string out = expand(text);
  current_ = outer;
  return out;
}

std::string MakeVariables::expand(std::string_view text) {
  std::string out;
  expand_into(text, out, 0);
  return out;
}

void MakeVariables::expand_into(std::string_view text, std::string& out, int depth) {
  for (std::size_t i = 0; i < text.size() && out.size() < kMaxLength; ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    if (text[i] == '$') {
      out += '$';
    } else if (text[i] == '(' || text[i] == '{') {
      const std::size_t end = closing(text, i);
      out += reference(text.substr(i + 1, end - i - 1), depth + 1);
      i = end;
    } else {
      out += reference(text.substr(i, 1), depth + 1);
    }
  }
}

// What stands between the brackets of $(...).
std::string MakeVariables::reference(std::string_view inside, int depth) {
  if (depth > kMaxDepth || ++steps_ > kMaxSteps) {
    add_unknown((current_.empty() ? "" : current_ + ": ") + "references beyond all measure");
    return "";
  }
  const std::size_t space = inside.find_first_of(" \t");
  if (space != std::string_view::npos) {
    bool known = true;
    const std::string name(inside.substr(0, space));
    std::string result = function(name, trimmed(inside.substr(space)), depth, known);
    if (!known) add_unknown((current_.empty() ? "" : current_ + ": ") + "$(" + std::string(inside) + ")");
    return result;
  }
  std::string name;
  expand_into(inside, name, depth);
  const std::size_t colon = name.find(':');
  const std::size_t equals = colon == std::string::npos ? colon : name.find('=', colon);
  const std::string plain = equals == std::string::npos ? name : name.substr(0, colon);
  const auto it = variables_.find(plain);
  if (it == variables_.end()) return "";
  std::string value;
  if (it->second.literal) {
    value = it->second.text;
  } else {
    const std::string text = it->second.text, outer = std::exchange(current_, plain);
    expand_into(text, value, depth);
    current_ = outer;
  }
  steps_ += value.size() / kBytesAStep;
  if (equals == std::string::npos) return value;
  std::string from = name.substr(colon + 1, equals - colon - 1), to = name.substr(equals + 1);
  if (from.find('%') == std::string::npos) {
    from = "%" + from;
    to = "%" + to;
  }
  return substituted(from, to, words_of(value));
}

std::string MakeVariables::function(std::string_view name, std::string_view arguments, int depth, bool& known) {
  static constexpr std::array<std::string_view, 13> kFunctions = {
      "wildcard", "patsubst", "subst",    "sort",   "strip",      "addprefix", "addsuffix",
      "notdir",   "dir",      "basename", "filter", "filter-out", "firstword"};
  known = std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
  if (!known) return "";
  std::vector<std::string> given;
  for (const std::string_view argument : arguments_of(arguments)) {
    given.emplace_back();
    expand_into(argument, given.back(), depth);
  }
  const std::size_t wanted = name == "patsubst" || name == "subst"                                      ? 3
                             : name == "addprefix" || name == "addsuffix" || name.starts_with("filter") ? 2
                                                                                                        : 1;
  given.resize(std::max(given.size(), wanted));
  std::vector<std::string> words = words_of(given[wanted - 1]);
  if (name == "wildcard") return wildcard(given[0]);
  if (name == "patsubst") return substituted(trimmed(given[0]), trimmed(given[1]), words);
  if (name == "subst") return replaced(given[2], given[0], given[1]);
  if (name == "firstword") return words.empty() ? "" : words[0];
  if (name == "sort") {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  } else if (name.starts_with("filter")) {
    const std::vector<std::string> patterns = words_of(given[0]);
    std::erase_if(words, [&](const std::string& word) {
      std::string_view stem;
      const bool any = std::any_of(patterns.begin(), patterns.end(),
                                   [&](const std::string& pattern) { return matches(pattern, word, stem); });
      return any == (name == "filter-out");
    });
  } else {
    for (std::string& word : words) {
      const std::size_t slash = word.rfind('/');
      const std::size_t after = slash == std::string::npos ? 0 : slash + 1;
      if (name == "addprefix") word = std::string(trimmed(given[0])) + word;
      if (name == "addsuffix") word += trimmed(given[0]);
      if (name == "notdir") word = word.substr(after);
      if (name == "dir") word = after == 0 ? "./" : word.substr(0, after);
      if (name == "basename") {
        const std::size_t dot = word.rfind('.');
        if (dot != std::string::npos && dot >= after) word = word.substr(0, dot);
      }
    }
  }
  return joined(words);
}

// Names below `folder` that match `pattern`, part by part, in the order of their letters. Links to folders are not
// followed, since they can lead anywhere and round in circles. False: too many entries would have to be looked at.
bool MakeVariables::find_matches(const std::string& folder, std::string_view pattern, std::vector<std::string>& found) {
  const std::size_t slash = pattern.find('/');
  const std::string part(pattern.substr(0, slash));
  std::vector<std::string> names;
  std::error_code ec;
  if (part.find_first_of("*?[") == std::string::npos) {
    names.push_back(part);
  } else {
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
      if (++entries_ > kMaxEntries) return false;
      const std::string name = it->path().filename().string();
      if (fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
  }
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    if (slash == std::string_view::npos) {
      if (fs::exists(path, ec)) found.push_back(path);
    } else if (fs::symlink_status(path, ec).type() == fs::file_type::directory &&
               !find_matches(path, pattern.substr(slash + 1), found)) {
      return false;
    }
  }
  return true;
}

std::string MakeVariables::wildcard(std::string_view patterns) {
  std::vector<std::string> found;
  for (const std::string& pattern : words_of(patterns)) {
    const std::string path = (fs::path(folder_) / pattern).lexically_normal().string();
    if (!is_below_root(path)) continue;
    const std::size_t behind = root_.size() + (root_.ends_with('/') ? 0 : 1);
    std::vector<std::string> matches;
    if (!find_matches(path.substr(0, behind - 1), std::string_view(path).substr(behind), matches)) {
      add_unknown((current_.empty() ? "" : current_ + ": ") + "$(wildcard " + pattern + "): too many files");
      break;
    }
    for (const std::string& match : matches) found.push_back(fs::path(match).lexically_relative(folder_).string());
  }
  return joined(found);
}

bool MakeVariables::is_below_root(const std::string& path) const {
  return path.size() > root_.size() && path.starts_with(root_) && (root_.ends_with('/') || path[root_.size()] == '/');
}

}  // namespace reckon::frontends
