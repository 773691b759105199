// Calls: which outcomes a callee has, which of them can happen here, and what each does to the state.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/applying.h"
#include "engine/core/module.h"

namespace reckon::engine {

// A question about an instruction of the body, which is answered by a search and asked again and again.
class FoundOnce {
 public:
  template <class Search>
  bool get(InstrId instr, Search search) {
    const auto [known, added] = answers_.try_emplace(instr, false);
    if (added) known->second = search();
    return known->second;
  }

 private:
  std::map<InstrId, bool> answers_;
};

class Calls : public Module {
 public:
  using Module::Module;

  // What became of a state that an outcome was applied to: it cannot happen there, the call does not come back, it
  // does.
  enum class Applied { Impossible, Left, Done };
  Applied apply(State& s, InstrId instr, const specs::Outcome& o, const specs::FunctionSpec* spec,
                const std::vector<TermId>& args, std::uint32_t number, std::span<const specs::Outcome> all,
                TermId answer = kNoTerm);
  std::optional<TermId> place(State& s, const specs::Place& p, const std::vector<TermId>& args, InstrId instr,
                              TermId result);
  bool assume_condition(State& s, const Applying& call, const specs::Condition& c, TermId result);
  TermId value_of(State& s, const Applying& call, const specs::Value& v, std::uint32_t which);
  void name_stored_member(const Applying& call, TermId address);
  TermId apply_stores(State& s, const Applying& call);
  struct Callee {
    const specs::FunctionSpec* spec = nullptr;
    std::vector<FuncId> targets{};
    std::string_view name{};  // "" if it is called by a pointer
    bool by_pointer = false;
    bool assembly = false;
    bool noreturn = false;
    bool nothrow = false;
  };
  Callee callee_of(State& s, InstrId instr);
  void call(State state, InstrId instr, States& out);
  void call_by_spec(State s, const Call& at, States& out);
  void call_program(State s, const Call& at, const Callee& callee, States& out);
  void call_known(State s, const Call& at, const Callee& callee, States& out);
  void may_throw(const State& s, const Call& at, const Callee& callee);
  void leave_as_callees_do(const State& s, const Call& at, const Callee& callee);
  void apply_all(State state, InstrId instr, const std::vector<specs::Outcome>& outcomes,
                 const specs::FunctionSpec* spec, const std::vector<TermId>& args, States& out,
                 const Summary* summary = nullptr);
  bool result_tested(InstrId index);
  bool find_result_test(InstrId index) const;
  void unknown_call(State state, InstrId instr, const std::vector<TermId>& args, States& out);
  bool object_parameter(InstrId instr, std::size_t a) const;
  bool fills(InstrId instr, const specs::FunctionSpec* spec, std::size_t a, std::int64_t offset) const;
  std::span<const specs::Outcome> outcomes_of(const Call& call) const;
  bool check_arguments(State& s, Call& call);
  std::optional<std::string> string_constant(TermId t) const;
  const specs::DomainSpec::Layout* layout(std::int64_t step) const {
    for (const auto* l : layouts_)
      if (l->step == step) return l;
    return nullptr;
  }
  const std::vector<specs::Outcome>* outcomes_behind(TermId function) const;
  std::vector<specs::Outcome> new_or_null(const Contract& contract) const;
  std::optional<TermId> predicate(InstrId instr, const std::vector<TermId>& args);
  bool asked_elsewhere(InstrId instr);
  TermId answer(const State& s, InstrId instr, const std::vector<TermId>& args);
  bool give_answer(State& s, const Applying& call, TermId& result);

  FoundOnce results_tested_, asked_elsewhere_;
  std::map<std::pair<std::string, std::vector<TermId>>, std::uint32_t> questions_;  // asked of predicates, by number
  // Asked of functions without effects: by whom it is answered, and how the memory of the arguments was named then.
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::uint32_t> pure_questions_;
  std::vector<std::string> asked_;  // the function, by the number of the question
};

}  // namespace reckon::engine
