// Calls: which outcomes a callee has, and what each does to the caller's state.

#include <algorithm>

#include "engine/call_symbols.h"
#include "engine/conditions.h"
#include "engine/executor.h"

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

CmpPred to_cmp(specs::Pred p) {
  switch (p) {
    case specs::Pred::Eq: return CmpPred::Eq;
    case specs::Pred::Ne: return CmpPred::Ne;
    case specs::Pred::Lt: return CmpPred::Slt;
    case specs::Pred::Le: return CmpPred::Sle;
    case specs::Pred::Gt: return CmpPred::Sgt;
    case specs::Pred::Ge: return CmpPred::Sge;
  }
  return CmpPred::Eq;
}

// Does the function give an answer and nothing else, by state that no outcome can name?
bool only_answers(const std::vector<Outcome>& outcomes) {
  return !outcomes.empty() && std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    const bool number = o.result.kind == Value::Kind::Int || o.result.kind == Value::Kind::Range || o.result.kind == Value::Kind::Unknown;
    const bool effects = !o.counts.empty() || !o.holds.empty() || !o.stores.empty() || !o.clobbers.empty() || !o.frees.empty() ||
                         !o.escapes.empty() || !o.runs.empty() || !o.releases_holds.empty() || o.never_returns || o.failure;
    return number && !effects && std::all_of(o.when.begin(), o.when.end(), [](const specs::Condition& c) {
      return c.place.root == Place::Root::Result;
    });
  }) && (outcomes.size() > 1 || outcomes[0].result.kind != Value::Kind::Int);
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

bool on_result(const Place& p) { return p.root == Place::Root::Result || p.root == Place::Root::Object; }

}  // namespace

std::string Executor::callee_name(const Instr& call) const {
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
std::optional<std::string> Executor::string_constant(TermId t) const {
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

void Executor::call(State s, std::uint32_t index, States& out) {
  const Instr& i = body_.instrs[index];
  const auto ops = body_.ops(i);
  renew(s, index);  // before the arguments are looked at: one may be what this call gave in the round before
  std::vector<TermId> args;
  for (std::size_t k = 1; k < ops.size(); ++k) args.push_back(eval(s, ops[k], index));
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
      leave_by_throw(std::move(s), index);
      return;
    }
    for (const model::Attribute& a : unit_.symbols[ops[0].id].attributes)
      if (unit_.str(a.name) == "noreturn" && !spec) {
        if (gc_) gc_never(s, index, args);
        return;
      }
  } else if (!(info && info->inline_asm)) {
    const TermId callee = ops.empty() ? kNoTerm : eval(s, ops[0], index);
    if (terms_[callee].kind == TermKind::Global) spec = ctx_.specs.find(terms_.global_name(callee));
    if (!spec && info && info->origin != 0) spec = ctx_.specs.find(unit_.str(info->origin));
    if (!spec) targets = ctx_.program.targets(id_, i);
    if (spec && !spec->outcomes.empty() && spec->outcomes[0].never_returns && spec->outcomes.size() == 1) return;
  }
  if (!check_arguments(s, index, spec, args)) return;
  if (info && info->inline_asm) {
    bind(s, index, terms_.fresh(index, 0, kResult));
    out.push_back(std::move(s));
    return;
  }

  // C++: code we know nothing about may throw; what a spec describes does not.
  if (!spec && unit_.language == model::Language::Cxx) {
    bool throws = targets.empty() && !memory_name(name);
    for (FuncId f : targets) throws = throws || !ctx_.summaries[f].ready || ctx_.summaries[f].may_throw;
    for (const model::Attribute& a : ops[0].kind == OperandKind::Symbol ? unit_.symbols[ops[0].id].attributes : std::vector<model::Attribute>{})
      if (unit_.str(a.name) == "nothrow") throws = false;
    if (throws && i.num_targets == 2) follow(current_, body_.succs(i)[1], s, index, kNone);
    if (throws && i.num_targets == 0) may_throw_ = true;
  }

  if (memory_function(s, index, name, args)) {
    out.push_back(std::move(s));
    return;
  }
  // Asked again of the same object, or of the same globals, it gives what it gave before.
  if (spec && spec->pure && !gc_)
    for (const Obj& o : s.objects) {
      if ((o.kind != ObjKind::Borrowed && o.kind != ObjKind::Interior) || o.origin == kNone || o.origin == index) continue;
      const Instr& before = body_.instrs[o.origin];
      const auto asked = body_.ops(before);
      if (before.op != model::Op::Call || asked.size() != ops.size() || !(asked[0] == ops[0])) continue;
      const bool same = o.owner != kNoTerm ? args.size() == 1 && o.owner == args[0]
                                           : std::equal(ops.begin(), ops.end(), asked.begin()) && std::all_of(ops.begin(), ops.end(), [](const auto& x) {
                                               return x.kind == OperandKind::Symbol;
                                             });
      if (!same) continue;
      bind(s, index, o.term);
      out.push_back(std::move(s));
      return;
    }
  if (spec) {
    if (spec->leaves) {
      s.thrown = true;
      leave(std::move(s), index, kNoTerm, true);
      return;
    }
    if (ctx_.free_threaded && !spec->safer.empty() && !args.empty() && shared_container(s, terms_.root(args[0])))
      if (Event* e = emit(EventKind::FreeThreading, s, nullptr, index, callee_name(i)))
        e->note = "borrows from a container that other threads may change: use " + spec->safer + "()";
    if (spec->needs_gil && s.threads == 1 && !spec->takes_gil) emit(EventKind::NoLock, s, nullptr, index, callee_name(i));
    if (spec->drops_gil) note_mode(s, s.exception, 1, index);
    if (spec->takes_gil) note_mode(s, s.exception, 0, index);
    if (spec->tests_exception) {
      const bool can_be_clear = s.exception != ExcState::Set;
      const bool can_be_set = s.exception != ExcState::Clear && s.exception != ExcState::Unset;
      if (can_be_clear) {
        State c = s;
        if (c.exception == ExcState::Entry) c.pending = specs::Pending::Clear;
        if (c.exception == ExcState::Entry || c.exception == ExcState::Maybe) note_mode(c, ExcState::Unset, c.threads, index);
        bind(c, index, terms_.zero());
        out.push_back(std::move(c));
      }
      if (can_be_set) {
        if (s.exception == ExcState::Entry) s.pending = specs::Pending::Raised;
        note_mode(s, ExcState::Set, s.threads, index);
        const TermId r = terms_.fresh(index, 0, kResult);
        s.facts.assume_cmp(terms_, CmpPred::Ne, r, terms_.zero());
        bind(s, index, r);
        out.push_back(std::move(s));
      }
      return;
    }
    if (spec->outcomes.empty()) {
      static const std::vector<Outcome> nothing(1);
      apply_all(std::move(s), index, nothing, spec, args, out);
    } else {
      const std::size_t before = out.size();
      apply_all(std::move(s), index, spec->outcomes, spec, args, out);
      // Looking up and releasing run code only in a wider sense.
      bool releases = spec->unstable;
      for (const Outcome& o : spec->outcomes)
        for (const specs::CountChange& c : o.counts) releases = releases || (c.delta < 0 && c.kind.empty());
      if (spec->runs_code && !releases) {
        runs_code_ = true;
        for (std::size_t n = before; n < out.size(); ++n) code_ran(out[n], index);
      }
    }
    return;
  }

  // Of a recursive call nothing is known in the first round: ways that do not need it come first.
  if (gc_)
    for (FuncId f : targets)
      if (!ctx_.summaries[f].tried && ctx_.component_of[f] == ctx_.component_of[id_] && ctx_.worth_analysing(f)) return;
  bool all_known = !targets.empty();
  for (FuncId f : targets) all_known = all_known && ctx_.summaries[f].ready;
  if (all_known) {
    const std::size_t before = out.size();
    bool runs_code = false;
    for (FuncId f : targets) runs_code = runs_code || ctx_.summaries[f].runs_code;
    for (TermId a : args)
      if (Obj* o = s.object(a)) o->garbage = false;  // whatever the callee did about its fields
    if (targets.size() == 1) hand_to_format(s, index, targets[0], args);
    note_disputes(index, targets);
    if (targets.size() == 1 && body_.instrs[index].result != kNone && only_answers(ctx_.summaries[targets[0]].outcomes))
      if (const auto known = predicate(index, args)) {
        bind(s, index, *known);
        out.push_back(std::move(s));
        return;
      }
    if (targets.size() == 1 && crash_on_null(s, index, targets[0], args)) return;
    for (FuncId f : targets) apply_all(targets.size() == 1 ? std::move(s) : s, index, ctx_.summaries[f].outcomes, nullptr, args, out, &ctx_.summaries[f].ready_result);
    if (targets.size() == 1)
      for (std::size_t n = before; n < out.size(); ++n) used_by_callee(out[n], index, targets[0], args);
    runs_code_ = runs_code_ || runs_code;
    for (std::size_t n = before; gc_ && runs_code && n < out.size(); ++n) gc_may_jump(out[n], index);
    for (std::size_t n = before; runs_code && n < out.size(); ++n) code_ran(out[n], index);
    return;
  }
  // A function in a slot gives what the slot asks for, even if it is too long to be looked at.
  if (targets.size() == 1 && (ctx_.contracts[targets[0]] == Contract::NewOrNull || ctx_.contracts[targets[0]] == Contract::NewOrEnd)) {
    apply_all(std::move(s), index, new_or_null(ctx_.contracts[targets[0]]), nullptr, args, out);
    return;
  }
  unknown_call(std::move(s), index, args, out);
}

// The C++ runtime's throw does not return, but it does leave the function.
void Executor::leave_by_throw(State s, std::uint32_t index) {
  s.thrown = true;
  const Instr& i = body_.instrs[index];
  if (i.num_targets == 2)
    follow(current_, body_.succs(i)[1], std::move(s), index, kNone);
  else
    leave(std::move(s), index, kNoTerm, true);
}

void Executor::apply_all(State s, std::uint32_t index, const std::vector<Outcome>& outcomes, const FunctionSpec* spec,
                         const std::vector<TermId>& args, States& out, const specs::Ready* ready) {
  if (spec && !ready) ready = &spec->ready;
  if (ready && (ready->param >= args.size() || !s.facts.range(terms_, args[ready->param]).within(Range{ready->lo, ready->hi}))) ready = nullptr;
  // An API that tests its arguments fails when an object is missing.
  bool must_fail = false;
  std::vector<TermId> needed;  // to succeed
  if (spec && std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.failure; }))
    for (std::size_t a = 0; a < args.size() && a < spec->params.size(); ++a) {
      if (spec->params[a].null_ok || !object_parameter(index, a) || s.facts.known_nonzero(terms_, args[a])) continue;
      must_fail = must_fail || s.facts.known_zero(terms_, args[a]);
      needed.push_back(args[a]);
    }
  if (spec && spec->varargs == specs::VarargKind::BuildFormat) must_fail = must_fail || builds_from_null(s, *spec, args);
  // Where a call gives back its argument or else NULL, a test for NULL is about the latter.
  const bool or_null = unit_.type(body_.instrs[index].type).kind == model::TypeKind::Pointer &&
                       std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.result.kind == Value::Kind::Int && o.result.imm == 0; });
  auto gives_argument = [&](const Outcome& o) {
    return o.result.kind == Value::Kind::Place && o.result.place.root == Place::Root::Arg && o.result.place.path.empty() && o.result.place.index < args.size();
  };
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    if (must_fail ? !outcomes[n].failure : outcomes[n].misuse_only && !result_tested(index)) continue;
    if (ready && outcomes[n].failure) continue;
    State t = s;
    if (!outcomes[n].failure)
      for (TermId a : needed) t.facts.assume_cmp(terms_, CmpPred::Ne, a, terms_.zero());
    if (or_null && gives_argument(outcomes[n]) && !s.facts.known_zero(terms_, args[outcomes[n].result.place.index]))
      t.facts.assume_cmp(terms_, CmpPred::Ne, args[outcomes[n].result.place.index], terms_.zero());
    if (!apply(t, index, outcomes[n], spec, args, static_cast<std::uint32_t>(n), outcomes.size() == 1)) continue;
    if (Obj* o = ready && body_.instrs[index].result != kNone ? t.object(t.value(body_.instrs[index].result)) : nullptr) o->ready = true;
    note_changes(s, t, index);
    out.push_back(std::move(t));
  }
}

std::optional<TermId> Executor::place(State& s, const Place& p, const std::vector<TermId>& args, std::uint32_t index,
                                      TermId result) {
  TermId t = kNoTerm;
  model::TypeId type = 0;
  switch (p.root) {
    case Place::Root::Arg: {
      if (p.index >= args.size()) return std::nullopt;
      t = args[p.index];
      const Instr& i = body_.instrs[index];
      if (i.aux != kNone && body_.calls[i.aux].type != 0) {
        const model::Type& ft = unit_.type(body_.calls[i.aux].type);
        if (p.index < ft.params.size()) type = ft.params[p.index];
      }
      break;
    }
    case Place::Root::Result:
      t = result;
      if (const Instr& i = body_.instrs[index]; i.aux != kNone && body_.calls[i.aux].type != 0) type = unit_.type(body_.calls[i.aux].type).elem;
      break;
    case Place::Root::Global: t = terms_.global(p.global); break;
    case Place::Root::Object: t = terms_.fresh(index, 0, p.index); break;
  }
  if (t == kNoTerm) return std::nullopt;

  // Steps named by field: turned into offsets with the prototype's types.
  for (std::size_t k = 0; k < p.field_path.size(); ++k) {
    if (type == 0 || unit_.type(type).kind != model::TypeKind::Pointer) return std::nullopt;
    type = unit_.type(type).elem;
    std::int64_t offset = 0;
    std::string_view rest = p.field_path[k];
    while (!rest.empty()) {
      const std::string_view head = rest.substr(0, rest.find('.'));
      rest = head.size() == rest.size() ? std::string_view() : rest.substr(head.size() + 1);
      const model::Type& rec = unit_.type(type);
      auto f = std::find_if(rec.fields.begin(), rec.fields.end(), [&](const model::Field& x) { return unit_.str(x.name) == head; });
      if (f == rec.fields.end()) return std::nullopt;
      offset += static_cast<std::int64_t>(f->offset);
      type = f->type;
    }
    const bool last = k + 1 == p.field_path.size() && p.path.empty();
    const TermId address = terms_.offset(t, offset);
    if (terms_.is_const(t)) return std::nullopt;
    t = last && p.address ? address : read(s, address, type, index);
  }
  for (std::size_t k = 0; k < p.path.size(); ++k) {
    if (terms_.is_const(t) || terms_[t].kind == TermKind::Undef) return std::nullopt;
    const TermId address = terms_.offset(t, p.path[k]);
    const specs::DomainSpec::Layout* seen = layout(p.path[k]);
    if (seen && !(k + 1 == p.path.size() && p.address) && !s.cell(t, p.path[k])) {
      t = terms_.arith(model::ArithOp::And, read(s, terms_.offset(t, seen->offset), 0, index), terms_.constant(seen->mask));
      continue;
    }
    t = k + 1 == p.path.size() && p.address ? address : read(s, address, 0, index);
  }
  return t;
}

bool Executor::apply(State& s, std::uint32_t index, const Outcome& o, const FunctionSpec* spec,
                     const std::vector<TermId>& args, std::uint32_t number, bool only) {
  if (o.never_returns && o.when.empty()) {
    if (gc_) gc_never(s, index, args);
    return false;
  }
  if (o.pending != specs::Pending::Any) {
    const bool raised = o.pending == specs::Pending::Raised;
    const bool clear = s.exception == ExcState::Unset || s.exception == ExcState::Clear;
    if (raised ? clear : s.exception == ExcState::Set) return false;
    if (s.exception == ExcState::Entry) s.pending = o.pending;
    if (raised) s.exception = ExcState::Set;
    else if (!clear) s.exception = ExcState::Unset;
  }
  auto assume = [&](const specs::Condition& c, TermId result) {
    const auto t = place(s, c.place, args, index, result);
    if (!t) return true;
    TermId lhs = *t;
    if (about_error_pointers(c))
      return s.facts.assume_cmp(terms_, c.pred == specs::Pred::Eq ? CmpPred::Uge : CmpPred::Ult, lhs, terms_.constant(kFirstError));
    if (c.mask != ~std::uint64_t{0}) lhs = terms_.arith(model::ArithOp::And, lhs, terms_.constant(static_cast<std::int64_t>(c.mask)));
    TermId rhs = terms_.constant(c.imm);
    if (c.other) {
      const auto u = place(s, *c.other, args, index, result);
      if (!u) return true;
      rhs = *u;
    }
    // A value nobody has doubted so far does not become NULL because a callee would mind.
    if (spec && (o.failure || !o.counts.empty()) && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other && !s.facts.known_zero(terms_, lhs)) return false;
    if (c.known && s.facts.decide(terms_, terms_.cmp(to_cmp(c.pred), lhs, rhs)) != 1) return false;
    if (gc_ && c.pred == specs::Pred::Eq && gc_distinct(s, lhs, rhs)) return false;
    // Found to be some other object: not ours to judge any more.
    if (c.other && c.other->root == Place::Root::Global && c.pred == specs::Pred::Eq)
      if (Obj* x = s.object(lhs); x && (x->kind == ObjKind::New || x->owned > 0)) x->escaped = true;
    return s.facts.assume_cmp(terms_, to_cmp(c.pred), lhs, rhs);
  };
  const bool supposed = gc_ && spec && !spec->computed && gc_supposes(s, index, o, args);
  for (const specs::Condition& c : o.when)
    if (!on_result(c.place) && !assume(c, kNoTerm)) return false;
  if (o.never_returns) {
    if (gc_) gc_never(s, index, args);
    return false;
  }

  const std::string callee = callee_name(body_.instrs[index]);
  if (gc_ && spec && spec->conditional())
    for (TermId t : args) gc_use(s, terms_.root(t), index, callee);
  const Instr& i = body_.instrs[index];
  std::uint8_t domain = spec ? ctx_.domain_index(spec->domain) : ctx_.unit_domain[unit_id_];
  if (!spec && counted(i.type)) domain = static_cast<std::uint8_t>(counted(i.type) - 1);

  // Facts are noted before effects, so that a path reads "when f() fails" and then what that does.
  const bool by_number = (o.result.kind == Value::Kind::Int && o.result.imm < 0) || (o.result.kind == Value::Kind::Range && o.result.hi < 0);
  const bool fails = o.failure ? o.result.kind != Value::Kind::Unknown
                               : by_number && domain < ctx_.specs.domains().size() && ctx_.specs.domains()[domain].failure_value == "errno";
  note(s, {.instr = index, .kind = PathNode::Kind::Call, .which = number, .failure = fails});
  s.failed |= o.failure;
  if (o.failure && s.failures < 0xffff) ++s.failures;
  const bool written = spec && !spec->computed;  // by a person
  s.oom |= o.out_of_memory_only;

  if (gc_ && spec && spec->runs_code) gc_rebind(s, index, args);
  if (gc_) gc_arguments(s, index, spec, o, args, supposed);
  // What the call did to objects the caller knows. Places speak of memory before the call.
  struct Change { TermId t; int delta; std::uint16_t kind; bool consumes; std::size_t depth; };
  std::vector<Change> changes;
  for (const specs::CountChange& c : o.counts)
    if (!on_result(c.object))
      if (const auto t = place(s, c.object, args, index, kNoTerm); t && !s.facts.known_zero(terms_, *t))
        changes.push_back({*t, c.delta, ctx_.count_kind(c.kind),
                           std::find(o.consumes.begin(), o.consumes.end(), c.object) != o.consumes.end(), c.object.path.size()});
  struct Taken { TermId t; std::optional<TermId> holder; bool steals; };
  std::vector<Taken> taken;
  for (const specs::Hold& h : o.holds) {
    if (on_result(h.object)) continue;
    const auto t = place(s, h.object, args, index, kNoTerm);
    if (!t || s.facts.known_zero(terms_, *t)) continue;
    // Memory from the same allocator need not be an object.
    if (spec && spec->bare_free) {
      const Obj* x = s.object(*t);
      const bool plain = *t < term_types_.size() && term_types_[*t] != 0 && !counted(term_types_[*t]);
      if ((!x || x->kind == ObjKind::Loaded) && (plain || !is_dealloc(contract_))) continue;
    }
    std::optional<TermId> holder;
    if (h.holder && !on_result(*h.holder)) holder = place(s, *h.holder, args, index, kNoTerm);
    if (h.holder && on_result(*h.holder)) holder = terms_.fresh(index, 0, 0);
    taken.push_back({*t, holder, h.steals});
  }
  // References are taken before others are given up: what one released object held may be what is taken. And what an
  // object holds is given up before the object.
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.delta != b.delta ? a.delta > b.delta : a.delta < 0 && a.depth > b.depth;
  });
  for (const Change& c : changes)
    if (c.delta < 0) part_released(s, c.t, c.kind == 0);
  for (const Change& c : changes) {
    if (c.kind != 0) {
      if (c.kind == ctx_.count_kind(kBufferCount) && c.delta > 0)
        acquire_buffer(s, c.t, index);
      else if (c.kind == ctx_.count_kind(kBufferCount))
        release_buffer(s, c.t, index, callee);
      else
        s.change_count(c.t, c.kind, c.delta, index);
      continue;
    }
    // A helper that always does this to an argument of ours is as good as the API itself.
    if (Obj* x = written ? nullptr : obj(s, c.t, index); x && !(only && x->kind == ObjKind::Param)) x->indirect = true;
    for (int k = 0; k < c.delta; ++k) acquire(s, c.t, index);
    for (int k = 0; k > c.delta; --k) {
      const Obj* before = c.consumes ? obj(s, c.t, index) : nullptr;
      const bool had = before && (before->owned > 0 || before->escaped || !before->holders.empty());
      release(s, c.t, index, callee);
      if (Obj* x = c.consumes && !had ? s.object(c.t) : nullptr) x->consumed = x->stolen = true;
    }
  }
  for (const Taken& h : taken) {
    if (h.steals) {
      steal(s, h.t, h.holder, index, o.failure);
      if (Obj* x = written ? nullptr : s.object(h.t)) x->indirect = true;
    } else if (Obj* x = obj(s, h.t, index); x && h.holder && !terms_.is_const(*h.holder)) {
      x->holders.push_back(*h.holder);
      std::sort(x->holders.begin(), x->holders.end());
      x->holders.erase(std::unique(x->holders.begin(), x->holders.end()), x->holders.end());
      if (x->holders.size() > 4) x->holders.resize(4);
      x->touched = index;
    }
  }
  for (const Place& p : o.escapes)
    if (const auto t = place(s, p, args, index, kNoTerm)) kept(s, *t, index);
  for (const Place& p : o.releases_holds)
    if (const auto t = place(s, p, args, index, kNoTerm)) taken_back(s, *t, args.size() > 1 ? args[1] : kNoTerm, index);
  for (const specs::LaterCall& later : o.runs) {
    const auto function = place(s, later.function, args, index, kNoTerm), data = place(s, later.data, args, index, kNoTerm);
    if (function && data) run_later(s, *function, *data, index);
  }
  for (const Place& p : o.frees)
    if (const auto t = place(s, p, args, index, kNoTerm)) freed(s, *t, index);
  if (spec && spec->bare_free && !args.empty()) given_back(s, args[0], index);

  // Objects the caller gets to know.
  for (std::uint32_t k = 0; k < o.objects.size(); ++k) {
    const specs::Object& x = o.objects[k];
    if (gc_) {
      gc_new(s, terms_.fresh(index, 0, k), index, x, args);
      // Code that runs may give back anything, also what was there before.
      if (GcObject* g = s.gc.object(terms_.fresh(index, 0, k)); g && spec && spec->runs_code) g->distinct = false;
      if (GcObject* g = s.gc.object(terms_.fresh(index, 0, k)); g && g->fresh) g->supposed = supposed || x.supposed;
      continue;
    }
    Obj n;
    n.term = terms_.fresh(index, 0, k);
    n.kind = x.owned ? ObjKind::New : ObjKind::Borrowed;
    n.owned = x.owned ? 1 : 0;
    n.domain = domain;
    n.immortal = x.immortal;
    n.oom = s.oom;
    n.origin = n.touched = index;
    n.unstable = spec && spec->unstable && !x.owned;
    n.garbage = spec && spec->garbage && x.owned;
    if (n.garbage && !args.empty()) n.key = args[0];
    if (!x.owned && args.size() > 1) n.key = args[1];
    if (x.borrowed_from)
      if (const auto t = place(s, *x.borrowed_from, args, index, kNoTerm))
        if (obj(s, terms_.root(*t), index)) n.owner = terms_.root(*t);
    if (!x.maybe_null) s.facts.assume_cmp(terms_, CmpPred::Ne, n.term, terms_.zero());
    if (domain < ctx_.specs.domains().size() && ctx_.specs.domains()[domain].failure_value == "errno") {
      s.facts.assume_cmp(terms_, CmpPred::Ult, n.term, terms_.constant(kFirstError));  // an object is no error pointer
    }
    s.add_object(n);
    if (x.owned) note(s, {.instr = index, .kind = PathNode::Kind::Count, .object = n.term, .owned = 1});
  }

  TermId result = kNoTerm;
  auto value = [&](const Value& v, std::uint32_t which) -> TermId {
    switch (v.kind) {
      case Value::Kind::Int: return terms_.constant(v.imm);
      case Value::Kind::Object: return terms_.fresh(index, 0, v.object);
      case Value::Kind::Place:
        if (const auto t = place(s, v.place, args, index, kNoTerm)) return *t;
        // A number in memory, plus or minus something.
        if (v.place.address && !v.place.path.empty()) {
          Place without = v.place;
          without.path.pop_back();
          without.address = false;
          if (const auto t = place(s, without, args, index, kNoTerm); t && terms_.is_const(*t)) return terms_.constant(terms_[*t].imm + v.place.path.back());
        }
        return terms_.fresh(index, 0, which);
      case Value::Kind::Range: {
        const TermId t = terms_.fresh(index, 0, which);
        s.facts.set_range(t, Range{v.imm, v.hi});
        return t;
      }
      case Value::Kind::ErrPtr: {
        const TermId t = terms_.fresh(index, 0, which);
        s.facts.set_range(t, Range{kFirstError, kLastError});
        return t;
      }
      case Value::Kind::Interior: {
        const TermId t = terms_.fresh(index, 0, which);
        s.facts.assume_cmp(terms_, CmpPred::Ne, t, terms_.zero());
        if (const auto p = place(s, v.place, args, index, kNoTerm)) {
          if (gc_) {
            specs::Object part;
            part.owned = false;
            part.borrowed_from = v.place;
            gc_new(s, t, index, part, args);
            if (GcObject* g = s.gc.object(t)) g->interior = true, g->guarded = spec && spec->read_only;
          }
          if (!gc_ && obj(s, *p, index)) {
            Obj n;
            n.term = t;
            n.kind = ObjKind::Interior;
            n.domain = domain;
            n.owner = *p;
            n.origin = index;
            s.add_object(n);
          }
        }
        return t;
      }
      case Value::Kind::StackTop: return stack_top(s);
      case Value::Kind::Unknown: break;
    }
    return terms_.fresh(index, 0, which);
  };
  std::vector<std::pair<TermId, TermId>> writes;  // values speak of memory before the call, so they come first
  for (const specs::StoreEffect& st : o.stores) {
    Place where = st.where;
    where.address = true;
    if (on_result(where)) continue;  // not there yet
    const auto address = place(s, where, args, index, kNoTerm);
    if (!address || terms_.is_const(*address)) continue;
    writes.emplace_back(*address, value(st.value, kStored + static_cast<std::uint32_t>(&st - o.stores.data())));
  }
  result = value(o.result, kResult);
  for (const specs::StoreEffect& st : o.stores) {
    if (!on_result(st.where)) continue;
    Place where = st.where;
    where.address = true;
    const auto address = place(s, where, args, index, result);
    if (address && !terms_.is_const(*address))
      writes.emplace_back(*address, value(st.value, kStored + static_cast<std::uint32_t>(&st - o.stores.data())));
  }
  for (const auto& [address, v] : writes) {
    write(s, address, v, index);
    // What a helper put into memory that outlives the call is that memory's, and the helpers', to release.
    if (Obj* x = spec || terms_[terms_.root(address)].kind == TermKind::Slot ? nullptr : s.object(v); x && x->kind == ObjKind::New && v != result)
      x->escaped = x->escaped || x->origin == index;
    if (layouts_.empty()) continue;
    const auto [base, off] = terms_.split(address);
    if (const auto* seen = layout(off))  // the program reads it another way
      s.facts.assume_cmp(terms_, CmpPred::Eq,
                         terms_.arith(model::ArithOp::And, read(s, terms_.offset(base, seen->offset), 0, index), terms_.constant(seen->mask)), v);
  }
  if (gc_) {
    gc_links(s, index, o, args, result);
    gc_stack(s, index, o, args, result);
  }
  for (const Place& p : o.clobbers)
    if (const auto t = place(s, p, args, index, kNoTerm)) {
      // A spec that says so means a change callers can see.
      if (const TermKind k = terms_[terms_.root(*t)].kind; spec && (k == TermKind::Param || k == TermKind::Initial))
        write(s, *t, terms_.fresh(index, 0, kWritten + static_cast<std::uint32_t>(&p - o.clobbers.data())), index);
      clobber(s, *t, index);
    }
  if (i.result != kNone) {
    bind(s, index, result);
    // A result of counted type of which nothing else is said.
    if (!spec && o.result.kind == Value::Kind::Unknown && counted(i.type) && !s.object(result)) obj(s, result, index);
  }
  for (const specs::Condition& c : o.when)
    if (on_result(c.place) && !assume(c, result)) return false;
  for (const specs::CountChange& c : o.counts) {
    if (!on_result(c.object)) continue;
    const auto t = place(s, c.object, args, index, result);
    if (!t) continue;
    const std::uint16_t kind = ctx_.count_kind(c.kind);
    if (kind == 0 && c.delta > 0 && embedded(*t) && !s.object(*t)) {  // the object is a part of what we got
      Obj n;
      n.term = *t;
      n.kind = ObjKind::New;
      n.domain = domain;
      n.oom = s.oom;
      n.origin = index;
      s.add_object(n);
    }
    if (kind != 0) s.change_count(*t, kind, c.delta, index);
    else if (c.delta > 0) acquire(s, *t, index);
    else release(s, *t, index, callee);
  }
  switch (o.exception) {
    case specs::Exception::Unchanged:
      // Nobody calls what may raise while an exception is set: if that went well, none is.
      if (spec && s.exception == ExcState::Entry)
        for (const Outcome& other : spec->outcomes)
          if (other.exception == specs::Exception::Set) s.exception = ExcState::Unset;
      break;
    case specs::Exception::Set:
      // A function of the program that raises and does not say so: its own affair, not its callers'.
      if (!written) s.helped = s.helped || !o.failure;
      s.exception = ExcState::Set;
      break;
    case specs::Exception::Cleared: s.exception = ExcState::Clear; break;
    case specs::Exception::MaybeSet:
      if (s.exception != ExcState::Set) s.exception = ExcState::Maybe;
      break;
  }
  // What a spec does not mention about a local's content (a struct that is filled) is unknown afterwards.
  if (spec && !spec->pure)
    for (std::size_t a = 0; a < args.size() && a < spec->params.size(); ++a)
      if (terms_[args[a]].kind == TermKind::Slot && s.epoch(args[a]) == 0 &&
          std::none_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) { return c.base == args[a]; }))
        s.invalidate(args[a], index + 2);
  if (spec && spec->varargs != specs::VarargKind::None) variadic(s, index, o, *spec, args);
  return true;
}

}  // namespace reckon::engine
