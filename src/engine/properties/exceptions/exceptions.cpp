// The exception state across an outcome of a call.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/exceptions/exceptions.h"
#include "engine/properties/exceptions/ignored_failures.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;

namespace {

// Runs code, which finds the exception that is set and fails in odd places, or says by one that it failed. Functions
// that deal with exceptions do so whatever happens, and those that release are made for cleaning up.
bool wants_no_exception(const FunctionSpec& spec) {
  bool raises = false, succeeds = false;
  for (const Outcome& o : spec.outcomes) {
    if (o.pending == specs::Pending::Raised || o.exception == specs::Exception::Cleared) return false;
    if (std::any_of(o.counts.begin(), o.counts.end(), [](const auto& c) { return c.delta < 0 && c.kind.empty(); }))
      return false;
    (o.exception == specs::Exception::Set ? raises : succeeds) = true;
  }
  return spec.runs_code && raises && succeeds && !spec.drops_gil && !spec.takes_gil;
}

// Does a branch after the call that raised last depend on what that call gave, or on whether an exception is set? What
// only raises needs no test.
bool failure_noticed(const std::vector<PathNode>& nodes, PathId n, const Instr& at, const model::Body& body,
                     const std::vector<const FunctionSpec*>& specs) {
  const program::ValueDefs defs(body);
  auto spec_of = [&](const Instr& i) {
    const auto ops = body.ops(i);
    return i.op == model::Op::Call && !ops.empty() && ops[0].kind == OperandKind::Symbol ? specs[ops[0].id] : nullptr;
  };
  std::vector<InstrId> branches;
  auto depends = [&](auto& self, const model::Operand& o, model::ValueId result, int fuel) -> bool {
    if (o.kind != OperandKind::Value || fuel == 0) return false;
    if (o.value_id() == result) return true;
    const Instr* def = defs.def(o.value_id());
    if (!def) return false;
    if (const FunctionSpec* spec = spec_of(*def)) {
      if (spec->tests_exception) return true;
      return std::any_of(spec->outcomes.begin(), spec->outcomes.end(),
                         [](const Outcome& x) { return x.pending == specs::Pending::Raised; });
    }
    if (def->op == model::Op::Call || def->op == model::Op::Load) return false;
    // A size compared with some number is not asked about failure.
    if (def->op == model::Op::Cmp && result != kNone &&
        std::none_of(body.ops(*def).begin(), body.ops(*def).end(), [](const model::Operand& x) {
          return x.kind == OperandKind::Null || (x.kind == OperandKind::Int && (x.imm == 0 || x.imm == -1));
        }))
      return false;
    for (const model::Operand& x : body.ops(*def))
      if (self(self, x, result, fuel - 1)) return true;
    return false;
  };
  for (; n != kNone; n = nodes[n].parent) {
    if (nodes[n].kind == PathNode::Kind::Branch) branches.push_back(nodes[n].instr);
    if (nodes[n].kind != PathNode::Kind::Call) continue;
    const Instr& call = body.instrs[nodes[n].instr];
    const FunctionSpec* spec = spec_of(call);
    const bool only_raises = spec && !spec->outcomes.empty() &&
                             std::all_of(spec->outcomes.begin(), spec->outcomes.end(),
                                         [](const Outcome& o) { return o.exception == specs::Exception::Set; });
    if (only_raises) return true;
    // Of a helper that failed it is less sure that it raised; the same macro again makes one mistake, not two.
    if (nodes[n].failure && (!spec || (call.loc.macro != 0 && call.loc.macro == at.loc.macro))) return false;
    if (nodes[n].failure)
      return std::any_of(branches.begin(), branches.end(), [&](InstrId b) {
        for (const model::Operand& o : body.ops(body.instrs[b]))
          if (depends(depends, o, call.result, support::kLimits.operands.failure_steps)) return true;
        return false;
      });
  }
  return std::any_of(branches.begin(), branches.end(), [&](InstrId b) {
    for (const model::Operand& o : body.ops(body.instrs[b]))
      if (depends(depends, o, kNone, support::kLimits.operands.failure_steps)) return true;
    return false;
  });
}

}  // namespace

// Which exception must be pending before the call for this outcome to happen.
bool Exceptions::assume_pending(State& s, specs::Pending pending) const {
  if (pending == specs::Pending::Any) return true;
  const bool raised = pending == specs::Pending::Raised;
  const bool clear = s.exception == ExcState::Unset || s.exception == ExcState::Clear;
  if (raised ? clear : s.exception == ExcState::Set) return false;
  if (s.exception == ExcState::Entry) s.pending = pending;
  if (raised)
    s.exception = ExcState::Set;
  else if (!clear)
    s.exception = ExcState::Unset;
  return true;
}

void Exceptions::apply_exception(State& s, const Applying& call) const {
  const Outcome& o = *call.outcome;
  const FunctionSpec* spec = call.spec;
  switch (o.exception) {
    case specs::Exception::Unchanged:
      // Nobody calls what may raise while an exception is set: if that went well, none is.
      if (spec && s.exception == ExcState::Entry)
        for (const Outcome& other : spec->outcomes)
          if (other.exception == specs::Exception::Set) s.exception = ExcState::Unset;
      break;
    case specs::Exception::Set:
      // A function of the program that raises and does not say so: its own affair, not its callers'.
      if (!call.written) s.exception_settled = s.exception_settled || !o.failure;
      s.exception = ExcState::Set;
      break;
    case specs::Exception::Cleared: s.exception = ExcState::Clear; break;
    case specs::Exception::MaybeSet:
      if (s.exception != ExcState::Set) s.exception = ExcState::Maybe;
      break;
  }
}

// Whether an exception is set, and whether that makes the end a failure.
void Exceptions::sum_up(const Exit& e, const NewObjects&, Outcome& o) const {
  const State& s = e.state;
  switch (s.exception) {
    case ExcState::Entry:
    case ExcState::Unset: break;
    case ExcState::Clear: o.exception = specs::Exception::Cleared; break;
    case ExcState::Set: o.exception = specs::Exception::Set; break;
    case ExcState::Maybe: o.exception = specs::Exception::MaybeSet; break;
  }
  const auto k = o.result.kind;
  // A call that failed, and perhaps has set one, and whose word is handed on at once.
  auto handed_on = [&] {
    PathId last = s.path;
    while (last != kNone && path_[last].kind != PathNode::Kind::Call) last = path_[last].parent;
    return s.exception == ExcState::Maybe && last != kNone && path_[last].failure;
  };
  const bool says_so =
      (k == specs::Value::Kind::Int && o.result.imm <= 0) || (k == specs::Value::Kind::Range && o.result.hi <= 0);
  o.failure = s.exception == ExcState::Set ? fn_.result == 0 || says_so : says_so && handed_on();
  o.pending = s.pending;
}

ExcState entry_exception(const Contract& contract) {
  return contract.plain() || contract.frees_object ? ExcState::Entry : ExcState::Unset;
}

bool Exceptions::raises(const Outcome& o) const { return o.exception == specs::Exception::Set; }

// Only ends of iterators give NULL without an exception.
void Exceptions::null_by_contract(const Contract& contract, Outcome& o) const {
  o.failure = contract.null_needs_exception();
  o.exception = o.failure ? specs::Exception::Set : specs::Exception::MaybeSet;
}

void Exceptions::begin(State& s) { s.exception = entry_exception(contract_); }

void Exceptions::set(State& s, ExcState now, InstrId instr) {
  if (s.exception == now) return;
  s.exception = now;
  trail_.note_state(s, instr);
}

bool Exceptions::assume(State& s, Applying& call) { return assume_pending(s, call.outcome->pending); }

void Exceptions::finish(State& s, const Applying& call, TermId) { apply_exception(s, call); }

// A test for an exception is answered by the state. Other calls that find one set, and run code, are told.
bool Exceptions::answer(State& s, const Call& call, States& out) {
  if (call.spec->tests_exception) {
    const bool can_be_clear = s.exception != ExcState::Set;
    const bool can_be_set = s.exception != ExcState::Clear && s.exception != ExcState::Unset;
    if (can_be_clear) {
      State c = s;
      if (c.exception == ExcState::Entry) c.pending = specs::Pending::Clear;
      if (c.exception == ExcState::Entry || c.exception == ExcState::Maybe) set(c, ExcState::Unset, call.index);
      memory_.bind(c, call.index, terms_.zero());
      out.push_back(std::move(c));
    }
    if (can_be_set) {
      if (s.exception == ExcState::Entry) s.pending = specs::Pending::Raised;
      set(s, ExcState::Set, call.index);
      const TermId r = terms_.fresh(call.index, 0, kResult);
      s.facts.assume_cmp(terms_, CmpPred::Ne, r, terms_.zero());
      memory_.bind(s, call.index, r);
      out.push_back(std::move(s));
    }
    return true;
  }
  if (s.exception == ExcState::Set && !s.exception_settled && wants_no_exception(*call.spec)) {
    if (failure_noticed(path_, s.path, body_.instrs[call.index], body_, ctx_.spec_of[unit_id_])) {
      trail_.emit(EventKind::ValueWithException, s, nullptr, call.index, call.callee);
      s.exception_settled = !s.failed;  // what comes of a raise by name is the same mistake; that a failed call is
                                        // forgotten is told at the end
    } else if (const InstrId failed = last_failure(path_, s.path);
               failed != kNone && failed != call.index && asks_object(ctx_, id_, failed) &&
               asks_object(ctx_, id_, call.index) && calls_.result_tested(failed) && calls_.result_tested(call.index) &&
               std::none_of(call.args.begin(), call.args.end(),
                            [&](TermId a) { return s.facts.known_zero(terms_, a); })) {
      if (Event* e = trail_.emit(EventKind::ValueWithException, s, nullptr, call.index, call.callee))
        e->get<ExceptionFacts>().asked = ExceptionFacts::Asked::Later;
      s.exception_settled = true;  // once is enough; the failure itself is asked for later
    } else {
      trail_.silent(Silence::FailureUnnoticed, kNoTerm, call.index);
    }
  }
  return false;
}

void Exceptions::program_call(State& s, const Call& call) {
  if (s.exception == ExcState::Set && !s.exception_settled)
    trail_.silent(Silence::HelperUnderException, kNoTerm, call.index);
}

void Exceptions::unknown(State& s, const Call& call, const model::Type* type) {
  const model::Operand& callee = body_.ops(body_.instrs[call.index])[0];
  // Code of the C++ runtime raises nothing, nor do functions of C that its own code calls with text and numbers.
  const bool cxx = unit_.language == model::Language::Cxx;
  auto plain = [&](model::TypeId t) {
    while (unit_.type(t).kind == model::TypeKind::Pointer) t = unit_.type(t).elem;
    return unit_.type(t).kind != model::TypeKind::Struct && unit_.type(t).kind != model::TypeKind::Function;
  };
  const bool runtime = cxx && (callee.kind == model::OperandKind::Symbol
                                   ? cxx_runtime(unit_.name(callee.symbol_id()))
                                   : type && cxx_library(unit_.name(fn_.symbol)) &&
                                         std::all_of(type->params.begin(), type->params.end(), plain));
  if (s.exception == ExcState::Set)
    s.exception_settled = s.exception_settled || !runtime;
  else if (!runtime)
    set(s, ExcState::Maybe, call.index);  // it may be a helper that raises
}

void Exceptions::exit(const Exit& e) {
  if (!manner_.counts_objects) return;
  const State& s = e.state;
  const bool promises_new = contract_.gives_new || contract_.result_goes_out;
  const TermId returned = !e.by_exception && e.result != kNoTerm ? e.result : kNoTerm;
  const bool returns_pointer = unit_.type(fn_.result).kind == model::TypeKind::Pointer;
  if (s.exception != ExcState::Set && s.exception != ExcState::Entry && returned != kNoTerm) {
    const Range r = s.facts.range(terms_, returned);
    // A module's init function has no other contract than this one.
    const bool null_fails = (contract_.null_needs_exception() && returns_pointer) ||
                            (contract_.leaves_result_open() && fn_.params.empty() && subject_.counted(fn_.result));
    const bool fails = r.is_single() && ((null_fails && r.lo == 0) || (contract_.fails_by_minus_one && r.lo == -1));
    if (fails && s.exception == ExcState::Maybe)
      trail_.silent(Silence::MaybeRaised, kNoTerm, e.instr);
    else if (Event* ev = fails ? trail_.emit(EventKind::NoException, s, nullptr, e.instr) : nullptr)
      ev->get<NoExceptionFacts>().of_member = terms_[returned].kind == TermKind::Initial;
  }
  // Success, by a number that is not negative or by an object.
  const bool succeeds =
      returned != kNoTerm && (promises_new ? s.facts.known_nonzero(terms_, returned)
                                           : contract_.fails_by_minus_one && s.facts.range(terms_, returned).lo >= 0);
  if (s.exception == ExcState::Set && succeeds) {
    if (s.exception_settled)
      trail_.silent(Silence::ExceptionSettled, kNoTerm, e.instr);
    else
      trail_.emit(EventKind::ValueWithException, s, nullptr, e.instr);
  }
  const bool plain = contract_.plain();
  if (plain && !s.exception_settled && s.exception == ExcState::Set && !e.by_exception)
    if (const InstrId call = ignored_failure(ctx_, id_, path_, s.path); call != kNone)
      if (Event* ev =
              trail_.emit(EventKind::ValueWithException, s, nullptr, call, trail_.callee_name(body_.instrs[call])))
        ev->get<ExceptionFacts>().asked = ExceptionFacts::Asked::Never;
}

}  // namespace reckon::engine
