#include "report/repair.h"

#include <algorithm>
#include <map>
#include <optional>

#include "report/c_text.h"

namespace reckon::report {

namespace {

bool is_identifier(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// One file, its tokens without comments, and how it is indented.
class Text {
 public:
  explicit Text(const SourceFile& file) : file_(file), tokens_(tokenize(file.text)) {
    std::erase_if(tokens_, [](const Token& t) { return t.kind == Token::Kind::Comment; });
    unit_ = guess_unit();
  }

  // Edits that put `statement` before the statement at `loc`; nullopt: that place is not one to repair at.
  std::optional<std::vector<Edit>> before(const SourceLoc& loc, const std::string& statement,
                                          const std::string& object, bool may_use_object) const {
    const std::size_t offset = file_.offset(loc.line, loc.col);
    auto it = std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                               [](const Token& t, std::size_t o) { return t.at < o; });
    if (it == tokens_.end()) return std::nullopt;
    std::size_t i = static_cast<std::size_t>(it - tokens_.begin());
    // The place may be inside the expression that is returned.
    while (i > 0 && !is(i, "return") && !is(i, "}") && !is(i, ";") && !is(i, "{")) --i;
    if (is(i, "}") && tokens_[i].at == offset) return at_end(loc, i, statement);
    if (!is(i, "return") || i == 0) return std::nullopt;
    std::size_t end = i + 1;
    while (end < tokens_.size() && !is(end, ";")) {
      if (is(end, object) && !may_use_object) return std::nullopt;
      ++end;
    }
    if (end == tokens_.size()) return std::nullopt;
    // A reference is taken for what is returned itself, not for what something else is computed from.
    if (may_use_object && !(end == i + 2 && is(i + 1, object))) return std::nullopt;
    const bool plain = is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}") || is(i - 1, ":");
    if (plain) return std::vector<Edit>{insertion(loc, i, statement + separator(i))};
    if (!is(i - 1, ")") && !is(i - 1, "else")) return std::nullopt;
    return with_braces(loc, i, end, statement);
  }

 private:
  bool is(std::size_t i, std::string_view text) const { return tokens_[i].text(file_.text) == text; }

  std::string_view line_of(std::size_t i) const { return file_.line(tokens_[i].line); }
  std::size_t column_of(std::size_t i) const { return tokens_[i].at - file_.starts[tokens_[i].line - 1]; }
  bool first_on_line(std::size_t i) const { return i == 0 || tokens_[i - 1].line != tokens_[i].line; }
  std::string indent_of(std::size_t i) const {
    const std::string_view line = line_of(i);
    return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
  }
  // Between two statements: a new line if they have lines of their own, else a blank.
  std::string separator(std::size_t i) const { return first_on_line(i) ? "\n" + indent_of(i) : " "; }

  std::string guess_unit() const {
    for (std::size_t line = 1; line <= file_.lines(); ++line) {
      const std::string_view text = file_.line(static_cast<std::uint32_t>(line));
      const std::size_t width = text.find_first_not_of(" \t");
      if (width == std::string_view::npos || width == 0) continue;
      if (text[0] == '\t') return "\t";
      if (text[width] != '*' && width >= 2 && width <= 8) return std::string(width, ' ');
    }
    return "    ";
  }

  Edit insertion_at(const SourceLoc& loc, std::size_t offset, std::string text) const {
    const auto line = std::upper_bound(file_.starts.begin(), file_.starts.end(), offset) - file_.starts.begin();
    const auto col = static_cast<std::uint32_t>(offset - file_.starts[static_cast<std::size_t>(line) - 1] + 1);
    const auto number = static_cast<std::uint32_t>(line);
    return {loc.file, number, col, number, col, std::move(text)};
  }
  Edit insertion(const SourceLoc& loc, std::size_t i, std::string text) const {
    return insertion_at(loc, tokens_[i].at, std::move(text));
  }

  // Before the brace that ends the function.
  std::vector<Edit> at_end(const SourceLoc& loc, std::size_t brace, const std::string& statement) const {
    if (!first_on_line(brace)) return {insertion(loc, brace, statement + " ")};
    return {insertion(loc, brace, unit_ + statement + "\n" + indent_of(brace))};
  }

  // `if (x) return y;` gets braces.
  std::vector<Edit> with_braces(const SourceLoc& loc, std::size_t ret, std::size_t semicolon,
                                const std::string& statement) const {
    const Token& before = tokens_[ret - 1];
    // Where the controlling statement begins: the indentation of its line.
    std::size_t head = ret - 1;
    for (int depth = 0; head > 0; --head) {
      depth += is(head, ")");
      depth -= is(head, "(");
      if (depth == 0) break;
    }
    while (head > 0 && !first_on_line(head)) --head;
    const std::string outer = indent_of(head), inner = outer + unit_;
    const std::size_t after_head = before.at + before.length;
    std::vector<Edit> edits;
    Edit open = insertion_at(loc, after_head, " {\n" + inner + statement + "\n" + inner);
    // What stood between goes: the blank, or the end of the line and the old indentation (a comment there stays).
    const std::string_view gap =
        std::string_view(file_.text).substr(after_head, tokens_[ret].at - after_head);
    if (gap.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      const Edit end = insertion(loc, ret, "");
      open.end_line = end.line;
      open.end_col = end.col;
      edits.push_back(std::move(open));
    } else {
      edits.push_back(insertion_at(loc, after_head, " {"));
      edits.push_back(insertion(loc, ret, statement + separator(ret)));
    }
    edits.push_back(insertion_at(loc, tokens_[semicolon].at + 1, "\n" + outer + "}"));
    return edits;
  }

  const SourceFile& file_;
  std::vector<Token> tokens_;
  std::string unit_;
};

// `statement` before every place at which the finding shows.
std::optional<Fix> everywhere(const Finding& f, const Text& text, const std::string& word, bool may_use_object,
                              std::string description) {
  if (word.empty()) return std::nullopt;
  Fix fix{std::move(description), {}};
  std::vector<SourceLoc> places = f.further_places;
  places.insert(places.begin(), f.loc);
  for (const SourceLoc& place : places) {
    if (place.file != f.loc.file || !place.macro.empty()) return std::nullopt;
    const auto edits = text.before(place, word + "(" + f.object + ");", f.object, may_use_object);
    if (!edits) return std::nullopt;
    for (const Edit& edit : *edits)
      if (std::find(fix.edits.begin(), fix.edits.end(), edit) == fix.edits.end()) fix.edits.push_back(edit);
  }
  std::sort(fix.edits.begin(), fix.edits.end());
  return fix;
}

}  // namespace

std::vector<Fix> propose_fixes(const Finding& finding, const std::string& kind, const RepairWords& words,
                               Sources& sources) {
  std::vector<Fix> out;
  if (!is_identifier(finding.object) || finding.loc.file.empty()) return out;
  const SourceFile& file = sources.file(finding.loc.file);
  if (file.text.empty()) return out;
  const Text text(file);
  auto add = [&](std::optional<Fix> fix) {
    if (fix) out.push_back(std::move(*fix));
  };
  if (kind == "leak") {
    add(everywhere(finding, text, words.release, false, "release `" + finding.object + "` before returning"));
    add(everywhere(finding, text, words.release_or_null, false,
                   "release `" + finding.object + "`, which may be NULL, before returning"));
  } else if (kind == "borrowed-return") {
    add(everywhere(finding, text, words.acquire, true, "take a reference to `" + finding.object + "` before returning it"));
    add(everywhere(finding, text, words.acquire_or_null, true,
                   "take a reference to `" + finding.object + "`, which may be NULL, before returning it"));
  }
  return out;
}

bool overlap(const Edit& a, const Edit& b) {
  if (a.file != b.file) return false;
  const auto start = [](const Edit& e) { return std::pair(e.line, e.col); };
  const auto end = [](const Edit& e) { return std::pair(e.end_line, e.end_col); };
  const bool both_insert = start(a) == end(a) && start(b) == end(b);
  if (both_insert) return false;
  return start(a) < end(b) ? start(b) < end(a) || start(a) == start(b) : start(a) == start(b);
}

std::string apply_edits(const SourceFile& source, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::tie(a.line, a.col, a.end_line, a.end_col) < std::tie(b.line, b.col, b.end_line, b.end_col);
  });
  std::string out;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    const std::size_t from = source.offset(edit.line, edit.col), to = source.offset(edit.end_line, edit.end_col);
    if (from == std::string::npos || to == std::string::npos || from < done || to < from) continue;  // not of this text
    out.append(source.text, done, from - done).append(edit.text);
    done = to;
  }
  return out.append(source.text, done);
}

}  // namespace reckon::report
