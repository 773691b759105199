// The simulation of one function: property simulation over its body.
//
// States flow through the blocks in reverse postorder. Where states meet with equal property parts they are
// joined; others stay apart. A block is run again while states that reach it still change, with widening after
// a few rounds, so loops end in a fixpoint. Calls fork the state once per outcome of the callee.
//
// Limits: memory is tracked by (base, offset) with bases assumed not to alias; an unknown callee is assumed not
// to change memory it was not given the address of; elements at a variable index are tracked only as long as
// the index is the same value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/events.h"
#include "engine/flow.h"
#include "engine/state.h"

namespace reckon::engine {

struct Exit {
  State state;
  std::uint32_t instr = model::kNone;  // the Ret or Resume
  TermId result = kNoTerm;             // kNoTerm: void, or left by an exception
  bool by_exception = false;
};

struct FunctionResult {
  Summary summary;
  std::vector<Event> events;
  bool cut_short = false;
  std::string reason;
  std::uint32_t steps = 0;
  std::uint32_t max_states = 0;
};

// When states are joined. Property: where their property parts are equal. Paths: only where they are equal altogether,
// or where a loop has gone round often enough; joins make nothing up, but long functions have too many paths.
enum class Joining : std::uint8_t { Property, Paths };

class Executor {
 public:
  Executor(const Context& context, FuncId function, Joining joining, std::uint32_t steps);

  FunctionResult run();

  // For checks that explain events: valid after run().
  const TermArena& terms() const { return terms_; }
  const std::vector<PathNode>& path_nodes() const { return path_; }
  const std::vector<PathChange>& path_changes() const { return changes_; }
  const std::vector<Exit>& exits() const { return exits_; }
  const model::Function& function() const { return fn_; }
  const model::Unit& unit() const { return unit_; }
  const Context& context() const { return ctx_; }
  FuncId id() const { return id_; }
  // How the exception state is when the function begins.
  ExcState entry_exception() const {
    return contract_ == Contract::None || contract_ == Contract::Dealloc ? ExcState::Entry : ExcState::Unset;
  }
  // Name of the callee of a call instruction as people write it; "" if through an unknown pointer.
  std::string callee_name(const model::Instr& call) const;
  // The name a programmer would use for this term: a variable, `self->field`, `PyList_New()`; "" if none.
  std::string describe(TermId t) const;

 private:
  using States = std::vector<State>;
  struct BlockStates {
    std::vector<State> seen;
    std::vector<std::uint64_t> keys;
    std::vector<char> pending;
    std::vector<std::uint32_t> rounds;
  };

  // ---- executor.cpp: blocks and control flow
  void enter(model::BlockId block, State state);
  bool may_join(const BlockStates& at, model::BlockId block, std::size_t i, const State& state) const;
  void cut(const char* reason);
  void process(model::BlockId block);
  void coarsen(State& s);
  void terminate(model::BlockId block, std::uint32_t instr, State state);
  bool assume(State& s, TermId condition, bool truth);
  void follow(model::BlockId from, model::BlockId to, State state, std::uint32_t instr, std::uint32_t which);
  void prune(State& s, model::BlockId block, std::uint32_t after);  // after: instruction, kNone: at entry of block
  void merge(States& states, model::BlockId block, std::uint32_t after);
  bool live_after(model::BlockId block, std::uint32_t after, model::ValueId v) const;
  void lose(State& s, const Obj& o);
  void leave(State state, std::uint32_t instr, TermId result, bool by_exception);

  // ---- instructions.cpp
  bool simple(State& s, std::uint32_t instr);  // everything that does not fork; false: the path ends here
  TermId eval(State& s, const model::Operand& o, std::uint32_t instr);
  TermId read(State& s, TermId address, model::TypeId type, std::uint32_t instr);
  void write(State& s, TermId address, TermId value, std::uint32_t instr);
  bool check_address(State& s, TermId address, std::uint32_t instr);
  void renew(State& s, std::uint32_t instr);  // the instruction makes its symbols anew
  void bind(State& s, std::uint32_t instr, TermId t);
  void remember_name(TermId t, model::ValueId v);

  // ---- calls.cpp
  void call(State state, std::uint32_t instr, States& out);
  void apply_all(State state, std::uint32_t instr, const std::vector<specs::Outcome>& outcomes,
                 const specs::FunctionSpec* spec, const std::vector<TermId>& args, States& out);
  bool apply(State& s, std::uint32_t instr, const specs::Outcome& o, const specs::FunctionSpec* spec,
             const std::vector<TermId>& args, std::uint32_t number);
  void unknown_call(State state, std::uint32_t instr, const std::vector<TermId>& args, States& out);
  void acquire_buffer(State& s, TermId address, std::uint32_t instr);
  void clobber(State& s, TermId address, std::uint32_t index);
  bool memory_function(State& s, std::uint32_t instr, std::string_view name, const std::vector<TermId>& args);
  bool object_parameter(std::uint32_t instr, std::size_t a) const;
  void leave_by_throw(State state, std::uint32_t instr);
  bool check_arguments(State& s, std::uint32_t instr, const specs::FunctionSpec* spec, const std::vector<TermId>& args);
  void variadic(State& s, std::uint32_t instr, const specs::Outcome& o, const specs::FunctionSpec& spec,
                const std::vector<TermId>& args);
  std::optional<TermId> place(State& s, const specs::Place& p, const std::vector<TermId>& args, std::uint32_t instr,
                              TermId result);
  std::optional<std::string> string_constant(TermId t) const;
  bool builds_from_null(const State& s, const specs::FunctionSpec& spec, const std::vector<TermId>& args) const;

  // ---- objects.cpp: lifecycles
  Obj* obj(State& s, TermId t, std::uint32_t instr);
  void acquire(State& s, TermId t, std::uint32_t instr);
  void release(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  void steal(State& s, TermId t, std::optional<TermId> holder, std::uint32_t instr, bool consumed);
  bool use(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  bool dead(const State& s, const Obj& o, bool& by_owner) const;
  void died(State& s, TermId t, std::uint32_t instr);
  void contents_dropped(State& s, TermId container, std::uint32_t instr);
  bool is_entry() const { return contract_ != Contract::None && contract_ != Contract::Dealloc; }
  int stored_change(const State& s, const Obj& o) const;
  std::uint8_t counted(model::TypeId type) const;  // 1 + domain, 0

  // ---- exits.cpp
  void check_exit(const Exit& e);
  bool writes_to_owner(const State& s, const Obj& o) const;
  int hidden_stores(const State& s, TermId t, const specs::Outcome& o) const;
  specs::Outcome outcome_of(const Exit& e, bool& complete) const;
  void check_mixed_result(std::vector<std::pair<specs::Outcome, const Exit*>>& exits);

  // ---- annotations.cpp
  void check_annotation(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  std::string contradiction(const specs::Outcome& body, const specs::Outcome& said, const State& s) const;
  Summary summarise();

  // ---- pairs.cpp
  void check_pairs(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);

  // nullptr: this was said before.
  Event* emit(EventKind kind, const State& s, const Obj* o, std::uint32_t instr, std::string callee = {});
  void emit_lost(const State& s, const State::Lost& lost, std::uint32_t exit);
  void note(State& s, PathNode node);

  // ---- changes.cpp
  void note_changes(const State& before, State& after, std::uint32_t instr);
  void note_mode(State& s, ExcState exception, std::int8_t threads, std::uint32_t instr);

  const Context& ctx_;
  FuncId id_;
  const model::Function& fn_;
  const model::Unit& unit_;
  const model::Body& body_;
  program::UnitId unit_id_;
  Contract contract_;
  Joining joining_;
  std::uint32_t max_steps_;
  Flow flow_;
  TermArena terms_;
  std::vector<PathNode> path_;
  std::vector<PathChange> changes_;
  std::vector<Exit> exits_;
  bool may_throw_ = false;  // C++: some call may leave this function by an exception
  FunctionResult result_;

  std::vector<BlockStates> blocks_;
  std::map<std::uint32_t, model::BlockId> work_;  // by position in reverse postorder
  std::vector<std::uint32_t> last_uses_;          // of the block being processed
  model::BlockId current_ = 0;
  std::vector<model::TypeId> term_types_;         // pointee knowledge for symbols, by TermId; 0 unknown
  // For names only:
  std::map<TermId, model::ValueId> term_values_;    // some value that held a term, one with a name if any has
  std::map<TermId, std::uint32_t> field_names_;     // address -> index into Body::fields
  std::map<TermId, TermId> slot_of_;                // value -> the local it was stored in
};

}  // namespace reckon::engine
