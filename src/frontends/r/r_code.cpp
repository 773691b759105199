#include "frontends/r/r_code.h"

#include <algorithm>
#include <cctype>

namespace reckon::frontends {

namespace {

struct Token {
  enum class Kind { Name, String, Open, Close, Comma, Equal, Other, End };
  Kind kind = Kind::End;
  std::string text;
  std::uint32_t line = 1;
};

// R's tokens, as far as they matter here.
class RScanner {
 public:
  explicit RScanner(std::string_view code) : code_(code) {}

  std::vector<Token> all() {
    std::vector<Token> out;
    while (true) {
      out.push_back(next());
      if (out.back().kind == Token::Kind::End) return out;
    }
  }

 private:
  static bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_'; }

  Token next() {
    while (at_ < code_.size()) {
      const char c = code_[at_];
      if (c == '\n') ++line_;
      if (c == '#') {
        while (at_ < code_.size() && code_[at_] != '\n') ++at_;
        continue;
      }
      if (!std::isspace(static_cast<unsigned char>(c))) break;
      ++at_;
    }
    Token token;
    token.line = line_;
    if (at_ >= code_.size()) return token;
    const char c = code_[at_];
    if ((c == 'r' || c == 'R') && raw_string(token)) return token;
    if (c == '"' || c == '\'' || c == '`') return quoted(token, c);
    if (name_char(c)) {
      token.kind = Token::Kind::Name;
      while (at_ < code_.size() && name_char(code_[at_])) token.text += code_[at_++];
      return token;
    }
    ++at_;
    token.text = c;
    switch (c) {
      case '(':
      case '[':
      case '{': token.kind = Token::Kind::Open; break;
      case ')':
      case ']':
      case '}': token.kind = Token::Kind::Close; break;
      case ',': token.kind = Token::Kind::Comma; break;
      case '=':
        if (at_ < code_.size() && code_[at_] == '=')
          ++at_, token.kind = Token::Kind::Other;
        else
          token.kind = Token::Kind::Equal;
        break;
      case '!':
      case '<':
      case '>':
        if (at_ < code_.size() && code_[at_] == '=') ++at_;
        token.kind = Token::Kind::Other;
        break;
      default: token.kind = Token::Kind::Other;
    }
    return token;
  }

  Token quoted(Token& token, char quote) {
    token.kind = quote == '`' ? Token::Kind::Name : Token::Kind::String;
    ++at_;
    while (at_ < code_.size() && code_[at_] != quote) {
      if (code_[at_] == '\\' && at_ + 1 < code_.size()) token.text += code_[at_++];
      if (code_[at_] == '\n') ++line_;
      token.text += code_[at_++];
    }
    ++at_;
    return token;
  }

  // r"(...)", with any number of dashes between the quote and the bracket.
  bool raw_string(Token& token) {
    std::size_t p = at_ + 1;
    if (p >= code_.size() || (code_[p] != '"' && code_[p] != '\'')) return false;
    const char quote = code_[p++];
    std::string close;
    while (p < code_.size() && code_[p] == '-') close += '-', ++p;
    if (p >= code_.size()) return false;
    const std::size_t bracket = std::string_view("([{").find(code_[p]);
    if (bracket == std::string_view::npos) return false;
    close = ")]}"[bracket] + close + quote;
    const std::size_t end = code_.find(close, p);
    if (end == std::string_view::npos) return false;
    token.kind = Token::Kind::String;
    token.text = code_.substr(p + 1, end - p - 1);
    line_ += static_cast<std::uint32_t>(std::count(token.text.begin(), token.text.end(), '\n'));
    at_ = end + close.size();
    return true;
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

// An argument of a call: its tokens, without the name in front.
struct RArgument {
  std::string name;
  std::vector<Token> tokens;
};

// The arguments of the call whose bracket is tokens[open].
std::vector<RArgument> arguments_at(const std::vector<Token>& tokens, std::size_t open) {
  std::vector<RArgument> out(1);
  int depth = 0;
  for (std::size_t i = open + 1; tokens[i].kind != Token::Kind::End; ++i) {
    const Token& t = tokens[i];
    if (t.kind == Token::Kind::Close && depth-- == 0) break;
    if (t.kind == Token::Kind::Open) ++depth;
    RArgument& last = out.back();
    if (depth == 0 && t.kind == Token::Kind::Comma) {
      out.emplace_back();
    } else if (depth == 0 && t.kind == Token::Kind::Equal && last.tokens.size() == 1 && last.name.empty()) {
      last.name = last.tokens[0].text;
      last.tokens.clear();
    } else {
      last.tokens.push_back(t);
    }
  }
  return out;
}

bool is_name_or_string(const RArgument& a) {
  return a.tokens.size() == 1 && (a.tokens[0].kind == Token::Kind::Name || a.tokens[0].kind == Token::Kind::String);
}

// `pkg:::name`, `pkg::name`
bool is_qualified(const RArgument& a, const std::string& package) {
  const std::size_t n = a.tokens.size();
  if (package.empty() || (n != 4 && n != 5) || a.tokens[0].text != package || a.tokens[n - 1].kind != Token::Kind::Name)
    return false;
  return std::all_of(a.tokens.begin() + 1, a.tokens.end() - 1, [](const Token& t) { return t.text == ":"; });
}

// Arguments for the interface itself, not for the routine.
bool is_option(const std::string& name) {
  return name == "PACKAGE" || name == "NAOK" || name == "DUP" || name == "ENCODING";
}

}  // namespace

std::string NativeNames::routine(const std::string& variable) const {
  for (const auto& [name, routine] : renamed)
    if (name == variable) return routine;
  return !prefix.empty() && variable.starts_with(prefix) ? variable.substr(prefix.size()) : variable;
}

NativeNames native_names(std::string_view name_space) {
  NativeNames out;
  const std::vector<Token> tokens = RScanner(name_space).all();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != "useDynLib" || tokens[i + 1].kind != Token::Kind::Open) continue;
    for (const RArgument& a : arguments_at(tokens, i + 1)) {
      if (!is_name_or_string(a)) continue;
      if (a.name.empty()) {
        if (out.library.empty()) out.library = a.tokens[0].text;
        continue;
      }
      if (a.name == ".fixes")
        out.prefix = a.tokens[0].text;
      else if (a.name != ".registration")
        out.renamed.emplace_back(a.name, a.tokens[0].text);
    }
  }
  return out;
}

std::vector<checks::NativeCall> native_calls(std::string_view code, const std::string& file,
                                             const std::vector<std::string>& interfaces, const NativeNames& names) {
  std::vector<checks::NativeCall> out;
  const std::vector<Token> tokens = RScanner(code).all();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Name || tokens[i + 1].text != "(") continue;
    if (std::find(interfaces.begin(), interfaces.end(), tokens[i].text) == interfaces.end()) continue;
    const std::vector<RArgument> arguments = arguments_at(tokens, i + 1);
    if (!arguments[0].name.empty() || (!is_name_or_string(arguments[0]) && !is_qualified(arguments[0], names.library)))
      continue;
    checks::NativeCall call;
    call.interface = tokens[i].text;
    const Token& first = arguments[0].tokens.back();
    call.name = first.kind == Token::Kind::String ? first.text : names.routine(first.text);
    call.file = file;
    call.line = tokens[i].line;
    call.arguments = 0;
    for (std::size_t a = 1; a < arguments.size(); ++a) {
      if (is_option(arguments[a].name)) continue;
      const bool dots = arguments[a].tokens.size() == 1 && arguments[a].tokens[0].text == "...";
      if (dots) call.arguments = -1;
      if (dots) break;
      ++call.arguments;
    }
    out.push_back(std::move(call));
  }
  return out;
}

}  // namespace reckon::frontends
