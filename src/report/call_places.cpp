#include "report/call_places.h"

#include <algorithm>
#include <cctype>

namespace reckon::report {

RepairText& CallPlaces::text(const std::string& file) {
  auto& place = texts_[file];
  if (!place) place = std::make_unique<RepairText>(sources_.file(file));
  return *place;
}

std::optional<std::string> CallPlaces::one_line(const RepairText& text, Index first, Index last) {
  std::string out;
  for (Index i = first; i <= last; ++i) {
    if (text.is(i, "#") || text.is(i, "\\")) return std::nullopt;
    // Marks are single characters: a blank between the two of "->" or "==" would tear them apart.
    if (i > first && text.is_apart(i)) out += ' ';
    out += text.word(i);
  }
  return out;
}

std::optional<CallPlace> CallPlaces::read(const std::string& file, Index first) {
  const RepairText& t = text(file);
  const SourceLoc loc{file, 0, 0, ""};
  Index i = first;
  if (i >= t.size() || !is_identifier(t.word(i))) return std::nullopt;
  while (t.is(i + 1, ":") && t.is(i + 2, ":") && i + 3 < t.size() && is_identifier(t.word(i + 3))) i += 3;
  CallPlace out;
  const auto name = one_line(t, first, i);
  if (!name || !t.is(i + 1, "(")) return std::nullopt;
  out.name = *name;
  const Index open = i + 1, close = t.closing(open);
  if (close == RepairText::kNowhere) return std::nullopt;
  const auto whole = one_line(t, first, close);
  if (!whole) return std::nullopt;
  out.text = *whole;
  for (Index from = open + 1, k = from; k <= close; ++k) {
    if (k < close && (t.is(k, "(") || t.is(k, "[") || t.is(k, "{"))) {
      k = t.closing(k);
      if (k == RepairText::kNowhere) return std::nullopt;
      continue;
    }
    if (k < close && !t.is(k, ",")) continue;
    if (k > from) out.arguments.push_back(*one_line(t, from, k - 1));
    from = k + 1;
  }
  if (first > 1 && t.is(first - 1, "=") && is_identifier(t.word(first - 2))) out.assigned_to = t.word(first - 2);
  out.extent = t.insertion(loc, first, "");
  const Edit end = t.insertion_behind(loc, close, "");
  out.extent.end_line = end.line;
  out.extent.end_col = end.col;
  return out;
}

std::optional<CallPlace> CallPlaces::at(const SourceLoc& loc) {
  const RepairText& t = text(loc.file);
  const Index i = t.token_at(loc);
  if (i == RepairText::kNowhere) return std::nullopt;
  const Edit found = t.insertion(loc, i, "");
  if (found.line != loc.line || found.col != loc.col) return std::nullopt;
  return read(loc.file, i);
}

std::vector<CallPlace> CallPlaces::calls_of(const std::string& file, const std::vector<std::string>& names) {
  std::vector<CallPlace> out;
  const RepairText& t = text(file);
  for (Index i = 1; i < t.size(); ++i) {
    // Behind a word stands a declaration, not a call; `return f()` is the exception.
    const bool after_word = is_identifier(t.word(i - 1)) && !t.is(i - 1, "return");
    if (after_word || t.is(i - 1, "*") || std::find(names.begin(), names.end(), t.word(i)) == names.end()) continue;
    if (auto call = read(file, i)) out.push_back(std::move(*call));
  }
  return out;
}

namespace {

// The column of the brace that opens a function on this line; 0: none does.
std::uint32_t opening_brace(std::string_view line) {
  if (line.starts_with('{')) return 1;
  const std::size_t end = line.find_last_not_of(" \t\r\n");
  const bool named = !line.empty() && (std::isalpha(static_cast<unsigned char>(line[0])) != 0 || line[0] == '_');
  if (!named || line[end] != '{' || line.find(')') == std::string_view::npos ||
      line.find('=') != std::string_view::npos)
    return 0;
  return static_cast<std::uint32_t>(end) + 1;
}

}  // namespace

std::optional<std::pair<Edit, Edit>> CallPlaces::body(const SourceLoc& loc) {
  const RepairText& t = text(loc.file);
  const Index i = t.token_at(loc);
  if (i == RepairText::kNowhere) return std::nullopt;
  // Braces at the beginning of a line are a function's, whatever conditional lines before it leave open; so is one at
  // the end of a line that begins with a name. Lines that go on with a directive are a macro's text.
  const SourceFile& file = sources_.file(loc.file);
  auto ends = [&](std::uint32_t n) {
    return file.line(n).starts_with('}') && !(n > 1 && file.line(n - 1).ends_with('\\'));
  };
  std::uint32_t first = loc.line, last = loc.line;
  while (first > 0 && opening_brace(file.line(first)) == 0 && !(first < loc.line && ends(first))) --first;
  while (last <= file.lines() && !ends(last)) ++last;
  const std::uint32_t column = first > 0 ? opening_brace(file.line(first)) : 0;
  auto [open, close] = column > 0 && last <= file.lines()
                           ? std::pair(t.token_at({loc.file, first, column, ""}), t.token_at({loc.file, last, 1, ""}))
                           : t.function_around(i);
  if (open == RepairText::kNowhere || close == RepairText::kNowhere) return std::nullopt;
  return std::pair(t.insertion_behind(loc, open, ""), t.insertion(loc, close, ""));
}

}  // namespace reckon::report
