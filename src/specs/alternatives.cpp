// The part of the spec language after `->`.
//
// Every alternative becomes one Outcome. What its result says is kept twice where that helps: as the Value the
// call gives back, and as a condition on the result, so that a caller's branch on it picks the alternative.
// Which words are effects and which are parameters is told apart by what follows directly: `p+1`, `p.pm-1`,
// `p->f=NULL` have no space inside, so a parameter may have any name. Nothing here recurses on its input.
#include "specs/alternatives.h"

#include <algorithm>
#include <limits>

namespace reckon::specs {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t max_steps = 16;  // of one place
constexpr std::int64_t max_delta = 1000000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

constexpr std::string_view effect_words[] = {"raises", "may-raise", "clears",        "fails",   "if-oom", "when",
                                             "steals", "keeps",     "drops-content", "protect", "makes",  "clobbers",
                                             "consumes", "frees", "runs",
                                             "drops",  "allocates", "unprotect", "reprotect", "exposes", "endangers",
                                             "if-raised", "if-clear", "if-misused", "supposed"};

constexpr std::string_view result_words[] = {"new",     "borrowed", "immortal", "same", "interior", "NULL",
                                             "nonnull", "errptr",   "any",      "void", "never",    "stack-top"};

Place result_place() {
  Place place;
  place.root = Place::Root::Result;
  return place;
}

}  // namespace

std::string suggestion(std::string_view wrong, std::span<const std::string_view> known) {
  if (wrong.size() < 3 || wrong.size() > 32) return "";
  std::string_view best;
  std::size_t best_distance = wrong.size() < 6 ? 2 : 3;
  for (std::string_view word : known) {
    std::size_t distance = edit_distance(wrong, word);
    if (distance == 0) return "";  // a right word in the wrong place
    if (distance < best_distance) {
      best = word;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : " (did you mean " + quoted(best) + "?)";
}

bool AlternativeParser::fail(std::size_t at, std::string message) {
  if (!complaint_) complaint_ = Complaint{at, std::move(message)};
  return false;
}

bool AlternativeParser::fail_expected(std::string_view what) {
  in_.skip_space();
  return fail(in_.pos(), "expected " + std::string(what) + ", found " + in_.found());
}

bool AlternativeParser::expect_number(std::int64_t& out, std::string_view what) {
  bool malformed = false;
  std::optional<std::int64_t> n = in_.number(&malformed);
  if (malformed) return fail(in_.pos(), "malformed number " + in_.found());
  if (!n) return fail_expected(what);
  out = *n;
  return true;
}

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
      return fail(name_at, "unknown parameter " + quoted(name));
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
          std::find(std::begin(effect_words), std::end(effect_words), word) == std::end(effect_words))
        return fail(start, "unknown parameter " + quoted(word) + suggestion(word, effect_words));
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

bool AlternativeParser::parse() {
  do {
    if (!alternative()) return false;
  } while (in_.take_spaced("|"));
  if (!in_.at_end()) return fail_expected("an effect, `|` or the end of the line");
  if (void_results_ != 0 && void_results_ != static_cast<std::size_t>(std::count_if(
                                                 fn_.outcomes.begin(), fn_.outcomes.end(),
                                                 [](const Outcome& outcome) { return !outcome.never_returns; })))
    return fail(in_.pos(), "expected `void` in every alternative or in none");
  fn_.returns_void = void_results_ != 0;
  return true;
}

bool AlternativeParser::alternative() {
  out_ = &fn_.outcomes.emplace_back();
  // value() adds the object and conditions to *out_ and must not write its result there at the same time.
  Value result;
  if (!value(result, Where::Result)) return false;
  out_->result = std::move(result);
  while (!in_.at_end() && in_.peek() != '|')
    if (!effect()) return false;
  return true;
}

bool AlternativeParser::effect() {
  in_.skip_space();
  std::size_t start = in_.pos();
  char c = in_.peek();
  if (c == '*' || c == '&' || c == '@' || c == '$') return effect_on_place();
  bool handled = false;
  if (!protect_effect(&handled)) return false;
  if (handled) return true;
  std::string_view word = in_.word();
  if (word.empty()) return fail_expected("an effect or `|`");
  if (effect_follows()) {
    in_.rewind(start);
    return effect_on_place();
  }
  return keyword_effect(word, start);
}

// P+N, P.KIND-N, P->FIELD=VALUE, *P=VALUE
bool AlternativeParser::effect_on_place() {
  in_.skip_space();
  std::size_t start = in_.pos();
  Place where;
  std::string kind;
  if (!place(where, &kind)) return false;
  char c = in_.peek();
  if (c == '=' && in_.peek(1) != '=') {
    if (where.address) return fail(start, "an address cannot be stored to; leave out the `&`");
    if (where.path.empty() && where.field_path.empty())
      return fail(start, "a store goes through a pointer: `*p=...` or `p->field=...`");
    in_.take("=");
    StoreEffect store;
    if (!value(store.value, Where::Store)) return false;
    store.where = std::move(where);
    out_->stores.push_back(std::move(store));
    return true;
  }
  if (c != '+' && c != '-') return fail_expected("`+N`, `-N` or `=VALUE` right behind the place");
  std::size_t delta_at = in_.pos();
  std::int64_t delta = 0;
  if (!expect_number(delta, "`+N` or `-N`")) return false;
  if (delta == 0 || delta > max_delta || delta < -max_delta)
    return fail(delta_at, "a count changes by 1 to " + std::to_string(max_delta));
  out_->counts.push_back({std::move(where), std::move(kind), static_cast<int>(delta)});
  return true;
}

// protect+N, protect-N, protect-P, protect?
bool AlternativeParser::protect_effect(bool* handled) {
  std::size_t start = in_.pos();
  std::string_view word = in_.identifier();
  char sign = in_.peek();
  if (word != "protect" || (sign != '+' && sign != '-' && sign != '?') || param_index(word) || in_.peek(1) == '>') {
    in_.rewind(start);
    return true;
  }
  *handled = true;
  if (in_.take("?")) return out_->depth_unknown = true;
  if (is_digit(in_.peek(1))) {
    std::int64_t delta = 0;
    if (!expect_number(delta, "a number")) return false;
    if (delta == 0 || delta > max_delta || delta < -max_delta)
      return fail(start, "a count changes by 1 to " + std::to_string(max_delta));
    out_->protects += static_cast<int>(delta);
    return true;
  }
  if (sign == '+') return fail_expected("a number after `protect`");
  in_.take("-");
  if (out_->unprotects) return fail(start, "only one parameter can say how much is unprotected");
  Place count;
  if (!place(count, nullptr)) return false;
  out_->unprotects = std::move(count);
  return true;
}

bool AlternativeParser::keyword_effect(std::string_view word, std::size_t at) {
  auto exception = [&](Exception what) {
    if (out_->exception != Exception::Unchanged)
      return fail(at, "only one of `raises`, `may-raise` and `clears` can happen in one alternative");
    out_->exception = what;
    return true;
  };
  if (word == "raises") {
    out_->failure = true;
    return exception(Exception::Set);
  }
  if (word == "may-raise") return exception(Exception::MaybeSet);
  if (word == "clears") return exception(Exception::Cleared);
  if (word == "fails") return out_->failure = true;
  if (word == "if-oom") return out_->out_of_memory_only = true;
  if (word == "supposed") {
    for (Object& x : out_->objects) x.supposed = x.owned;
    return true;
  }
  if (word == "if-misused") return out_->misuse_only = true;
  if (word == "if-raised" || word == "if-clear") {
    out_->pending = word == "if-raised" ? Pending::Raised : Pending::Clear;
    return true;
  }
  if (word == "when") return conditions();
  if (word == "steals" || word == "keeps") {
    Hold hold;
    hold.steals = word == "steals";
    if (!place(hold.object, nullptr)) return false;
    std::size_t before = (in_.skip_space(), in_.pos());
    std::string_view joint = in_.word();
    if (joint == (hold.steals ? "into" : "in") && !effect_follows()) {
      Place holder;
      if (!place(holder, nullptr)) return false;
      hold.holder = std::move(holder);
    } else {
      in_.rewind(before);
    }
    if (!hold.steals && !hold.holder)
      out_->escapes.push_back(std::move(hold.object));
    else
      out_->holds.push_back(std::move(hold));
    return true;
  }
  if (word == "clobbers") return place(out_->clobbers.emplace_back(), nullptr);
  if (word == "frees") return place(out_->frees.emplace_back(), nullptr);
  if (word == "consumes") {
    if (!place(out_->consumes.emplace_back(), nullptr)) return false;
    out_->counts.push_back({out_->consumes.back(), "", -1});
    return true;
  }
  if (word == "runs") return later_call();
  if (word == "allocates") return out_->allocates = true;
  if (word == "exposes") return place(out_->exposes.emplace_back(), nullptr);
  if (word == "endangers") return place(out_->endangers.emplace_back(), nullptr);
  if (word == "unprotect") return place(out_->unprotected.emplace_back(), nullptr);
  if (word == "reprotect") return reprotect();
  if (word == "drops") return drop();
  if (word == "drops-content" || word == "protect") {
    Place object;
    if (!place(object, nullptr)) return false;
    if (word == "protect") ++out_->protects;
    (word == "protect" ? out_->protected_objects : out_->releases_holds).push_back(std::move(object));
    return true;
  }
  if (word == "makes") {
    Value ignored;
    std::size_t objects = out_->objects.size();
    std::size_t value_at = (in_.skip_space(), in_.pos());
    if (!value(ignored, Where::Store)) return false;
    return out_->objects.size() > objects || fail(value_at, "expected `new`, `borrowed` or `immortal` after `makes`");
  }
  if (param_index(word) || word == "result")
    return fail(in_.pos(), "expected `+N`, `-N` or `=VALUE` right behind " + quoted(word) + ", found " + in_.found());
  in_.rewind(at);
  return fail(at, "expected an effect or `|`, found " + quoted(word) + suggestion(word, effect_words));
}

// runs P on Q
bool AlternativeParser::later_call() {
  LaterCall later;
  if (!place(later.function, nullptr)) return false;
  in_.skip_space();
  const std::size_t at = in_.pos();
  if (in_.word() != "on") {
    in_.rewind(at);
    return fail_expected("`on` and the place that holds the function's argument");
  }
  if (!place(later.data, nullptr)) return false;
  out_->runs.push_back(std::move(later));
  return true;
}

// reprotect P at Q
bool AlternativeParser::reprotect() {
  Reprotect again;
  if (!place(again.object, nullptr)) return false;
  in_.skip_space();
  const std::size_t at = in_.pos();
  if (in_.word() != "at") {
    in_.rewind(at);
    return fail_expected("`at` and the place that holds the slot's number");
  }
  if (!place(again.slot, nullptr)) return false;
  out_->reprotects.push_back(std::move(again));
  return true;
}

// drops P, drops P from Q
bool AlternativeParser::drop() {
  Hold gone;
  if (!place(gone.object, nullptr)) return false;
  in_.skip_space();
  const std::size_t before = in_.pos();
  if (in_.word() == "from" && !effect_follows()) {
    Place holder;
    if (!place(holder, nullptr)) return false;
    gone.holder = std::move(holder);
  } else {
    in_.rewind(before);
  }
  out_->drops.push_back(std::move(gone));
  return true;
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

// NULL, errptr, a number or a place
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
  if (name.empty() && c != '*' && c != '&' && c != '@' && c != '$')
    return fail_expected("`NULL`, `errptr`, a number or a parameter");
  Place other;
  if (!place(other, nullptr)) return false;
  condition.other = std::move(other);
  return true;
}

}  // namespace reckon::specs
