// When the simulation asks protection: what a collection, a use, a store or a call does to objects and to the stack.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/asked_again.h"
#include "engine/core/memory.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/decisions.h"
#include "engine/properties/protection/exits.h"
#include "engine/properties/protection/stack.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

void Collector::begin(State& s) {
  start_protection(s);
  if (joining_ != Joining::Property) props().decisions->find_decisions();
}

// Without such a condition the look would end like the one by property.
const char* Collector::refuses() {
  if (joining_ != Joining::Conditions) return nullptr;
  const bool some = std::any_of(props().decisions->decides_.begin(), props().decisions->decides_.end(),
                                [](char d) { return d != 0; });
  return some ? nullptr : "no condition to tell ways apart by";
}

// The depth of the stack settles in a loop only where states are joined, and objects are found through members of
// locals and elements of arrays.
void Collector::manner(Manner& m) const {
  m.counts_objects = m.follows_structs = m.lost_stores_escape = m.one_known_case = false;
  m.joins_at_loops = m.recursion_last = m.names_members = m.arrays_unknown = true;
}

void Collector::exit(const Exit& e) { props().protection_exits->gc_exit(e); }

void Collector::sum_up(const Exit& e, const NewObjects& known, Outcome& o) const {
  props().protection_exits->gc_outcome(e.state, e.result, o, known);
}

void Collector::all_exits() { props().protection_stack->check_growth(); }

void Collector::decision(model::BlockId block, TermId condition) {
  if (!props().decisions->decides_.empty() && props().decisions->decides_[block]) props().decisions->track(condition);
}

bool Collector::equal(State& s, TermId a, TermId b) {
  if (gc_distinct(s, a, b)) return false;
  if (s.gc.object(a) && s.gc.object(b)) {  // objects of different kinds are not the same
    auto kind = [&](TermId t) {
      return memory_.read(s, terms_.offset(t, specs::property_step("type")), {}, InstrId(0));
    };
    if (s.facts.decide(terms_, terms_.cmp(model::CmpPred::Eq, kind(a), kind(b))) == 0) return false;
  }
  for (TermId t : {a, b})
    if (GcObject* o = s.gc.object(t); o && o->fresh) trail_.silence(*o, Silence::FoundEqual);
  return true;
}

bool Collector::differ(const State& s, TermId a, TermId b) const { return gc_distinct(s, a, b); }

bool Collector::keep_apart(const State& a, const State& b) const {
  if (joining_ == Joining::Property) return false;
  if (!props().decisions->same_values(a, b)) return true;
  return joining_ == Joining::Conditions && !props().decisions->agree(a, b);
}

void Collector::too_many(State& s) { gc_let_go(s, false); }

void Collector::block_begins(State& s) { s.gc.calls.clear(); }

void Collector::returned(State& s, TermId value, InstrId instr) { gc_use(s, terms_.root(value), instr, {}); }

void Collector::touch(State& s, TermId root, InstrId instr) { gc_use(s, root, instr, {}); }

std::optional<TermId> Collector::special_read(State& s, TermId base, std::int64_t offset) {
  if (!props().protection_stack->is_stack_top(base, offset)) return std::nullopt;
  return props().protection_stack->stack_top(s);
}

bool Collector::special_write(State& s, TermId base, std::int64_t offset, TermId value, InstrId instr) {
  if (!props().protection_stack->is_stack_top(base, offset)) return false;
  props().protection_stack->set_stack_top(s, value, instr);
  return true;
}

namespace {
// A pointer into what was made here: all that was there before is older, and collections in between change nothing
// about that, so the collector need not be told.
bool into_new(const State& s, TermId pointer) {
  const GcObject* o = s.gc.object(pointer);
  const GcObject* whole = o && o->interior ? s.gc.object(o->owner) : nullptr;
  return whole && whole->fresh && whole->origin != model::kNone;
}
}  // namespace

bool Collector::storing(State& s, TermId address, TermId value, InstrId instr) {
  const GcObject* element = s.gc.object(terms_.root(value));
  if ((element && element->fresh) || !into_new(s, terms_.root(address))) gc_write(s, address, instr);
  note_stored(s, address, value, instr);
  return false;
}

void Collector::filling(State& s, TermId address, InstrId instr) {
  if (!into_new(s, terms_.root(address))) gc_write(s, address, instr);
}

void Collector::stored_somewhere(State& s, TermId value, InstrId instr) {
  if (GcObject* o = s.gc.object(terms_.root(value))) trail_.silence(*o, Silence::UnknownIndex, instr);
}

void Collector::never_returns(State& s, InstrId instr, const std::vector<TermId>& args) { gc_never(s, instr, args); }

bool Collector::arguments(State& s, const Call& call) {
  gc_argument_order(s, call.index, call.args);
  return true;
}

bool Collector::argument(State& s, const Call& call, std::size_t a) {
  if (!(call.spec && call.spec->conditional())) gc_use(s, terms_.root(call.args[a]), call.index, call.callee);
  return true;
}

std::optional<TermId> Collector::leads_into(const State& s, TermId pointer) const {
  const GcObject* g = s.gc.object(pointer);
  return g && g->interior ? std::optional(g->owner) : std::nullopt;
}

// What a spec says of a call that runs code is known before its effects (effects()).
void Collector::code_ran(State& s, const Call& call) {
  if (!call.spec) gc_may_jump(s, call.index);
}

void Collector::unknown(State& s, const Call& call, const model::Type*) { gc_unknown(s, call.index, call.args); }

bool Collector::assume(State& s, Applying& call) {
  call.assumed_kind = call.written && assumes_kind(s, call.index, *call.outcome, *call.args);
  return true;
}

bool Collector::is_interior(const State& s, TermId t) const {
  const GcObject* g = s.gc.object(t);
  return g && g->interior;
}

void Collector::forgetting(const State& s, TermId old) {
  if (const GcObject* g = s.gc.object(old); g && g->fresh && !g->escaped)
    trail_.silent(Silence::OlderForgotten, g->term, g->origin);
}

void Collector::chosen(State& s, const Applying& call) {
  if (call.spec && call.spec->conditional())
    for (TermId t : *call.args) gc_use(s, terms_.root(t), call.index, call.callee);
}

void Collector::effects(State& s, const Applying& call) {
  if (call.spec && call.spec->runs_code) gc_rebind(s, call.index, *call.args);
  gc_arguments(s, call.index, call.spec, *call.outcome, *call.args, call.assumed_kind);
}

namespace {
// How many slots are popped is told by memory as it was before the call changed it: `UNPROTECT(*n); *n = 0;`.
bool pops_first(const Outcome& o) {
  return o.unprotects && !o.unprotects->path.empty() && !o.stores.empty() && !o.depth_unknown;
}
}  // namespace

void Collector::make_objects(State& s, const Applying& call) {
  const Outcome& o = *call.outcome;
  if (pops_first(o)) {
    specs::ProtectionEffects pop;
    pop.unprotects = o.unprotects;
    props().protection_stack->gc_stack(s, call.index, pop, *call.args, kNoTerm);
  }
  // What an API of another domain gives is nothing that this one's collector knows.
  if (call.spec && !ctx_.specs.domains()[call.domain].reports_protection) return;
  for (std::uint32_t k = 0; k < o.objects.size(); ++k) {
    const bool again = gives_part_again(call, k, manner_.counts_objects);
    if (again && s.gc.object(call.answer)) continue;
    const TermId t = again ? call.answer : terms_.fresh(call.index, 0, k);
    gc_new(s, t, call.index, o.objects[k], *call.args);
    GcObject* g = s.gc.object(t);
    // Code that runs may give back anything, also what was there before.
    if (g && call.spec && call.spec->runs_code) g->distinct = false;
    if (g && g->fresh) g->assumed_kind = call.assumed_kind || o.objects[k].assumed_kind;
  }
}

void Collector::part_of(State& s, const Applying& call, TermId t, const specs::Value& v, TermId) {
  specs::Object part;
  part.owned = false;
  part.borrowed_from = v.place;
  gc_new(s, t, call.index, part, *call.args);
  if (GcObject* g = s.gc.object(t)) g->interior = true, g->guarded = v.read_only;
}

std::optional<TermId> Collector::special_value(State& s) { return props().protection_stack->stack_top(s); }

void Collector::after_stores(State& s, const Applying& call, TermId result) {
  gc_links(s, call, result);
  if (!pops_first(*call.outcome))
    return props().protection_stack->gc_stack(s, call.index, *call.outcome, *call.args, result);
  specs::ProtectionEffects rest = *call.outcome;
  rest.unprotects.reset();
  props().protection_stack->gc_stack(s, call.index, rest, *call.args, result);
}

}  // namespace reckon::engine
