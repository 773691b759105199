#include "report/repair_text.h"

#include <algorithm>

namespace reckon::report {

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

RepairText::RepairText(const SourceFile& file) : file_(file), tokens_(tokenize(file.text)) {
  std::erase_if(tokens_, [](const Token& t) { return t.kind == Token::Kind::Comment; });
  unit_ = guess_unit();
}

// ---------------------------------------------------------------- finding the way

RepairText::Index RepairText::token_at(const SourceLoc& loc) const {
  const std::size_t offset = file_.offset(loc.line, loc.col);
  const auto it =
      std::lower_bound(tokens_.begin(), tokens_.end(), offset, [](const Token& t, std::size_t o) { return t.at < o; });
  return it == tokens_.end() ? kNowhere : static_cast<Index>(it - tokens_.begin());
}

RepairText::Index RepairText::closing(Index open) const {
  int depth = 0;
  for (Index i = open; i < tokens_.size(); ++i) {
    depth += is(i, "(") || is(i, "{") || is(i, "[");
    depth -= is(i, ")") || is(i, "}") || is(i, "]");
    if (depth <= 0) return i;
  }
  return kNowhere;
}

std::pair<RepairText::Index, RepairText::Index> RepairText::block_around(Index i) const {
  int depth = 0;
  for (Index k = i; k-- > 0;) {
    depth += is(k, "}");
    depth -= is(k, "{");
    if (depth < 0) return {k, closing(k)};
  }
  return {kNowhere, kNowhere};
}

// The outermost braces that follow a ")": those of namespaces and of `extern "C"` do not.
std::pair<RepairText::Index, RepairText::Index> RepairText::function_around(Index i) const {
  std::pair<Index, Index> found = {kNowhere, kNowhere};
  for (auto block = block_around(i); block.first != kNowhere; block = block_around(block.first))
    if (block.first > 0 && is(block.first - 1, ")")) found = block;
  return found;
}

RepairText::Index RepairText::statement_end(Index i) const {
  for (; i < tokens_.size(); ++i) {
    if (is(i, "(") || is(i, "[")) i = closing(i);
    if (i == kNowhere || is(i, "{") || is(i, "}")) return kNowhere;
    if (is(i, ";")) return i;
    // A ")" of brackets opened before `i` is passed over.
  }
  return kNowhere;
}

RepairText::Index RepairText::statement_begin(Index i) const {
  while (i > 0 && !is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}")) --i;
  return i;
}

RepairText::Index RepairText::exit_at(const SourceLoc& loc) const {
  Index i = token_at(loc);
  if (i == kNowhere) return kNowhere;
  if (is(i, "}")) return tokens_[i].at == file_.offset(loc.line, loc.col) ? i : kNowhere;
  // The place may be inside the expression that is returned.
  while (i > 0 && !is(i, "return") && !is(i, "}") && !is(i, ";") && !is(i, "{")) --i;
  return is(i, "return") && i > 0 ? i : kNowhere;
}

// ---------------------------------------------------------------- edits

std::string RepairText::indent_of(Index i) const {
  const std::string_view line = line_of(i);
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

std::string RepairText::separator(Index i) const { return first_on_line(i) ? "\n" + indent_of(i) : " "; }

std::string RepairText::guess_unit() const {
  for (std::size_t line = 1; line <= file_.lines(); ++line) {
    const std::string_view text = file_.line(static_cast<std::uint32_t>(line));
    const std::size_t width = text.find_first_not_of(" \t");
    if (width == std::string_view::npos || width == 0) continue;
    if (text[0] == '\t') return "\t";
    if (text[width] != '*' && width >= 2 && width <= 8) return std::string(width, ' ');
  }
  return "    ";
}

Edit RepairText::insertion_at(const SourceLoc& loc, std::size_t offset, std::string text) const {
  const auto line = std::upper_bound(file_.starts.begin(), file_.starts.end(), offset) - file_.starts.begin();
  const auto col = static_cast<std::uint32_t>(offset - file_.starts[static_cast<std::size_t>(line) - 1] + 1);
  const auto number = static_cast<std::uint32_t>(line);
  return {loc.file, number, col, number, col, std::move(text)};
}

Edit RepairText::insertion(const SourceLoc& loc, Index i, std::string text) const {
  return insertion_at(loc, tokens_[i].at, std::move(text));
}

Edit RepairText::insertion_behind(const SourceLoc& loc, Index i, std::string text) const {
  return insertion_at(loc, tokens_[i].at + tokens_[i].length, std::move(text));
}

Edit RepairText::replacement(const SourceLoc& loc, Index i, std::string text) const {
  Edit edit = insertion(loc, i, std::move(text));
  const Edit end = insertion_behind(loc, i, "");
  edit.end_line = end.line;
  edit.end_col = end.col;
  return edit;
}

Edit RepairText::removal(const SourceLoc& loc, Index first, Index last) const {
  std::size_t from = tokens_[first].at, to = tokens_[last].at + tokens_[last].length;
  if (first_on_line(first) && last_on_line(last)) {
    const std::size_t end = file_.text.find('\n', to);
    // A comment behind it stays.
    if (end != std::string::npos && file_.text.find_first_not_of(" \t\r", to) == end) {
      from = file_.starts[tokens_[first].line - 1];
      to = end + 1;
    }
  }
  Edit edit = insertion_at(loc, from, "");
  const Edit end = insertion_at(loc, to, "");
  edit.end_line = end.line;
  edit.end_col = end.col;
  return edit;
}

std::vector<Edit> RepairText::behind(const SourceLoc& loc, Index semicolon, const std::string& statement) const {
  const Index begin = statement_begin(semicolon);
  return {insertion_behind(loc, semicolon,
                           last_on_line(semicolon) ? "\n" + indent_of(begin) + statement : " " + statement)};
}

std::optional<std::vector<Edit>> RepairText::before(const SourceLoc& loc, Index i, const std::string& statement) const {
  if (i == kNowhere || i == 0) return std::nullopt;
  if (is(i, "}")) return at_end(loc, i, statement);
  const Index end = statement_end(i);
  if (end == kNowhere) return std::nullopt;
  const bool plain = is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}") || is(i - 1, ":");
  if (plain) return std::vector<Edit>{insertion(loc, i, statement + separator(i))};
  if (!is(i - 1, ")") && !is(i - 1, "else")) return std::nullopt;
  return with_braces(loc, i, end, statement);
}

// Before the brace that ends the block.
std::vector<Edit> RepairText::at_end(const SourceLoc& loc, Index brace, const std::string& statement) const {
  if (!first_on_line(brace)) return {insertion(loc, brace, statement + " ")};
  return {insertion(loc, brace, unit_ + statement + "\n" + indent_of(brace))};
}

// `if (x) return y;` gets braces.
std::vector<Edit> RepairText::with_braces(const SourceLoc& loc, Index jump, Index semicolon,
                                          const std::string& statement) const {
  const Token& before = tokens_[jump - 1];
  // Where the controlling statement begins: the indentation of its line.
  Index head = jump - 1;
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
  const std::string_view gap = std::string_view(file_.text).substr(after_head, tokens_[jump].at - after_head);
  if (gap.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    const Edit end = insertion(loc, jump, "");
    open.end_line = end.line;
    open.end_col = end.col;
    edits.push_back(std::move(open));
  } else {
    edits.push_back(insertion_at(loc, after_head, " {"));
    edits.push_back(insertion(loc, jump, statement + separator(jump)));
  }
  edits.push_back(insertion_at(loc, tokens_[semicolon].at + 1, "\n" + outer + "}"));
  return edits;
}

}  // namespace reckon::report
