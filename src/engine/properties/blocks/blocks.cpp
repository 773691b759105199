// Blocks of memory: what an allocator gives is freed once, and not used after that.
//
// The problem: memory has no count. Whoever has the pointer may be the one who frees it, and a pointer is handed on,
// stored and forgotten without a word. The method: a call that gives a block (`gives-block` in specs) makes a record;
// from then on the block is this function's to free, until it is freed (`frees-block`), returned, stored in memory that
// outlives the call, or given to somebody of whom it is not known that he only looks. What is freed is remembered until
// no variable names it, whoever made it: freed again or used, it is an error. A helper that frees what it gets says so
// to its callers; one that may hand it on says that by a bit, since ends need not be kept apart for it.
//
// Limits: whoever gets a block, and of whom nothing is known, is taken to have it from then on. So is a structure that
// counts references to itself, and a list that a part of the block was put into. Blocks are not told apart by their
// allocators. What the C library gives is followed in the function that asked for it, and told with doubt.

#include "engine/properties/blocks/blocks.h"

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/core/error_values.h"
#include "engine/core/from_entry.h"
#include "engine/core/loop.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/symbol_sets.h"
#include "engine/core/trail.h"
#include "support/limits.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using specs::Outcome;
using specs::Place;

namespace {
constexpr std::uint32_t kParameters = 32;  // how many can be told by bits

// Is the value a pointer to the block or into it, with a tag perhaps? What was read from the block is not.
bool points_into(const TermArena& terms, TermId value, TermId block) {
  const Term& x = terms[value];
  if (value == block) return true;
  if (x.kind == TermKind::Offset || x.kind == TermKind::Index) return points_into(terms, x.left(), block);
  return x.kind == TermKind::Arith && (points_into(terms, x.left(), block) || points_into(terms, x.right(), block));
}

bool has(const std::vector<Place>& all, const Place& p) { return std::find(all.begin(), all.end(), p) != all.end(); }

// Is the place NULL by this outcome's word?
bool absent(const Outcome& o, const Place& p) {
  return std::any_of(o.when.begin(), o.when.end(), [&](const specs::Condition& c) {
    return c.place == p && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other && c.mask == ~std::uint64_t{0};
  });
}

// Can a caller tell the two ends apart by what they give: numbers, or NULL and something else?
bool told_apart(const Outcome& a, const Outcome& b) {
  using Kind = specs::Value::Kind;
  auto number = [](const Outcome& o) { return o.result.kind == Kind::Int || o.result.kind == Kind::Range; };
  auto high = [](const Outcome& o) { return o.result.kind == Kind::Int ? o.result.imm : o.result.hi; };
  auto zero = [](const Outcome& o) { return o.result.kind == Kind::Int && o.result.imm == 0; };
  auto not_zero = [](const Outcome& o) {
    return std::any_of(o.when.begin(), o.when.end(), [](const specs::Condition& c) {
      return c.place.root == Place::Root::Result && c.place.path.empty() && c.pred == specs::Pred::Ne && c.imm == 0 &&
             !c.other && c.mask == ~std::uint64_t{0};
    });
  };
  if (number(a) && number(b)) return high(a) < b.result.imm || high(b) < a.result.imm;
  return (zero(a) && not_zero(b)) || (zero(b) && not_zero(a));
}
}  // namespace

TermId Blocks::root(TermId t) const { return terms_.root(subject_.untagged(t)); }

EventObject Blocks::object_of(const HeapBlock& b) const {
  EventObject o;
  o.term = b.term;
  o.kind = b.made ? ObjKind::New : terms_[b.term].kind == TermKind::Param ? ObjKind::Param : ObjKind::Loaded;
  o.domain = ctx_.unit_domain[unit_id_];
  o.life = b.life;
  o.owned = b.held() ? 1 : 0;
  o.origin = b.origin;
  o.released = b.freed;
  return o;
}

// Callers may not count on having it any more.
void Blocks::keep(TermId t) {
  const Term& owner = terms_[terms_.owner_root(t)];
  if (owner.kind == TermKind::Param && owner.a < kParameters) kept_ |= 1u << owner.a;
}

// Does the spec belong to what is no domain of its own, as the C library?
bool Blocks::of_no_domain(const specs::FunctionSpec& spec) const {
  const specs::DomainSpec& domain = ctx_.specs.domains()[ctx_.domain_id(spec.domain)];
  return domain.headers.empty() && !domain.checks_given;
}

// Somebody else may have it from here on, and may free it.
void Blocks::let_go(State& s, TermId t, Silence why, InstrId instr) {
  const TermId r = root(t);
  keep(r);
  if (const HeapBlock* b = s.block(r); b && b->held()) {
    trail_.silent(why, r, instr);
    s.remove_block(r);
  }
}

// And so may they have what it leads to.
void Blocks::let_go_reachable(State& s, TermId t, Silence why, InstrId instr) {
  const TermId r = root(t);
  std::vector<TermId> found;
  for (const Cell& c : s.memory)
    if (terms_.root(c.base) == r)
      if (const HeapBlock* b = s.block(root(c.value)); b && b->held() && b->origin != instr) found.push_back(b->term);
  if (const HeapBlock* b = s.block(r); !b || b->origin != instr) let_go(s, r, why, instr);
  for (TermId f : found) let_go(s, f, why, instr);
}

// Somebody out of sight may have put another block where a freed one was.
void Blocks::forget_freed(State& s, TermId owner) {
  std::erase_if(s.blocks,
                [&](const HeapBlock& b) { return !b.made && b.term != owner && terms_.owner_root(b.term) == owner; });
}

void Blocks::free(State& s, TermId t, InstrId instr, const std::string& callee, bool plain) {
  const TermId r = root(t);
  if (terms_.is_const(r) || s.facts.known_zero(terms_, r)) return;
  const TermKind kind = terms_[r].kind;
  if (kind == TermKind::Slot || kind == TermKind::Global || kind == TermKind::Undef || kind == TermKind::Cmp) return;
  if (subject_.untagged(t) != r) {  // a structure around what was given, or an element
    let_go(s, r, Silence::UnknownIndex, instr);
    return;
  }
  HeapBlock* b = s.block(r);
  if (b && b->life == Life::Released) {
    const EventObject o = object_of(*b);
    if (b->freed == instr)  // in the next round of a loop it may be the next one
      trail_.silent(Silence::LoopNextElement, r, instr);
    else if (Event* e = trail_.emit(EventKind::BlockFreedTwice, s, &o, instr, callee))
      e->doubtful = plain || b->plain;
    s.remove_block(r);
    return;
  }
  // What a loop frees that it has read from memory: in the next round the same place may hold the next element, put
  // there by way of a pointer that nobody takes for one to that place (`list_del`).
  if (!b && terms_[r].kind == TermKind::Initial && flow_.in_cycle(loop_.current_)) {
    trail_.silent(Silence::LoopNextElement, r, instr);
    keep(r);
    return;
  }
  if (!b) {
    s.add_block({.term = r, .oom = s.oom});
    b = s.block(r);
  }
  b->plain = b->plain || plain;
  b->life = Life::Released;
  b->freed = instr;
  trail_.note(s, {.instr = instr, .kind = PathNode::Kind::Block, .object = r});
}

void Blocks::use(State& s, TermId t, InstrId instr, const std::string& callee) {
  const HeapBlock* b = s.block(root(t));
  if (!b || b->life != Life::Released) return;
  const EventObject o = object_of(*b);
  if (Event* e = trail_.emit(EventKind::BlockUsed, s, &o, instr, callee)) e->doubtful = b->plain;
  s.remove_block(o.term);
}

// ---- Ends

// Blocks that nobody can free once the function has ended. Of one that only another one leads to nothing is told.
std::vector<TermId> Blocks::left_behind(const State& s, TermId result) const {
  std::vector<TermId> held, out;
  for (const HeapBlock& b : s.blocks)
    if (b.held() && !s.facts.known_zero(terms_, b.term)) held.push_back(b.term);
  if (held.empty()) return held;
  auto add = [&](TermId t) {
    if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
  };
  struct Edge {
    TermId from, to;
  };
  std::vector<Edge> inside;
  for (TermId t : held) {
    if (result != kNoTerm && points_into(terms_, result, t)) add(t);
    for (const Cell& c : s.memory) {
      if (!points_into(terms_, c.value, t)) continue;
      const TermId base = terms_.owner_root(c.base);
      if (base == t || terms_[terms_.root(c.base)].kind == TermKind::Slot) continue;
      const HeapBlock* around = s.block(base);
      if (!around || !around->made)
        add(t);
      else if (around->held())
        inside.push_back({base, t});
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (const Edge& e : inside)
      if (std::find(out.begin(), out.end(), e.from) != out.end() &&
          std::find(out.begin(), out.end(), e.to) == out.end()) {
        add(e.to);
        more = true;
      }
  }
  std::erase_if(held, [&](TermId t) {
    return std::find(out.begin(), out.end(), t) != out.end() ||
           std::any_of(inside.begin(), inside.end(), [&](const Edge& e) { return e.to == t; });
  });
  return held;
}

void Blocks::judge(const State& s, TermId result, InstrId instr) {
  for (TermId t : left_behind(s, result)) {
    const HeapBlock& b = *s.block(t);
    const EventObject o = object_of(b);
    if (Event* e = trail_.emit(EventKind::BlockLost, s, &o, instr)) e->doubtful = b.plain;
  }
}

void Blocks::emit_lost(const State& s, const State::LostBlock& lost, InstrId instr) {
  State then = s;
  then.oom = lost.oom;
  then.failed = lost.failed;
  if (instr == kNone) then.path = lost.path;
  const EventObject o = object_of(lost.block);
  if (Event* e = trail_.emit(EventKind::BlockLost, then, &o, instr == kNone ? lost.block.origin : instr))
    e->doubtful = lost.block.plain;
}

void Blocks::exit(const Exit& e) {
  const State& s = e.state;
  auto parameter = [&](TermId t) {
    const Term& x = terms_[root(t)];
    return x.kind == TermKind::Param && x.a < kParameters ? 1u << x.a : 0;
  };
  Place ignored;
  for (const Cell& c : s.memory)
    if (terms_[terms_.root(c.base)].kind != TermKind::Slot && !to_place(terms_, c.base, ignored))
      kept_ |= parameter(c.value);
  if (e.result != kNoTerm && !to_place(terms_, e.result, ignored)) kept_ |= parameter(e.result);
  if (e.by_exception && !s.thrown) {
    if (!s.blocks.empty()) trail_.silent(Silence::ThrownOutOfSight, kNoTerm, e.instr);
    return;
  }
  // What main() has when it returns goes with the process.
  if (unit_.name(fn_.symbol) == "main") return;
  for (const State::LostBlock& l : s.lost_blocks) emit_lost(s, l, e.instr);
  judge(s, e.by_exception ? kNoTerm : e.result, e.instr);
}

// An error of a collector's leaves the function by a jump, and objects are collected; other memory is not.
void Blocks::never_returns(State& s, InstrId instr, const std::vector<TermId>&) {
  const auto ops = body_.ops(body_.instrs[instr]);
  if (ops[0].kind != model::OperandKind::Symbol) return;
  const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
  if (!spec || !ctx_.specs.domains()[ctx_.domain_id(spec->domain)].reports_protection) return;
  for (const State::LostBlock& l : s.lost_blocks) emit_lost(s, l, instr);
  judge(s, kNoTerm, instr);
}

// What callers get to free, and what was freed of theirs. What the C library gives and frees is followed in one
// function only.
void Blocks::sum_up(const Exit& e, const NewObjects&, Outcome& o) const {
  const State& s = e.state;
  for (const HeapBlock& b : s.blocks) {
    if (b.plain) continue;
    Place p;
    if (b.life == Life::Released) {
      if (!b.made && to_place(terms_, b.term, p)) o.frees_blocks.push_back(p);
      continue;
    }
    if (!b.held()) continue;
    // What is found in other memory as well is that memory's, and not our callers' to free.
    const Cell* only = nullptr;
    bool elsewhere = e.result != kNoTerm && e.result != b.term && points_into(terms_, e.result, b.term);
    for (const Cell& c : s.memory) {
      if (!points_into(terms_, c.value, b.term) || terms_[terms_.root(c.base)].kind == TermKind::Slot ||
          terms_.owner_root(c.base) == b.term)
        continue;
      elsewhere = elsewhere || only || c.value != b.term;
      only = &c;
    }
    if (elsewhere || (only && e.result == b.term)) continue;
    if (e.result == b.term) {
      p.root = Place::Root::Result;
      o.gives_blocks.push_back(p);
    } else if (only && points_to_pointer(only->base) && only->offset == 0 && to_place(terms_, only->base, p)) {
      p.path.push_back(0);
      if (std::any_of(o.stores.begin(), o.stores.end(), [&](const auto& store) { return store.where == p; }))
        o.gives_blocks.push_back(p);
    }
  }
}

// A parameter by which a caller gets a pointer: what is put into a structure of a caller's is that structure's.
bool Blocks::points_to_pointer(TermId t) const {
  const Term& x = terms_[t];
  if (x.kind != TermKind::Param || x.a >= fn_.params.size()) return false;
  const model::Type& type = unit_.type(fn_.params[x.a].type);
  return type.kind == model::TypeKind::Pointer && unit_.type(type.elem).kind == model::TypeKind::Pointer;
}

// ---- Values

bool Blocks::equal(State& s, TermId a, TermId b) {
  if (terms_.is_const(a) || terms_.is_const(b)) return true;
  for (TermId t : {a, b})
    if (const HeapBlock* x = s.block(root(t)); x && x->held()) let_go(s, t, Silence::FoundEqual, kNone);
  return true;
}

// Memory that was just given is no local, no other block and nothing that was there before the call.
bool Blocks::differ(const State& s, TermId a, TermId b) const {
  const TermId x = root(a), y = root(b);
  if (x == y) return false;
  auto held = [&](TermId t) {
    const HeapBlock* block = s.block(t);
    return block && block->held();
  };
  auto elsewhere = [&](TermId t) { return terms_[t].kind == TermKind::Slot || from_entry(terms_, t) || held(t); };
  return (held(x) && elsewhere(y)) || (held(y) && elsewhere(x));
}

void Blocks::too_many(State& s) {
  for (const HeapBlock& b : s.blocks) trail_.silent(Silence::TooManyStates, b.term, kNone);
  s.blocks.clear();
}

void Blocks::widen(State& s, std::span<const State>) {
  std::erase_if(s.blocks, [&](const HeapBlock& b) {
    const bool named =
        std::any_of(s.values.begin(), s.values.end(), [&](const auto& v) { return terms_.root(v.second) == b.term; });
    if (!named) trail_.silent(Silence::LoopMakesMore, b.term, kNone);
    return !named;
  });
}

// A block that no variable and no memory leads to any more is lost, unless memory that held it went out of sight.
void Blocks::forget(State& s, const Pruning& pruning) {
  auto made = [&](TermId t) {
    const HeapBlock* b = s.block(t);
    return b && b->made;
  };
  std::vector<TermId> inner;
  for (std::size_t i = 0; i < s.memory.size(); ++i) {
    const Cell c = s.memory[i];
    if (pruning.stays[i] || terms_[terms_.root(c.base)].kind == TermKind::Slot) continue;
    const TermId around = terms_.owner_root(c.base);
    if (!made(around))
      let_go(s, c.value, Silence::MemoryGone, kNone);
    else if (const HeapBlock* b = s.block(around); b->held() && around != root(c.value))
      inner.push_back(root(c.value));
  }
  std::erase_if(s.blocks, [&](const HeapBlock& b) {
    if (!b.held() || pruning.mentioned.has(b.term)) return false;
    const bool told = std::find(inner.begin(), inner.end(), b.term) != inner.end() ||
                      s.facts.known_zero(terms_, b.term) || s.lost_blocks.size() >= support::kLimits.objects.lost ||
                      std::any_of(s.lost_blocks.begin(), s.lost_blocks.end(),
                                  [&](const State::LostBlock& l) { return l.block.term == b.term; });
    if (!told) s.lost_blocks.push_back({b, s.path, s.oom, s.failed});
    return true;
  });
}

// ---- Memory

void Blocks::touch(State& s, TermId root, InstrId instr) { use(s, root, instr, {}); }

void Blocks::moved(State& s, TermId to, TermId from, InstrId instr) {
  use(s, to, instr, trail_.callee_name(body_.instrs[instr]));
  use(s, from, instr, trail_.callee_name(body_.instrs[instr]));
}

// A part of the block is put into a list that others may lead to.
bool Blocks::storing(State& s, TermId address, TermId value, InstrId instr) {
  const TermId r = root(value);
  if (value != r && r != terms_.owner_root(address)) let_go(s, r, Silence::KeptByCallee, instr);
  return false;
}

void Blocks::stored_somewhere(State& s, TermId value, InstrId instr) { let_go(s, value, Silence::UnknownIndex, instr); }

void Blocks::out_of_sight(State& s, TermId value) { let_go(s, value, Silence::OutOfSight, kNone); }

// One leak per round of the loop: it is told now, before the next round hides it.
void Blocks::renewed(State& s, TermId symbol) {
  std::erase_if(s.lost_blocks, [&](const State::LostBlock& l) {
    if (l.block.term != symbol) return false;
    emit_lost(s, l, kNone);
    return true;
  });
}

// ---- Calls

// A freed block goes to a function that a spec describes, and that does not free.
bool Blocks::argument(State& s, const Call& call, std::size_t a) {
  if (!call.spec || a >= call.spec->params.size()) return true;
  const Place given{.index = static_cast<std::uint32_t>(a)};
  const auto& outcomes = call.spec->outcomes;
  if (std::none_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return has(o.frees_blocks, given); }))
    use(s, call.args[a], call.index, trail_.callee_name(body_.instrs[call.index]));
  return true;
}

// Specs of an API speak of its objects. What it does with other memory they say only where it is freed: who is given
// memory without its type may keep it.
void Blocks::before_call(State& s, const Call& call) {
  if (call.spec->pure || of_no_domain(*call.spec)) return;
  const Instr& i = body_.instrs[call.index];
  if (i.aux == kNone || body_.calls[i.aux].type == 0) return;
  const auto& params = unit_.type(body_.calls[i.aux].type).params;
  for (std::size_t a = 0; a < call.args.size() && a < params.size(); ++a) {
    const model::Type& type = unit_.type(params[a]);
    if (type.kind != model::TypeKind::Pointer || unit_.type(type.elem).kind != model::TypeKind::Void) continue;
    const Place given{.index = static_cast<std::uint32_t>(a)};
    const auto& outcomes = call.spec->outcomes;
    if (std::none_of(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return has(o.frees_blocks, given); }))
      let_go(s, call.args[a], Silence::KeptByCallee, call.index);
  }
}

void Blocks::before_targets(State& s, const Call& call, const Targets& targets) {
  if (targets.functions.size() != 1) return;
  const Summary& callee = ctx_.summaries[targets.functions[0]];
  for (std::size_t a = 0; a < call.args.size() && a < kParameters; ++a)
    if (callee.dereferences >> a & 1) use(s, call.args[a], call.index, trail_.callee_name(body_.instrs[call.index]));
}

void Blocks::after_targets(States& out, std::size_t from, const Call& call, const Targets& targets) {
  std::uint32_t kept = 0;
  for (FuncId f : targets.functions)
    kept |= ctx_.summaries[f].complete ? ctx_.summaries[f].kept_blocks : ~std::uint32_t{0};
  for (std::size_t n = from; n < out.size(); ++n)
    for (std::size_t a = 0; a < call.args.size(); ++a)
      if (a >= kParameters || (kept >> a & 1))
        let_go_reachable(out[n], call.args[a], Silence::UnknownCallee, call.index);
}

void Blocks::handed(State& s, const Call& call, std::size_t a, const model::Type*) {
  let_go_reachable(s, call.args[a], Silence::UnknownCallee, call.index);
  forget_freed(s, terms_.owner_root(call.args[a]));
}

// Places speak of memory before the call, which the effects of other properties may forget: they are looked up before
// any effect.
void Blocks::chosen(State& s, const Applying& call) {
  const Outcome& o = *call.outcome;
  freed_.clear();
  gone_.clear();
  auto place = [&](const Place& p) { return calls_.place(s, p, *call.args, call.index, kNoTerm); };
  auto gone = [&](const Place& p, Silence why) {
    if (const auto t = on_result(p) ? std::nullopt : place(p)) gone_.emplace_back(*t, why);
  };
  for (const specs::Hold& h : o.holds) gone(h.object, Silence::KeptByCallee);
  for (const Place& p : o.escapes) gone(p, Silence::KeptByCallee);
  // A structure that counts its users goes with the last of them.
  for (const specs::CountChange& c : o.counts) gone(c.object, Silence::KeptByCallee);
  // What the callee frees by a state of its own is perhaps freed.
  for (const Outcome& other : call.all)
    for (const Place& p : other.frees_blocks) {
      const bool here = has(o.frees_blocks, p);
      const auto agrees = [&](const Outcome& x) {
        return x.never_returns || has(x.frees_blocks, p) == here || absent(x, p) || told_apart(x, o);
      };
      if (!here && absent(o, p)) continue;
      if (!std::all_of(call.all.begin(), call.all.end(), agrees))
        gone(p, Silence::DecidedByCallee);
      else if (const auto t = here ? place(p) : std::nullopt;
               t && std::find(freed_.begin(), freed_.end(), *t) == freed_.end())
        freed_.push_back(*t);
    }
}

void Blocks::effects(State& s, const Applying& call) {
  for (const auto& [t, why] : gone_) let_go(s, t, why, call.index);
  const bool plain = call.spec && of_no_domain(*call.spec);
  for (TermId t : freed_) {
    free(s, t, call.index, call.callee, plain);
    if (plain) keep(t);  // callers are not told, so that they take it for kept
  }
}

// What a callee puts anywhere may be found there by others, unless that is memory of ours.
void Blocks::stored_by_callee(State& s, const Applying& call, TermId address, TermId value, TermId) {
  const HeapBlock* b = s.block(root(value));
  if (!b || !b->held() || b->origin == call.index) return;
  const HeapBlock* around = s.block(terms_.owner_root(address));
  if (!around || !around->held()) let_go(s, value, Silence::StoredByCallee, call.index);
}

void Blocks::finish(State& s, const Applying& call, TermId result) {
  for (const Place& p : call.outcome->gives_blocks) {
    const auto t = calls_.place(s, p, *call.args, call.index, result);
    if (!t || terms_[*t].kind != TermKind::Fresh || s.facts.known_zero(terms_, *t)) continue;
    if (subject_.fails_by_errno(call.domain))  // no error pointer
      s.facts.assume_cmp(terms_, model::CmpPred::Ult, *t, terms_.constant(kFirstError));
    const bool plain = call.spec && of_no_domain(*call.spec);
    s.add_block({.term = *t, .made = true, .oom = s.oom, .plain = plain, .origin = call.index});
    trail_.note(s, {.instr = call.index, .kind = PathNode::Kind::Block, .object = *t, .owned = 1});
  }
}

}  // namespace reckon::engine
