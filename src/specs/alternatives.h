// Parses the alternatives of a function: `new | NULL raises`, each into one Outcome.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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
  static constexpr std::string_view effect_words[] = {
      "raises",    "may-raise",     "clears",     "fails",     "if-oom",    "when",     "steals",
      "keeps",     "drops-content", "protect",    "makes",     "clobbers",  "consumes", "frees",
      "runs",      "drops",         "allocates",  "unprotect", "reprotect", "exposes",  "endangers",
      "if-raised", "if-clear",      "if-misused", "supposed"};

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
  bool effect();
  bool effect_on_place();
  bool keyword_effect(std::string_view word, std::size_t at);
  bool protect_effect(bool* handled);
  bool later_call();
  bool reprotect();
  bool drop();
  bool conditions();
  bool condition();
  bool comparison_follows(Condition& condition);
  bool right_side(Condition& condition, bool masked);

  Scanner& in_;
  FunctionSpec& fn_;
  std::optional<Complaint>& complaint_;
  Outcome* out_ = nullptr;
  std::size_t void_results_ = 0;
};

}  // namespace reckon::specs
