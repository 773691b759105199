// Calls: which outcomes a callee has, and which of them can happen here. apply.cpp says what each does.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "program/values.h"
#include "specs/effects.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;
using specs::Value;

namespace {

// On how many things that only callers can know does the path rest?
std::ptrdiff_t left_to_callers(const State& s) {
  return std::count_if(s.deeds.begin(), s.deeds.end(), [](const Deed& d) { return d.row == specs::effect_rows::when; });
}

// Does the function give an answer and nothing else, by state that no outcome can name?
bool only_answers(const std::vector<Outcome>& outcomes) {
  return !outcomes.empty() && std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    const bool number = o.result.kind == Value::Kind::Int || o.result.kind == Value::Kind::Range ||
                        o.result.kind == Value::Kind::Unknown;
    return number && !specs::any_set<specs::kAnswers>(o) &&
           std::all_of(o.when.begin(), o.when.end(),
                       [](const specs::Condition& c) { return c.place.root == Place::Root::Result; });
  }) && (outcomes.size() > 1 || outcomes[0].result.kind != Value::Kind::Int);
}

// Does the function turn a pointer into one to the struct around it, or give NULL because of what the struct is? Then a
// NULL argument is not what it asks for.
bool only_converts(const model::Type& type, const std::vector<Outcome>& outcomes) {
  bool converts = false, gives_null = false;
  for (const Outcome& o : outcomes) {
    if (specs::any_set<specs::kActs>(o)) return false;
    if (o.result.kind == Value::Kind::Int && o.result.imm == 0) {
      gives_null = true;
      for (const specs::Condition& c : o.when)
        if (c.place.root == Place::Root::Arg && c.place.path.empty() && c.pred == specs::Pred::Eq && c.imm == 0)
          return false;
      continue;
    }
    const Place& p = o.result.place;
    if (o.result.kind != Value::Kind::Place || p.root != Place::Root::Arg || p.index >= type.params.size())
      return false;
    if (p.path.empty() ? type.params[p.index] == type.elem : !p.address || p.path.size() != 1) return false;
    converts = true;
  }
  return converts && gives_null;
}

}  // namespace

// What is called: a function that a spec describes, functions of the program, or one by a name that says no more.
Calls::Callee Calls::callee_of(State& s, InstrId index) {
  const Instr& i = body_.instrs[index];
  const auto ops = body_.ops(i);
  const model::CallInfo* info = i.aux != kNone ? &body_.calls[i.aux] : nullptr;
  Callee callee;
  if (ops[0].kind == OperandKind::Symbol) {
    callee.spec = ctx_.spec_of[unit_id_][ops[0].id];
    callee.name = unit_.name(ops[0].symbol_id());
    const FuncId f = callee.spec ? kNone : ctx_.program.definition(unit_id_, ops[0].symbol_id());
    if (f != kNone) callee.targets.push_back(f);
    for (const model::Attribute& a : unit_.symbols[ops[0].id].attributes) {
      callee.noreturn = callee.noreturn || (unit_.str(a.name) == "noreturn" && !callee.spec);
      callee.nothrow = callee.nothrow || unit_.str(a.name) == "nothrow";
    }
    return callee;
  }
  callee.by_pointer = true;
  // A pointer to functions that do not return, which its type or its declaration says.
  callee.noreturn = index + 1 < body_.instrs.size() && body_.instrs[index + 1].op == model::Op::Unreachable;
  if (info && info->inline_asm) {
    callee.assembly = true;
    return callee;
  }
  const TermId pointer = ops.empty() ? kNoTerm : memory_.eval(s, ops[0], index);
  if (terms_[pointer].kind == TermKind::Global) callee.spec = ctx_.specs.find(terms_.global_name(pointer));
  if (!callee.spec) callee.targets = ctx_.program.targets(id_, i);
  return callee;
}

void Calls::call(State s, InstrId index, States& out) {
  const auto ops = body_.ops(body_.instrs[index]);
  memory_.renew(s, index);  // before the arguments are looked at: one may be what this call gave in the round before
  std::vector<TermId> args;
  for (std::size_t k = 1; k < ops.size(); ++k) args.push_back(memory_.eval(s, ops[k], index));
  const Callee callee = callee_of(s, index);
  const FunctionSpec* spec = callee.spec;
  if (!callee.by_pointer && throws_exception(callee.name)) return loop_.leave_by_throw(std::move(s), index);
  if (callee.noreturn) return hooks_.each<&Property::never_returns>(s, index, args);
  if (callee.by_pointer && spec && spec->outcomes.size() == 1 && spec->outcomes[0].never_returns) return;

  Call at{.index = index, .spec = spec, .args = args};
  if (!check_arguments(s, at)) return;
  if (callee.assembly) {
    // What goes in as a value, and not as memory that is read and written (which stands there twice), may be stored.
    for (const TermId a : args)
      if (std::count(args.begin(), args.end(), a) == 1) hooks_.each<&Property::out_of_sight>(s, a);
    memory_.bind(s, index, terms_.fresh(index, 0, kResult));
    out.push_back(std::move(s));
    return;
  }
  if (!spec && unit_.language == model::Language::Cxx) may_throw(s, at, callee);
  if (!spec && unit_.language != model::Language::Cxx) leave_as_callees_do(s, at, callee);
  if (memory_.memory_function(s, index, callee.name, args)) {
    out.push_back(std::move(s));
    return;
  }
  if (const auto before = hooks_.first<&Property::asked_before>(s, at)) {
    memory_.bind(s, index, *before);
    out.push_back(std::move(s));
    return;
  }
  if (spec)
    call_by_spec(std::move(s), at, out);
  else
    call_program(std::move(s), at, callee, out);
}

// C++: code we know nothing about may throw; what a spec describes does not.
void Calls::may_throw(const State& s, const Call& at, const Callee& callee) {
  const Instr& i = body_.instrs[at.index];
  bool throws = callee.targets.empty() && !memory_name(callee.name) && !never_throws(callee.name);
  for (FuncId f : callee.targets) throws = throws || !ctx_.summaries[f].known || ctx_.summaries[f].may_throw;
  if (callee.nothrow) throws = false;
  if (throws && i.num_targets == 2) {
    State t = s;
    // Whether a container had taken what it was given when memory ran out is not known.
    for (TermId a : cxx_library(callee.name) ? at.args : std::vector<TermId>{}) {
      hooks_.each<&Property::out_of_sight>(t, terms_.root(a));
      for (const Cell& c : t.memory)
        if (c.base == terms_.root(a)) hooks_.each<&Property::out_of_sight>(t, c.value);
    }
    loop_.follow(loop_.current_, body_.succs(i)[1], std::move(t), at.index, kNone);
  }
  if (throws && i.num_targets == 0) loop_.may_throw_ = true;
  if (!throws) leave_as_callees_do(s, at, callee);
}

// A callee may leave this function, too: by an exception, or by a jump.
void Calls::leave_as_callees_do(const State& s, const Call& at, const Callee& callee) {
  const Instr& i = body_.instrs[at.index];
  for (FuncId f : callee.targets) {
    // An exception that leaves C++ for C ends the program.
    if (unit_.language != model::Language::Cxx && ctx_.program.unit(f).language == model::Language::Cxx) continue;
    for (const Outcome& o : ctx_.summaries[f].thrown) {
      State t = s;
      t.thrown = t.thrown || unit_.language != model::Language::Cxx;
      if (apply(t, at.index, o, nullptr, at.args, kNone, ctx_.summaries[f].thrown) != Applied::Done) continue;
      if (i.num_targets == 2)
        loop_.follow(loop_.current_, body_.succs(i)[1], std::move(t), at.index, kNone);
      else
        loop_.leave(std::move(t), at.index, kNoTerm, true);
    }
  }
}

void Calls::call_by_spec(State s, const Call& at, States& out) {
  const FunctionSpec& spec = *at.spec;
  if (spec.leaves) {
    s.thrown = true;
    loop_.leave(std::move(s), at.index, kNoTerm, true);
    return;
  }
  hooks_.each<&Property::before_call>(s, at);
  if (hooks_.any<&Property::answer>(s, at, out)) return;
  if (spec.outcomes.empty()) {
    static const std::vector<Outcome> nothing(1);
    return apply_all(std::move(s), at.index, nothing, &spec, at.args, out);
  }
  const std::size_t before = out.size();
  hooks_.each<&Property::before_outcomes>(s, at);
  apply_all(std::move(s), at.index, spec.outcomes, &spec, at.args, out);
  hooks_.each<&Property::after_outcomes>(out, before, at);
  // Looking up and releasing run code only in a wider sense.
  if (!spec.runs_code || spec.unstable) return;
  for (const Outcome& o : spec.outcomes)
    if (hooks_.any<&Property::gives_up>(o)) return;
  loop_.runs_code_ = true;
  for (std::size_t n = before; n < out.size(); ++n) hooks_.each<&Property::code_ran>(out[n], at);
}

// What a slot's contract says of a call: a new object, or NULL.
std::vector<Outcome> Calls::new_or_null(const Contract& contract) const {
  std::vector<Outcome> out(2);
  out[0].objects.emplace_back().owned = true;
  out[0].result.kind = Value::Kind::Object;
  out[1].result.kind = Value::Kind::Int;
  hooks_.each<&Property::null_by_contract>(contract, out[1]);
  return out;
}

void Calls::call_program(State s, const Call& at, const Callee& callee, States& out) {
  const std::vector<FuncId>& targets = callee.targets;
  // Of a recursive call nothing is known in the first round: ways that do not need it come first.
  if (manner_.recursion_last)
    for (FuncId f : targets)
      if (!ctx_.summaries[f].tried && ctx_.component_of[f] == ctx_.component_of[id_] && ctx_.worth_analysing(f)) return;
  hooks_.each<&Property::program_call>(s, at);
  const bool all_known = !targets.empty() &&
                         std::all_of(targets.begin(), targets.end(), [&](FuncId f) { return ctx_.summaries[f].known; });
  if (all_known) return call_known(std::move(s), at, callee, out);
  // A function in a slot gives what the slot asks for, even if it is too long to be looked at.
  if (targets.size() == 1 && ctx_.contracts[targets[0]].gives_new)
    return apply_all(std::move(s), at.index, new_or_null(ctx_.contracts[targets[0]]), nullptr, at.args, out);
  unknown_call(std::move(s), at.index, at.args, out);
}

// Functions whose outcomes are all known.
void Calls::call_known(State s, const Call& at, const Callee& callee, States& out) {
  const std::vector<FuncId>& targets = callee.targets;
  const std::size_t before = out.size();
  const bool runs_code =
      std::any_of(targets.begin(), targets.end(), [&](FuncId f) { return ctx_.summaries[f].runs_code; });
  const Targets known{targets, callee.by_pointer};
  hooks_.each<&Property::before_targets>(s, at, known);
  if (targets.size() == 1 && body_.instrs[at.index].result != kNone &&
      only_answers(ctx_.summaries[targets[0]].outcomes))
    if (const auto answer = predicate(at.index, at.args)) {
      memory_.bind(s, at.index, *answer);
      out.push_back(std::move(s));
      return;
    }
  if (targets.size() == 1 && !hooks_.all<&Property::target>(s, at, targets[0])) return;
  for (FuncId f : targets) {
    const Summary& sum = ctx_.summaries[f];
    const auto others = hooks_.first<&Property::outcomes_for>(f, callee.by_pointer);
    apply_all(targets.size() == 1 ? std::move(s) : s, at.index, others ? *others : sum.outcomes, nullptr, at.args, out,
              &sum);
  }
  hooks_.each<&Property::after_targets>(out, before, at, known);
  loop_.runs_code_ = loop_.runs_code_ || runs_code;
  for (std::size_t n = before; runs_code && n < out.size(); ++n) hooks_.each<&Property::code_ran>(out[n], at);
}

void Calls::apply_all(State s, InstrId index, const std::vector<Outcome>& outcomes, const FunctionSpec* spec,
                      const std::vector<TermId>& args, States& out, const Summary* summary) {
  const specs::Ready* ready = summary ? &summary->ready_result : spec ? &spec->ready : nullptr;
  const bool pure = summary ? summary->pure : spec && spec->pure;
  const TermId same_answer = pure ? answer(s, index, args) : kNoTerm;
  if (ready &&
      (ready->param >= args.size() || !s.facts.range(terms_, args[ready->param]).within(Range{ready->lo, ready->hi})))
    ready = nullptr;
  // An API that tests its arguments fails when an object is missing.
  bool must_fail = false;
  std::vector<TermId> needed;  // to succeed
  if (spec && std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.failure; }))
    for (std::size_t a = 0; a < args.size() && a < spec->params.size(); ++a) {
      if (spec->params[a].null_ok || !object_parameter(index, a) || s.facts.known_nonzero(terms_, args[a])) continue;
      must_fail = must_fail || s.facts.known_zero(terms_, args[a]);
      needed.push_back(args[a]);
    }
  must_fail = must_fail || hooks_.any<&Property::must_fail>(s, Call{.index = index, .spec = spec, .args = args});
  // Where a call gives back its argument or else NULL, a test for NULL is about the latter.
  const bool or_null = unit_.type(body_.instrs[index].type).kind == model::TypeKind::Pointer &&
                       std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
                         return o.result.kind == Value::Kind::Int && o.result.imm == 0;
                       });
  auto gives_argument = [&](const Outcome& o) {
    return o.result.kind == Value::Kind::Place && o.result.place.root == Place::Root::Arg &&
           o.result.place.path.empty() && o.result.place.index < args.size();
  };
  const bool converts = !spec && or_null && !result_tested(index) &&
                        only_converts(unit_.type(body_.calls[body_.instrs[index].aux].type), outcomes) &&
                        subject_.fails_by_errno(ctx_.unit_domain[unit_id_]);
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    if (converts && outcomes[n].result.kind == Value::Kind::Int)
      continue;  // who does not ask has none of another class
    if (must_fail ? !outcomes[n].failure : outcomes[n].misuse_only && !result_tested(index)) continue;
    if (ready && outcomes[n].failure) continue;
    State t = s;
    if (!outcomes[n].failure)
      for (TermId a : needed) t.facts.assume_cmp(terms_, CmpPred::Ne, a, terms_.zero());
    if (or_null && gives_argument(outcomes[n]) && !s.facts.known_zero(terms_, args[outcomes[n].result.place.index]))
      t.facts.assume_cmp(terms_, CmpPred::Ne, args[outcomes[n].result.place.index], terms_.zero());
    const bool asks_known = spec && std::any_of(outcomes[n].when.begin(), outcomes[n].when.end(),
                                                [](const specs::Condition& c) { return c.known; });
    const Applied applied =
        apply(t, index, outcomes[n], spec, args, static_cast<std::uint32_t>(n), outcomes, same_answer);
    if (applied == Applied::Left && asks_known) return;
    if (applied != Applied::Done) continue;
    if (ready && body_.instrs[index].result != kNone)
      hooks_.each<&Property::preexists>(t, t.value(body_.instrs[index].result));
    trail_.note_changes(s, t, index);
    const bool holds = left_to_callers(t) == left_to_callers(s);
    out.push_back(std::move(t));
    // What is known to be the case is not the other case; what only callers may know may well be.
    if (manner_.one_known_case && asks_known && holds) return;
  }
}

}  // namespace reckon::engine
