// Prints specs in the language the parser reads.
//
// A result stands in an Outcome as a value and as conditions that follow from it; the printer finds the wording
// whose conditions are those at the front of `when`, so they are not said twice. Objects are numbered by where
// the text first mentions them, which for parsed specs is the order they have.
#include "specs/printer.h"

#include <algorithm>
#include <limits>

#include "specs/effects.h"

namespace reckon::specs {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t unnamed = std::numeric_limits<std::uint32_t>::max();

const char* pred_text(Pred pred) {
  switch (pred) {
    case Pred::Eq: return "==";
    case Pred::Ne: return "!=";
    case Pred::Lt: return "<";
    case Pred::Le: return "<=";
    case Pred::Gt: return ">";
    case Pred::Ge: return ">=";
  }
  return "?";
}

std::string hex(std::uint64_t n) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[n & 15]);
  while (n >>= 4);
  return "0x" + digits;
}

std::string mask_text(std::uint64_t mask) { return mask < 10 ? std::to_string(mask) : hex(mask); }

// What the caller knows about the function the outcome belongs to.
struct Frame {
  std::span<const std::string> names;
  std::span<const ParamSpec> params;  // may be empty
  bool pointer_result = false;
  bool returns_void = false;
};

class OutcomePrinter {
 public:
  OutcomePrinter(const Outcome& outcome, const Frame& frame)
      : outcome_(outcome), frame_(frame), number_(outcome.objects.size(), unnamed) {}

  // The rows of effects.def stand in the order in which they are printed.
  std::string print() {
    each_effect([&](auto effect) { print<decltype(effect)>(kEffectTexts[effect.index]); });
    return std::move(text_);
  }

  std::string place(const Place& place) {
    std::string text;
    bool star = place.path.size() == 1 && place.path[0] == 0 && !place.address;
    if (place.address) text += '&';
    if (star) text += '*';
    switch (place.root) {
      case Place::Root::Arg: text += param(place.index); break;
      case Place::Root::Result: text += "result"; break;
      case Place::Root::Global: text += "@" + place.global; break;
      case Place::Root::Object: text += object_name(place.index); break;
      case Place::Root::Text: text += '"' + place.global + '"'; break;
    }
    for (const std::string& field : place.field_path) text += "->" + field;
    if (!star)
      for (std::int64_t offset : place.path) {
        const std::string property = property_name(offset);
        text += "->" + (property.empty() ? std::to_string(offset) : "%" + property);
      }
    return text;
  }

 private:
  template <class E>
  void print(const EffectText& effect) {
    const auto& field = outcome_.*E::field;
    const std::string word(effect.words[0].text);
    if constexpr (E::grammar == Grammar::Result) {
      add(result());
    } else if constexpr (E::grammar == Grammar::Conditions) {
      conditions();
    } else if constexpr (E::grammar == Grammar::Flag) {
      const bool said = E::index == effect_rows::failure && outcome_.exception == Exception::Set;
      if (field && !said) add(word);
    } else if constexpr (E::grammar == Grammar::Choice) {
      for (const EffectWord& choice : effect.words)
        if (is_set(field) && choice.value == static_cast<int>(field)) add(std::string(choice.text));
    } else if constexpr (E::grammar == Grammar::Stores) {
      stores();
    } else if constexpr (E::grammar == Grammar::Objects) {
      make_unmentioned(static_cast<std::uint32_t>(field.size()));
      if (std::any_of(field.begin(), field.end(), [](const Object& x) { return x.assumed_kind; })) add("supposed");
    } else if constexpr (E::grammar == Grammar::Counts) {
      counts();
    } else if constexpr (E::grammar == Grammar::Holds) {
      for (const Hold& hold : field) print_hold(hold, effect);
    } else if constexpr (E::grammar == Grammar::Places || E::grammar == Grammar::Escapes ||
                         E::grammar == Grammar::Pushed) {
      for (const Place& p : field) add(word + " " + place(p));
    } else if constexpr (E::grammar == Grammar::Pair) {
      for (const auto& [first, second] : field)
        add(word + " " + place(first) + " " + std::string(effect.words[0].joint) + " " + place(second));
    } else if constexpr (E::grammar == Grammar::Depth) {
      const int further = field - static_cast<int>(outcome_.protected_objects.size());
      if (further != 0) add("protect" + signed_number(further));
    } else if constexpr (E::grammar == Grammar::DepthOf) {
      if (field) add("protect-" + place(*field));
    } else if constexpr (E::grammar == Grammar::DepthUnknown) {
      if (field) add("protect?");
    } else {
      // Results say `never`, counts say `consumes`, and nothing says what the language has no words for.
      static_assert(E::grammar == Grammar::Never || E::grammar == Grammar::Consumed || E::grammar == Grammar::Unsaid);
    }
  }

  void stores() {
    for (const StoreEffect& store : outcome_.stores) {
      if (store.value.kind == Value::Kind::Object) make_unmentioned(store.value.object);
      std::string where = place(store.where);
      add(where + "=" + value(store.value));
    }
  }

  void counts() {
    std::vector<Place> consumed = outcome_.consumes;
    for (const CountChange& change : outcome_.counts) {
      auto it = std::find(consumed.begin(), consumed.end(), change.object);
      if (it != consumed.end() && change.delta == -1 && change.kind.empty()) {
        consumed.erase(it);
        add("consumes " + place(change.object));
        continue;
      }
      add(place(change.object) + (change.kind.empty() ? "" : "." + change.kind) + signed_number(change.delta));
    }
  }

  void print_hold(const Hold& hold, const EffectText& effect) {
    for (const EffectWord& word : effect.words) {
      if (word.text.empty() || (word.value != 0) != hold.steals) continue;
      std::string text = std::string(word.text) + " " + place(hold.object);
      if (hold.holder) text += " " + std::string(word.joint) + " " + place(*hold.holder);
      return add(text);
    }
  }

  void add(const std::string& word) {
    if (!text_.empty()) text_ += ' ';
    text_ += word;
  }

  static std::string signed_number(int n) { return (n > 0 ? "+" : "") + std::to_string(n); }

  std::string param(std::uint32_t index) const {
    if (index < frame_.names.size() && !frame_.names[index].empty() && frame_.names[index] != "_")
      return frame_.names[index];
    return "arg" + std::to_string(index);
  }

  std::string object_name(std::uint32_t index) const {
    std::uint32_t number = index < number_.size() ? number_[index] : unnamed;
    return "$" + std::to_string(number == unnamed ? index : number);
  }

  // Objects below `limit` that no value names before: they need a line of their own to be numbered.
  void make_unmentioned(std::uint32_t limit) {
    for (std::uint32_t i = 0; i < std::min<std::size_t>(limit, number_.size()); ++i) {
      if (number_[i] != unnamed) continue;
      bool stored_later = std::any_of(outcome_.stores.begin(), outcome_.stores.end(), [&](const StoreEffect& store) {
        return store.value.kind == Value::Kind::Object && store.value.object == i;
      });
      if (!stored_later) add("makes " + object(i));
    }
  }

  std::string object(std::uint32_t index) {
    if (index >= number_.size()) return "any";
    if (number_[index] != unnamed) return object_name(index);
    const Object& made = outcome_.objects[index];
    number_[index] = next_number_++;
    std::string text = made.immortal ? "immortal" : made.owned ? "new" : "borrowed";
    if (made.maybe_null) text += '?';
    if (!made.immortal && !made.owned && made.borrowed_from) text += " " + place(*made.borrowed_from);
    return text;
  }

  std::string value(const Value& value) {
    switch (value.kind) {
      case Value::Kind::Unknown: return "any";
      case Value::Kind::Int: return value.imm == 0 ? "NULL" : std::to_string(value.imm);
      case Value::Kind::Place: return "same " + place(value.place);
      case Value::Kind::Object: return object(value.object);
      case Value::Kind::Interior: return "interior " + place(value.place);
      case Value::Kind::ErrPtr: return "errptr";
      case Value::Kind::StackTop: return "stack-top";
      case Value::Kind::Range: return range(value).text;
    }
    return "any";
  }

  // A wording and the conditions on the result it stands for.
  struct Wording {
    std::string text;
    std::vector<std::pair<Pred, std::int64_t>> conditions;
  };

  bool stands_in_front(const Wording& wording) const {
    if (wording.conditions.size() > outcome_.when.size()) return false;
    for (std::size_t i = 0; i < wording.conditions.size(); ++i)
      if (!is_on_result(outcome_.when[i], wording.conditions[i])) return false;
    return true;
  }

  static bool is_on_result(const Condition& condition, const std::pair<Pred, std::int64_t>& wanted) {
    Condition expected;
    expected.place.root = Place::Root::Result;
    expected.pred = wanted.first;
    expected.imm = wanted.second;
    return condition == expected;
  }

  Wording range(const Value& value) const {
    std::vector<Wording> wordings;
    auto number = [](std::int64_t n) { return std::to_string(n); };
    if (value.imm == lowest && value.hi != highest)
      wordings.push_back({"<" + number(value.hi + 1), {{Pred::Lt, value.hi + 1}}});
    if (value.imm == lowest) wordings.push_back({"<=" + number(value.hi), {{Pred::Le, value.hi}}});
    if (value.hi == highest) wordings.push_back({">=" + number(value.imm), {{Pred::Ge, value.imm}}});
    if (value.hi == highest && value.imm != lowest)
      wordings.push_back({">" + number(value.imm - 1), {{Pred::Gt, value.imm - 1}}});
    wordings.push_back({number(value.imm) + ".." + number(value.hi), {{Pred::Ge, value.imm}, {Pred::Le, value.hi}}});
    for (const Wording& wording : wordings)
      if (stands_in_front(wording)) return wording;
    return wordings.front();
  }

  std::string result() {
    const Value& result = outcome_.result;
    Wording wording;
    switch (result.kind) {
      case Value::Kind::Unknown:
        wording.text = outcome_.never_returns ? "never" : frame_.returns_void ? "void" : "any";
        if (!outcome_.never_returns && !frame_.returns_void && !outcome_.when.empty()) {
          std::int64_t n = outcome_.when[0].imm;
          Wording unequal{n == 0 ? "nonnull" : "!=" + std::to_string(n), {{Pred::Ne, n}}};
          if (n == 0 && !frame_.pointer_result) unequal.text = "!=0";
          if (stands_in_front(unequal)) wording = unequal;
        }
        break;
      case Value::Kind::Int:
        wording.text = result.imm == 0 && frame_.pointer_result ? "NULL" : std::to_string(result.imm);
        wording.conditions = {{Pred::Eq, result.imm}};
        break;
      case Value::Kind::Object: {
        bool known = result.object < number_.size();
        wording.text = object(result.object);
        if (known && !outcome_.objects[result.object].maybe_null) wording.conditions = {{Pred::Ne, 0}};
        break;
      }
      case Value::Kind::Interior:
        wording = {"interior " + place(result.place), {{Pred::Ne, 0}}};
        if (!stands_in_front(wording)) wording = {"interior? " + place(result.place), {}};
        break;
      case Value::Kind::Range: wording = range(result); break;
      case Value::Kind::Place:
      case Value::Kind::StackTop:
      case Value::Kind::ErrPtr: wording.text = value(result); break;
    }
    if (stands_in_front(wording)) implied_ = wording.conditions.size();
    return wording.text;
  }

  // Is this argument a pointer, as far as the text shows? Only decides between `NULL` and `0`.
  bool looks_like_pointer(const Place& subject) const {
    if (subject.root != Place::Root::Arg) return frame_.pointer_result;
    if (subject.index < frame_.params.size()) {
      const ParamSpec& spec = frame_.params[subject.index];
      if (spec.null_ok || spec.null_crashes) return true;
    }
    auto same = [&](const Place& other) { return other.root == subject.root && other.index == subject.index; };
    return std::any_of(outcome_.counts.begin(), outcome_.counts.end(), [&](auto& c) { return same(c.object); }) ||
           std::any_of(outcome_.holds.begin(), outcome_.holds.end(), [&](auto& h) { return same(h.object); }) ||
           std::any_of(outcome_.stores.begin(), outcome_.stores.end(), [&](auto& s) { return same(s.where); });
  }

  std::string condition(const Condition& c) {
    std::string subject = (c.known ? "known " : "") + place(c.place);
    bool equality = c.pred == Pred::Eq || c.pred == Pred::Ne;
    if (c.mask == err_ptr_mask && c.imm == err_ptr_value && equality && !c.other)
      return subject + " " + pred_text(c.pred) + " errptr";
    bool masked = c.mask != ~std::uint64_t{0};
    if (masked) {
      std::string bits = subject + " & " + mask_text(c.mask);
      if (c.pred == Pred::Ne && c.imm == 0 && !c.other) return bits;
      if (c.pred == Pred::Eq && c.imm == 0 && !c.other)
        return (c.known ? "known !(" : "!(") + place(c.place) + " & " + mask_text(c.mask) + ")";
      subject = bits;
    }
    std::string right = c.other                                                            ? place(*c.other)
                        : equality && c.imm == 0 && !masked && looks_like_pointer(c.place) ? "NULL"
                                                                                           : std::to_string(c.imm);
    return subject + " " + pred_text(c.pred) + " " + right;
  }

  void conditions() {
    for (std::size_t i = implied_; i < outcome_.when.size(); ++i)
      add((i == implied_ ? "when " : "and ") + condition(outcome_.when[i]));
  }

  const Outcome& outcome_;
  const Frame& frame_;
  std::vector<std::uint32_t> number_;  // of each object in the text; unnamed until mentioned
  std::uint32_t next_number_ = 0;
  std::size_t implied_ = 0;  // conditions at the front that the result already says
  std::string text_;
};

const char* vararg_text(VarargKind kind) {
  switch (kind) {
    case VarargKind::None: return "";
    case VarargKind::ParseFormat: return "parse";
    case VarargKind::BuildFormat: return "build";
    case VarargKind::PrintFormat: return "print";
    case VarargKind::UntilNull: return "until-null";
    case VarargKind::Counted: return "counted";
    case VarargKind::OutParams: return "out";
  }
  return "";
}

bool is_pointer_result(const Value& result) {
  return result.kind == Value::Kind::Object || result.kind == Value::Kind::Interior ||
         result.kind == Value::Kind::Place || result.kind == Value::Kind::ErrPtr;
}

std::vector<Outcome> without_descriptions(std::vector<Outcome> outcomes) {
  for (Outcome& outcome : outcomes)
    for (Object& object : outcome.objects) object.what.clear();
  return outcomes;
}

}  // namespace

std::string to_text(const Place& place, std::span<const std::string> param_names) {
  Outcome none;
  Frame frame{param_names, {}, true, false};
  return OutcomePrinter(none, frame).place(place);
}

std::string to_text(const Outcome& outcome, std::span<const std::string> param_names) {
  Frame frame{param_names, {}, is_pointer_result(outcome.result), false};
  return OutcomePrinter(outcome, frame).print();
}

std::string to_text(const FunctionSpec& spec) {
  std::string text = "fn " + spec.name + "(";
  std::vector<std::string> names;
  for (const ParamSpec& param : spec.params) {
    if (!names.empty()) text += ", ";
    text += param.name.empty() ? "_" : param.name;
    if (param.null_ok) text += '?';
    if (param.null_crashes) text += '!';
    if (param.callee_protects) text += '^';
    if (param.read_first) text += '~';
    names.push_back(param.name);
  }
  if (spec.variadic) {
    text += names.empty() ? "..." : ", ...";
    text += vararg_text(spec.varargs);
    if (spec.varargs == VarargKind::Counted && spec.count_param < names.size())
      text += "(" + names[spec.count_param] + ")";
  }
  text += ")";
  for (const FlagWord& flag : kFunctionFlags)
    if (spec.*flag.flag) text += " " + std::string(flag.word);
  if (spec.ready.param < spec.params.size()) {
    text += " ready " + spec.params[spec.ready.param].name;
    if (spec.ready.lo != std::numeric_limits<std::int64_t>::min())
      text += " " + std::to_string(spec.ready.lo) + ".." + std::to_string(spec.ready.hi);
  }
  if (!spec.safer.empty()) text += " safer " + spec.safer;
  if (!spec.since.empty()) text += " since " + spec.since;
  if (!spec.until.empty()) text += " until " + spec.until;

  Outcome only_never;
  only_never.never_returns = true;
  if (spec.outcomes.size() == 1 && spec.outcomes[0] == only_never) return text + " never";

  Frame frame{names, spec.params, false, spec.returns_void};
  for (const Outcome& outcome : spec.outcomes) frame.pointer_result |= is_pointer_result(outcome.result);
  const char* separator = " -> ";
  for (const Outcome& outcome : spec.outcomes) {
    text += separator + OutcomePrinter(outcome, frame).print();
    separator = " | ";
  }
  return text;
}

bool equivalent(const FunctionSpec& a, const FunctionSpec& b) {
  const FunctionFlags &flags = a, &other = b;
  return flags == other && a.name == b.name && a.params == b.params && a.variadic == b.variadic &&
         a.returns_void == b.returns_void && a.varargs == b.varargs && a.count_param == b.count_param &&
         a.format_param == b.format_param && a.since == b.since && a.until == b.until && a.safer == b.safer &&
         a.ready == b.ready && without_descriptions(a.outcomes) == without_descriptions(b.outcomes);
}

}  // namespace reckon::specs
