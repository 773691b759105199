// Calls: which outcomes a callee has, and which of them can happen here. apply.cpp says what each does.

#include <algorithm>

#include "engine/composition.h"
#include "engine/core/call_symbols.h"
#include "engine/core/conditions.h"
#include "engine/properties/exceptions/ignored_failures.h"
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

// What a slot's contract says of a call: a new object, or NULL, which only ends of iterators give without an exception.
const std::vector<Outcome>& new_or_null(Contract contract) {
  auto make = [](specs::Exception raised) {
    std::vector<Outcome> out(2);
    out[0].objects.emplace_back().owned = true;
    out[0].result.kind = Value::Kind::Object;
    out[1].result.kind = Value::Kind::Int;
    out[1].exception = raised;
    out[1].failure = raised == specs::Exception::Set;
    return out;
  };
  static const std::vector<Outcome> value = make(specs::Exception::Set), item = make(specs::Exception::MaybeSet);
  return contract == Contract::NewOrNull ? value : item;
}

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
bool failure_noticed(const std::vector<PathNode>& nodes, std::uint32_t n, const Instr& at, const model::Body& body,
                     const std::vector<const FunctionSpec*>& specs) {
  const program::ValueDefs defs(body);
  auto spec_of = [&](const Instr& i) {
    const auto ops = body.ops(i);
    return i.op == model::Op::Call && !ops.empty() && ops[0].kind == OperandKind::Symbol ? specs[ops[0].id] : nullptr;
  };
  std::vector<std::uint32_t> branches;
  auto depends = [&](auto& self, const model::Operand& o, model::ValueId result, int fuel) -> bool {
    if (o.kind != OperandKind::Value || fuel == 0) return false;
    if (o.id == result) return true;
    const Instr* def = defs.def(o.id);
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
      return std::any_of(branches.begin(), branches.end(), [&](std::uint32_t b) {
        for (const model::Operand& o : body.ops(body.instrs[b]))
          if (depends(depends, o, call.result, 6)) return true;
        return false;
      });
  }
  return std::any_of(branches.begin(), branches.end(), [&](std::uint32_t b) {
    for (const model::Operand& o : body.ops(body.instrs[b]))
      if (depends(depends, o, kNone, 6)) return true;
    return false;
  });
}

// What a function that must leave counts as they were does to them is its own mistake and told there; callers by way of
// a table know none of its kind.
std::vector<Outcome> without_named_counts(std::vector<Outcome> outcomes) {
  for (Outcome& o : outcomes) std::erase_if(o.counts, [](const specs::CountChange& c) { return !c.kind.empty(); });
  return outcomes;
}

}  // namespace

std::string Trail::callee_name(const Instr& call) const {
  const auto ops = body_.ops(call);
  if (!ops.empty() && ops[0].kind == OperandKind::Symbol) {
    const std::string_view name = unit_.str(unit_.symbols[ops[0].id].display), macro = unit_.str(call.loc.macro);
    // A macro that only renames: the programmer knows the function by the macro's name.
    return std::string(macro.size() >= 4 && name.find(macro) != std::string_view::npos ? macro : name);
  }
  if (call.aux != kNone) return std::string(unit_.str(body_.calls[call.aux].origin));
  return {};
}

// The text of a string literal, if `t` is the address of one.
std::optional<std::string> Calls::string_constant(TermId t) const {
  if (terms_[t].kind != TermKind::Global) return std::nullopt;
  std::string_view name = terms_.global_name(t);
  name = name.substr(0, name.find('@'));
  for (const model::Symbol& sym : unit_.symbols) {
    if (sym.kind != model::SymbolKind::Variable || sym.init == kNone || unit_.str(sym.name) != name) continue;
    const model::Constant& c = unit_.constants[sym.init];
    if (c.kind == model::ConstKind::String) return std::string(unit_.str(c.ref));
    if (c.kind == model::ConstKind::Zero) return std::string();
    return std::nullopt;
  }
  return std::nullopt;
}

void Calls::call(State s, std::uint32_t index, States& out) {
  const Instr& i = body_.instrs[index];
  const auto ops = body_.ops(i);
  memory_.renew(s, index);  // before the arguments are looked at: one may be what this call gave in the round before
  std::vector<TermId> args;
  for (std::size_t k = 1; k < ops.size(); ++k) args.push_back(memory_.eval(s, ops[k], index));
  const model::CallInfo* info = i.aux != kNone ? &body_.calls[i.aux] : nullptr;

  const FunctionSpec* spec = nullptr;
  std::vector<FuncId> targets;
  std::string_view name;
  if (ops[0].kind == OperandKind::Symbol) {
    spec = ctx_.spec_of[unit_id_][ops[0].id];
    name = unit_.name(ops[0].id);
    if (!spec) {
      const FuncId f = ctx_.program.definition(unit_id_, ops[0].id);
      if (f != kNone) targets.push_back(f);
    }
    if (throws_exception(name)) {
      loop_.leave_by_throw(std::move(s), index);
      return;
    }
    for (const model::Attribute& a : unit_.symbols[ops[0].id].attributes)
      if (unit_.str(a.name) == "noreturn" && !spec) {
        if (gc_) props().collector->gc_never(s, index, args);
        return;
      }
  } else if (!(info && info->inline_asm)) {
    const TermId callee = ops.empty() ? kNoTerm : memory_.eval(s, ops[0], index);
    if (terms_[callee].kind == TermKind::Global) spec = ctx_.specs.find(terms_.global_name(callee));
    if (!spec && info && info->origin != 0) spec = ctx_.specs.find(unit_.str(info->origin));
    if (!spec) targets = ctx_.program.targets(id_, i);
    if (spec && !spec->outcomes.empty() && spec->outcomes[0].never_returns && spec->outcomes.size() == 1) return;
  }
  if (!check_arguments(s, index, spec, args)) return;
  if (info && info->inline_asm) {
    memory_.bind(s, index, terms_.fresh(index, 0, kResult));
    out.push_back(std::move(s));
    return;
  }

  // C++: code we know nothing about may throw; what a spec describes does not.
  if (!spec && unit_.language == model::Language::Cxx) {
    bool throws = targets.empty() && !memory_name(name) && !never_throws(name);
    for (FuncId f : targets) throws = throws || !ctx_.summaries[f].ready || ctx_.summaries[f].may_throw;
    if (ops[0].kind == OperandKind::Symbol)
      for (const model::Attribute& a : unit_.symbols[ops[0].id].attributes)
        if (unit_.str(a.name) == "nothrow") throws = false;
    if (throws && i.num_targets == 2) {
      State t = s;
      // Whether a container had taken what it was given when memory ran out is not known.
      for (TermId a : cxx_library(name) ? args : std::vector<TermId>{}) {
        if (Obj* o = t.object(terms_.root(a))) o->escaped = true;
        for (const Cell& c : t.memory)
          if (Obj* o = c.base == terms_.root(a) ? t.object(c.value) : nullptr) o->escaped = true;
      }
      loop_.follow(loop_.current_, body_.succs(i)[1], std::move(t), index, kNone);
    }
    if (throws && i.num_targets == 0) loop_.may_throw_ = true;
    if (!throws)
      for (FuncId f : targets)
        for (const Outcome& o : ctx_.summaries[f].thrown) {
          State t = s;
          if (!apply(t, index, o, nullptr, args, kNone, false)) continue;
          if (i.num_targets == 2)
            loop_.follow(loop_.current_, body_.succs(i)[1], std::move(t), index, kNone);
          else
            loop_.leave(std::move(t), index, kNoTerm, true);
        }
  }

  if (memory_.memory_function(s, index, name, args)) {
    out.push_back(std::move(s));
    return;
  }
  // Asked again of the same object, or of the same globals, it gives what it gave before.
  if (spec && spec->pure && !gc_)
    for (const Obj& o : s.objects) {
      if ((o.kind != ObjKind::Borrowed && o.kind != ObjKind::Interior) || o.origin == kNone || o.origin == index)
        continue;
      const Instr& before = body_.instrs[o.origin];
      const auto asked = body_.ops(before);
      if (before.op != model::Op::Call || asked.size() != ops.size() || !(asked[0] == ops[0])) continue;
      const bool same =
          o.owner != kNoTerm
              ? args.size() == 1 && o.owner == args[0]
              : std::equal(ops.begin(), ops.end(), asked.begin()) &&
                    std::all_of(ops.begin(), ops.end(), [](const auto& x) { return x.kind == OperandKind::Symbol; });
      if (!same) continue;
      memory_.bind(s, index, o.term);
      out.push_back(std::move(s));
      return;
    }
  if (spec) {
    if (spec->leaves) {
      s.thrown = true;
      loop_.leave(std::move(s), index, kNoTerm, true);
      return;
    }
    // Without a container among the arguments it borrows from one that all share, such as the list of modules.
    if (ctx_.free_threaded && !spec->safer.empty() && !args.empty() &&
        (!object_parameter(index, 0) || props().borrows->shared_container(s, terms_.root(args[0]))))
      props().locks->borrow_without_lock(s, index, trail_.callee_name(i), spec->safer);
    props().locks->lock_at_call(s, *spec, index);
    if (spec->tests_exception) {
      const bool can_be_clear = s.exception != ExcState::Set;
      const bool can_be_set = s.exception != ExcState::Clear && s.exception != ExcState::Unset;
      if (can_be_clear) {
        State c = s;
        if (c.exception == ExcState::Entry) c.pending = specs::Pending::Clear;
        if (c.exception == ExcState::Entry || c.exception == ExcState::Maybe)
          trail_.note_mode(c, ExcState::Unset, c.lock, index);
        memory_.bind(c, index, terms_.zero());
        out.push_back(std::move(c));
      }
      if (can_be_set) {
        if (s.exception == ExcState::Entry) s.pending = specs::Pending::Raised;
        trail_.note_mode(s, ExcState::Set, s.lock, index);
        const TermId r = terms_.fresh(index, 0, kResult);
        s.facts.assume_cmp(terms_, CmpPred::Ne, r, terms_.zero());
        memory_.bind(s, index, r);
        out.push_back(std::move(s));
      }
      return;
    }
    if (s.exception == ExcState::Set && !s.helped && wants_no_exception(*spec)) {
      if (failure_noticed(path_, s.path, i, body_, ctx_.spec_of[unit_id_])) {
        trail_.emit(EventKind::ValueWithException, s, nullptr, index, trail_.callee_name(i));
        s.helped = !s.failed;  // what comes of a raise by name is the same mistake; that a failed call is forgotten is
                               // told at the end
      } else if (const std::uint32_t failed = last_failure(path_, s.path);
                 failed != kNone && failed != index && asks_object(ctx_, id_, failed) &&
                 asks_object(ctx_, id_, index) && result_tested(failed) && result_tested(index) &&
                 std::none_of(args.begin(), args.end(), [&](TermId a) { return s.facts.known_zero(terms_, a); })) {
        if (Event* e = trail_.emit(EventKind::ValueWithException, s, nullptr, index, trail_.callee_name(i)))
          e->detail = kAskedLater;
        s.helped = true;  // once is enough; the failure itself is asked for later
      }
    }
    if (spec->outcomes.empty()) {
      static const std::vector<Outcome> nothing(1);
      apply_all(std::move(s), index, nothing, spec, args, out);
    } else {
      const std::size_t before = out.size();
      const std::vector<std::size_t> optional = props().formats->null_before(s, index, *spec, args);
      apply_all(std::move(s), index, spec->outcomes, spec, args, out);
      props().formats->leave_null(out, before, index, optional, args);
      // Looking up and releasing run code only in a wider sense.
      bool releases = spec->unstable;
      for (const Outcome& o : spec->outcomes)
        for (const specs::CountChange& c : o.counts) releases = releases || (c.delta < 0 && c.kind.empty());
      if (spec->runs_code && !releases) {
        loop_.runs_code_ = true;
        for (std::size_t n = before; n < out.size(); ++n) props().borrows->code_ran(out[n], index);
      }
    }
    return;
  }

  // Of a recursive call nothing is known in the first round: ways that do not need it come first.
  if (gc_)
    for (FuncId f : targets)
      if (!ctx_.summaries[f].tried && ctx_.component_of[f] == ctx_.component_of[id_] && ctx_.worth_analysing(f)) return;
  if (contract_ == Contract::Transmit)
    for (TermId a : args)
      if (const TermId root = terms_.root(a); terms_[root].kind == TermKind::Param) {  // a queue's from now on, perhaps
        Carry c = s.carry(root);
        c.root = root;
        c.kept = true;
        s.set_carry(c);
      }
  bool all_known = !targets.empty();
  for (FuncId f : targets) all_known = all_known && ctx_.summaries[f].ready;
  if (all_known) {
    const std::size_t before = out.size();
    bool runs_code = false;
    for (FuncId f : targets) runs_code = runs_code || ctx_.summaries[f].runs_code;
    for (TermId a : args)
      if (Obj* o = s.object(a)) o->garbage = false;  // whatever the callee did about its fields
    if (targets.size() == 1) props().formats->hand_to_format(s, index, targets[0], args);
    const bool by_pointer = ops[0].kind != OperandKind::Symbol;
    props().counts->note_disputes(index, targets, by_pointer);
    if (targets.size() == 1 && body_.instrs[index].result != kNone && only_answers(ctx_.summaries[targets[0]].outcomes))
      if (const auto known = predicate(index, args)) {
        memory_.bind(s, index, *known);
        out.push_back(std::move(s));
        return;
      }
    if (targets.size() == 1 && props().pointers->crash_on_null(s, index, targets[0], args)) return;
    for (FuncId f : targets) {
      const Summary& sum = ctx_.summaries[f];
      const bool owes = by_pointer && props().counts->owes_counts(f);
      apply_all(targets.size() == 1 ? std::move(s) : s, index, owes ? without_named_counts(sum.outcomes) : sum.outcomes,
                nullptr, args, out, &sum.ready_result);
    }
    if (targets.size() == 1)
      for (std::size_t n = before; n < out.size(); ++n)
        props().references->used_by_callee(out[n], index, targets[0], args);
    if (ops[0].kind != OperandKind::Symbol) props().locks->lock_behind_pointer(out, before, targets);
    loop_.runs_code_ = loop_.runs_code_ || runs_code;
    for (std::size_t n = before; gc_ && runs_code && n < out.size(); ++n) props().collector->gc_may_jump(out[n], index);
    for (std::size_t n = before; runs_code && n < out.size(); ++n) props().borrows->code_ran(out[n], index);
    return;
  }
  // A function in a slot gives what the slot asks for, even if it is too long to be looked at.
  if (targets.size() == 1 &&
      (ctx_.contracts[targets[0]] == Contract::NewOrNull || ctx_.contracts[targets[0]] == Contract::NewOrEnd)) {
    apply_all(std::move(s), index, new_or_null(ctx_.contracts[targets[0]]), nullptr, args, out);
    return;
  }
  unknown_call(std::move(s), index, args, out);
}

// The C++ runtime's throw does not return, but it does leave the function.
void Loop::leave_by_throw(State s, std::uint32_t index) {
  s.thrown = true;
  const Instr& i = body_.instrs[index];
  if (i.num_targets == 2)
    follow(current_, body_.succs(i)[1], std::move(s), index, kNone);
  else
    leave(std::move(s), index, kNoTerm, true);
}

void Calls::apply_all(State s, std::uint32_t index, const std::vector<Outcome>& outcomes, const FunctionSpec* spec,
                      const std::vector<TermId>& args, States& out, const specs::Ready* ready) {
  if (spec && !ready) ready = &spec->ready;
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
  if (spec && spec->varargs == specs::VarargKind::BuildFormat)
    must_fail = must_fail || props().formats->builds_from_null(s, *spec, args);
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
    if (!apply(t, index, outcomes[n], spec, args, static_cast<std::uint32_t>(n), outcomes.size() == 1)) continue;
    if (Obj* o = ready && body_.instrs[index].result != kNone ? t.object(t.value(body_.instrs[index].result)) : nullptr)
      o->ready = true;
    trail_.note_changes(s, t, index);
    out.push_back(std::move(t));
    // What is known to be the case is not the other case.
    if (!gc_ && spec && std::any_of(outcomes[n].when.begin(), outcomes[n].when.end(), [](const specs::Condition& c) {
          return c.known;
        }))
      return;
  }
}

}  // namespace reckon::engine
