// The part of the spec language after `->`.
//
// Every alternative becomes one Outcome. What its result says is kept twice where that helps: as the Value the
// call gives back, and as a condition on the result, so that a caller's branch on it picks the alternative.
// Which words are effects and which are parameters is told apart by what follows directly: `p+1`, `p.pm-1`,
// `p->f=NULL` have no space inside, so a parameter may have any name. Nothing here recurses on its input.
// alternative_values.cpp reads places, values and conditions.
#include "specs/alternatives.h"

#include <algorithm>

namespace reckon::specs {
namespace {

constexpr std::int64_t max_delta = 1000000;

}  // namespace

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
  stores_seen_ = holds_seen_ = escapes_seen_ = 0;
  stored_.clear();
  stolen_.clear();
  kept_.clear();
  in_.skip_space();
  const std::size_t start = in_.pos();
  // value() adds the object and conditions to *out_ and must not write its result there at the same time.
  Value result;
  if (!value(result, Where::Result)) return false;
  out_->result = std::move(result);
  while (!in_.at_end() && in_.peek() != '|') {
    const std::size_t at = in_.pos();
    if (!effect() || contradicts_itself(at)) return false;
  }
  return !owned_or_not(start);
}

// Does the effect that was read last contradict an earlier one?
bool AlternativeParser::contradicts_itself(std::size_t at) {
  for (; stores_seen_ < out_->stores.size(); ++stores_seen_)
    if (!stored_.insert(out_->stores[stores_seen_].where).second)
      return !fail(at, "this place gets a value twice in one alternative");
  for (; holds_seen_ < out_->holds.size(); ++holds_seen_) {
    const Hold& hold = out_->holds[holds_seen_];
    if (hold.steals && !stolen_.insert(hold.object).second)
      return !fail(at, "the same reference cannot be stolen twice");
    if (!hold.steals) kept_.insert(hold.object);
    if (stolen_.count(hold.object) && kept_.count(hold.object))
      return !fail(at, "an object is either stolen or kept with a reference of its own");
  }
  if (out_->depth_unknown && (out_->protects != 0 || out_->unprotects))
    return !fail(at, "`protect?` says that the depth is not known, so nothing else can be said of it");
  return false;
}

// Two alternatives that callers cannot tell apart, of which only one gives them a reference?
bool AlternativeParser::owned_or_not(std::size_t at) {
  constexpr std::size_t max_compared = 64;
  auto object = [](const Outcome& o) -> const Object* {
    return o.result.kind == Value::Kind::Object && o.result.object < o.objects.size() ? &o.objects[o.result.object]
                                                                                      : nullptr;
  };
  const Outcome& now = *out_;
  const Object* given = object(now);
  if (!given || given->immortal) return false;
  for (std::size_t i = 0; i + 1 < fn_.outcomes.size() && i < max_compared; ++i) {
    const Outcome& before = fn_.outcomes[i];
    const Object* other = object(before);
    if (!other || other->immortal || owns(before, before.result.object) == owns(now, now.result.object)) continue;
    if (before.when == now.when && before.pending == now.pending && before.stores == now.stores &&
        before.misuse_only == now.misuse_only && before.out_of_memory_only == now.out_of_memory_only)
      return !fail(at, "the result is new in one alternative and borrowed in another, and nothing tells callers which");
  }
  return false;
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

// Effects that start with a word: the rows of effects.def say which words there are and what stands behind them.
bool AlternativeParser::keyword_effect(std::string_view word, std::size_t at) {
  bool known = false, right = false;
  each_effect([&](auto effect) {
    for (const EffectWord& candidate : kEffectTexts[effect.index].words) {
      if (known || candidate.text != word) continue;
      known = true;
      right = worded<decltype(effect)>(candidate, at);
    }
  });
  if (known) return right;
  if (param_index(word) || word == "result")
    return fail(in_.pos(), "expected `+N`, `-N` or `=VALUE` right behind " + quoted(word) + ", found " + in_.found());
  in_.rewind(at);
  return fail(at, "expected an effect or `|`, found " + quoted(word) + suggestion(word, effect_words()));
}

template <class E>
bool AlternativeParser::worded(const EffectWord& word, std::size_t at) {
  auto& field = out_->*E::field;
  if constexpr (E::grammar == Grammar::Flag) {
    return field = true;
  } else if constexpr (E::grammar == Grammar::Choice) {
    if (is_set(field)) return only_one_of(kEffectTexts[E::index], at);
    field = static_cast<std::remove_reference_t<decltype(field)>>(word.value);
    if (out_->exception == Exception::Set) out_->failure = true;
    return true;
  } else if constexpr (E::grammar == Grammar::Conditions) {
    return conditions();
  } else if constexpr (E::grammar == Grammar::Objects) {
    return objects_effect(word.text);
  } else if constexpr (E::grammar == Grammar::Consumed) {
    if (!place(field.emplace_back(), nullptr)) return false;
    out_->counts.push_back({field.back(), "", -1});
    return true;
  } else if constexpr (E::grammar == Grammar::Holds) {
    return hold(field, word);
  } else if constexpr (E::grammar == Grammar::Places) {
    return place(field.emplace_back(), nullptr);
  } else if constexpr (E::grammar == Grammar::Pushed) {
    ++out_->protects;
    return place(field.emplace_back(), nullptr);
  } else if constexpr (E::grammar == Grammar::Pair) {
    auto& [first, second] = field.emplace_back();
    return place(first, nullptr) && joined_place(second, word.joint);
  } else {
    return fail(at, quoted(word.text) + " needs something behind it");
  }
}

bool AlternativeParser::only_one_of(const EffectText& effect, std::size_t at) {
  std::string list;
  for (std::size_t i = 0; i < effect.words.size() && !effect.words[i].text.empty(); ++i) {
    const bool last = i + 1 == effect.words.size() || effect.words[i + 1].text.empty();
    list += (i == 0 ? "" : last ? " and " : ", ") + quoted(effect.words[i].text);
  }
  return fail(at, "only one of " + list + " can happen in one alternative");
}

bool AlternativeParser::objects_effect(std::string_view word) {
  if (word == "supposed") {
    for (Object& x : out_->objects) x.assumed_kind = x.owned;
    return true;
  }
  Value ignored;
  std::size_t objects = out_->objects.size();
  std::size_t value_at = (in_.skip_space(), in_.pos());
  if (!value(ignored, Where::Store)) return false;
  return out_->objects.size() > objects || fail(value_at, "expected `new`, `borrowed` or `immortal` after `makes`");
}

// WORD P [JOINT Q]. What is kept by nobody in particular only escapes.
bool AlternativeParser::hold(std::vector<Hold>& list, const EffectWord& word) {
  Hold hold;
  hold.steals = word.value != 0;
  if (!place(hold.object, nullptr)) return false;
  std::size_t before = (in_.skip_space(), in_.pos());
  if (in_.word() == word.joint && !effect_follows()) {
    Place holder;
    if (!place(holder, nullptr)) return false;
    hold.holder = std::move(holder);
  } else {
    in_.rewind(before);
  }
  if (&list == &out_->holds && !hold.steals && !hold.holder)
    out_->escapes.push_back(std::move(hold.object));
  else
    list.push_back(std::move(hold));
  return true;
}

bool AlternativeParser::joined_place(Place& out, std::string_view joint) {
  in_.skip_space();
  const std::size_t at = in_.pos();
  if (in_.word() == joint) return place(out, nullptr);
  in_.rewind(at);
  return fail_expected(quoted(joint) + " and a place");
}

}  // namespace reckon::specs
