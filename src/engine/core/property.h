// What the core offers to properties: the moments of a simulation at which one may look or act.
//
// A property is a mechanism of its own: references, named counts, protection from a collector, exceptions, a lock,
// types, formats, pointers. It owns its part of a state (engine/state.h) and overrides the hooks it needs; the core
// calls every active property in the order of engine/properties/properties.def and knows none by name. A hook that
// returns bool says whether the path goes on, unless its comment says otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/applying.h"
#include "engine/core/module.h"

namespace reckon::engine {

// The function begins and ends, and conditions are decided.
class FunctionHooks {
 public:
  virtual void manner(Manner&) const {}  // before all else: what the core has to do in another way
  virtual void begin(State&) {}
  virtual const char* refuses() { return nullptr; }  // why this look would tell nothing, nullptr if it would
  virtual void exit(const Exit&) {}                  // judges one end
  virtual void all_exits() {}                        // judges all of them, after exit() was called for each
  // One end becomes an outcome for callers: says what this property's effects are there.
  virtual void sum_up(const Exit&, const NewObjects&, specs::Outcome&) const {}

  virtual void decision(model::BlockId, TermId) {}                             // a block branches by this value
  virtual bool equal(State&, TermId, TermId) { return true; }                  // two values were found equal
  virtual bool differ(const State&, TermId, TermId) const { return false; }    // true: these cannot be equal
  virtual bool is_object(const State&, TermId) const { return false; }         // true: it points to one for sure
  virtual bool keep_apart(const State&, const State&) const { return false; }  // true: these two are not to be joined
  virtual void too_many(State&) {}                                             // half of the states a block may have
  // A loop keeps making states at its head: what keeps them apart goes.
  virtual void widen(State&, std::span<const State> /*seen*/) {}
  // True: too many states at a loop's head differ in this property alone; it has let go of that.
  virtual bool too_many_alike(State&, std::span<const State> /*seen*/, model::BlockId) { return false; }
  virtual void forget(State&, const Pruning&) {}  // variables and memory went; parts are pruned after this
  virtual void block_begins(State&) {}
  virtual void returned(State&, TermId, InstrId) {}

 protected:
  ~FunctionHooks() = default;
};

// Memory is read and written.
class MemoryHooks {
 public:
  virtual bool dereference(State&, TermId /*address*/, InstrId) { return true; }
  virtual void touch(State&, TermId /*root*/, InstrId) {}            // memory of this is accessed
  virtual void dereferenced(State&, TermId /*address*/, InstrId) {}  // and it was there
  virtual std::optional<TermId> special_read(State&, TermId, std::int64_t) { return std::nullopt; }
  virtual bool special_write(State&, TermId, std::int64_t, TermId, InstrId) { return false; }  // true: done
  virtual void loaded(State&, TermId /*address*/, TermId /*value*/, InstrId) {}
  virtual bool storing(State&, TermId, TermId, InstrId) { return false; }  // a store; true: it did more than that
  virtual void filling(State&, TermId, InstrId) {}                         // memory is copied or set there
  virtual void compared(State&, InstrId) {}
  virtual void overwriting(State&, TermId /*base*/, std::int64_t, TermId /*value*/) {}
  virtual void written(State&, TermId /*value*/, InstrId) {}
  virtual void stored_somewhere(State&, TermId, InstrId) {}          // at an index that is not known
  virtual void out_of_sight(State&, TermId) {}                       // somebody unknown may hold this value now
  virtual void covered(State&, TermId /*value*/, InstrId) {}         // what a local held is written over as a whole
  virtual void moved(State&, TermId, TermId, InstrId) {}             // a block of memory: to, from
  virtual bool in_use(const State&, TermId) const { return false; }  // true: this local is read, not filled
  virtual std::optional<TermId> leads_into(const State&, TermId) const { return std::nullopt; }  // what it points into
  virtual void renewed(State&, TermId) {}           // the symbol is about to be made again
  virtual void forgetting(const State&, TermId) {}  // what stood for the one before it is about to go

 protected:
  ~MemoryHooks() = default;
};

// A call is made.
class CallHooks {
 public:
  virtual void never_returns(State&, InstrId, const std::vector<TermId>&) {}
  virtual bool arguments(State&, const Call&) { return true; }  // before anything else is asked of them
  virtual bool argument(State&, const Call&, std::size_t) { return true; }
  virtual std::optional<TermId> asked_before(State&, const Call&) { return std::nullopt; }
  virtual void before_call(State&, const Call&) {}                     // of a function that a spec describes
  virtual bool answer(State&, const Call&, States&) { return false; }  // true: the states after it are in the list
  virtual bool must_fail(State&, const Call&) { return false; }
  virtual void before_outcomes(State&, const Call&) {}
  virtual void after_outcomes(States&, std::size_t, const Call&) {}  // the states from there on are new
  virtual void code_ran(State&, const Call&) {}
  virtual void program_call(State&, const Call&) {}                    // of a function that no spec describes
  virtual void before_targets(State&, const Call&, const Targets&) {}  // functions of the program
  virtual bool target(State&, const Call&, FuncId) { return true; }    // the one that is called
  virtual std::optional<std::vector<specs::Outcome>> outcomes_for(FuncId, bool) { return std::nullopt; }
  virtual void after_targets(States&, std::size_t, const Call&, const Targets&) {}
  virtual void preexists(State&, TermId) {}                        // what was given is there anyway
  virtual void handing(State&, const Call&, std::size_t, bool) {}  // to a function of which nothing is known;
  virtual void handed(State&, const Call&, std::size_t, const model::Type*) {}
  virtual void unknown(State&, const Call&, const model::Type*) {}
  virtual void unknown_result(State&, const Call&, TermId) {}

 protected:
  ~CallHooks() = default;
};

// One outcome of a call is applied, in this order.
class OutcomeHooks {
 public:
  virtual bool assume(State&, Applying&) { return true; }
  virtual void chosen(State&, const Applying&) {}
  virtual void effects(State&, const Applying&) {}
  virtual void make_objects(State&, const Applying&) {}
  virtual void part_of(State&, const Applying&, TermId, const specs::Value&, TermId) {}  // a pointer into something
  virtual std::optional<TermId> special_value(State&) { return std::nullopt; }
  virtual void found(State&, TermId) {}  // to be some other object
  virtual void stored_by_callee(State&, const Applying&, TermId, TermId, TermId) {}
  virtual void after_stores(State&, const Applying&, TermId) {}
  virtual void result(State&, const Applying&, TermId) {}
  virtual void finish(State&, const Applying&, TermId) {}
  virtual void further_arguments(State&, const Applying&) {}

 protected:
  ~OutcomeHooks() = default;
};

// What fields of an outcome that a property owns mean to the core.
class OutcomeQuestions {
 public:
  virtual bool changes_count(const specs::Outcome&) const { return false; }  // of an object, so that it is no NULL
  virtual bool gives_up(const specs::Outcome&) const { return false; }       // a reference of the caller's
  virtual bool gives_up_argument(std::span<const specs::Outcome>) const { return false; }  // itself, in one of them
  virtual bool raises(const specs::Outcome&) const { return false; }                       // it tells of a failure
  // A function that stands in a slot gives NULL, and this is all that is known of it.
  virtual void null_by_contract(const Contract&, specs::Outcome&) const {}

 protected:
  ~OutcomeQuestions() = default;
};

// What one property tells the others, or asks them.
class Announcements {
 public:
  // A reference was borrowed by a call, or by a read ("" for its name), and something would be safer.
  virtual void borrowed(State&, InstrId, const std::string&, const std::string&) {}
  virtual void releasing(State&, TermId) {}
  virtual bool may_release(const State&, TermId) const { return false; }  // true: the function may, whosever it is
  virtual void died(State&, TermId, InstrId) {}                           // nobody has a reference any more
  virtual bool count_changes(State&, const CountStep&) { return false; }  // a named count; true: it was done

 protected:
  ~Announcements() = default;
};

class Property : public Module,
                 public FunctionHooks,
                 public MemoryHooks,
                 public CallHooks,
                 public OutcomeHooks,
                 public OutcomeQuestions,
                 public Announcements {
 public:
  using Module::Module;
  virtual ~Property() = default;
};

}  // namespace reckon::engine
