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

#include "engine/core/context.h"
#include "engine/core/events.h"
#include "engine/core/flow.h"
#include "engine/core/state.h"
#include "support/limits.h"

namespace reckon::engine {

struct Exit {
  State state;
  std::uint32_t instr = model::kNone;  // the Ret or Resume
  TermId result = kNoTerm;             // kNoTerm: void, or left by an exception
  bool by_exception = false;
};

// A field of some struct in which the program keeps a reference of its own.
struct OwnedMember {
  std::string record, path;
  bool any_type = false;  // objects of every kind get there
  auto operator<=>(const OwnedMember&) const = default;
};

struct FunctionResult {
  Summary summary;
  std::vector<OwnedMember> owned_members;
  std::vector<Event> events;
  bool cut_short = false;
  bool unsure = false;  // joins left a depth of the protection stack open that paths may decide
  std::string reason;
  std::uint32_t steps = 0;
  std::uint32_t max_states = 0;
};

// When states are joined. Property: where their property parts are equal. Paths: only where they are equal altogether,
// or where a loop has gone round often enough; joins make nothing up, but long functions have too many paths.
// Conditions: by property, where they also agree on the conditions that pushes and pops depend on.
enum class Joining : std::uint8_t { Property, Paths, Conditions };

inline constexpr std::uint32_t kRounds = support::kLimits.looks.path_rounds,
                               kFewRounds = support::kLimits.looks.few_path_rounds;

// One look at a function.
struct Look {
  Joining joining = Joining::Property;
  std::uint32_t steps = 0;
  std::uint32_t rounds = kRounds;  // Paths: states at a loop's head before they are joined
};

class Executor {
 public:
  Executor(const Context& context, FuncId function, const Look& look);

  FunctionResult run();

  bool looped_beyond(std::uint32_t rounds) const;  // after run()

  // For checks that explain events: valid after run().
  const TermArena& terms() const { return terms_; }
  const std::vector<PathNode>& path_nodes() const { return path_; }
  const std::vector<PathChange>& path_changes() const { return changes_; }
  const std::vector<Exit>& exits() const { return exits_; }
  // One way to each outcome of the summary, for callers' reports: its last path node, and where it ends.
  struct End {
    std::uint32_t path = model::kNone, instr = model::kNone;
  };
  const std::vector<End>& outcome_ends() const { return outcome_ends_; }
  const model::Function& function() const { return fn_; }
  const model::Unit& unit() const { return unit_; }
  const Context& context() const { return ctx_; }
  FuncId id() const { return id_; }
  // How the exception state is when the function begins.
  ExcState entry_exception() const {
    return contract_ == Contract::None || contract_ == Contract::NewResult || is_dealloc(contract_) ? ExcState::Entry
                                                                                                    : ExcState::Unset;
  }
  // Name of the callee of a call instruction as people write it; "" if through an unknown pointer.
  std::string callee_name(const model::Instr& call) const;
  // The name a programmer would use for this term: a variable, `self->field`, `PyList_New()`; "" if none.
  std::string describe(TermId t) const;
  // The call that an operand's value came from, "" if it came from elsewhere or from several.
  std::string giver_of(const model::Operand& o) const;

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
  model::BlockId next_block();
  void process(model::BlockId block);
  void coarsen(State& s);
  void terminate(model::BlockId block, std::uint32_t instr, State state);
  bool assume(State& s, TermId condition, bool truth);
  void follow(model::BlockId from, model::BlockId to, State state, std::uint32_t instr, std::uint32_t which);
  void leave(State state, std::uint32_t instr, TermId result, bool by_exception);

  // ---- prune.cpp
  void prune(State& s, model::BlockId block, std::uint32_t after);  // after: instruction, kNone: at entry of block
  void merge(States& states, model::BlockId block, std::uint32_t after);
  bool live_after(model::BlockId block, std::uint32_t after, model::ValueId v) const;
  void lose(State& s, const Obj& o);

  // ---- instructions.cpp
  bool simple(State& s, std::uint32_t instr);  // everything that does not fork; false: the path ends here
  TermId eval(State& s, const model::Operand& o, std::uint32_t instr);
  TermId read(State& s, TermId address, model::TypeId type, std::uint32_t instr);
  void write(State& s, TermId address, TermId value, std::uint32_t instr);
  bool check_address(State& s, TermId address, std::uint32_t instr);
  void renew(State& s, std::uint32_t instr);  // the instruction makes its symbols anew
  void bind(State& s, std::uint32_t instr, TermId t);
  void remember_name(TermId t, model::ValueId v);
  bool is_array(TermId slot) const;

  // ---- apply.cpp
  // One outcome of a call that is being applied.
  struct Applying {
    std::uint32_t index = model::kNone;
    const specs::Outcome* outcome = nullptr;
    const specs::FunctionSpec* spec = nullptr;
    const std::vector<TermId>* args = nullptr;
    std::string callee{};
    std::uint8_t domain = 0;
    bool written = false;   // by a person: a spec that was not computed
    bool only = false;      // the callee has no other outcome
    bool supposed = false;  // what it makes rests on a supposition
  };
  struct Taken {  // an object that the callee steals or keeps
    TermId t = kNoTerm;
    std::optional<TermId> holder;
    bool steals = false;
  };
  bool apply(State& s, std::uint32_t instr, const specs::Outcome& o, const specs::FunctionSpec* spec,
             const std::vector<TermId>& args, std::uint32_t number, bool only);
  std::optional<TermId> place(State& s, const specs::Place& p, const std::vector<TermId>& args, std::uint32_t instr,
                              TermId result);
  bool assume_pending(State& s, specs::Pending pending) const;
  bool assume_condition(State& s, const Applying& call, const specs::Condition& c, TermId result);
  void apply_counts(State& s, const Applying& call);
  std::vector<Taken> taken_by(State& s, const Applying& call);
  void apply_holds(State& s, const Applying& call, const std::vector<Taken>& taken);
  void make_objects(State& s, const Applying& call);
  TermId value_of(State& s, const Applying& call, const specs::Value& v, std::uint32_t which);
  TermId apply_stores(State& s, const Applying& call);
  void apply_result_counts(State& s, const Applying& call, TermId result);
  void apply_exception(State& s, const Applying& call) const;
  bool fails_by_errno(std::uint8_t domain) const {
    return domain < ctx_.specs.domains().size() && ctx_.specs.domains()[domain].failure_value == "errno";
  }

  // ---- calls.cpp
  void call(State state, std::uint32_t instr, States& out);
  void apply_all(State state, std::uint32_t instr, const std::vector<specs::Outcome>& outcomes,
                 const specs::FunctionSpec* spec, const std::vector<TermId>& args, States& out,
                 const specs::Ready* ready = nullptr);
  bool result_tested(std::uint32_t index);
  bool find_result_test(std::uint32_t index) const;
  void unknown_call(State state, std::uint32_t instr, const std::vector<TermId>& args, States& out);
  void acquire_buffer(State& s, TermId address, std::uint32_t instr);
  void clobber(State& s, TermId address, std::uint32_t index);
  bool memory_function(State& s, std::uint32_t instr, std::string_view name, const std::vector<TermId>& args);
  bool object_parameter(std::uint32_t instr, std::size_t a) const;
  bool fills(std::uint32_t instr, const specs::FunctionSpec* spec, std::size_t a, std::int64_t offset) const;
  void leave_by_throw(State state, std::uint32_t instr);
  bool check_arguments(State& s, std::uint32_t instr, const specs::FunctionSpec* spec, const std::vector<TermId>& args);
  void variadic(State& s, std::uint32_t instr, const specs::Outcome& o, const specs::FunctionSpec& spec,
                const std::vector<TermId>& args);
  std::vector<std::size_t> null_before(State& s, std::uint32_t instr, const specs::FunctionSpec& spec,
                                       const std::vector<TermId>& args);
  void leave_null(States& out, std::size_t from, std::uint32_t instr, const std::vector<std::size_t>& optional,
                  const std::vector<TermId>& args);
  void hand_to_format(State& s, std::uint32_t instr, FuncId callee, const std::vector<TermId>& args);
  std::optional<std::string> string_constant(TermId t) const;
  const specs::DomainSpec::Layout* layout(std::int64_t step) const {
    for (const auto* l : layouts_)
      if (l->step == step) return l;
    return nullptr;
  }
  struct Converted {
    bool known = false, owned = false, maybe_null = false, taken_back = false;
  };
  Converted converter(TermId function) const;
  void release_buffer(State& s, TermId address, std::uint32_t instr, const std::string& callee);
  bool builds_from_null(const State& s, const specs::FunctionSpec& spec, const std::vector<TermId>& args) const;

  // ---- objects.cpp: lifecycles
  // Structs by value (aggregates.cpp): the one that is returned here, if it is one, and a member of one.
  TermId returned_whole(State& s, std::uint32_t ret);
  void extract(State& s, std::uint32_t index);
  bool is_whole(TermId t) const;
  bool in_container(TermId t) const;
  static constexpr std::uint32_t kAggregateEpoch = 1u << 30;  // Initial terms that stand for elements of aggregates
  bool from_local(TermId t) const;
  Obj* obj(State& s, TermId t, std::uint32_t instr);
  void acquire(State& s, TermId t, std::uint32_t instr);
  void release(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  void steal(State& s, TermId t, std::optional<TermId> holder, std::uint32_t instr, bool consumed);
  bool use(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  bool dead(const State& s, const Obj& o, bool& by_owner) const;
  void died(State& s, TermId t, std::uint32_t instr);
  void contents_dropped(State& s, TermId container, TermId key, std::uint32_t instr);
  bool is_type_pointer(model::TypeId type) const;
  bool decides_by_type() const;
  bool is_entry() const {
    switch (contract_) {
      case Contract::NewOrNull:
      case Contract::NewOrEnd:
      case Contract::IntError:
      case Contract::Init:
      case Contract::Setter:
      case Contract::GetBuffer:
      case Contract::Other: return true;
      default: return false;
    }
  }
  // A parameter that all calls in sight merely lend.
  bool lent_by_callers(TermId t) const {
    return terms_[t].kind == TermKind::Param && terms_[t].a < 32 && id_ < ctx_.lent_params.size() &&
           (ctx_.lent_params[id_] >> terms_[t].a & 1) != 0;
  }
  bool may_fail_for_good() const { return contract_ == Contract::Acquire || contract_ == Contract::AcquireLent; }
  bool embedded(TermId t) const { return terms_[t].kind == TermKind::Offset; }
  // A pointer with flags in its lowest bits, without them.
  TermId untagged(TermId t) const {
    for (int fuel = support::kLimits.values.tag_steps; fuel > 0 && terms_[t].kind == TermKind::Arith; --fuel) {
      const Term& x = terms_[t];
      const auto op = static_cast<model::ArithOp>(x.sub);
      const bool clears =
          op == model::ArithOp::And && terms_.is_const(x.b) && terms_[x.b].imm < 0 && terms_[x.b].imm >= -8;
      if (!clears && op != model::ArithOp::Or) break;
      t = x.a;
    }
    return t;
  }
  bool refers_to(TermId value, const Obj& o) const {
    return untagged(value) == o.term || (embedded(o.term) && terms_.root(value) == terms_.root(o.term));
  }
  int stored_change(const State& s, const Obj& o) const;
  std::uint8_t counted(model::TypeId type) const;  // 1 + domain, 0

  // ---- later.cpp: references that go with queued structures, actions run later, memory freed
  void kept(State& s, TermId t, std::uint32_t instr);
  void taken_back(State& s, TermId t, TermId key, std::uint32_t instr);
  bool only_in(const State& s, const Obj& o, TermId t) const;
  void freed(State& s, TermId t, std::uint32_t instr);
  void part_released(State& s, TermId part, bool ends_itself);
  void run_later(State& s, TermId function, TermId data, std::uint32_t instr, bool at_once);
  void hand_to_callback(State& s, const std::vector<TermId>& args);
  const std::vector<specs::Outcome>* outcomes_behind(TermId function) const;
  std::optional<TermId> predicate(std::uint32_t instr, const std::vector<TermId>& args);

  // ---- collect.cpp: objects that are collected unless protected
  void start_protection(State& s);
  void find_counters();
  bool may_collect(const specs::FunctionSpec* spec, const specs::Outcome& o) const {
    return o.allocates || (spec && spec->allocates);
  }
  bool gc_use(State& s, TermId t, std::uint32_t instr, const std::string& callee);
  void gc_arguments(State& s, std::uint32_t instr, const specs::FunctionSpec* spec, const specs::Outcome& o,
                    const std::vector<TermId>& args, bool supposed = false);
  void collect(State& s, std::uint32_t instr, const std::vector<TermId>& safe, bool supposed = false);
  void gc_stack(State& s, std::uint32_t instr, const specs::Outcome& o, const std::vector<TermId>& args, TermId result);
  void gc_links(State& s, std::uint32_t instr, const specs::Outcome& o, const std::vector<TermId>& args, TermId result);
  void gc_new(State& s, TermId t, std::uint32_t instr, const specs::Object& x, const std::vector<TermId>& args);
  void gc_unknown(State& s, std::uint32_t instr, const std::vector<TermId>& args);
  void gc_argument_order(State& s, std::uint32_t instr, const std::vector<TermId>& args);
  void pop_to(State& s, const Linear& depth, std::uint32_t instr);
  int compare_zero(State& s, const Linear& l);  // 1: above, 0: equal, -1: below, 2: not known
  bool gc_distinct(const State& s, TermId a, TermId b) const;
  bool depth_told() const;
  std::vector<TermId> gc_lasting(const State& s) const;
  bool gc_supposes(State& s, std::uint32_t instr, const specs::Outcome& o, const std::vector<TermId>& args);
  void gc_rebind(State& s, std::uint32_t instr, const std::vector<TermId>& args);
  void gc_may_jump(State& s, std::uint32_t instr);
  void gc_unlink(State& s, TermId link, std::uint32_t instr);
  GcObject* gc_released(State& s, std::optional<TermId> t);
  void gc_write(State& s, TermId address, std::uint32_t instr);
  void gc_stored(State& s, TermId address, TermId value, std::uint32_t instr);
  void gc_never(State& s, std::uint32_t instr, const std::vector<TermId>& args);
  void check_growth();
  void gc_let_go(State& s, bool only_unnamed);
  TermId stack_top(State& s);
  void set_stack_top(State& s, TermId t, std::uint32_t instr);
  bool is_stack_top(TermId base, std::int64_t offset) const;
  void gc_exit(const Exit& e);
  bool changes_depth_on_purpose(const State& s, TermId result) const;
  bool gc_value(const State& s, TermId t, specs::Object& out) const;
  void gc_outcome(const State& s, TermId result, specs::Outcome& o,
                  const std::vector<std::pair<TermId, std::uint32_t>>& known) const;
  void depth_grows(State& s, model::BlockId block);
  Event* emit_gc(EventKind kind, const State& s, const GcObject* o, std::uint32_t instr, std::string callee = {});
  void expression_calls(std::uint32_t call, std::uint32_t operand, std::vector<std::uint32_t>& out, int fuel) const;

  // ---- decisions.cpp
  void find_decisions();
  void track(TermId condition);
  bool agree(const State& a, const State& b) const;

  // ---- reentry.cpp: code that runs behind our back
  bool shared_container(const State& s, TermId container) const;
  void code_ran(State& s, std::uint32_t instr);
  const specs::DomainSpec::UnstableField* unstable_read(TermId v) const;
  bool holds_lock(const State& s) const;
  void borrow_without_lock(State& s, std::uint32_t instr, std::string callee, const std::string& safer);
  const specs::CountedType* header_read(TermId v, std::string_view* field) const;
  void note_dereference(const State& s, TermId root);
  void check_stored(const Exit& e);
  void used_by_callee(State& s, std::uint32_t index, FuncId f, const std::vector<TermId>& args);
  std::uint32_t uses_ended() const;
  bool owning_cell(const State& s, const Cell& c, std::string& name);
  bool lasting_member(const Exit& e, const Cell& c, std::string& name) const;
  bool left_by_caller(const State& s, TermId t) const;
  bool hands_nothing_over(TermId t) const;
  bool set_to_null(std::uint32_t index, std::size_t a, TermId value) const;
  bool crash_on_null(State& s, std::uint32_t index, FuncId f, const std::vector<TermId>& args);
  void rewritten(State& s, TermId base, std::int64_t offset, TermId value);
  void judge_without_lock(State& s, std::uint32_t instr);

  // ---- own_types.cpp: objects of the program's own types
  void given_back(State& s, TermId t, std::uint32_t instr);
  void check_garbage(State& s, const Obj& o, std::uint32_t instr);
  void check_contract(const Exit& e);
  void note_members(const State& s);
  bool counted_type(TermId global) const;
  void check_types_handed(const State& s);

  // ---- exits.cpp
  void check_exit(const Exit& e);
  bool moved_out(const State& s, const Obj& o) const;
  bool writes_to_owner(const State& s, const Obj& o) const;
  bool compares_with(TermId global) const;
  bool visible_place(TermId t, specs::Place& out) const;  // a symbol as callers see it; false: they cannot
  bool held_elsewhere(const State& s, const Obj& o) const;
  int hidden_stores(const State& s, TermId t, const specs::Outcome& o) const;
  specs::Outcome outcome_of(const Exit& e, bool& complete) const;
  void check_mixed_result(std::vector<std::pair<specs::Outcome, const Exit*>>& exits);

  // ---- annotations.cpp
  void check_annotation(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  std::string contradiction(const specs::Outcome& body, const specs::Outcome& said, const State& s) const;
  Summary summarise();
  void note_count_ends(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits, Summary& sum);
  specs::Ready ready_result() const;

  // ---- pairs.cpp
  void check_pairs(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  struct CountKey {
    specs::Place place;     // as callers see it
    bool visible = true;    // false: only this function knows the object
    TermId term = kNoTerm;  // the object, where it is known
    std::string kind;
  };
  std::vector<CountKey> counted_keys(const std::vector<std::pair<specs::Outcome, const Exit*>>& exits) const;
  int change(const std::pair<specs::Outcome, const Exit*>& exit, const CountKey& key) const;
  bool found_for_callers(const std::pair<specs::Outcome, const Exit*>& x,
                         const std::pair<specs::Outcome, const Exit*>& other, const CountKey& key) const;
  bool counts_another(const std::pair<specs::Outcome, const Exit*>& x,
                      const std::pair<specs::Outcome, const Exit*>& than, const CountKey& key) const;
  void report_count(EventKind what, const CountKey& key, const std::pair<specs::Outcome, const Exit*>& at,
                    const std::pair<specs::Outcome, const Exit*>* other, int delta, int other_delta);
  // evidence.cpp: what happened to a count on the way to an end.
  struct History {
    std::vector<std::uint32_t> raised;                           // calls that took it, sorted
    std::vector<std::uint32_t> refused;                          // those of them that took it although they failed
    int takes = 0, gives = 0;                                    // how often it was taken and given back
    bool in_steps = true;                                        // by one each time: no loop let go of it in between
    std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;  // all calls with the outcome they had, sorted
  };
  History history(const State& s, const CountKey& key) const;
  bool passed(const History& h, const std::vector<std::uint32_t>& calls) const;
  bool decided_elsewhere(const History& a, const History& b, const CountKey& key) const;
  void note_disputes(std::uint32_t call, const std::vector<FuncId>& targets, bool by_pointer);
  bool owes_counts(FuncId f) const;  // must leave counts as they were, and does not: told there
  bool begin_differently(const State& a, const State& b) const;
  enum class Evidence : std::uint8_t { None, State, Mistake };
  Evidence evidence(const std::pair<specs::Outcome, const Exit*>& a, const std::pair<specs::Outcome, const Exit*>& b,
                    const CountKey& key) const;
  void check_failures_alike(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  bool check_count(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);

  // ---- taken.cpp
  bool check_taken(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  bool fails_for_callers(const Exit& e) const;
  bool says_no_success(const Exit& e) const;
  bool let_go(const std::pair<specs::Outcome, const Exit*>& x, const CountKey& key, const History& h) const;
  bool undone_twice(const std::pair<specs::Outcome, const Exit*>& a, const std::pair<specs::Outcome, const Exit*>& b,
                    const CountKey& key) const;
  bool under_another_name(const Exit& e, const CountKey& key, int delta) const;

  // ---- contracts.cpp
  void check_contract(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  void check_packet(const CountKey& key, const std::vector<std::pair<specs::Outcome, const Exit*>>& exits);
  void check_kept_by_failure(const Exit& e);

  // nullptr: this was said before.
  Event* emit(EventKind kind, const State& s, const Obj* o, std::uint32_t instr, std::string callee = {});
  void emit_lost(const State& s, const State::Lost& lost, std::uint32_t exit);
  void note(State& s, PathNode node);

  // ---- changes.cpp
  void note_changes(const State& before, State& after, std::uint32_t instr);
  void note_mode(State& s, ExcState exception, Lock lock, std::uint32_t instr);

  // ---- lock.cpp
  void lock_at_call(State& s, const specs::FunctionSpec& spec, std::uint32_t instr);
  void lock_by_callee(State& s, const specs::Outcome& o, const std::string& callee, std::uint32_t instr);
  std::string lock_user(std::uint32_t instr) const;
  void lock_behind_pointer(States& out, std::size_t before, const std::vector<FuncId>& targets) const;

  const Context& ctx_;
  FuncId id_;
  const model::Function& fn_;
  const model::Unit& unit_;
  const model::Body& body_;
  program::UnitId unit_id_;
  Contract contract_;
  Joining joining_;
  std::uint32_t max_steps_;
  std::uint32_t max_rounds_;
  Flow flow_;
  TermArena terms_;
  std::vector<PathNode> path_;
  std::vector<PathChange> changes_;
  std::vector<Exit> exits_;
  std::vector<End> outcome_ends_;
  TermId nullable_ = kNoTerm;       // a parameter that callers may give as NULL
  bool depends_on_type_ = false;    // a deallocator that looks at its object's type before it decides
  bool looks_only_ = false;         // writes to nothing but its own locals, and calls nobody
  bool runs_code_ = false;          // some call may run arbitrary code
  std::uint32_t dereferences_ = 0;  // bits of the parameters that were dereferenced without a test
  bool may_throw_ = false;          // C++: some call may leave this function by an exception
  bool walked_ = false;             // a loop changed more members of an argument than outcomes can name
  FunctionResult result_;
  std::map<std::uint32_t, std::vector<std::string>> disputed_calls_;  // call -> counts its callee's ends disagree about
  std::map<std::uint32_t, std::vector<std::string>> unsure_calls_;    // the same of functions behind one pointer
  std::map<std::uint32_t, bool> results_tested_;
  std::vector<std::string> disputed_;   // the same of this function
  std::vector<std::string> unsettled_;  // counts changed by we know not which function

  std::vector<BlockStates> blocks_;
  std::map<std::uint32_t, model::BlockId> work_;  // by position in reverse postorder
  std::vector<std::uint32_t> last_uses_;          // of the block being processed
  model::BlockId current_ = 0;
  std::vector<model::TypeId> term_types_;  // pointee knowledge for symbols, by TermId; 0 unknown
  // For names only:
  std::map<TermId, model::ValueId> term_values_;  // some value that held a term, one with a name if any has
  std::map<TermId, std::uint32_t> field_names_;   // address -> index into Body::fields
  bool gc_ = false;                               // objects of this unit are collected unless protected
  Counters counters_;
  std::vector<char> decides_;  // Joining::Conditions: blocks whose last condition is tracked
  std::vector<TermId> tracked_;
  bool pops_ = false, pushes_ = false;     // does some call of the body?
  std::uint64_t endangered_at_error_ = 0;  // arguments that have to be protected by callers, on ways that never return
  std::vector<std::uint32_t> defs_;        // ValueId -> instruction
  std::vector<std::uint32_t> uses_;        // ValueId -> number of uses
  TermId stack_symbol_ = kNoTerm;          // the depth at entry, as a number
  std::string stack_top_name_;
  std::vector<const specs::DomainSpec::Layout*> layouts_;  // of properties, as far as the unit sees the struct
  std::map<TermId, TermId> slot_of_;                       // value -> the local it was stored in
  std::map<TermId, TermId> guise_of_;                      // what an unknown function made of an object -> the object
  std::map<std::pair<std::string, std::vector<TermId>>, std::uint32_t> questions_;  // asked of predicates, by number
};

}  // namespace reckon::engine
