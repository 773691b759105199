// Named counts, and ends that callers cannot tell apart: how the counts of two such ends differ, and what that proves.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/property.h"

namespace reckon::engine {

struct CountKey {
  specs::Place place;     // as callers see it
  bool visible = true;    // false: only this function knows the object
  TermId term = kNoTerm;  // the object, where it is known
  std::string kind;
};

// What happened to a count on the way to an end.
struct History {
  std::vector<InstrId> raised;                           // calls that took it, sorted
  std::vector<InstrId> refused;                          // those of them that took it although they failed
  std::vector<InstrId> lowered;                          // calls that gave it back, sorted
  int takes = 0, gives = 0;                              // how often it was taken and given back
  bool in_steps = true;                                  // by one each time: no loop let go of it in between
  std::vector<std::pair<InstrId, std::uint32_t>> calls;  // all calls with the outcome they had, sorted
};

// Was one of `calls` made on this way, whatever came of it?
bool passed(const History& h, const std::vector<InstrId>& calls);

// Must the function leave counts as they were, and does not? That is told there.
bool owes_counts(const Context& ctx, FuncId f);
// Is a failing end that keeps the count left to what undoes the function? Where a failure ends nothing, that is called
// in any case. Of an argument itself whoever calls holds counts of their own.
bool left_to_undo(const Contract& contract, const CountKey& key);

enum class PairEvidence : std::uint8_t { None, State, Mistake };

class Counts : public Property {
 public:
  using Property::Property;

  void exit(const Exit& e) override;
  void sum_up(const Exit& e, const NewObjects& known, specs::Outcome& o) const override;
  void before_targets(State& s, const Call& call, const Targets& targets) override;
  void program_call(State& s, const Call& call) override;
  std::optional<std::vector<specs::Outcome>> outcomes_for(FuncId f, bool by_pointer) override;
  void forget(State& s, const Pruning& pruning) override;
  void widen(State& s, std::span<const State> seen) override;
  void handed(State& s, const Call& call, std::size_t a, const model::Type* type) override;

  void note_count_exits(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits, Summary& sum);
  void check_pairs(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  std::vector<CountKey> counted_keys(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits) const;
  int change(const std::pair<specs::Outcome, const Exit*>& exit, const CountKey& key) const;
  bool found_for_callers(const std::pair<specs::Outcome, const Exit*>& x,
                         const std::pair<specs::Outcome, const Exit*>& other, const CountKey& key) const;
  bool counts_another(const std::pair<specs::Outcome, const Exit*>& x,
                      const std::pair<specs::Outcome, const Exit*>& than, const CountKey& key) const;
  bool changed_by_same_call(const State& x, const State& than, const CountKey& key) const;
  void report_count(EventKind what, const CountKey& key, const std::pair<specs::Outcome, const Exit*>& at,
                    const std::pair<specs::Outcome, const Exit*>* other, int delta, int other_delta);
  History history(const State& s, const CountKey& key) const;
  bool decided_elsewhere(const History& a, const History& b, const CountKey& key) const;
  void note_disputes(InstrId call, const std::vector<FuncId>& targets, bool by_pointer);
  PairEvidence pair_evidence(const std::pair<specs::Outcome, const Exit*>& a,
                             const std::pair<specs::Outcome, const Exit*>& b, const CountKey& key) const;
  void check_failures_alike(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  bool check_count(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  bool check_one_sided(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  bool let_go(const std::pair<specs::Outcome, const Exit*>& x, const CountKey& key, const History& h) const;
  bool undone_twice(const std::pair<specs::Outcome, const Exit*>& a, const std::pair<specs::Outcome, const Exit*>& b,
                    const CountKey& key) const;
  bool under_another_name(const Exit& e, const CountKey& key, int delta) const;
  void check_contract(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  void check_packet(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);

  std::map<InstrId, std::vector<std::string>> disputed_calls_;       // call -> counts its callee's ends disagree about
  std::map<InstrId, std::vector<std::string>> disputed_by_pointer_;  // the same of functions behind one pointer
  std::vector<std::string> disputed_;                                // the same of this function
  std::vector<std::string> disputed_on_success_;                     // counts changed by we know not which function

 private:
  using ExitPair = std::pair<specs::Outcome, const Exit*>;

  // What one end does to a count, at least and at most.
  struct Change {
    int delta = 0, low = 0, high = 0;
    bool absent = false;  // there is no object on this end
  };
  // All ends of the function, with what they do to one count.
  struct Changes {
    const CountKey& key;
    const std::vector<ExitPair>& exits;
    bool ordinary;                                         // references, not a count with a name
    bool by_errno;                                         // failures are negative numbers
    std::vector<Change> ends;                              // one for each of `exits`
    std::pair<const ExitPair*, const ExitPair*> by_state;  // the first pair that only proves that a state is followed
    std::pair<const ExitPair*, const ExitPair*> by_unchecked_get;  // the first that differs by such a get alone

    int delta_of(const ExitPair& x) const;
    bool alike() const;  // no pair of ends can show a mistake
  };
  struct Pair {
    const ExitPair &a, &b;
    const Change &in_a, &in_b;
  };

  // One end, for a count that the function may have taken itself.
  struct CountedExit {
    const ExitPair* end;
    int delta;
    bool kept, dropped, fails;
    History h;

    bool takes() const { return !h.raised.empty(); }
    bool took_as(const CountedExit& other) const;  // by the same call
  };
  // All ends at which the counted object is there, and who has to give its count back.
  struct CountedExits {
    const CountKey& key;
    std::vector<CountedExit> all;
    bool named_only = false;  // no table and no contract: its callers call it by its name
    bool balanced = false;    // a callback that leaves the count as it found it
    bool owed = false;        // the same, or it should only give back
    bool interrupt = false;   // the same, but nobody calls it through a table

    bool owes(const TermArena& terms, const CountedExit& w) const;
  };

  void let_go_of_elements(State& s);
  Changes changes(const CountKey& key, const std::vector<ExitPair>& exits) const;

  // Why a pair of ends proves nothing.
  bool nothing_to_count(const Changes& all, const Pair& p) const;
  bool remembered(const Changes& all, const Pair& p) const;
  bool not_above(const Changes& all, const Pair& p) const;
  bool callers_know(const Changes& all, const Pair& p) const;
  bool passed_on(const Changes& all, const Pair& p) const;
  bool of_another_object(const Changes& all, const Pair& p) const;
  bool came_with_the_call(const Changes& all, const Pair& p) const;
  bool follows_flag(const Changes& all, const Pair& p) const;
  bool not_comparable(const Changes& all, const Pair& p) const;
  bool given_to_somebody(const Changes& all, const Pair& p) const;

  bool proves_mistake(Changes& all, const Pair& p);
  bool fell_wrongly(const Changes& all, const Pair& p) const;
  bool flag_left(const Changes& all, const ExitPair& up, const specs::Place& flag);

  // The rules of check_count(). True: it has reported.
  bool ends_differ(Changes& all);
  bool queue_had_one(Changes& all);
  bool wrong_by_itself(Changes& all);
  bool failure_keeps(Changes& all);
  bool flag_does_not_follow(Changes& all);
  bool get_not_checked(Changes& all);
  bool differ_by_state(Changes& all);

  // Gets whose result nobody looks at (unchecked_gets.cpp).
  InstrId unchecked_get(const ExitPair& a, const ExitPair& b, const CountKey& key) const;

  // The rules of check_one_sided(), of which one_sided_exits.cpp tells. True: it has reported.
  CountedExits counted_exits(const CountKey& key, const std::vector<ExitPair>& exits) const;
  bool callee_decides(const CountedExits& exits, const CountedExit& a, const CountedExit* b,
                      const History& other) const;
  bool kept_here_only(const CountedExits& exits, const CountedExit& a, const CountedExit& b);
  bool refused_get_kept(const CountedExits& exits, const CountedExit& a, const CountedExit& b);
  bool given_too_often(const CountedExits& exits, const CountedExit& a, const CountedExit& b);
  bool never_taken(const CountedExits& exits, const CountedExit& a, const CountedExit& b);
  bool given_for_a_failed_get(const CountedExits& exits, const CountedExit& a, const CountedExit& b);
  bool never_given_back(const CountedExits& exits);
  bool taken_twice(const CountedExits& exits);
};

}  // namespace reckon::engine
