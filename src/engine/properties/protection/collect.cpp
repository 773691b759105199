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
constexpr std::size_t kMaxHolders = support::kLimits.objects.holders;
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
  const bool assumed_kind = g && (g->assumed_kind || seldom_collected() || given_up_elsewhere());
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

// ---------------------------------------------------------------- objects and links

void Collector::gc_new(State& s, TermId t, InstrId instr, const specs::Object& x, const std::vector<TermId>& args) {
  if (!x.maybe_null) s.facts.assume_cmp(terms_, model::CmpPred::Ne, t, terms_.zero());
  if (x.immortal) return;
  GcObject o;
  o.term = t;
  o.origin = instr;
  o.fresh = x.owned;
  o.distinct = x.owned && !x.maybe_null;
  if (x.owned) s.facts.assume_cmp(terms_, model::CmpPred::Ne, t, terms_.zero());
  if (!x.owned) {
    if (!x.borrowed_from) return;  // somebody out of sight keeps it
    const auto from = calls_.place(s, *x.borrowed_from, args, instr, kNoTerm);
    if (!from || terms_.is_const(*from)) return;
    o.owner = keyed_part(terms_, *x.borrowed_from, terms_.root(*from), args);
    if (o.owner == t) return;
    if (!s.gc.object(o.owner) && !s.gc.object(terms_.owner_root(o.owner))) return;  // safe, as far as we know
    if (const GcObject* owner = s.gc.whole(terms_, o.owner)) {
      if (owner->escaped) return;
      o.depends = owner->depends;
    }
  }
  s.gc.add(std::move(o));
}

namespace {
// The index or key of one of several places.
TermId index_of(const TermArena& terms, TermId place) { return terms[terms[place].left()].right(); }

// One of several places at an index or key that came as an argument?
bool by_parameter(const TermArena& terms, TermId place) {
  const Term& x = terms[place];
  return x.kind == TermKind::Initial && x.imm == 0 && terms[x.left()].kind == TermKind::Index &&
         terms[index_of(terms, place)].kind == TermKind::Param;
}
}  // namespace

void Collector::gc_links(State& s, const Applying& call, TermId result) {
  const InstrId instr = call.index;
  const Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  // The record of an object that is to be linked or pushed; nullptr: it is safe whatever happens.
  auto record = [&](const Place& p) -> GcObject* {
    const auto t = calls_.place(s, p, args, instr, result);
    if (!t || terms_.is_const(*t) || terms_[*t].kind == TermKind::Undef) return nullptr;
    return s.gc.object(terms_.root(*t));
  };
  // One of several places at `at` (elements, attributes, variables): where a spec says that what is there is dropped
  // and an argument kept, the one argument that is neither tells which: `set_element(x, i, v)`.
  auto keyed = [&](const Place& p, TermId at) {
    if (p.root != Place::Root::Arg || p.path.size() != 1 || args.size() != 3) return at;
    for (const Outcome& x : call.all) {
      if (std::none_of(x.releases_holds.begin(), x.releases_holds.end(),
                       [&](const specs::Hold& h) { return h.object == p; }))
        continue;
      for (const specs::Hold& h : x.holds)
        if (h.holder == p && h.object.root == Place::Root::Arg && h.object.index < 3 && h.object.index != p.index)
          return part_at(terms_, at, args[3 - h.object.index - p.index]);
    }
    return at;
  };
  // What is let go comes first: a slot is emptied before it is filled.
  for (const specs::Hold& d : o.drops) {
    const bool from_list = d.holder && d.holder->root == Place::Root::Global && d.holder->path.empty();
    GcObject* g = record(d.object);
    if (from_list && (!g || (!g->fresh && g->owner == kNoTerm)))
      if (GcObject* read = gc_released(s, calls_.place(s, d.object, args, instr, result))) g = read;
    note_drop(s, d, g, args, instr);
    if (!g) continue;
    if (from_list && g->jumped != kNone) {
      const std::vector<TermId> always = gc_lasting(s);  // of nil and its like nothing is lost
      if (std::find(always.begin(), always.end(), g->term) == always.end())
        emit_gc(EventKind::PreserveLeak, s, g, g->preserved, trail_.callee_name(body_.instrs[g->jumped]));
      g->jumped = g->preserved = kNone;
    }
    if (!d.holder) {
      g->holders.clear();
      continue;
    }
    if (const auto holder = calls_.place(s, *d.holder, args, instr, result))
      std::erase(g->holders, terms_.root(*holder));
    g->popped = instr;
  }
  for (const specs::Hold& emptied : o.releases_holds) {
    const Place& p = emptied.object;
    const auto t = calls_.place(s, p, args, instr, result);
    // What was there is put back: nothing changes, whatever else names it.
    auto put_back = [&](const specs::Hold& h) {
      const GcObject* g = h.holder == p ? record(h.object) : nullptr;
      return g && g->owner != kNoTerm && t && terms_.contains(g->owner, terms_.root(*t));
    };
    if (!t || std::any_of(o.holds.begin(), o.holds.end(), put_back)) continue;
    const TermId whole = terms_.root(*t);
    TermId emptied_place = keyed(p, whole);
    // A helper that empties one of them and puts nothing there says which.
    const auto at = emptied.holder && !call.written && (args.size() != 3 || emptied_place == whole)
                        ? calls_.place(s, *emptied.holder, args, instr, result)
                        : std::nullopt;
    if (at) emptied_place = part_at(terms_, whole, *at);
    gc_unlink(s, emptied_place, instr);
    parts_change(terms_, s, whole, instr);
    if (emptied_place == whole)
      s.note_deed(terms_, {specs::effect_rows::releases_holds, whole});
    else if (by_parameter(terms_, emptied_place))
      s.note_deed(terms_, {specs::effect_rows::releases_holds, whole, index_of(terms_, emptied_place)});
    else if (terms_[terms_[emptied_place].left()].kind != TermKind::Index)  // at a constant
      s.note_deed(terms_, {specs::effect_rows::releases_holds, emptied_place});
  }
  for (const specs::Hold& h : o.holds) {
    GcObject* g = record(h.object);
    if (!g) continue;
    if (!h.holder) {
      trail_.silence(*g, Silence::KeptByCallee, instr);
      continue;
    }
    const auto holder = calls_.place(s, *h.holder, args, instr, result);
    if (!holder || terms_.is_const(*holder) || terms_.owner_root(*holder) == g->term) continue;
    if (h.holder->root == Place::Root::Global && h.holder->path.empty()) g->preserved = instr;
    const TermId root = keyed(*h.holder, terms_.root(*holder));
    parts_change(terms_, s, root, instr);
    auto it = std::lower_bound(g->holders.begin(), g->holders.end(), root);
    if (it != g->holders.end() && *it == root) continue;
    if (g->holders.size() >= kMaxHolders && s.gc.is_protected(terms_, *g, {})) continue;
    g->holders.insert(it, root);
  }
  for (const Place& p : o.escapes)
    if (GcObject* g = record(p)) trail_.silence(*g, Silence::KeptByCallee, instr);
}

// A list or object lets go of something that it did not get on this path: callers are told.
void Collector::note_drop(State& s, const specs::Hold& d, const GcObject* g, const std::vector<TermId>& args,
                          InstrId instr) {
  const auto object = calls_.place(s, d.object, args, instr, kNoTerm);
  const auto holder = d.holder ? calls_.place(s, *d.holder, args, instr, kNoTerm) : std::nullopt;
  if (!object || (d.holder && !holder)) return;
  if (g && holder && std::find(g->holders.begin(), g->holders.end(), terms_.root(*holder)) != g->holders.end()) return;
  s.note_deed(terms_, {specs::effect_rows::drops, *object, holder.value_or(kNoTerm)});
}

// `link`, an object or one of its places (its attributes, its first element), lets go of what it held: what was only
// known to be alive as a part of it is on its own now.
void Collector::gc_unlink(State& s, TermId link, InstrId instr) {
  for (GcObject& g : s.gc.objects) {
    if (g.term == link) continue;
    bool cut = std::erase_if(g.holders, [&](TermId h) { return terms_.contains(h, link); }) != 0;
    if (!g.fresh && !g.interior && g.owner != kNoTerm && terms_.contains(g.owner, link)) {
      g.owner = kNoTerm;
      g.fresh = cut = true;
      g.distinct = false;
    }
    if (cut) g.popped = instr;
  }
}

// Something read from memory is taken off a global list: it was kept by that, and by nothing else we know of but the
// stack, if it was pushed before.
GcObject* Collector::gc_released(State& s, std::optional<TermId> t) {
  if (!t || terms_[*t].kind != TermKind::Initial || s.gc.object(terms_.owner_root(*t))) return nullptr;
  if (GcObject* pushed = s.gc.object(*t)) {
    pushed->fresh = true;
    return pushed;
  }
  GcObject o;
  o.term = *t;
  o.fresh = true;
  return &s.gc.add(std::move(o));
}

// A new object is none of those that were there before: is this comparison of two pointers decided by that?
bool Collector::gc_distinct(const State& s, TermId a, TermId b) const {
  auto text = [&](TermId t) -> const std::string* {
    if (terms_[t].kind != TermKind::Initial || terms_[t].imm != 0 || terms_[terms_[t].left()].kind != TermKind::Global)
      return nullptr;
    const auto it = ctx_.interned.find(std::string(terms_.global_name(terms_[t].left())));
    return it == ctx_.interned.end() ? nullptr : &it->second;
  };
  if (!ctx_.interned.empty())
    if (const std::string *ta = text(a), *tb = ta ? text(b) : nullptr; ta && tb && *ta != *tb) return true;
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    const GcObject* o = s.gc.object(x);
    if (!o || !o->fresh || !o->distinct || x == y) continue;
    const Term& other = terms_[y];
    if (other.kind == TermKind::Param || other.kind == TermKind::Initial) return true;
    if (const GcObject* p = s.gc.object(y); p && p->fresh && p->distinct) return true;
  }
  return false;
}

}  // namespace reckon::engine
