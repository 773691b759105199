// Parses the alternatives of a function: `new | NULL raises`, each into one Outcome.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "specs/effects.h"
#include "specs/scanner.h"
#include "specs/spec.h"

namespace reckon::specs {

// The first thing wrong with a line: where, and "expected X, found Y".
struct Complaint {
  std::size_t offset = 0;
  std::string message;
};

class AlternativeParser {
 public:
  AlternativeParser(Scanner& in, FunctionSpec& fn, std::optional<Complaint>& complaint)
      : in_(in), fn_(fn), complaint_(complaint) {}

  // ALTERNATIVE | ALTERNATIVE ..., up to the end of the line, into fn.outcomes.
  bool parse();

 private:
  enum class Where { Result, Store };

  bool fail(std::size_t at, std::string message);
  bool fail_expected(std::string_view what);
  bool expect_number(std::int64_t& out, std::string_view what);

  std::optional<std::uint32_t> param_index(std::string_view name) const;
  bool effect_follows() const;
  // A parameter or other place comes next and is not the start of an effect on it.
  bool place_follows();
  bool place(Place& out, std::string* kind);
  bool place_step(Place& out, std::string* kind);
  bool value(Value& out, Where where);
  bool number_or_range(Value& out, Where where);
  bool comparison(Value& out, Where where);
  bool object_from(Value& out, Object object, Where where);
  void result_condition(Where where, Pred pred, std::int64_t imm);

  bool alternative();
  bool contradicts_itself(std::size_t at);
  bool owned_or_not(std::size_t at);
  bool effect();
  bool effect_on_place();
  bool keyword_effect(std::string_view word, std::size_t at);
  template <class E>
  bool worded(const EffectWord& word, std::size_t at);
  bool only_one_of(const EffectText& effect, std::size_t at);
  bool objects_effect(std::string_view word);
  bool hold(std::vector<Hold>& list, const EffectWord& word);
  bool joined_place(Place& out, std::string_view joint);
  bool protect_effect(bool* handled);
  bool conditions();
  bool condition();
  bool comparison_follows(Condition& condition);
  bool right_side(Condition& condition, bool masked);
  bool text(Condition& condition, bool masked);

  Scanner& in_;
  FunctionSpec& fn_;
  std::optional<Complaint>& complaint_;
  Outcome* out_ = nullptr;
  std::size_t void_results_ = 0;
  // Of the alternative that is being read: how many of its effects were looked at for contradictions, and which places
  // they store to, steal and keep.
  std::size_t stores_seen_ = 0, holds_seen_ = 0, escapes_seen_ = 0;
  std::set<Place> stored_, stolen_, kept_;
};

}  // namespace reckon::specs
