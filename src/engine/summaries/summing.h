// The ends of a function as outcomes for its callers.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/applying.h"
#include "engine/core/module.h"

namespace reckon::engine {

using Ends = std::vector<std::pair<specs::Outcome, const Exit*>>;  // each with what it is to callers

class Summing : public Module {
 public:
  using Module::Module;

  bool is_hidden(const Cell& c, const specs::Outcome& o) const;
  int hidden_stores(const State& s, TermId t, const specs::Outcome& o) const;
  specs::Outcome outcome_of(const Exit& e, bool& complete) const;
  void check_annotation(const Ends& exits);
  AnnotationFacts contradiction(const specs::Outcome& body, const specs::Outcome& said, const Exit& e) const;
  Summary summarise();

  std::vector<OutcomeExit> outcome_exits_;

 private:
  // One end while it is being told to callers.
  struct Telling {
    const Exit& e;
    const State& s;  // of `e`
    bool& complete;  // set to false where callers are not told everything
    specs::Outcome o;
    NewObjects known;

    std::optional<specs::Value> known_object(TermId t) const;
    specs::Value add_object(TermId t, const specs::Object& object);
  };

  bool is_new_to_callers(const Obj* x, TermId t) const;
  specs::Object new_to_callers(const State& s, const Obj& x, TermId t) const;
  bool is_found(const Telling& at, const Obj* x, TermId t) const;
  std::optional<specs::Value> part_for_callers(const State& s, TermId t) const;
  std::optional<specs::Value> value_for_callers(Telling& at, TermId t) const;
  void tell_result(Telling& at) const;
  void tell_ranges(Telling& at) const;
  void tell_comparisons(Telling& at) const;
  std::optional<specs::Place> of_result(const Telling& at, const Cell& c) const;
  bool begins_count(const Telling& at, const Cell& c) const;
  bool in_new_memory(const Telling& at, const Cell& c) const;
  void tell_stores(Telling& at) const;
  void tell_returned_struct(Telling& at) const;
  void tell_count(Telling& at, const Obj& x, const specs::Place& p) const;
  void tell_holders(Telling& at, const Obj& x, const specs::Place& p) const;
  void tell_counts(Telling& at) const;
  void tell_remembered(Telling& at) const;
  void tell_more_references(Telling& at) const;
  void tell_embedded(Telling& at) const;
  void tell_clobbers(Telling& at) const;
  std::optional<specs::Place> place_of(const Telling& at, TermId t) const;
  void tell_deeds(Telling& at) const;
  void mark_known(Telling& at) const;
  void tell_cause(Telling& at) const;

  std::optional<bool> gives_reference(const specs::Outcome& body, const Exit& e) const;
  AnnotationFacts contradicts_argument(const specs::Outcome& body, const specs::Outcome& said, const State& s,
                                       std::uint32_t a) const;
  bool relies_on_callees() const;
  AnnotationFacts contradicts_protection(const specs::Outcome& body, const specs::Outcome& said) const;

  void tell_thrown(Summary& sum) const;
  Ends tell_ends(std::deque<Exit>& cases, bool& complete) const;
  void judge(Ends& ends, Summary& sum);
  void correct_failures(Ends& ends) const;
  void tell_endless_error(Summary& sum) const;
  bool only_answers() const;
  void sum_up(Ends& ends, Summary& sum);
};

}  // namespace reckon::engine
