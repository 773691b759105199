// The fields of an outcome, described once.
//
// Equality, merging, bytes, parser, printer, the comparison with prototypes, the questions "does this outcome do
// anything?" and the reference page all walk the rows of effects.def, and so does the definition of the fields. A new
// effect is a row there and, if no grammar fits, one more grammar; what it means to the analysis is its owner's to say.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "specs/outcome.h"

namespace reckon::specs {

// How a field is written.
enum class Grammar : std::uint8_t {
  Result,        // the value at the front of an alternative
  Never,         // a result of its own
  Conditions,    // WORD COND and COND ...
  Choice,        // one of several words, each of which stands for an enumerator
  Flag,          // WORD
  Stores,        // P=VALUE
  Objects,       // WORD VALUE, for objects that no other value mentions
  Counts,        // P+N
  Consumed,      // WORD P, which also changes a count
  Holds,         // WORD P [JOINT Q]
  Escapes,       // the same without Q, where that means something else
  Places,        // WORD P
  Pair,          // WORD P JOINT Q
  Pushed,        // WORD P, which also changes the depth
  Depth,         // WORD+N
  DepthOf,       // WORD-P
  DepthUnknown,  // WORD?
  Unsaid,        // the language has no words for it
};

// What becomes of a field when two ends of a function are told as one.
enum class Merge : std::uint8_t {
  Equal,    // only ends that agree in it are
  Union,    // ends that disagree stay apart while there are few; then what either does is told
  Common,   // ends that disagree stay apart while there are few; then what both do is told
  And,      // it stays if it holds for both
  Both,     // it stays if both say something
  Easiest,  // causes: the one that is met more often
  First,    // the first end's
  Weaken,   // conditions: what both imply
  Range,    // results: numbers become a range that holds both
};

// Properties of the engine, as its folders are called; Core belongs to none of them.
enum class Owner : std::uint8_t { Core, References, Exceptions, Lock, Floating, Protection, Blocks };

enum class Computed : std::uint8_t { Yes, Partly };

// Questions about outcomes, each with the fields it looks at. The sets differ for historical reasons; what the program
// finds depends on them, so each stays as it is until somebody shows by the lab that two can be one.
enum Asked : std::uint8_t {
  kNever = 0,
  kAnswers = 1,   // does a function do more than answer? (engine/core/calls.cpp)
  kActs = 2,      // does a function that converts a pointer do anything else? (engine/core/calls.cpp)
  kSays = 4,      // is an outcome worth a line of a pack?
  kTouches = 8,   // does a call concern what protection looks at? (analysis/without_objects.cpp)
  kChanges = 16,  // does a call change a count or the depth of the stack? (program/classify.cpp)
};

struct EffectWord {
  std::string_view text;
  int value = 0;
  std::string_view joint = {};
};

inline constexpr std::size_t kMaxEffectWords = 3;

// What a row says besides types.
struct EffectText {
  std::string_view name;  // of the field
  std::array<EffectWord, kMaxEffectWords> words = {};
  Owner owner = Owner::Core;
  Computed computed = Computed::Yes;
  std::string_view note, forms, meaning;
};

template <std::size_t Index, auto Field, Grammar G, Merge M, unsigned A>
struct Effect {
  static constexpr std::size_t index = Index;
  static constexpr auto field = Field;
  static constexpr Grammar grammar = G;
  static constexpr Merge merge = M;
  static constexpr unsigned asked = A;
};

namespace effect_rows {
enum Index : std::size_t {
#define EFFECT(owner, field, ...) field,
#include "specs/effects.def"
  count
};
}  // namespace effect_rows

inline constexpr std::size_t kNumEffects = effect_rows::count;

#define LIST(...) {__VA_ARGS__}
inline constexpr std::array<EffectText, kNumEffects> kEffectTexts{{
#define EFFECT(owner, field, type, grammar, words, merge, asked, computed, note, forms, meaning) \
  EffectText{#field, {LIST words}, Owner::owner, Computed::computed, note, forms, meaning},
#include "specs/effects.def"
}};
#undef LIST

template <class Ignored, class... Rows>
struct EffectRows {
  using type = std::tuple<Rows...>;
};
using Effects = EffectRows<void
#define EFFECT(owner, field, type, grammar, words, merge, asked, ...) \
  , Effect<effect_rows::field, &Outcome::field, Grammar::grammar, Merge::merge, (asked)>
#include "specs/effects.def"
                           >::type;

// Calls visit(Effect<...>{}) for each row, in order.
template <class Visit>
constexpr void each_effect(Visit&& visit) {
  std::apply([&](auto... effect) { (visit(effect), ...); }, Effects{});
}

template <class T>
bool is_set(const T& field) {
  if constexpr (std::is_same_v<T, Value>)
    return field.kind != Value::Kind::Unknown;
  else if constexpr (requires { field.empty(); })
    return !field.empty();
  else if constexpr (requires { field.has_value(); })
    return field.has_value();
  else
    return field != T{};
}

// Is any field set that this question looks at?
template <Asked question>
bool any_set(const Outcome& o) {
  return std::apply(
      [&](auto... effect) { return (((effect.asked & question) != 0 && is_set(o.*effect.field)) || ...); }, Effects{});
}

// Does the outcome say more of the objects it makes than what they are and which of them is the result?
bool speaks_of_objects(const Outcome& o);

// The words that effects start with, in the order of the rows.
const std::vector<std::string_view>& effect_words();

// The tables of effects and of the properties of contracts for the reference page, as Markdown.
std::string effects_page();
std::string contracts_page();

}  // namespace reckon::specs
