// The table of effects: each field of an outcome is compared, written as text and as bytes, read back, and documented.
#include "specs/effects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "engine/summaries/summary_bytes.h"
#include "specs/printer.h"
#include "test_paths.h"

namespace reckon::specs {
namespace {

// A value of each type of a field that differs from what an outcome starts with. Objects are three, so that they can
// be named.
void sample(std::vector<Condition>& f) { f.push_back({Place{.index = 1}, ~std::uint64_t{0}, Pred::Eq, 4, {}, false}); }
void sample(Value& f) { f = {Value::Kind::Range, 2, 7, {}, 0}; }
void sample(std::vector<Object>& f) { f.resize(3); }
void sample(std::vector<CountChange>& f) { f.push_back({Place{.index = 0}, "pm", 2}); }
void sample(std::vector<StoreEffect>& f) {
  f.push_back({Place{.index = 0, .path = {16}}, Value{Value::Kind::Int, 5, 0, {}, 0}});
}
void sample(std::vector<Hold>& f, bool steals) { f.push_back({Place{.index = 0}, Place{.index = 1}, steals}); }
void sample(std::vector<Place>& f) { f.push_back(Place{.index = 1}); }
void sample(std::vector<DeferredCall>& f) { f.push_back({Place{.index = 1}, Place{.index = 0}}); }
void sample(std::vector<Reprotect>& f) { f.push_back({Place{.index = 1}, Place{.index = 0}}); }
void sample(std::optional<Place>& f) { f = Place{.index = 1}; }
void sample(std::string& f) { f = "f"; }
void sample(bool& f) { f = true; }
void sample(int& f) { f = -2; }
void sample(std::uint16_t& f) { f = 3; }
void sample(Exception& f) { f = Exception::MaybeSet; }
void sample(FailureCause& f) { f = FailureCause::Memory; }
void sample(Pending& f) { f = Pending::Clear; }

template <class E>
Outcome with() {
  Outcome o;
  if constexpr (E::grammar == Grammar::Holds)
    sample(o.*E::field, E::index == effect_rows::holds);
  else
    sample(o.*E::field);
  // Two effects mean a second one as well.
  if constexpr (E::grammar == Grammar::Consumed) o.counts.push_back({Place{.index = 1}, "", -1});
  if constexpr (E::grammar == Grammar::Pushed) o.protects = 1;
  return o;
}

template <class E>
std::string name() {
  return std::string(kEffectTexts[E::index].name);
}

TEST(SpecsEffects, EachFieldHasOneRowAndIsCompared) {
  std::set<std::string_view> names;
  each_effect([&](auto effect) {
    using E = decltype(effect);
    EXPECT_TRUE(names.insert(kEffectTexts[E::index].name).second) << name<E>();
    EXPECT_TRUE(is_set(with<E>().*E::field)) << name<E>();
    EXPECT_FALSE(is_set(Outcome().*E::field)) << name<E>();
    EXPECT_EQ(with<E>(), with<E>()) << name<E>();
    EXPECT_FALSE(with<E>() == Outcome()) << name<E>();
  });
  EXPECT_EQ(names.size(), kNumEffects);
}

TEST(SpecsEffects, TextReadsBack) {
  std::set<std::string> unsaid;
  each_effect([&](auto effect) {
    using E = decltype(effect);
    const Outcome said = with<E>();
    FunctionSpec spec;
    spec.name = "f";
    spec.params = {{.name = "p"}, {.name = "q"}};
    spec.outcomes = {said};
    const std::string line = to_text(spec);
    std::vector<SpecError> errors;
    const SpecFile file = parse_spec("t.spec", line, errors);
    ASSERT_TRUE(errors.empty()) << line << "\n" << errors[0].message;
    ASSERT_EQ(file.functions.size(), 1u) << line;
    ASSERT_EQ(file.functions[0].outcomes.size(), 1u) << line;
    const Outcome& read = file.functions[0].outcomes[0];
    if (E::grammar == Grammar::Unsaid)
      unsaid.insert(name<E>());
    else
      EXPECT_EQ(read.*E::field, said.*E::field) << name<E>() << ": " << line;
  });
  EXPECT_EQ(unsaid, (std::set<std::string>{"cause", "lock", "needs_lock"}));
}

TEST(SpecsEffects, EveryWordIsReadIntoItsField) {
  each_effect([&](auto effect) {
    using E = decltype(effect);
    for (const EffectWord& word : kEffectTexts[E::index].words) {
      if (word.text.empty()) continue;
      std::string line = "fn f(p, q) -> new " + std::string(word.text);
      const Grammar g = E::grammar;
      if (g == Grammar::Conditions) line += " p == 1";
      if (g == Grammar::Objects && word.text == "makes") line += " new";
      if (g != Grammar::Conditions && g != Grammar::Objects && g != Grammar::Flag && g != Grammar::Choice) line += " p";
      if (!word.joint.empty()) line += " " + std::string(word.joint) + " q";
      std::vector<SpecError> errors;
      const SpecFile file = parse_spec("t.spec", line, errors);
      ASSERT_TRUE(errors.empty()) << line << "\n" << errors[0].message;
      EXPECT_TRUE(is_set(file.functions[0].outcomes[0].*E::field)) << line;
    }
  });
}

TEST(SpecsEffects, BytesReadBack) {
  const engine::GlobalNames any = [](std::string&) { return true; };
  each_effect([&](auto effect) {
    using E = decltype(effect);
    engine::Summary before, after;
    before.outcomes = {with<E>()};
    support::Writer out;
    engine::write_summary(out, before, any);
    support::Reader in(out.bytes());
    engine::read_summary(in, after, any);
    EXPECT_TRUE(in.ok()) << name<E>();
    EXPECT_EQ(after.outcomes, before.outcomes) << name<E>();
    support::Writer empty;
    before.outcomes = {Outcome()};
    engine::write_summary(empty, before, any);
    EXPECT_NE(out.bytes(), empty.bytes()) << name<E>() << " is not in the key of kept results";
  });
}

// The sets differ today, and what the program finds depends on each.
TEST(SpecsEffects, QuestionsLookAtTheirFields) {
  auto fields = [](unsigned question) {
    std::string all;
    each_effect([&](auto effect) {
      if (effect.asked & question) all += std::string(kEffectTexts[effect.index].name) + " ";
    });
    return all;
  };
  EXPECT_EQ(fields(kAnswers),
            "never_returns failure stores counts holds escapes releases_holds clobbers frees bare_frees runs sinks "
            "unfloats may_sink gives_blocks frees_blocks ");
  EXPECT_EQ(fields(kActs),
            "never_returns exception failure stores counts holds escapes frees bare_frees runs sinks unfloats may_sink "
            "gives_blocks frees_blocks ");
  EXPECT_EQ(
      fields(kSays),
      "result never_returns when exception stores objects counts holds escapes releases_holds floats sinks unfloats "
      "may_sink protects unprotects allocates gives_blocks frees_blocks ");
  EXPECT_EQ(fields(kTouches),
            "objects holds drops floats sinks unfloats may_sink protected_objects protects unprotects depth_unknown "
            "unprotected reprotects exposes endangers ");
  EXPECT_EQ(fields(kChanges), "counts holds releases_holds sinks protects unprotects ");
  EXPECT_TRUE(any_set<kActs>(with<std::tuple_element_t<effect_rows::frees, Effects>>()));
  EXPECT_FALSE(any_set<kChanges>(with<std::tuple_element_t<effect_rows::frees, Effects>>()));
}

TEST(SpecsEffects, WhatIsNotComputedHasAReason) {
  for (const EffectText& effect : kEffectTexts) {
    EXPECT_TRUE(effect.computed == Computed::Yes || !effect.note.empty()) << effect.name;
    EXPECT_EQ(effect.forms.empty(), effect.meaning.empty()) << effect.name;
  }
}

TEST(SpecsEffects, FlagsReadBack) {
  for (const FlagWord& flag : kFunctionFlags) {
    FunctionSpec spec;
    spec.name = "f";
    spec.*flag.flag = true;
    const std::string line = to_text(spec);
    EXPECT_EQ(line, "fn f() " + std::string(flag.word));
    std::vector<SpecError> errors;
    const SpecFile file = parse_spec("t.spec", line, errors);
    ASSERT_EQ(file.functions.size(), 1u);
    EXPECT_TRUE(file.functions[0].*flag.flag);
    EXPECT_TRUE(equivalent(file.functions[0], spec));
    FunctionSpec other;
    other.name = "f";
    EXPECT_FALSE(equivalent(other, spec)) << flag.word;
  }
}

// `reckon spec words` prints the tables; docs/specs.md has them between marks.
TEST(SpecsEffects, TheReferencePageIsCurrent) {
  std::ifstream in(std::string(RECKON_SOURCE_DIR) + "/docs/specs.md");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("<!-- effects -->\n" + effects_page() + "<!-- end -->"), std::string::npos)
      << "docs/specs.md needs this table:\n"
      << effects_page();
  EXPECT_NE(text.str().find("<!-- contracts -->\n" + contracts_page() + "<!-- end -->"), std::string::npos)
      << "docs/specs.md needs this table:\n"
      << contracts_page();
}

}  // namespace
}  // namespace reckon::specs
