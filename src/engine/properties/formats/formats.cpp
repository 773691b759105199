// Three small grammars, read from left to right. Reading goes on behind nothing that is not understood, so a
// format with a problem has the units up to there.

#include "engine/properties/formats/formats.h"

#include <algorithm>

namespace reckon::engine {

namespace {

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

IntSize size_of_letter(char c) {
  switch (c) {
    case 'b':
    case 'B':
    case 'c': return IntSize::Byte;
    case 'h':
    case 'H': return IntSize::Short;
    case 'i':
    case 'I':
    case 'C':
    case 'p': return IntSize::Int;
    case 'l':
    case 'k': return IntSize::Long;
    case 'L':
    case 'K': return IntSize::LongLong;
    case 'n': return IntSize::Pointer;
    default: return IntSize::None;
  }
}

constexpr std::string_view kNumbers = "bBhHiIlkLKncCp";

// Walks over a format and collects units.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  // The next `n` characters are a unit; add() gives it its arguments.
  void begin(std::size_t n) {
    unit_ = text_.substr(pos_, n);
    pos_ += n;
  }
  void skip() { ++pos_; }
  void add(UnitUse use, char letter, ArgKind kind, IntSize size = IntSize::None) {
    FormatUnit u;
    u.use = use;
    u.letter = letter;
    u.optional = optional;
    u.argument = static_cast<std::uint32_t>(format.units.size());
    u.kind = kind;
    u.size = size;
    u.text = unit_;
    format.units.push_back(u);
  }
  void fail(std::string problem) {
    if (format.problem.empty()) format.problem = std::move(problem);
    pos_ = text_.size();
  }
  void fail_unit(std::size_t length = 1) {
    fail("format unit '" + std::string(text_.substr(pos_, length)) + "' does not exist");
  }
  void open(char c) {
    count_item();
    groups_ += c;
    items_.push_back(0);
  }
  // Something that is one item of the group around it.
  void count_item() {
    if (!items_.empty()) ++items_.back();
  }
  void close(char c) {
    const char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (groups_.empty() || groups_.back() != opener)
      return fail(std::string("'") + c + "' without '" + opener + "' in the format");
    groups_.pop_back();
    if (c == '}' && items_.back() % 2 != 0) fail("'{...}' has a key without a value in the format");
    items_.pop_back();
  }
  bool in_group() const { return !groups_.empty(); }
  Format finish() {
    if (!groups_.empty()) fail(std::string("'") + groups_.back() + "' is not closed in the format");
    return std::move(format);
  }

  Format format;
  bool optional = false;

 private:
  std::string_view text_;
  std::size_t pos_ = 0;
  std::string_view unit_;
  std::string groups_;
  std::vector<std::size_t> items_;  // so far, of each group that is open
};

void read_parse_unit(Reader& in) {
  const char c = in.peek(), next = in.peek(1);
  if (!in.in_group()) ++in.format.items;
  if (c == 'e' && (next == 's' || next == 't')) {
    const bool length = in.peek(2) == '#';
    in.begin(length ? 3 : 2);
    in.add(UnitUse::Plain, 'e', ArgKind::Encoding);
    in.add(UnitUse::Plain, next, ArgKind::Text);  // a buffer the caller frees
    if (length) in.add(UnitUse::Plain, '#', ArgKind::Length);
  } else if (contains("szywuZt", c)) {
    in.begin(next == '*' || next == '#' ? 2 : 1);
    if (next == '*') return in.add(UnitUse::Buffer, c, ArgKind::Struct);
    in.add(UnitUse::Interior, c, c == 'u' || c == 'Z' ? ArgKind::WideText : ArgKind::Text);
    if (next == '#') in.add(UnitUse::Plain, '#', ArgKind::Length);
  } else if (c == 'O' && next == '!') {
    in.begin(2);
    in.add(UnitUse::Plain, '!', ArgKind::Type);
    in.add(UnitUse::Object, 'O', ArgKind::Object);
  } else if (c == 'O' && next == '&') {
    in.begin(2);
    in.add(UnitUse::Plain, '&', ArgKind::Function);
    in.add(UnitUse::Converter, 'O', ArgKind::Any);
  } else if (contains("OSUY", c)) {
    in.begin(1);
    in.add(UnitUse::Object, c, ArgKind::Object);
  } else if (contains(kNumbers, c)) {
    in.begin(1);
    in.add(UnitUse::Plain, c, ArgKind::Number, size_of_letter(c));
  } else if (c == 'f' || c == 'd') {
    in.begin(1);
    in.add(UnitUse::Plain, c, ArgKind::Float, c == 'f' ? IntSize::Int : IntSize::Long);
  } else if (c == 'D') {
    in.begin(1);
    in.add(UnitUse::Plain, c, ArgKind::Struct);
  } else {
    in.fail_unit();
  }
}

void read_build_unit(Reader& in) {
  in.count_item();
  const char c = in.peek(), next = in.peek(1);
  if (contains("szyuU", c)) {
    in.begin(next == '#' ? 2 : 1);
    in.add(UnitUse::Plain, c, c == 'u' ? ArgKind::WideText : ArgKind::Text);
    if (next == '#') in.add(UnitUse::Plain, '#', ArgKind::Length);
  } else if (contains("OSN", c) && next == '&') {
    in.begin(2);
    in.add(UnitUse::Plain, '&', ArgKind::Function);
    in.add(UnitUse::Converter, c, ArgKind::Any);
  } else if (contains("OSN", c)) {
    in.begin(1);
    in.add(c == 'N' ? UnitUse::Consumed : UnitUse::Object, c, ArgKind::Object);
  } else if (contains(kNumbers, c)) {
    in.begin(1);
    // What is smaller than int is passed as int.
    in.add(UnitUse::Plain, c, ArgKind::Number, std::max(size_of_letter(c), IntSize::Int));
  } else if (c == 'f' || c == 'd') {
    in.begin(1);
    in.add(UnitUse::Plain, c, ArgKind::Float, IntSize::Long);
  } else if (c == 'D') {
    in.begin(1);
    in.add(UnitUse::Plain, c, ArgKind::Struct);
  } else {
    in.fail_unit();
  }
}

// %[flags][width][.precision][size]conversion
void read_print_unit(Reader& in) {
  std::size_t n = 1, stars = 0;
  auto digits = [&] {
    if (in.peek(n) == '*') {
      ++stars;
      ++n;
      return;
    }
    while (in.peek(n) >= '0' && in.peek(n) <= '9') ++n;
  };
  while (in.peek(n) != '\0' && contains("-0#+ ", in.peek(n))) ++n;
  digits();
  if (in.peek(n) == '.') {
    ++n;
    digits();
  }
  IntSize size = IntSize::Int;
  char modifier = 0;
  if (contains("lzjt", in.peek(n)) && in.peek(n) != '\0') {
    modifier = in.peek(n++);
    size = modifier == 'l' ? IntSize::Long : modifier == 'j' ? IntSize::LongLong : IntSize::Pointer;
    if (modifier == 'l' && in.peek(n) == 'l') {
      ++n;
      size = IntSize::LongLong;
    }
  }
  const char c = in.peek(n++);
  if (c == '\0') return in.fail("the format ends in the middle of a unit");
  if (!contains("diuxXocspASRUVTN%", c)) return in.fail_unit(n);
  in.begin(n);
  for (; stars > 0; --stars) in.add(UnitUse::Plain, '*', ArgKind::Number, IntSize::Int);
  if (c == '%') return;
  if (contains("diuxXo", c)) return in.add(UnitUse::Plain, c, ArgKind::Number, size);
  if (c == 'c') return in.add(UnitUse::Plain, c, ArgKind::Number, IntSize::Int);
  if (c == 'p') return in.add(UnitUse::Plain, c, ArgKind::Any);
  if (contains("ASRUVTN", c)) in.add(UnitUse::Object, c, ArgKind::Object);
  if (c == 's' || c == 'V') in.add(UnitUse::Plain, c, modifier == 'l' ? ArgKind::WideText : ArgKind::Text);
}

}  // namespace

Format read_parse_format(std::string_view text) {
  Reader in(text);
  bool keywords_only = false;
  while (!in.at_end()) {
    const char c = in.peek();
    if (c == ':' || c == ';') break;
    if (c == '(') {
      if (!in.in_group()) ++in.format.items;
      in.open(c);
      in.skip();
    } else if (c == ')') {
      in.skip();
      in.close(c);
    } else if (c == '|' || c == '$') {
      if (c == '|' && keywords_only) {
        in.fail("'$' before '|' in the format");
        break;
      }
      keywords_only = keywords_only || c == '$';
      in.optional = in.optional || c == '|';
      in.skip();
    } else {
      read_parse_unit(in);
    }
  }
  return in.finish();
}

Format read_build_format(std::string_view text) {
  Reader in(text);
  while (!in.at_end()) {
    const char c = in.peek();
    if (contains("([{", c)) {
      in.open(c);
      in.skip();
    } else if (contains(")]}", c)) {
      in.skip();
      in.close(c);
    } else if (contains(",: \t", c)) {
      in.skip();
    } else {
      read_build_unit(in);
    }
  }
  return in.finish();
}

Format read_print_format(std::string_view text) {
  Reader in(text);
  while (!in.at_end()) {
    if (in.peek() == '%')
      read_print_unit(in);
    else
      in.skip();
  }
  return in.finish();
}

std::vector<FormatUnit> parse_units(std::string_view text, bool& ok) {
  Format format = read_parse_format(text);
  ok = format.problem.empty();
  return std::move(format.units);
}

std::vector<FormatUnit> build_units(std::string_view text, bool& ok) {
  Format format = read_build_format(text);
  ok = format.problem.empty();
  return std::move(format.units);
}

}  // namespace reckon::engine
