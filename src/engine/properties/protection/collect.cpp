// What calls do to objects that a collector takes unless they are protected: pushes and pops, links between objects,
// and the collections themselves. protection.h says how a state describes this.
//
// Limits: C leaves the order of evaluation of arguments open, the model has one; gc_argument_order looks at the calls
// nested in the arguments of another for the orders the model does not show. A function without body or spec may
// collect if an object is among its arguments or its result, and is taken to protect what it is given.

#include <algorithm>

#include "engine/core/callee_type.h"
#include "engine/core/calls.h"
#include "engine/core/loop.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/exits.h"
#include "engine/properties/protection/parts.h"
#include "engine/properties/protection/stack.h"
#include "model/dominators.h"
#include "support/limits.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::Op;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;

namespace {
constexpr int kMaxNesting = support::kLimits.protection.nesting;

bool pops(const specs::ProtectionEffects& o) {
  return o.unprotects || !o.unprotected.empty() || o.protects < static_cast<int>(o.protected_objects.size());
}
}  // namespace

void Collector::start_protection(State& s) {
  const auto& domains = ctx_.specs.domains();
  const DomainId d = ctx_.unit_domain[unit_id_];
  s.gc.on = true;
  props().protection_stack->stack_top_name_ = domains[d].stack_top;
  props().protection_stack->stack_symbol_ = terms_.initial(
      terms_.global(props().protection_stack->stack_top_name_.empty() ? "(stack)"
                                                                      : props().protection_stack->stack_top_name_),
      0, 0);
  for (const auto& l : domains[d].layouts)
    if (std::any_of(unit_.types.begin(), unit_.types.end(), [&](const model::Type& t) {
          return t.kind == model::TypeKind::Struct && !t.fields.empty() && unit_.str(t.name) == l.record;
        }))
      layouts_.push_back(&l);
  props().protection_stack->find_counters();
  props().protection_stack->counters_.only_pushes =
      props().protection_stack->pushes_ && !props().protection_stack->pops_;
  s.gc.counters = &props().protection_stack->counters_;
  for (std::uint32_t p = 0; p < fn_.params.size(); ++p) {
    if (!subject_.counted(fn_.params[p].type)) continue;
    GcObject o;
    o.term = terms_.param(p);
    s.gc.add(o);
  }
}

// Values that tell a call how much to pop, what those are computed from, and what they are compared with.
void ProtectionStack::find_counters() {
  counters_.values.assign(body_.num_values, 0);
  std::vector<model::ValueId> todo;
  auto seed = [&](const model::Operand& o) {
    if (o.kind != OperandKind::Value || counters_.values[o.id]) return;
    counters_.values[o.id] = 1;
    todo.push_back(o.value_id());
  };
  for (const Instr& i : body_.instrs) {
    const auto ops = body_.ops(i);
    if (i.op == Op::Store && ops[0].kind == OperandKind::Symbol && unit_.name(ops[0].symbol_id()) == stack_top_name_) {
      pops_ = true;
      seed(ops[1]);
    }
    if (i.op != Op::Call || ops.empty() || ops[0].kind != OperandKind::Symbol) continue;
    const FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
    const FuncId f = spec ? kNone : ctx_.program.definition(unit_id_, ops[0].symbol_id());
    if (!spec && (f == kNone || !ctx_.summaries[f].known)) continue;
    for (const Outcome& o : spec ? spec->outcomes : ctx_.summaries[f].outcomes) {
      pops_ = pops_ || pops(o);
      pushes_ = pushes_ || !o.protected_objects.empty() || o.protects > 0;
      if (o.unprotects && o.unprotects->root == Place::Root::Arg && o.unprotects->index + 1 < ops.size()) {
        if (o.unprotects->path.empty())
          seed(ops[o.unprotects->index + 1]);
        else
          counters_.memory = true;
      }
      // A counter kept by the caller of something that pushes for it.
      if (o.protects != 0 && !o.stores.empty()) counters_.memory = true;
    }
  }
  auto trace = [&] {
    while (!todo.empty()) {
      const model::ValueId v = todo.back();
      todo.pop_back();
      if (defs_[v] == kNone) continue;
      const Instr& i = body_.instrs[defs_[v]];
      switch (i.op) {
        case Op::Load: counters_.memory = true; break;
        case Op::Select:
          seed(body_.ops(i)[1]);
          seed(body_.ops(i)[2]);
          break;
        case Op::Phi:
        case Op::Arith:
        case Op::Cast:
          for (const model::Operand& o : body_.ops(i)) seed(o);
          break;
        default: break;
      }
    }
  };
  trace();
  for (const Instr& i : body_.instrs) {
    if (i.op != Op::Cmp) continue;
    const auto ops = body_.ops(i);
    auto marked = [&](const model::Operand& o) { return o.kind == OperandKind::Value && counters_.values[o.id]; };
    if (marked(ops[0]) != marked(ops[1])) seed(marked(ops[0]) ? ops[1] : ops[0]);
  }
  trace();
}

namespace {
// Is it of a kind that somebody else holds as a rule (`kept-in %type=4`), and was it not made for sure? Of what code
// gives that runs, an environment mostly is the frame of a call that has not ended, or one that a variable names.
bool of_kept_kind(TermArena& terms, const State& s, const GcObject& g, const std::vector<std::string>& kept) {
  if (g.fresh && g.distinct) return false;
  return std::any_of(kept.begin(), kept.end(), [&](const std::string& kind) {
    const std::size_t equals = kind.find('=');
    if (kind[0] != '%' || equals == std::string::npos) return false;
    const std::int64_t property = specs::property_step(std::string_view(kind).substr(1, equals - 1));
    const Cell* told = s.cell(g.term, property);
    const TermId value = told ? told->value : terms.initial(g.term, property, s.epoch(g.term));
    const Range known = s.facts.range(terms, value);
    return known.is_single() && std::to_string(known.lo) == kind.substr(equals + 1);
  });
}
}  // namespace

Event* Collector::emit_gc(EventKind kind, const State& s, const GcObject* g, InstrId instr, std::string callee) {
  EventObject o;
  o.domain = ctx_.unit_domain[unit_id_];
  if (g) {
    o.term = g->term;
    o.origin = g->origin;
    o.released = g->exposed;
    o.touched = g->popped;
  }
  // Given up on some ways only: where not every way was followed on its own, those may exclude the ways that lead here.
  auto given_up_elsewhere = [&] {
    if (joining_ == Joining::Paths || !g || g->popped == kNone || g->popped >= body_.instrs.size()) return false;
    auto block_of = [&](InstrId n) {
      const auto it = std::find_if(body_.blocks.begin(), body_.blocks.end(),
                                   [&](const model::Block& b) { return n >= b.first && n < b.first + b.count; });
      return static_cast<model::BlockId>(it - body_.blocks.begin());
    };
    return !model::Dominators(body_).dominates(block_of(g->popped), block_of(instr));
  };
  auto seldom_collected = [&] { return g && g->exposed != kNone && !certain_.contains(g->exposed); };
  const bool assumed_kind = g && (g->assumed_kind || seldom_collected() || given_up_elsewhere() ||
                                  of_kept_kind(terms_, s, *g, ctx_.specs.domains()[o.domain].kept_in));
  if (!assumed_kind)  // the same for certain tells more
    std::erase_if(result_.events, [&](const Event& e) {
      return e.assumed_kind && e.kind == kind && e.instr == instr && e.object.origin == o.origin &&
             e.object.term == o.term;
    });
  Event* e = trail_.emit(kind, s, &o, instr, std::move(callee));
  if (e) e->assumed_kind = assumed_kind;
  return e;
}

// ---------------------------------------------------------------- use

// The object is looked at, handed on or returned. False: it may be gone.
bool Collector::gc_use(State& s, TermId t, InstrId instr, const std::string& callee) {
  GcObject* o = s.gc.object(t);
  // What was read from an object is as safe as that is, if it is an object: a number is only a number.
  if (!o && terms_[t].kind == TermKind::Initial && t < trail_.term_types_.size() &&
      subject_.counted(trail_.term_types_[t]))
    o = s.gc.object(terms_.owner_root(t));
  if (!o || o->escaped) return true;
  s.gc.endangered_params |= o->depends;
  if (o->exposed == kNone) return true;
  // A part of something is told by what it is part of.
  GcObject* whole = o;
  for (int k = 0; k < kMaxNesting && whole->owner != kNoTerm && !whole->fresh; ++k) {
    GcObject* next = s.gc.whole(terms_, whole->owner);
    if (!next || next == whole || next->exposed == kNone) break;
    whole = next;
  }
  if (!whole->escaped) emit_gc(EventKind::Unprotected, s, whole, instr, callee);
  whole->escaped.because(Silence::Reported);
  o->escaped.because(Silence::Reported);
  return false;
}

// All that nothing protects may be gone after this call. What callers should have protected is not told them if it
// needs a kind of argument that nobody has shown: after joins that kind would no longer be among the conditions.
// Nor are they told of a symbol that is made once.
void Collector::collect(State& s, InstrId instr, const std::vector<TermId>& safe, bool assumed_kind) {
  s.gc.calls.push_back(instr);
  if (makes_constant_symbol(instr))
    assumed_kind = true;
  else
    s.gc.collected = true;
  if (!assumed_kind) certain_.insert(instr);
  std::vector<std::size_t> exposed;
  for (std::size_t k = 0; k < s.gc.objects.size(); ++k) {
    GcObject& o = s.gc.objects[k];
    if (o.escaped) continue;
    if (!s.gc.is_protected(terms_, o, safe)) {
      // What was in danger only for a kind that nobody has shown is in danger for certain now.
      if (o.exposed == kNone || (!assumed_kind && !certain_.contains(o.exposed))) exposed.push_back(k);
      continue;
    }
    const std::uint64_t rests = s.gc.rests_on(terms_, o.term, safe);
    if (rests != 0 && assumed_kind) continue;
    o.depends |= rests;
    if (terms_[o.term].kind == TermKind::Param) s.gc.exposed_params |= rests;
  }
  for (std::size_t k : exposed) s.gc.objects[k].exposed = instr;
}

// Too many states: nothing more is said about objects in danger (those in no variable, or all), so that states join.
void Collector::gc_let_go(State& s, bool only_unnamed) {
  for (GcObject& o : s.gc.objects) {
    if (!s.gc.is_exposed(terms_, o)) continue;
    const bool named =
        std::any_of(s.values.begin(), s.values.end(), [&](const auto& e) { return terms_.root(e.second) == o.term; });
    if (!only_unnamed || !named) trail_.silence(o, Silence::TooManyStates);
  }
}

// Objects found to be one of those that are always there (`if (x == R_NilValue)`): they are safe, and so is what is
// read from them.
std::vector<TermId> Collector::gc_lasting(const State& s) const {
  auto always_there = [&](TermId t) {
    const Term& x = terms_[t];
    if (x.kind != TermKind::Initial || terms_[x.left()].kind != TermKind::Global) return false;
    const specs::GlobalSpec* g = ctx_.specs.find_global(terms_.global_name(x.left()));
    return g && g->immortal && g->points_to;
  };
  std::vector<TermId> out;
  for (const Relation& r : s.facts.relations()) {
    if (r.lo != 0 || r.hi != 0) continue;
    if (s.gc.object(r.a) && always_there(r.b)) out.push_back(r.a);
    if (s.gc.object(r.b) && always_there(r.a)) out.push_back(r.b);
  }
  return out;
}

// Code runs that may bind variables anew: nothing is kept by having been bound to one. And it may not come back.
void Collector::gc_rebind(State& s, InstrId instr, const std::vector<TermId>& args) {
  s.gc.ran_code = true;
  gc_may_jump(s, instr);
  std::vector<TermId> unbound;
  for (GcObject& o : s.gc.objects) {
    const bool cut = std::erase_if(o.holders, [&](TermId h) {
                       for (; terms_[h].kind == TermKind::Initial || terms_[h].kind == TermKind::Index ||
                              terms_[h].kind == TermKind::Offset;
                            h = terms_[h].left())
                         if (terms_[h].kind == TermKind::Initial && terms_[h].imm == specs::property_step("binding"))
                           return true;
                       return false;
                     }) != 0;
    if (cut) unbound.push_back(o.term);
  }
  // What the code itself is given to run or to work on, or what that is a part of, is seldom unbound by it.
  for (TermId a : args) {
    GcObject* given = s.gc.object(terms_.root(a));
    const GcObject* whole = given;
    for (int k = 0; k < kMaxNesting && whole; ++k) {
      if (std::find(unbound.begin(), unbound.end(), whole->term) != unbound.end()) given->assumed_kind = true;
      const GcObject* next = whole->owner == kNoTerm ? nullptr : s.gc.whole(terms_, whole->owner);
      whole = next == whole ? nullptr : next;
    }
  }
}

void Collector::gc_may_jump(State& s, InstrId instr) {
  for (GcObject& o : s.gc.objects)
    if (o.preserved != kNone && o.jumped == kNone) o.jumped = instr;
}

// Before the effects of a call: what the collections in it do, and which arguments should have been protected.
void Collector::gc_arguments(State& s, InstrId instr, const FunctionSpec* spec, const specs::ProtectionEffects& o,
                             const std::vector<TermId>& args, bool assumed_kind) {
  if (!may_collect(spec, o)) return;
  if (!assumed_kind && !makes_constant_symbol(instr)) certain_.insert(instr);
  const std::vector<TermId> always = gc_lasting(s);
  std::vector<TermId> safe = always;
  auto named = [](const std::vector<Place>& list, std::size_t a) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Place& p) { return p.root == Place::Root::Arg && p.index == a && p.path.empty(); });
  };
  for (std::size_t a = 0; a < args.size(); ++a) {
    const TermId t = terms_.root(args[a]);
    if (terms_.is_const(t)) continue;
    const bool written = spec && !spec->computed;  // what was computed names all that it exposes
    const bool told = written && a < spec->params.size();
    const bool exposes =
        written ? !told || !spec->params[a].callee_protects || named(o.exposes, a) : named(o.exposes, a);
    const bool endangers =
        (told && !spec->params[a].callee_protects && !spec->params[a].read_first) || named(o.endangers, a);
    if (answer_.asked() && !written && is_interior(s, t)) trail_.silent(Silence::PointerInto, t, instr);
    if (endangers) {
      GcObject* g = s.gc.object(t);
      if (g && !g->interior && !g->escaped && !s.gc.is_protected(terms_, *g, always)) {
        g->exposed = instr;
        emit_gc(EventKind::UnprotectedArgument, s, g, instr, trail_.callee_name(body_.instrs[instr]));
        g->escaped.because(Silence::Reported);
      } else if ((!g || !g->interior) && !takes_number(unit_, body_, instr, a)) {  // what was read is no object
        s.gc.endangered_params |= s.gc.rests_on(terms_, t, always);
      }
    }
    if (!exposes) safe.push_back(t);
  }
  collect(s, instr, safe, assumed_kind);
}

// A call that does not come back: what it needs while it runs has to be protected all the same, and so has what was
// used up to here.
void Collector::gc_never(State& s, InstrId instr, const std::vector<TermId>& args) {
  const model::Operand callee = body_.ops(body_.instrs[instr])[0];
  const FuncId f = callee.kind == OperandKind::Symbol ? ctx_.program.definition(unit_id_, callee.symbol_id()) : kNone;
  if (f != kNone && !ctx_.known_by_spec(f) && ctx_.summaries[f].known)
    for (const Outcome& o : ctx_.summaries[f].outcomes)
      if (o.never_returns && !o.endangers.empty()) gc_arguments(s, instr, nullptr, o, args);
  props().protection_exits->endangered_at_error_ |= s.gc.endangered_params;
}

// Elements of an object are written behind the collector's back.
void Collector::gc_write(State& s, TermId address, InstrId instr) {
  GcObject* o = s.gc.object(terms_.root(address));
  if (!o || !o->guarded) return;
  emit_gc(EventKind::BarrierBypassed, s, o, instr);
  o->guarded = false;
}

// An object put into memory that the collector looks at itself.
void Collector::note_stored(State& s, TermId address, TermId value, InstrId instr) {
  const auto& kept = ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].kept_in;
  if (terms_[terms_.root(address)].kind == TermKind::Slot) return;
  GcObject* o = s.gc.object(terms_.root(value));
  if (o && terms_[address].kind == TermKind::Global)
    if (const auto* g = ctx_.specs.find_global(terms_.global_name(address)); g && g->immortal && g->points_to)
      trail_.silence(*o, Silence::CollectorSees, instr);
  const model::Operand& at = body_.ops(body_.instrs[instr])[0];
  if (!o || at.kind != OperandKind::Value || defs_[at.id] == kNone) return;
  const Instr& def = body_.instrs[defs_[at.id]];
  if (def.op != Op::Field || def.aux == kNone) return;
  const std::string_view record = unit_.str(unit_.type(body_.fields[def.aux].record).name);
  if (std::find(kept.begin(), kept.end(), record) != kept.end()) trail_.silence(*o, Silence::CollectorSees, instr);
}

// A function of which nothing is known.
void Collector::gc_unknown(State& s, InstrId instr, const std::vector<TermId>& args) {
  const Instr& i = body_.instrs[instr];
  bool objects = subject_.counted(i.type);
  for (std::size_t a = 0; a < args.size(); ++a) objects = objects || calls_.object_parameter(instr, a);
  if (!objects) return;
  std::vector<TermId> safe = gc_lasting(s);
  for (TermId t : args) safe.push_back(terms_.root(t));
  collect(s, instr, safe);
}

// Calls whose results this operand is made of, within one expression.
void Collector::expression_calls(InstrId call, std::uint32_t operand, std::vector<InstrId>& out, int fuel) const {
  const model::Operand& o = body_.operands[operand];
  if (fuel <= 0 || o.kind != OperandKind::Value || defs_[o.id] == kNone || uses_[o.id] != 1) return;
  if (o.id < body_.value_names.size() && body_.value_names[o.id] != 0) return;
  const InstrId def = defs_[o.id];
  const model::Block& b = body_.blocks[loop_.current_];
  if (def < b.first || def >= call) return;
  const Instr& i = body_.instrs[def];
  if (i.op == Op::Call) out.push_back(def);
  if (i.op != Op::Call && i.op != Op::Cast && i.op != Op::Load && i.op != Op::Arith && i.op != Op::Index &&
      i.op != Op::Field)
    return;
  for (std::uint32_t k = i.op == Op::Call ? 1 : 0; k < i.num_operands; ++k)
    expression_calls(call, i.first_operand + k, out, fuel - 1);
}

// Arguments of one call may be evaluated in any order: an object made for one of them is in danger if another one
// collects, whichever the compiler puts first.
void Collector::gc_argument_order(State& s, InstrId instr, const std::vector<TermId>& args) {
  const Instr& i = body_.instrs[instr];
  if (args.size() < 2 || s.gc.calls.empty()) return;
  std::vector<std::vector<InstrId>> calls(args.size());
  std::size_t with_calls = 0;
  for (std::size_t a = 0; a < args.size(); ++a) {
    expression_calls(instr, i.first_operand + 1 + static_cast<std::uint32_t>(a), calls[a], kMaxNesting);
    with_calls += !calls[a].empty();
  }
  if (with_calls < 2) return;
  auto in = [](const std::vector<InstrId>& list, InstrId n) {
    return std::find(list.begin(), list.end(), n) != list.end();
  };
  for (std::size_t a = 0; a < args.size(); ++a) {
    GcObject* o = s.gc.object(terms_.root(args[a]));
    if (!o || o->escaped || !o->fresh || !in(calls[a], o->origin)) continue;
    if (s.gc.is_protected(terms_, *o, {})) continue;
    for (std::size_t b = 0; b < args.size() && !o->escaped; ++b) {
      if (b == a) continue;
      auto it = std::find_if(s.gc.calls.begin(), s.gc.calls.end(), [&](InstrId c) { return in(calls[b], c); });
      if (it == s.gc.calls.end()) continue;
      o->exposed = *it;
      emit_gc(EventKind::ArgumentOrder, s, o, instr, trail_.callee_name(body_.instrs[*it]));
      o->escaped.because(Silence::Reported);
    }
    if (!o->escaped) continue;
    for (TermId t : args)  // once per call is enough
      if (GcObject* other = s.gc.object(terms_.root(t)); other && other->fresh && other->slots.empty())
        other->escaped.because(Silence::Reported);
    return;
  }
}

}  // namespace reckon::engine
