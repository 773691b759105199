// What is owed at an end of the function: leaks, counts left changed, borrowed results, references stored without one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

class ReferenceExits : public Property {
 public:
  using Property::Property;

  void exit(const Exit& e) override;

  bool is_object_argument(TermId t) const;
  void check_stored_borrows(const Exit& e);
  bool owning_cell(const State& s, const Cell& c, std::string& name);
  bool lasting_member(const Exit& e, const Cell& c, std::string& name) const;
  bool left_by_caller(const State& s, TermId t) const;
  bool hands_nothing_over(TermId t) const;
  bool moved_out(const State& s, const Obj& o) const;
  bool writes_to_owner(const State& s, const Obj& o) const;
  bool compares_with(TermId global) const;
  bool held_elsewhere(const State& s, const Obj& o) const;
  void check_mixed_result(std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  specs::Ready ready_result() const;
  void check_failure_keeps(const Exit& e);

 private:
  // An end that is being judged.
  struct Ending {
    const Exit& e;
    const State& s;     // of `e`
    TermId returned;    // kNoTerm: nothing, or the function is left by an exception
    bool promises_new;  // the contract: callers get a new reference
    bool entry;         // code that we do not see calls this function
    bool returns_pointer;
  };
  // References to one object at an end.
  struct Left {
    int returns;  // 1: one goes to the caller with the result
    int excess;   // how many are left that go nowhere, below zero: that are missing
  };

  void judge_object(const Ending& end, const Obj& o);
  void judge_new(const Ending& end, const Obj& o, const Left& left);
  void judge_given(const Ending& end, const Obj& o, const Left& left);
  void judge_argument(const Ending& end, const Obj& o, const Left& left);
  void judge_loaded(const Ending& end, const Obj& o, const Left& left);
  void judge_loaded_kept(const Ending& end, const Obj& o, const Left& left);
  void judge_loaded_given_up(const Ending& end, const Obj& o);
  void judge_global(const Ending& end, const Obj& o, const Left& left);
  void judge_unknown(const Ending& end, const Obj& o, const Left& left);
  void judge_result(const Ending& end);

  void check_replaced_globals(const Exit& e);
  bool runs_again() const;
  bool callee_writes(std::string_view global) const;
  bool goes_by_other_globals(const State& s, TermId global) const;
  bool given_on(const Exit& e, TermId old) const;

  bool rewritten_elsewhere(const State& s) const;
  bool lent_array(TermId base) const;
  int plain_copies(const State& s, const Obj& o) const;
  Silence why_kept(const State& s, const Obj& o) const;
  bool just_taken(const Obj& o) const;
  bool part_kept(const State& s, const Obj& o) const;
  bool temporary(const State& s, const Obj& o) const;
  InstrId place_of_leak(const Exit& e, const Obj& o) const;
};

// The last store of something to a field or global of that name, else `otherwise`.
InstrId store_to(const model::Unit& unit, const model::Body& body, std::string_view name, InstrId otherwise);

}  // namespace reckon::engine
