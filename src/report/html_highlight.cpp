// Highlighting for reading, not for compiling: comments, literals, directives, keywords, type names and called
// functions. It never looks at more than the text, so a macro that opens a comment or a string fools it.

#include "report/html_highlight.h"

#include <algorithm>
#include <array>

#include "report/html_text.h"

namespace reckon::report {

namespace {

constexpr auto kKeywords = std::to_array<std::string_view>({
    "alignas",       "alignof",     "asm",          "auto",     "break",
    "case",          "catch",       "class",        "const",    "const_cast",
    "consteval",     "constexpr",   "continue",     "decltype", "default",
    "delete",        "do",          "dynamic_cast", "else",     "enum",
    "explicit",      "extern",      "false",        "final",    "for",
    "friend",        "goto",        "if",           "inline",   "namespace",
    "new",           "noexcept",    "nullptr",      "operator", "override",
    "private",       "protected",   "public",       "register", "reinterpret_cast",
    "requires",      "restrict",    "return",       "sizeof",   "static",
    "static_assert", "static_cast", "struct",       "switch",   "template",
    "this",          "throw",       "true",         "try",      "typedef",
    "typeid",        "typename",    "typeof",       "union",    "using",
    "virtual",       "volatile",    "while",
});
constexpr auto kTypes = std::to_array<std::string_view>({
    "FILE",
    "_Bool",
    "bool",
    "char",
    "double",
    "float",
    "int",
    "long",
    "short",
    "signed",
    "unsigned",
    "va_list",
    "void",
});
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));
static_assert(std::is_sorted(kTypes.begin(), kTypes.end()));

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) { return starts_name(c) || digit(c); }

class Highlighter {
 public:
  explicit Highlighter(std::string_view text) : text_(text) {}

  std::vector<std::string> run() {
    while (at_ < text_.size()) token();
    if (!line_.empty()) lines_.push_back(std::move(line_));
    return std::move(lines_);
  }

 private:
  char peek(std::size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }

  // Text up to `end` in the given class; a token over several lines is closed and opened again at each.
  void emit(const char* name, std::size_t end) {
    while (at_ < end) {
      std::size_t stop = text_.find('\n', at_);
      const bool newline = stop < end;
      stop = std::min(stop, end);
      std::string_view piece = text_.substr(at_, stop - at_);
      if (!piece.empty() && *name) {
        line_ += "<span class=\"";
        line_ += name;
        line_ += "\">";
        line_ += html_escape(piece);
        line_ += "</span>";
      } else {
        line_ += html_escape(piece);
      }
      at_ = stop;
      if (newline) {
        ++at_;
        lines_.push_back(std::move(line_));
        line_.clear();
        fresh_ = true;
      }
    }
  }

  void token() {
    const char c = peek();
    if (c == '\n') return emit("", at_ + 1);
    if (c == ' ' || c == '\t' || c == '\r') {
      std::size_t end = at_;
      while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) ++end;
      return emit("", end);
    }
    const bool first = fresh_;
    fresh_ = false;
    if (c == '/' && peek(1) == '/') return emit("c", end_of_line());
    if (c == '/' && peek(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      return emit("c", end == std::string_view::npos ? text_.size() : end + 2);
    }
    if (c == '#' && first) return directive();
    if (c == '"' || c == '\'') return emit("s", literal(at_));
    if (digit(c) || (c == '.' && digit(peek(1)))) {
      std::size_t end = at_ + 1;
      while (end < text_.size() &&
             (in_name(text_[end]) || text_[end] == '.' || text_[end] == '\'' ||
              ((text_[end] == '+' || text_[end] == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E'))))
        ++end;
      return emit("n", end);
    }
    if (starts_name(c)) return name();
    // A run of anything else, at least one byte.
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) >= 0x80)) ++end;
    emit("", end);
  }

  std::size_t end_of_line() const {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '\n') {
      if (text_[end] == '\\' && end + 1 < text_.size()) ++end;
      ++end;
    }
    return std::min(end, text_.size());
  }

  // The directive's word only: what follows is code, and comments may.
  void directive() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
    const std::size_t begin = end;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    emit("p", end);
    if (word != "include") return;
    std::size_t open = at_;
    while (open < text_.size() && (text_[open] == ' ' || text_[open] == '\t')) ++open;
    if (open >= text_.size() || text_[open] != '<') return;
    const std::size_t close = text_.find_first_of(">\n", open);
    if (close == std::string_view::npos || text_[close] != '>') return;
    emit("", open);
    emit("s", close + 1);
  }

  // End of the literal whose quote stands at `quote`.
  std::size_t literal(std::size_t quote) const {
    const char mark = text_[quote];
    std::size_t end = quote + 1;
    while (end < text_.size() && text_[end] != mark) {
      if (text_[end] == '\n') return end;  // not closed: a stray apostrophe
      if (text_[end] == '\\' && end + 1 < text_.size()) ++end;
      ++end;
    }
    return std::min(end + 1, text_.size());
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const char next = end < text_.size() ? text_[end] : '\0';
    if (next == '"' && word.ends_with('R') && word.size() <= 3) {  // R"x(...)x"
      const std::size_t open = text_.find('(', end);
      if (open != std::string_view::npos && open - end <= 17) {
        const std::string close = ")" + std::string(text_.substr(end + 1, open - end - 1)) + "\"";
        const std::size_t stop = text_.find(close, open);
        return emit("s", stop == std::string_view::npos ? text_.size() : stop + close.size());
      }
    }
    if ((next == '"' || next == '\'') && (word == "L" || word == "u" || word == "U" || word == "u8"))
      return emit("s", literal(end));
    if (std::binary_search(kKeywords.begin(), kKeywords.end(), word)) return emit("k", end);
    if (std::binary_search(kTypes.begin(), kTypes.end(), word) || word.ends_with("_t")) return emit("t", end);
    std::size_t after = end;
    while (after < text_.size() && text_[after] == ' ') ++after;
    if (after < text_.size() && text_[after] == '(') return emit("f", end);
    // `Name *x`: a type more often than a product, when the name begins with a capital.
    if (word[0] >= 'A' && word[0] <= 'Z' &&
        word.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos && after > end &&
        after + 1 < text_.size() && (text_[after] == '*' ? text_[after + 1] != ' ' : starts_name(text_[after])))
      return emit("t", end);
    emit("", end);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool fresh_ = true;  // only blanks so far in this line
  std::string line_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> highlight(std::string_view text) { return Highlighter(text).run(); }

std::string mark_column(std::string_view line, std::uint32_t col) {
  std::size_t at = 0;
  std::uint32_t seen = 1;
  const auto step = [&] {  // over one byte of the source
    if (line[at] == '&')
      at = line.find(';', at) + 1;
    else
      ++at;
    ++seen;
  };
  std::size_t open = std::string_view::npos;  // begin of the span we are in
  while (at < line.size()) {
    if (line[at] == '<') {
      const bool closes = at + 1 < line.size() && line[at + 1] == '/';
      open = closes ? std::string_view::npos : at;
      at = line.find('>', at) + 1;
      continue;
    }
    if (seen >= col) break;
    step();
  }
  if (at >= line.size() || col == 0) return std::string(line);
  std::size_t begin = at, end = at;
  if (open != std::string_view::npos) {
    begin = open;
    end = line.find("</span>", at) + 7;
  } else if (in_name(line[at])) {
    while (end < line.size() && in_name(line[end])) ++end;
  } else {
    step();
    end = at;
  }
  std::string out(line.substr(0, begin));
  out += "<b class=\"at\">";
  out += line.substr(begin, end - begin);
  out += "</b>";
  out += line.substr(end);
  return out;
}

std::string cut_line(std::string_view line, std::size_t bytes, std::size_t more) {
  std::size_t at = 0, seen = 0;
  bool in_span = false;
  for (; at < line.size(); ++seen) {
    while (at < line.size() && line[at] == '<') {
      in_span = at + 1 < line.size() && line[at + 1] != '/';
      at = line.find('>', at) + 1;
    }
    if (at >= line.size() || (seen >= bytes && (static_cast<unsigned char>(line[at]) & 0xc0) != 0x80)) break;
    at = line[at] == '&' ? line.find(';', at) + 1 : at + 1;
  }
  return std::string(line.substr(0, at)) + (in_span ? "</span>" : "") + "<span class=\"c\"> &#8230; " +
         std::to_string(more) + " more bytes in this line</span>";
}

namespace {

constexpr std::size_t kLongestLine = 20'000, kShownOfLonger = 2'000;  // bytes

}  // namespace

const std::vector<std::string>& HtmlSources::lines(const std::string& path) {
  const auto [it, is_new] = lines_.try_emplace(path);
  if (!is_new) return it->second;
  const SourceFile& file = sources_.file(path);
  it->second = highlight(file.text);
  for (std::size_t i = 0; i < it->second.size(); ++i)
    if (const std::size_t size = file.line(static_cast<std::uint32_t>(i + 1)).size(); size > kLongestLine)
      it->second[i] = cut_line(it->second[i], kShownOfLonger, size - kShownOfLonger);
  return it->second;
}

}  // namespace reckon::report
