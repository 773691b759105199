// Places, values and conditions in the part of the spec language after `->`.
#include <algorithm>
#include <limits>

#include "specs/alternatives.h"
#include "specs/contradictions.h"

namespace reckon::specs {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t max_steps = 16;  // of one place

constexpr std::string_view result_words[] = {"new",     "borrowed", "immortal", "same", "interior", "NULL",
                                             "nonnull", "errptr",   "any",      "void", "never",    "stack-top"};

Place result_place() {
  Place place;
  place.root = Place::Root::Result;
  return place;
}

}  // namespace

// A parameter's own name first; `argN`, counted from 0, for those that have none.
std::optional<std::uint32_t> AlternativeParser::param_index(std::string_view name) const {
  if (name.empty() || name == "_") return std::nullopt;
  for (std::size_t i = 0; i < fn_.params.size(); ++i)
    if (fn_.params[i].name == name) return static_cast<std::uint32_t>(i);
  if (name.size() < 4 || name.size() > 6 || name.substr(0, 3) != "arg") return std::nullopt;
  std::uint32_t index = 0;
  for (char c : name.substr(3)) {
    if (!is_digit(c)) return std::nullopt;
    index = index * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (index >= fn_.params.size()) return std::nullopt;
  return index;
}

// Right behind a name: does an effect on it go on here?
bool AlternativeParser::effect_follows() const {
  char c = in_.peek();
  if (c == '+' || c == '.') return true;
  if (c == '=') return in_.peek(1) != '=';
  return c == '-' && (is_digit(in_.peek(1)) || in_.peek(1) == '>');
}

bool AlternativeParser::place_follows() {
  in_.skip_space();
  std::size_t start = in_.pos();
  std::optional<Complaint> before = complaint_;
  char c = in_.peek();
  bool is_place = c == '*' || c == '&' || c == '@' || c == '$';
  if (!is_place) {
    std::string_view name = in_.identifier();
    is_place = !name.empty() && (name == "result" || param_index(name)) && in_.peek() != '-';
    if (in_.peek() == '-') is_place = in_.peek(1) == '>' && param_index(name);
    in_.rewind(start);
  }
  if (is_place) {
    Place ignored;
    std::string kind;
    is_place = place(ignored, &kind) && kind.empty() && !effect_follows();
    in_.rewind(start);
    complaint_ = before;
  }
  return is_place;
}

// PLACE: [&] [*...] ROOT [->FIELD ...]; ROOT: parameter, `result`, `@GLOBAL`, `$N`. With `kind`, a last `.KIND`
// that a sign follows is taken as the name of a count.
bool AlternativeParser::place(Place& out, std::string* kind) {
  in_.skip_space();
  out = {};
  if (kind) kind->clear();
  std::size_t start = in_.pos();
  bool address = in_.take("&");
  std::size_t stars = 0;
  while (in_.take("*"))
    if (++stars > max_steps) return fail(start, "too many `*`");
  std::size_t name_at = in_.pos();
  if (in_.take("@")) {
    out.root = Place::Root::Global;
    out.global = in_.identifier();
    if (out.global.empty()) return fail_expected("the name of a global");
  } else if (in_.take("$")) {
    std::int64_t index = 0;
    if (!expect_number(index, "the number of an object")) return false;
    if (index < 0 || static_cast<std::size_t>(index) >= out_->objects.size())
      return fail(name_at, "no object " + quoted("$" + std::to_string(index)) + " in this alternative so far");
    out.root = Place::Root::Object;
    out.index = static_cast<std::uint32_t>(index);
  } else {
    std::string_view name = in_.identifier();
    if (name.empty()) return fail_expected("a parameter");
    if (std::optional<std::uint32_t> index = param_index(name)) {
      out.root = Place::Root::Arg;
      out.index = *index;
    } else if (name == "result") {
      out.root = Place::Root::Result;
    } else {
      std::vector<std::string_view> names;
      for (const ParamSpec& param : fn_.params) names.push_back(param.name);
      return fail(name_at, "unknown parameter " + quoted(name) + suggestion(name, names));
    }
  }
  if (!place_step(out, kind)) return false;
  out.path.insert(out.path.end(), stars, 0);
  out.address = address;
  if (address && out.path.empty() && out.field_path.empty()) return fail(start, "`&` needs a field: `&p->field`");
  return true;
}

// Steps `->field`, `->a.b` (a member of an embedded struct), `->16` (a byte offset), and `.KIND` before a sign.
bool AlternativeParser::place_step(Place& out, std::string* kind) {
  auto member = [&]() -> bool {
    std::size_t dot = in_.pos();
    if (!in_.take(".")) return false;
    std::string_view name = in_.identifier();
    if (name.empty()) {
      in_.rewind(dot);
      return false;
    }
    char sign = in_.peek();
    bool counts = (sign == '+' || sign == '-') && is_digit(in_.peek(1));
    if (kind && counts) {
      *kind = name;
      return false;
    }
    if (out.field_path.empty() || !out.path.empty()) {
      in_.rewind(dot);
      return false;
    }
    out.field_path.back() += '.';
    out.field_path.back() += name;
    return true;
  };
  while (in_.peek() == '-' && in_.peek(1) == '>') {
    std::size_t at = in_.pos();
    in_.take("->");
    if (out.field_path.size() + out.path.size() >= max_steps) return fail(at, "too many steps in one place");
    const bool property = in_.take("%");
    std::string_view field = in_.identifier();
    if (property) {
      if (field.empty()) return fail_expected("the name of a property after `%`");
      if (field.size() > kMaxPropertyName)
        return fail(at + 3, "the name of a property has at most " + std::to_string(kMaxPropertyName) + " characters");
      out.path.push_back(property_step(field));
    } else if (!field.empty()) {
      if (!out.path.empty()) return fail(at + 2, "a field name cannot follow a byte offset");
      out.field_path.emplace_back(field);
    } else {
      std::int64_t offset = 0;
      if (!expect_number(offset, "a field or a byte offset")) return false;
      out.path.push_back(offset);
    }
    while (member()) {
    }
  }
  if (kind && kind->empty() && out.field_path.empty()) member();
  return true;
}

void AlternativeParser::result_condition(Where where, Pred pred, std::int64_t imm) {
  if (where != Where::Result) return;
  Condition condition;
  condition.place = result_place();
  condition.pred = pred;
  condition.imm = imm;
  out_->when.push_back(std::move(condition));
}

bool AlternativeParser::object_from(Value& out, Object object, Where where) {
  if (in_.peek() == '?') {
    in_.take("?");
    object.maybe_null = true;
  } else {
    result_condition(where, Pred::Ne, 0);
  }
  if (!object.owned && !object.immortal) {
    if (place_follows()) {
      Place from;
      if (!place(from, nullptr)) return false;
      object.borrowed_from = std::move(from);
    } else {
      // A word that is no effect can only be a lender whose name is wrong.
      std::size_t start = in_.pos();
      std::string_view word = in_.word();
      if (!word.empty() && !effect_follows() && !param_index(word) &&
          std::find(effect_words().begin(), effect_words().end(), word) == effect_words().end())
        return fail(start, "unknown parameter " + quoted(word) + suggestion(word, effect_words()));
      in_.rewind(start);
    }
  }
  out.kind = Value::Kind::Object;
  out.object = static_cast<std::uint32_t>(out_->objects.size());
  out_->objects.push_back(std::move(object));
  return true;
}

bool AlternativeParser::number_or_range(Value& out, Where where) {
  std::size_t start = in_.pos();
  if (!expect_number(out.imm, "a number")) return false;
  if (!in_.take("..")) {
    out.kind = Value::Kind::Int;
    result_condition(where, Pred::Eq, out.imm);
    return true;
  }
  out.kind = Value::Kind::Range;
  if (!expect_number(out.hi, "the upper end of the range")) return false;
  if (out.imm > out.hi)
    return fail(start, "empty range " + quoted(std::to_string(out.imm) + ".." + std::to_string(out.hi)));
  result_condition(where, Pred::Ge, out.imm);
  result_condition(where, Pred::Le, out.hi);
  return true;
}

// `<0`, `<=0`, `>0`, `>=0`, `!=0`: any number may stand for 0.
bool AlternativeParser::comparison(Value& out, Where where) {
  std::size_t start = in_.pos();
  bool ne = in_.take("!=");
  bool le = !ne && in_.take("<=");
  bool ge = !ne && !le && in_.take(">=");
  bool lt = !ne && !le && !ge && in_.take("<");
  if (!ne && !le && !ge && !lt) in_.take(">");
  in_.skip_space();
  std::int64_t n = 0;
  if (!expect_number(n, "a number")) return false;
  if (ne) {
    if (where != Where::Result) return fail(start, "`!=` says nothing about a stored value; use `any`");
    result_condition(where, Pred::Ne, n);
    return true;
  }
  if ((lt && n == lowest) || (!lt && !le && !ge && n == highest)) return fail(start, "empty range");
  out.kind = Value::Kind::Range;
  out.imm = ge ? n : lt || le ? lowest : n + 1;
  out.hi = lt ? n - 1 : le ? n : highest;
  result_condition(where, lt ? Pred::Lt : le ? Pred::Le : ge ? Pred::Ge : Pred::Gt, n);
  return true;
}

bool AlternativeParser::value(Value& out, Where where) {
  in_.skip_space();
  out = {};
  std::size_t start = in_.pos();
  char c = in_.peek();
  std::string_view what = where == Where::Result ? "a result" : "a value";
  if (is_digit(c) || ((c == '-' || c == '+') && is_digit(in_.peek(1)))) return number_or_range(out, where);
  if (c == '<' || c == '>' || (c == '!' && in_.peek(1) == '=')) return comparison(out, where);
  if (c == '$') {
    Place object;
    if (!place(object, nullptr)) return false;
    out.kind = Value::Kind::Object;
    out.object = object.index;
    result_condition(where, Pred::Ne, 0);
    return true;
  }
  std::string_view word = in_.word();
  if (word == "new") return object_from(out, Object{}, where);
  if (word == "borrowed" || word == "immortal") {
    Object object;
    object.owned = false;
    object.immortal = word == "immortal";
    return object_from(out, std::move(object), where);
  }
  if (word == "same" || word == "interior") {
    bool interior = word == "interior";
    bool maybe_null = interior && in_.take("?");
    out.kind = interior ? Value::Kind::Interior : Value::Kind::Place;
    if (interior && !maybe_null) result_condition(where, Pred::Ne, 0);
    return place(out.place, nullptr);
  }
  if (word == "NULL") {
    out.kind = Value::Kind::Int;
    result_condition(where, Pred::Eq, 0);
    return true;
  }
  if (word == "errptr") {
    out.kind = Value::Kind::ErrPtr;
    return true;
  }
  if (word == "stack-top") {
    out.kind = Value::Kind::StackTop;
    return true;
  }
  if (word == "any") return true;
  if (where == Where::Result) {
    if (word == "nonnull") {
      result_condition(where, Pred::Ne, 0);
      return true;
    }
    if (word == "void") {
      ++void_results_;
      return true;
    }
    if (word == "never") {
      out_->never_returns = true;
      return true;
    }
  }
  in_.rewind(start);
  return fail(start, "expected " + std::string(what) + ", found " + in_.found() + suggestion(word, result_words));
}

bool AlternativeParser::conditions() {
  while (true) {
    if (!condition()) return false;
    std::size_t before = (in_.skip_space(), in_.pos());
    if (in_.word() != "and" || effect_follows()) {
      in_.rewind(before);
      return true;
    }
  }
}

// PLACE [& MASK] [COMPARISON RIGHT], or !(PLACE & MASK)
bool AlternativeParser::condition() {
  in_.skip_space();
  Condition condition;
  // `known` is a word of the language unless a parameter has that name.
  const std::size_t start = in_.pos();
  condition.known = in_.word() == "known" && !param_index("known");
  if (!condition.known) in_.rewind(start);
  in_.skip_space();
  bool negated = in_.take("!(");
  if (!place(condition.place, nullptr)) return false;
  in_.skip_space();
  bool masked = in_.take("&");
  if (masked) {
    in_.skip_space();
    std::int64_t mask = 0;
    if (!expect_number(mask, "a bit mask")) return false;
    condition.mask = static_cast<std::uint64_t>(mask);
    condition.pred = negated ? Pred::Eq : Pred::Ne;
    in_.skip_space();
  }
  if (negated) {
    if (!masked) return fail_expected("`&`");
    if (!in_.take(")")) return fail_expected("`)`");
  } else if (!comparison_follows(condition)) {
    if (!masked) return fail_expected("`==`, `!=`, `<`, `<=`, `>`, `>=` or `&`");
  } else if (!right_side(condition, masked)) {
    return false;
  }
  out_->when.push_back(std::move(condition));
  if (last_contradicts(out_->when))
    return fail(start,
                "no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
                "between them");
  return true;
}

bool AlternativeParser::comparison_follows(Condition& condition) {
  static constexpr struct {
    std::string_view text;
    Pred pred;
  } comparisons[] = {{"==", Pred::Eq}, {"!=", Pred::Ne}, {"<=", Pred::Le},
                     {">=", Pred::Ge}, {"<", Pred::Lt},  {">", Pred::Gt}};
  for (const auto& comparison : comparisons)
    if (in_.take(comparison.text)) {
      condition.pred = comparison.pred;
      return true;
    }
  return false;
}

// NULL, errptr, a number, a text or a place
bool AlternativeParser::right_side(Condition& condition, bool masked) {
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string_view name = in_.identifier();
  if ((name == "NULL" || name == "errptr") && !param_index(name)) {
    if (condition.pred != Pred::Eq && condition.pred != Pred::Ne)
      return fail(at, quoted(name) + " can only be compared by `==` and `!=`");
    if (name == "errptr") {
      if (masked) return fail(at, "`errptr` cannot be compared with single bits");
      condition.mask = err_ptr_mask;
      condition.imm = err_ptr_value;
    }
    return true;
  }
  in_.rewind(at);
  char c = in_.peek();
  if (is_digit(c) || c == '-' || c == '+') return expect_number(condition.imm, "a number");
  if (c == '"') return text(condition, masked);
  if (name.empty() && c != '*' && c != '&' && c != '@' && c != '$')
    return fail_expected("`NULL`, `errptr`, a number, a text or a parameter");
  Place other;
  if (!place(other, nullptr)) return false;
  condition.other = std::move(other);
  return true;
}

// "TEXT", without quotes and backslashes in it
bool AlternativeParser::text(Condition& condition, bool masked) {
  const std::size_t at = in_.pos();
  if (masked || (condition.pred != Pred::Eq && condition.pred != Pred::Ne))
    return fail(at, "a text can only be compared by `==` and `!=`");
  Place text;
  text.root = Place::Root::Text;
  in_.take("\"");
  for (char c = in_.peek(); c != '"'; c = in_.peek()) {
    if (c == '\0' || c == '\n' || c == '\\')
      return fail(at, "a text ends with `\"` on the same line, and has no backslash");
    text.global += c;
    in_.rewind(in_.pos() + 1);
  }
  in_.take("\"");
  condition.other = std::move(text);
  return true;
}

}  // namespace reckon::specs
