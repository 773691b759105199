#include "frontends/r/r_code.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

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

 private:
  static bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_'; }

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

// The tokens of code that can run: what stands under `if (FALSE)` is left out.
class LiveTokens {
 public:
  explicit LiveTokens(std::string_view code) : scanner_(code) {}

  Token next() {
    Token token = scanner_.next();
    if (seen_ == kCondition) token = behind_dead(std::move(token));
    if (token.text == kCondition[0] && token.kind == Token::Kind::Name) seen_.clear();
    if (is_next(token))
      seen_.push_back(never(token) ? kCondition[2] : token.text);
    else
      seen_.clear();
    return token;
  }

 private:
  inline static const std::vector<std::string> kCondition = {"if", "(", "FALSE", ")"};

  static bool never(const Token& token) {
    return token.kind == Token::Kind::Name && (token.text == "FALSE" || token.text == "F" || token.text == "0");
  }

  bool is_next(const Token& token) const {
    return seen_.size() < kCondition.size() && token.kind != Token::Kind::String &&
           (seen_.size() == 2 ? never(token) : token.text == kCondition[seen_.size()]);
  }

  // The first token behind the block, or the rest of the line, that begins with `token`.
  Token behind_dead(Token token) {
    seen_.clear();
    std::size_t depth = 0;
    const std::uint32_t line = token.line;
    const bool block = token.text == "{" && token.kind == Token::Kind::Open;
    while (token.kind != Token::Kind::End && (block || depth > 0 || token.line == line)) {
      if (token.kind == Token::Kind::Open) ++depth;
      if (token.kind == Token::Kind::Close) {
        if (depth == 0) return token;  // of what is around it
        if (--depth == 0 && block) return scanner_.next();
      }
      token = scanner_.next();
    }
    return token;
  }

  RScanner scanner_;
  std::vector<std::string> seen_;  // as much of kCondition as the last tokens are
};

// An argument of a call: its tokens, without the name in front. Nobody asks for those beyond the first few.
struct RArgument {
  static constexpr std::size_t kKept = 6;
  std::string name;
  std::vector<Token> tokens;
  void add(Token token) {
    if (tokens.size() < kKept) tokens.push_back(std::move(token));
  }
};

struct RCall {
  Token name;
  std::vector<RArgument> arguments;
};

// The calls of functions that `wanted` names, in the order of their names in the code. A call that is not closed ends
// with the code.
//
// One pass with a stack of open brackets, so that calls within calls cost no more than others. What a bracket holds is
// to the argument around it no more than a token that makes it neither a name nor a string.
class CallReader {
 public:
  explicit CallReader(std::function<bool(const Token&)> wanted) : wanted_(std::move(wanted)) {}

  std::vector<RCall> read(std::string_view code) {
    LiveTokens tokens(code);
    Token before;
    for (Token token = tokens.next(); token.kind != Token::Kind::End && open_.size() < kDeepest;
         token = tokens.next()) {
      switch (token.kind) {
        case Token::Kind::Open: open(before, token); break;
        case Token::Kind::Close: close(token); break;
        case Token::Kind::Comma:
          if (RCall* call = innermost()) call->arguments.emplace_back();
          break;
        case Token::Kind::Equal: equal(token); break;
        default: add(token);
      }
      before = std::move(token);
    }
    return std::move(calls_);
  }

 private:
  static constexpr std::size_t kDeepest = 10'000;  // brackets within brackets; what comes then is no code
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  RCall* innermost() { return open_.empty() || open_.back() == kNone ? nullptr : &calls_[open_.back()]; }

  void add(const Token& token) {
    if (RCall* call = innermost()) call->arguments.back().add(token);
  }

  void open(const Token& before, const Token& bracket) {
    add(bracket);
    const bool is_call = before.kind == Token::Kind::Name && bracket.text == "(" && wanted_(before);
    open_.push_back(is_call ? calls_.size() : kNone);
    if (is_call) calls_.push_back({before, std::vector<RArgument>(1)});
  }

  void close(const Token& bracket) {
    if (!open_.empty()) open_.pop_back();
    add(bracket);
  }

  void equal(const Token& token) {
    RCall* call = innermost();
    if (call == nullptr) return;
    RArgument& last = call->arguments.back();
    if (last.tokens.size() != 1 || !last.name.empty()) return last.add(token);
    last.name = last.tokens[0].text;
    last.tokens.clear();
  }

  std::function<bool(const Token&)> wanted_;
  std::vector<RCall> calls_;
  std::vector<std::size_t> open_;  // numbers of calls, kNone for other brackets
};

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

// An argument for the interface itself, not for the routine, where the routine gets pointers to plain numbers. Where it
// gets objects, it gets these as well.
bool is_option(const std::string& name) { return name == "NAOK" || name == "DUP" || name == "ENCODING"; }

// Functions that look a routine up and do not call it.
bool asks_for_address(const std::string& function) {
  return function == "getNativeSymbolInfo" || function == "is.loaded";
}

}  // namespace

std::string NativeNames::routine(const std::string& variable) const {
  if (const auto own = renamed.find(variable); own != renamed.end()) return own->second;
  return !prefix.empty() && variable.starts_with(prefix) ? variable.substr(prefix.size()) : variable;
}

NativeNames native_names(std::string_view name_space) {
  NativeNames out;
  CallReader reader([](const Token& name) { return name.text == "useDynLib"; });
  for (const RCall& call : reader.read(name_space))
    for (const RArgument& a : call.arguments) {
      if (!is_name_or_string(a)) continue;
      if (a.name.empty()) {
        if (out.library.empty()) out.library = a.tokens[0].text;
        continue;
      }
      if (a.name == ".fixes")
        out.prefix = a.tokens[0].text;
      else if (a.name != ".registration")
        out.renamed.emplace(a.name, a.tokens[0].text);
    }
  return out;
}

std::vector<checks::NativeCall> native_calls(std::string_view code, const std::string& file,
                                             const std::vector<NativeInterface>& interfaces, const NativeNames& names) {
  std::vector<checks::NativeCall> out;
  auto named = [&](const std::string& name) {
    return std::find_if(interfaces.begin(), interfaces.end(), [&](const NativeInterface& i) { return i.name == name; });
  };
  CallReader reader([&](const Token& name) { return named(name.text) != interfaces.end(); });
  for (const RCall& found : reader.read(code)) {
    const std::vector<RArgument>& arguments = found.arguments;
    if (!arguments[0].name.empty() || (!is_name_or_string(arguments[0]) && !is_qualified(arguments[0], names.library)))
      continue;
    checks::NativeCall call;
    call.interface = found.name.text;
    const auto interface = named(call.interface);
    const Token& first = arguments[0].tokens.back();
    call.by_text = first.kind == Token::Kind::String;
    call.name = call.by_text ? first.text : names.routine(first.text);
    call.file = file;
    call.line = found.name.line;
    call.arguments = 0;
    for (std::size_t a = 1; a < arguments.size(); ++a) {
      if (arguments[a].name == "PACKAGE") continue;
      if (!interface->objects && is_option(arguments[a].name)) continue;
      const bool dots = arguments[a].tokens.size() == 1 && arguments[a].tokens[0].text == "...";
      if (dots) call.arguments = -1;
      if (dots) break;
      ++call.arguments;
    }
    out.push_back(std::move(call));
  }
  return out;
}

void add_routine_names(std::string_view code, const NativeNames& names, checks::RoutineNames& out) {
  LiveTokens tokens(code);
  Token last;
  std::size_t depth = 0, asking = 0;  // depth of brackets within a call that only asks for an address
  for (Token token = tokens.next(); token.kind != Token::Kind::End; token = tokens.next()) {
    if (token.kind == Token::Kind::Open) {
      ++depth;
      if (asking == 0 && last.kind == Token::Kind::Name && asks_for_address(last.text)) asking = depth;
    } else if (token.kind == Token::Kind::Close && depth > 0) {
      if (asking == depth) asking = 0;
      --depth;
    } else if (asking == 0 && token.kind == Token::Kind::String) {
      out.insert(token.text);
    } else if (asking == 0 && token.kind == Token::Kind::Name) {
      out.insert(names.routine(token.text));
    }
    last = std::move(token);
  }
}

}  // namespace reckon::frontends
