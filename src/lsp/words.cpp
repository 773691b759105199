#include "lsp/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "specs/effects.h"

namespace reckon::lsp {

namespace {

using specs::Outcome;
using specs::Place;
using specs::Value;

bool fails(const Outcome& o) { return o.failure || o.exception == specs::Exception::Set; }

void add_once(std::vector<std::string>& list, std::string text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

std::string joined(const std::vector<std::string>& list, std::string_view last) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i == 0 ? "" : i + 1 == list.size() ? fmt::format(" {} ", last) : ", ") + list[i];
  return out;
}

bool is_argument(const Place& place) {
  return place.root == Place::Root::Arg && place.path.empty() && place.field_path.empty();
}

bool is_result(const Outcome& o, const Place& place) {
  if (!place.path.empty() || !place.field_path.empty()) return false;
  return place.root == Place::Root::Result ||
         (place.root == Place::Root::Object && o.result.kind == Value::Kind::Object && o.result.object == place.index);
}

// One effect of an outcome as the spec language says it: WORD P, or WORD P JOINT Q.
struct Said {
  std::string_view word, joint;
  const Place* place = nullptr;
  const Place* other = nullptr;
};

// Walks the rows of effects.def, so that an effect that is new there is told without a word here.
template <class Visit>
void each_said(const Outcome& o, const Visit& visit) {
  using specs::Grammar;
  specs::each_effect([&](auto effect) {
    using E = decltype(effect);
    const specs::EffectText& text = specs::kEffectTexts[effect.index];
    const specs::EffectWord& word = text.words[0];
    const auto& field = o.*E::field;
    if constexpr (E::grammar == Grammar::Holds) {
      for (const specs::Hold& hold : field)
        for (const specs::EffectWord& choice : text.words)
          if (!choice.text.empty() && choice.value == int{hold.steals})
            visit(Said{choice.text, choice.joint, &hold.object, hold.holder ? &*hold.holder : nullptr});
    } else if constexpr (E::grammar == Grammar::Places || E::grammar == Grammar::Escapes ||
                         E::grammar == Grammar::Pushed) {
      for (const Place& p : field) visit(Said{word.text, "", &p, nullptr});
    } else if constexpr (E::grammar == Grammar::Pair) {
      for (const auto& [first, second] : field) visit(Said{word.text, word.joint, &first, &second});
    } else if constexpr (E::grammar == Grammar::DepthOf) {
      if (field) visit(Said{"pops", "", &*field, nullptr});
    }
  });
}

// Does the outcome have the flag that this word of the language stands for?
bool has_flag(const Outcome& o, std::string_view word) {
  bool found = false;
  specs::each_effect([&](auto effect) {
    if constexpr (effect.grammar == specs::Grammar::Flag)
      found = found || (o.*effect.field && specs::kEffectTexts[effect.index].words[0].text == word);
  });
  return found;
}

// How people say it: {0} is the place, {1} the other one. An empty phrase: nobody asks.
struct Phrase {
  std::string_view word, alone, with_other;
};
constexpr Phrase kPhrases[] = {
    {"steals", "steals {0}", "steals {0}"},
    {"keeps", "remembers {0} without a reference", "{1} takes a reference of its own to {0}"},
    {"drops", "nobody keeps {0} any more", "{1} no longer keeps {0}"},
    {"drops-content", "lets go of what {0} held", "lets go of what {1} finds in {0}"},
    {"frees", "frees the memory of {0}", ""},
    {"bare-frees", "frees the memory of {0}, not what it holds", ""},
    {"runs", "", "has {0} called with {1} later"},
    {"protect", "pushes {0} on the protection stack", ""},
    {"pops", "pops as many from the protection stack as {0} says", ""},
    {"unprotect", "takes {0} off the protection stack", ""},
    {"reprotect", "", "protects {0} in the slot that {1} tells"},
    {"clobbers", "", ""},
    {"exposes", "", ""},
    {"endangers", "", ""},
};

// Clauses of one outcome at a time.
class Clauses {
 public:
  explicit Clauses(const Behaviour& b) : b_(b), pointer_(b.pointer) {
    for (const Outcome& o : b.outcomes)
      pointer_ = pointer_ || o.result.kind == Value::Kind::Object || o.result.kind == Value::Kind::Interior ||
                 (o.result.kind == Value::Kind::Place && is_argument(o.result.place));
  }

  std::string result(const Outcome& o) const {
    if (o.never_returns) return "";
    switch (o.result.kind) {
      case Value::Kind::Object: return object(o, o.objects[o.result.object]);
      case Value::Kind::Int: return o.result.imm == 0 && pointer_ ? "NULL" : fmt::format("{}", o.result.imm);
      case Value::Kind::Place: {
        const bool counted = std::any_of(o.counts.begin(), o.counts.end(), [&](const specs::CountChange& c) {
          return c.kind.empty() && c.delta > 0 && (c.object == o.result.place || is_result(o, c.object));
        });
        if (counted) return "a new reference to " + name(o.result.place);
        if (!b_.counted || is_argument(o.result.place)) return name(o.result.place);
        Place root = o.result.place;
        root.path.clear();
        root.field_path.clear();
        return fmt::format("a borrowed reference ({} keeps it alive)", name(root));
      }
      case Value::Kind::Interior:
        return fmt::format("a pointer into {} (valid as long as that lives)", name(o.result.place));
      case Value::Kind::Range: return range(o.result.imm, o.result.hi);
      case Value::Kind::ErrPtr: return "an error pointer";
      case Value::Kind::StackTop: return "the depth of the protection stack";
      case Value::Kind::Unknown: return "";
    }
    return "";
  }

  std::vector<std::string> effects(const Outcome& o) const {
    std::vector<std::string> out;
    int pushed = 0;
    each_said(o, [&](const Said& said) {
      add_once(out, told(said));
      pushed += said.word == "protect";
    });
    specs::each_effect([&](auto effect) {
      if constexpr (effect.grammar == specs::Grammar::Depth) add_once(out, depth(o.*effect.field - pushed));
    });
    for (const specs::CountChange& change : o.counts)
      if (!is_result(o, change.object) && !(change.object == o.result.place && o.result.kind == Value::Kind::Place))
        add_once(out, counted(o, change));
    for (const specs::StoreEffect& store : o.stores) add_once(out, stored(o, store));
    if (o.exception == specs::Exception::Cleared) add_once(out, "clears the exception");
    if (o.exception == specs::Exception::MaybeSet) add_once(out, "may set an exception");
    if (o.allocates) add_once(out, "may collect garbage");
    return out;
  }

  // When the outcome happens, as far as one condition on an argument says it; "" otherwise.
  std::string when(const Outcome& o) const {
    std::optional<std::string> found;
    for (const specs::Condition& c : o.when) {
      if (c.place.root == Place::Root::Result || c.place.root == Place::Root::Object) continue;
      if (found || c.other || c.mask != ~std::uint64_t{0} || !is_argument(c.place)) return "";
      static constexpr const char* kWords[] = {"is",         "is not",       "is less than",
                                               "is at most", "is more than", "is at least"};
      const bool null = c.imm == 0 && (c.pred == specs::Pred::Eq || c.pred == specs::Pred::Ne);
      found = fmt::format("when {} {} {}", name(c.place), kWords[static_cast<std::size_t>(c.pred)],
                          null ? "0 or NULL" : fmt::format("{}", c.imm));
    }
    return found.value_or("");
  }

 private:
  // Paths are written in C's way where fields have names; offsets are nothing for readers.
  std::string name(const Place& place) const {
    if (place.root == Place::Root::Result) return "the result";
    if (place.root == Place::Root::Object) return "what it makes";
    std::string out = place.root == Place::Root::Global ? place.global
                      : place.index < b_.params.size() && !b_.params[place.index].empty()
                          ? b_.params[place.index]
                          : fmt::format("argument {}", place.index + 1);
    for (const std::string& field : place.field_path) out += "->" + field;
    out = "`" + out + "`";
    return place.path.empty() ? out : "what is found in " + out;
  }

  std::string object(const Outcome& o, const specs::Object& object) const {
    std::string out;
    if (object.immortal)
      out = "an object that lives for ever";
    else if (specs::owns(o, o.result.object))
      out = "a new reference";
    else if (object.borrowed_from)
      out = fmt::format("a borrowed reference ({} keeps it alive)", name(*object.borrowed_from));
    else
      out = "a borrowed reference";
    return object.maybe_null ? out + " or NULL" : out;
  }

  static std::string range(std::int64_t low, std::int64_t high) {
    constexpr std::int64_t kLarge = std::numeric_limits<std::int32_t>::max();
    if (high >= kLarge && low <= -kLarge) return "";
    if (high >= kLarge) return fmt::format("{} or more", low);
    if (low <= -kLarge) return fmt::format("{} or less", high);
    return fmt::format("{} to {}", low, high);
  }

  static std::string depth(int further) {
    if (further == 0) return "";
    return further > 0 ? fmt::format("pushes {} more on the protection stack", further)
                       : fmt::format("pops {} from the protection stack", -further);
  }

  // An effect that the table has no phrase for is told in the language's own words.
  std::string told(const Said& said) const {
    const std::string first = name(*said.place), second = said.other ? name(*said.other) : "";
    for (const Phrase& phrase : kPhrases)
      if (phrase.word == said.word)
        return fmt::format(fmt::runtime(said.other ? phrase.with_other : phrase.alone), first, second);
    return fmt::format("{} {}{}", said.word, first, said.other ? fmt::format(" {} {}", said.joint, second) : "");
  }

  std::string counted(const Outcome& o, const specs::CountChange& change) const {
    const std::vector<Place> gone = stolen_by(o);
    if (std::find(gone.begin(), gone.end(), change.object) != gone.end()) return "";  // the same, said before
    const int by = change.delta < 0 ? -change.delta : change.delta;
    if (!change.kind.empty())
      return fmt::format("{} the count `{}` of {} by {}", change.delta > 0 ? "raises" : "lowers", change.kind,
                         name(change.object), by);
    const std::string what = by == 1 ? "a reference" : fmt::format("{} references", by);
    return fmt::format("{} {} to {}", change.delta > 0 ? "takes" : "gives up", what, name(change.object));
  }

  std::string stored(const Outcome& o, const specs::StoreEffect& store) const {
    if (store.where.root != Place::Root::Arg) return "";  // fields of what it makes: nobody asks
    Place into = store.where;
    if (!into.path.empty()) into.path.pop_back();
    const std::string where =
        into.path.empty() && into.field_path.empty() ? "through " + name(into) : "in " + name(into);
    switch (store.value.kind) {
      case Value::Kind::Object: {
        const specs::Object& made = o.objects[store.value.object];
        return fmt::format("stores a {} reference {}", made.owned ? "new" : "borrowed", where);
      }
      case Value::Kind::Int: return store.value.imm == 0 ? "stores NULL or 0 " + where : "";
      case Value::Kind::Place: return fmt::format("stores {} {}", name(store.value.place), where);
      default: return "";
    }
  }

  const Behaviour& b_;
  bool pointer_;
};

// Where an effect shows: in how many outcomes that succeed, and in how many that fail.
struct Seen {
  std::string text;
  std::vector<const Outcome*> succeeding, failing;
};

class Description {
 public:
  explicit Description(const Behaviour& b) : b_(b), clauses_(b) {
    for (const Outcome& o : b.outcomes) {
      if (has_flag(o, "if-misused") && !fails(o)) continue;
      (fails(o) ? failing_ : succeeding_).push_back(&o);
      for (const std::string& text : clauses_.effects(o)) {
        auto known = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& s) { return s.text == text; });
        if (known == seen_.end()) known = seen_.insert(seen_.end(), Seen{text, {}, {}});
        (fails(o) ? known->failing : known->succeeding).push_back(&o);
      }
    }
  }

  std::vector<std::string> text() const {
    std::vector<std::string> out;
    const bool ends = !b_.outcomes.empty() && std::all_of(b_.outcomes.begin(), b_.outcomes.end(),
                                                          [](const Outcome& o) { return o.never_returns; });
    if (ends) out.emplace_back("does not return");
    if (const auto results = results_of(succeeding_); !results.empty())
      out.push_back("returns " + joined(results, "or"));
    if (!failing_.empty()) add_once(out, failure());
    for (const Seen& effect : seen_) out.push_back(told(effect));
    if (b_.flags.runs_code) out.emplace_back("may run any code");
    if (b_.flags.allocates) add_once(out, "may collect garbage");
    if (b_.flags.drops_gil) out.emplace_back("gives the interpreter's lock up");
    if (b_.flags.takes_gil) out.emplace_back("takes the interpreter's lock");
    for (const std::string& param : b_.never_null) out.push_back(fmt::format("`{}` must not be NULL", param));
    return out;
  }

 private:
  std::vector<std::string> results_of(const std::vector<const Outcome*>& outcomes) const {
    std::vector<std::string> out;
    for (const Outcome* o : outcomes) add_once(out, clauses_.result(*o));
    return out;
  }

  std::string failure() const {
    const auto results = results_of(failing_);
    const bool raises = std::all_of(failing_.begin(), failing_.end(),
                                    [](const Outcome* o) { return o->exception == specs::Exception::Set; });
    const bool memory =
        std::all_of(failing_.begin(), failing_.end(), [](const Outcome* o) { return has_flag(*o, "if-oom"); });
    if (results.empty() && !raises) return "";
    if (succeeding_.empty() && results.empty()) return "sets an exception";
    std::string out = succeeding_.empty() ? "returns " : memory ? "on failure (memory has run out) " : "on failure ";
    out += results.empty() ? "it sets an exception" : joined(results, "or");
    return raises && !results.empty() ? out + " with an exception" : out;
  }

  std::string told(const Seen& effect) const {
    const bool always = effect.succeeding.size() == succeeding_.size();
    const bool failing = !failing_.empty() && effect.failing.size() == failing_.size();
    if (succeeding_.empty() && failing) return effect.text;
    if (succeeding_.empty() || effect.succeeding.empty()) return "on failure " + effect.text;
    if (!always) {
      std::string when = effect.succeeding.size() == 1 ? clauses_.when(*effect.succeeding.front()) : "";
      return effect.text + " " + (when.empty() ? "in some cases" : when);
    }
    if (failing_.empty()) return effect.text;
    return effect.text + (failing ? ", also when it fails" : effect.failing.empty() ? ", not when it fails" : "");
  }

  const Behaviour& b_;
  Clauses clauses_;
  std::vector<const Outcome*> succeeding_, failing_;
  std::vector<Seen> seen_;
};

std::string ordinal(std::uint32_t index) {
  static constexpr const char* kWords[] = {"1st", "2nd", "3rd"};
  return index < 3 ? kWords[index] : fmt::format("{}th", index + 1);
}

}  // namespace

std::vector<Place> stolen_by(const Outcome& outcome) {
  std::vector<Place> out;
  each_said(outcome, [&](const Said& said) {
    if (said.word == "steals") out.push_back(*said.place);
  });
  return out;
}

Behaviour behaviour_of(const specs::FunctionSpec& spec) {
  Behaviour out;
  for (const specs::ParamSpec& p : spec.params) {
    out.params.push_back(p.name);
    if (p.null_crashes) out.never_null.push_back(p.name);
  }
  out.outcomes = spec.outcomes;
  out.flags = spec;
  return out;
}

std::vector<std::string> in_words(const Behaviour& behaviour) { return Description(behaviour).text(); }

std::vector<std::string> off_convention(const Behaviour& behaviour) {
  std::vector<std::string> out;
  bool fresh = false, borrowed = false;
  for (const Outcome& o : behaviour.outcomes) {
    if (fails(o)) continue;
    if (o.result.kind == Value::Kind::Object && !o.objects[o.result.object].immortal)
      (specs::owns(o, o.result.object) ? fresh : borrowed) = true;
    // What is read from an argument and not counted is lent by it.
    if (behaviour.counted && o.result.kind == Value::Kind::Place && !o.result.place.path.empty())
      (std::any_of(o.counts.begin(), o.counts.end(),
                   [&](const specs::CountChange& c) { return c.delta > 0 && c.object == o.result.place; })
           ? fresh
           : borrowed) = true;
    for (const Place& place : stolen_by(o))
      if (is_argument(place)) add_once(out, "steals " + ordinal(place.index) + " argument");
    for (const specs::CountChange& c : o.counts)
      if (c.kind.empty() && c.delta < 0 && is_argument(c.object))
        add_once(out, "gives up " + ordinal(c.object.index) + " argument");
    for (const specs::StoreEffect& store : o.stores)
      if (store.where.root == Place::Root::Arg && store.value.kind == Value::Kind::Object &&
          !o.objects[store.value.object].owned)
        add_once(out, "stores borrowed through " + ordinal(store.where.index) + " argument");
  }
  if (borrowed) out.insert(out.begin(), fresh ? "returns borrowed or new" : "returns borrowed");
  return out;
}

}  // namespace reckon::lsp
