// Exits: what is wrong when the function ends, and what its callers need to know of each way it can end.

#include <algorithm>
#include <deque>

#include "engine/conditions.h"
#include "engine/call_symbols.h"
#include "engine/executor.h"
#include "engine/places.h"

namespace reckon::engine {

using model::kNone;
using specs::Outcome;
using specs::Place;

namespace {
constexpr std::size_t kMaxConditions = 8;
constexpr std::size_t kMaxStores = 8;
constexpr std::size_t kMaxPath = 3;

}  // namespace

bool to_place(const TermArena& terms, TermId t, Place& out) {
  const Term& x = terms[t];
  switch (x.kind) {
    case TermKind::Param:
      out = Place{};
      out.root = Place::Root::Arg;
      out.index = x.a;
      return true;
    case TermKind::Global:
      if (terms.global_name(t).find('@') != std::string_view::npos) return false;  // private to its unit
      out = Place{};
      out.root = Place::Root::Global;
      out.global = std::string(terms.global_name(t));
      return true;
    case TermKind::Initial:
      if (x.b != 0 || !to_place(terms, x.a, out) || out.address || out.path.size() >= kMaxPath) return false;
      out.path.push_back(x.imm);
      return true;
    case TermKind::Offset:
      if (!to_place(terms, x.a, out) || out.address || out.path.size() >= kMaxPath) return false;
      out.path.push_back(x.imm);
      out.address = true;
      return true;
    default: return false;
  }
}

namespace {

// Was it read at some index on the way? Elements of arrays are moved in and out by all kinds of hands.
bool from_array(const TermArena& terms, TermId t) {
  while (terms[t].kind == TermKind::Initial) {
    t = terms.split(terms[t].a).first;
    if (terms[t].kind == TermKind::Index) return true;
  }
  return false;
}

// The answer of a comparison with a constant, where what is known of the other side allows only one.
std::optional<std::int64_t> decided(const TermArena& terms, const Facts& facts, TermId t) {
  const Term& x = terms[t];
  if (x.kind != TermKind::Cmp || !terms.is_const(x.b)) return std::nullopt;
  const Range known = facts.range(terms, t), side = facts.range(terms, x.a);
  if (known.is_single()) return known.lo;
  const std::int64_t c = terms[x.b].imm;
  const auto pred = static_cast<model::CmpPred>(x.sub);
  switch (pred) {
    case model::CmpPred::Slt:
    case model::CmpPred::Sle:
    case model::CmpPred::Sgt:
    case model::CmpPred::Sge:
      if (holds(pred, side.lo, c) == holds(pred, side.hi, c)) return holds(pred, side.lo, c);
      return std::nullopt;
    case model::CmpPred::Eq:
    case model::CmpPred::Ne:
      if (side.is_single() || !side.allows(c)) return (side.is_single() && side.lo == c) == (pred == model::CmpPred::Eq);
      return std::nullopt;
    default: return std::nullopt;
  }
}

// Outcomes that differ only in conditions, and (any_number) in which number they return.
bool same_effects(const Outcome& a, const Outcome& b, bool any_number) {
  auto numeric = [](const specs::Value& v) {
    return v.kind == specs::Value::Kind::Int || v.kind == specs::Value::Kind::Range || v.kind == specs::Value::Kind::Unknown;
  };
  const bool results = a.result == b.result || (any_number && numeric(a.result) && numeric(b.result) && a.failure == b.failure);
  return results && a.objects == b.objects && a.counts == b.counts && a.holds == b.holds && a.stores == b.stores &&
         a.protects == b.protects && a.depth_unknown == b.depth_unknown && a.unprotects == b.unprotects &&
         a.protected_objects == b.protected_objects && a.reprotects == b.reprotects && a.drops == b.drops &&
         (any_number || (a.allocates == b.allocates && a.exposes == b.exposes && a.endangers == b.endangers)) &&
         a.escapes == b.escapes && a.clobbers == b.clobbers && a.exception == b.exception && a.pending == b.pending && a.never_returns == b.never_returns;
}

void merge_into(Outcome& into, const Outcome& from) {
  using Kind = specs::Value::Kind;
  if (!(into.result == from.result)) {
    auto bounds = [](const specs::Value& v) -> std::pair<std::int64_t, std::int64_t> {
      if (v.kind == Kind::Int) return {v.imm, v.imm};
      if (v.kind == Kind::Range) return {v.imm, v.hi};
      return {kMin, kMax};
    };
    const auto [l1, h1] = bounds(into.result);
    const auto [l2, h2] = bounds(from.result);
    specs::Value v;
    v.kind = Kind::Range;
    v.imm = std::min(l1, l2);
    v.hi = std::max(h1, h2);
    if (v.imm == kMin && v.hi == kMax) v = specs::Value{};
    into.result = v;
  }
  into.when = weaken(into.when, from.when);
  into.allocates = into.allocates || from.allocates;
  for (auto list : {&Outcome::exposes, &Outcome::endangers})
    for (const Place& p : from.*list)
      if (std::find((into.*list).begin(), (into.*list).end(), p) == (into.*list).end()) (into.*list).push_back(p);
  into.out_of_memory_only = into.out_of_memory_only && from.out_of_memory_only;
}

}  // namespace

// Does somebody who outlives this call hold the object, besides those whose references we own?
bool Executor::held_elsewhere(const State& s, const Obj& o) const {
  if (o.kind == ObjKind::Borrowed) return !o.unstable;
  return std::any_of(o.holders.begin(), o.holders.end(), [&](TermId h) {
    const Obj* holder = s.object(h);
    return !holder || holder->kind != ObjKind::New;
  });
}

bool Executor::visible_place(TermId t, Place& out) const { return to_place(terms_, t, out); }

// Where a lost object's leak is shown: at the end of the function if a variable held it, else (a temporary, or
// lost in a loop) at the last thing that was done with it.
void Executor::emit_lost(const State& s, const State::Lost& lost, std::uint32_t exit) {
  const Obj& o = lost.object;
  const bool named = o.origin != kNone && body_.instrs[o.origin].result != kNone &&
                     body_.instrs[o.origin].result < body_.value_names.size() &&
                     body_.value_names[body_.instrs[o.origin].result] != 0;
  const std::uint32_t at = exit != kNone && (named || o.touched == kNone) ? exit : o.touched;
  State then = s;
  then.path = lost.path;
  // The way from there to the end belongs to it, unless something failed on it that has nothing to do with the loss.
  std::uint32_t n = s.path;
  while (n != kNone && n != lost.path && !path_[n].failure) n = path_[n].parent;
  if (at == exit && n == lost.path) then.path = s.path;
  then.oom = lost.oom;
  then.failed = lost.failed;
  emit(EventKind::Leak, then, &o, at);
}

// Did the function write to the structure `o` was read from? Then taking the element out may be what it does.
bool Executor::writes_to_owner(const State& s, const Obj& o) const {
  const TermId owner = terms_.owner_root(o.term);
  return std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) { return terms_.owner_root(c.base) == owner; });
}

// An element of an array, and the function changed what the array belongs to (an index, a size): it moves out with the
// reference the array had.
bool Executor::moved_out(const State& s, const Obj& o) const {
  if (o.kind != ObjKind::Loaded || terms_[o.term].kind != TermKind::Initial) return false;
  return terms_[terms_.split(terms_[o.term].a).first].kind == TermKind::Index && writes_to_owner(s, o);
}

void Executor::check_exit(const Exit& e) {
  const State& s = e.state;
  // Exceptions that code out of sight might throw are not held against a function; its own are.
  if (e.by_exception && !s.thrown) return;
  if (gc_) return gc_exit(e);
  const auto guise = guise_of_.find(e.result);
  const TermId goes_along = guise == guise_of_.end() ? kNoTerm : guise->second;  // with the result
  for (const State::Lost& l : s.lost)
    if (l.object.term != goes_along) emit_lost(s, l, e.instr);
  const bool promises_new = contract_ == Contract::NewOrNull || contract_ == Contract::NewOrEnd;
  const bool entry = is_entry();
  const TermId returned = !e.by_exception && e.result != kNoTerm ? e.result : kNoTerm;

  const bool returns_pointer = unit_.type(fn_.result).kind == model::TypeKind::Pointer;
  auto plain_copies = [&](const Obj& o) {
    return static_cast<int>(std::count_if(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
      const auto field = field_names_.find(terms_.find_offset(c.base, c.offset));
      return refers_to(c.value, o) && field != field_names_.end() && !counted(body_.fields[field->second].type);
    }));
  };
  Place ignored;
  // Code out of sight may have written to memory that a reference was stored in.
  const bool rewritten_elsewhere = !s.clobbered.empty() || std::any_of(s.epochs.begin(), s.epochs.end(), [&](const auto& x) {
    return terms_[terms_.owner_root(x.first)].kind != TermKind::Slot;
  });
  // Nothing was done with it after it was taken: it may have been stored where a loop has forgotten it.
  auto just_taken = [&](const Obj& o) {
    if (o.touched == kNone || body_.instrs[o.touched].op != model::Op::Call) return true;
    const auto callee = body_.ops(body_.instrs[o.touched])[0];
    const specs::FunctionSpec* spec = callee.kind == model::OperandKind::Symbol ? ctx_.spec_of[unit_id_][callee.id] : nullptr;
    return spec && std::any_of(spec->outcomes.begin(), spec->outcomes.end(), [](const Outcome& x) {
             return std::any_of(x.counts.begin(), x.counts.end(), [](const auto& c) { return c.delta > 0; });
           });
  };
  for (const Obj& o : s.objects) {
    if (s.facts.known_zero(terms_, o.term) || o.term == goes_along) continue;
    if (o.escaped || o.immortal || o.kind == ObjKind::Interior) continue;
    const bool part = returned != kNoTerm && embedded(o.term) && terms_.root(returned) == terms_.root(o.term);
    const int returns = part || (o.term == returned && (promises_new || returns_pointer)) ? 1 : 0;
    const int excess = o.owned - returns - stored_change(s, o);
    switch (o.kind) {
      case ObjKind::New:
      case ObjKind::Borrowed:
        // An object that comes back to life in its deallocator holds its type again.
        if (excess > 0 && o.owned > 0 &&
            !(is_dealloc(contract_) && o.kind == ObjKind::Borrowed && o.origin != kNone && is_type_pointer(body_.instrs[o.origin].type)))
          emit(EventKind::Leak, s, &o, e.instr);
        break;
      case ObjKind::Param:
        if (o.consumed && excess < 0 && !o.indirect && !counted(fn_.result)) emit(EventKind::OverRelease, s, &o, o.touched);
        // Handed back, or stored by a function that nobody in sight calls, with more references than go with it.
        if (!entry && excess > 0 && o.owned > 1 && !o.indirect && !o.handed &&
            (returns || (o.owned > excess && ctx_.program.callers(id_).empty()))) emit(EventKind::CountLeft, s, &o, e.instr);
        // A pointer kept in a member of some other type, beside one that holds the reference, is a copy of that.
        if (entry && excess != 0 && !(excess < 0 && (returns || (o.owned > 0 && excess + plain_copies(o) >= 0)))) emit(EventKind::CountLeft, s, &o, excess < 0 && o.touched != kNone ? o.touched : e.instr);
        break;
      case ObjKind::Loaded:
        // What callers cannot name they cannot release either.
        if (excess > 0 && o.owned > 0 && (returns || entry || (!o.indirect && !o.handed && !from_local(o.term) && !visible_place(o.term, ignored) && !rewritten_elsewhere && !just_taken(o) &&
                                                                 terms_[terms_.owner_root(o.term)].kind != TermKind::Global)))
          emit(EventKind::Leak, s, &o, e.instr);
        // A global's object, given up by a method that leaves the global pointing at it.
        if (promises_new && excess < 0 && o.owned < 0 && !o.stolen && !o.indirect && terms_[o.term].kind == TermKind::Initial &&
            terms_[terms_[o.term].a].kind == TermKind::Global)
          emit(EventKind::OverRelease, s, &o, o.touched);
        // An item of a list that goes on holding it.
        if (excess < 0 && o.owned < 0 && !o.stolen && !o.indirect && is_unstable_read(o.term) && !writes_to_owner(s, o))
          emit(EventKind::OverRelease, s, &o, o.touched);
        if (excess < 0 && o.owned < 0 && o.stolen && !o.indirect && !from_local(o.term) && !writes_to_owner(s, o)) emit(EventKind::OverRelease, s, &o, o.touched);
        break;
      case ObjKind::Global:
        // Judged at the end only: customary code hands one over first and takes the reference then. What a failing
        // path loses of them is nobody's worry.
        if (!o.singleton || o.indirect) break;
        if (excess > 0 && o.owned > 0 && !s.failed) emit(EventKind::Leak, s, &o, e.instr);
        if (excess < 0 && o.owned < 0 && !returns) emit(EventKind::OverRelease, s, &o, o.touched);
        break;
      case ObjKind::Unknown:
        // Whatever it is: two references were taken here, and one of them at most is gone.
        if (excess > 0 && o.owned > 1 && !o.indirect && !o.handed && o.holders.empty()) emit(EventKind::Leak, s, &o, e.instr);
        break;
      default: break;
    }
  }
  check_contract(e);
  check_stored(e);
  // Whatever the contract: what is returned should still be there.
  if (returned != kNoTerm && !promises_new)
    if (const Obj* o = s.object(returned); o && o->life == Life::Released && !o->escaped && returns_pointer)
      emit(EventKind::UseAfterRelease, s, o, e.instr);
  // A new reference is promised: is it one? Where only callers promise it, they judge what they can see of the result.
  const bool unseen = contract_ == Contract::NewResult && !visible_place(e.result, ignored);
  if (returned != kNoTerm && (promises_new || unseen) && !s.facts.known_zero(terms_, returned)) {
    State copy = s;
    if (const Obj* o = obj(copy, returned, e.instr); o && !o->escaped && (promises_new || o->kind == ObjKind::Loaded)) {
      const bool lent = o->kind == ObjKind::Borrowed || o->kind == ObjKind::Param || o->kind == ObjKind::Loaded ||
                        o->kind == ObjKind::Global || o->kind == ObjKind::New;
      const int have = o->owned - std::min(0, stored_change(copy, *o));
      if (o->life == Life::Released)
        emit(EventKind::UseAfterRelease, s, o, e.instr);
      else if (lent && have < 1 && !moved_out(s, *o) && !from_local(o->term))
        emit(EventKind::BorrowedReturned, s, o, e.instr);
    }
  }
  if ((s.exception == ExcState::Clear || s.exception == ExcState::Unset) && returned != kNoTerm) {
    const Range r = s.facts.range(terms_, returned);
    const bool fails = r.is_single() && ((contract_ == Contract::NewOrNull && r.lo == 0) || (fails_by_minus_one(contract_) && r.lo == -1));
    if (Event* ev = fails ? emit(EventKind::NoException, s, nullptr, e.instr) : nullptr)
      ev->by_contract = terms_[returned].kind == TermKind::Initial;  // what a member holds, if that can be NULL at all
  }
  if (!s.helped && s.exception == ExcState::Set && returned != kNoTerm && promises_new &&
      s.facts.known_nonzero(terms_, returned))
    emit(EventKind::ValueWithException, s, nullptr, e.instr);
  check_kept_by_failure(e);
  if (entry && s.threads != 0) emit(EventKind::NoLock, s, nullptr, e.instr);
  for (const Count& c : s.counts) {
    if (c.delta <= 0 || terms_[terms_.root(c.object)].kind != TermKind::Slot || terms_.split(c.object).second == kMovedMark) continue;
    Obj o;
    o.term = c.object;
    o.domain = ctx_.count_domains[c.kind];
    o.origin = c.touched;
    if (Event* ev = emit(EventKind::BufferLeft, s, &o, e.instr)) ev->count = ctx_.count_kinds[c.kind];
  }
}

// References to `t` in memory that outlives the call but that `o` does not tell callers about.
int Executor::hidden_stores(const State& s, TermId t, const Outcome& o) const {
  int n = 0;
  for (const Cell& c : s.memory) {
    if (untagged(c.value) != t || terms_[terms_.root(c.base)].kind == TermKind::Slot) continue;
    Place where;
    if (to_place(terms_, c.base, where) && !where.address) {
      where.path.push_back(c.offset);
      if (std::any_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& e) { return e.where == where; })) continue;
    }
    ++n;
  }
  return n;
}

Outcome Executor::outcome_of(const Exit& e, bool& complete) const {
  const State& s = e.state;
  Outcome o;
  std::vector<std::pair<TermId, std::uint32_t>> known;  // objects callers get to know

  auto give = [&](TermId t) -> std::optional<specs::Value> {  // a value in the callers' terms
    specs::Value v;
    if (terms_.is_const(t)) {
      v.kind = specs::Value::Kind::Int;
      v.imm = terms_[t].imm;
      return v;
    }
    const Obj* x = s.object(t);
    // Something read from memory callers cannot name, with a reference of its own, is a new object to them.
    Place ignored;
    const bool unnamed = x && x->owned > 0 && x->kind == ObjKind::Loaded && !x->escaped && !to_place(terms_, t, ignored) &&
                         t < term_types_.size() && counted(term_types_[t]);
    if (x && !x->escaped && (x->kind == ObjKind::New || x->kind == ObjKind::Borrowed || unnamed) && x->life == Life::Alive) {
      for (const auto& [k, n] : known)
        if (k == t) {
          v.kind = specs::Value::Kind::Object;
          v.object = n;
          return v;
        }
      specs::Object n;
      // A global that callers cannot name, or a table that holds it at some index, has one of the references.
      const auto kept = std::count_if(s.memory.begin(), s.memory.end(), [&](const Cell& c) {
        Place seen;
        const TermKind root = terms_[terms_.root(c.base)].kind;
        return untagged(c.value) == t && (root == TermKind::Global || (terms_[c.base].kind == TermKind::Index && root != TermKind::Slot)) &&
               !to_place(terms_, c.base, seen);
      });
      n.owned = x->owned > kept && !held_elsewhere(s, *x);  // else lent, with a reference taken
      n.immortal = x->immortal;
      n.maybe_null = s.facts.range(terms_, t).allows(0);
      Place from;
      if (x->owner != kNoTerm && to_place(terms_, x->owner, from) && !from.address) n.borrowed_from = from;
      if (x->owned <= 0)
        for (TermId h : x->holders)
          if (to_place(terms_, h, from) && !from.address) n.borrowed_from = from;
      v.kind = specs::Value::Kind::Object;
      v.object = static_cast<std::uint32_t>(o.objects.size());
      known.emplace_back(t, v.object);
      o.objects.push_back(n);
      return v;
    }
    // Found by a function that only looks: whoever holds it goes on doing so.
    if (!gc_ && t == e.result && looks_only_ && counted(fn_.result) && terms_[t].kind == TermKind::Initial && !from_local(t) &&
        (!x || (x->kind == ObjKind::Loaded && x->owned == 0 && x->life == Life::Alive && !x->escaped && !x->handed)) &&
        !to_place(terms_, t, ignored) && !from_array(terms_, t)) {
      specs::Object n;
      n.owned = false;
      n.immortal = x && x->immortal;
      n.maybe_null = s.facts.range(terms_, t).allows(0);
      v.kind = specs::Value::Kind::Object;
      v.object = static_cast<std::uint32_t>(o.objects.size());
      known.emplace_back(t, v.object);
      o.objects.push_back(n);
      return v;
    }
    if (specs::Object n; gc_ && gc_value(s, t, n)) {
      v.kind = specs::Value::Kind::Object;
      for (const auto& [k, number] : known)
        if (k == t) {
          v.object = number;
          return v;
        }
      v.object = static_cast<std::uint32_t>(o.objects.size());
      known.emplace_back(t, v.object);
      o.objects.push_back(n);
      return v;
    }
    if (Place p; to_place(terms_, t, p)) {
      v.kind = specs::Value::Kind::Place;
      v.place = p;
      return v;
    }
    // Found to be something that has a name.
    for (const Relation& r : s.facts.relations())
      if (r.lo == 0 && r.hi == 0 && (r.a == t || r.b == t))
        if (Place p; to_place(terms_, r.a == t ? r.b : r.a, p) && !p.address) {
          v.kind = specs::Value::Kind::Place;
          v.place = p;
          return v;
        }
    // A comparison that this end has decided.
    if (const auto answer = decided(terms_, s.facts, t)) {
      v.kind = specs::Value::Kind::Int;
      v.imm = *answer;
      return v;
    }
    return std::nullopt;
  };

  if (e.result != kNoTerm && fn_.result != 0) {
    if (auto v = give(e.result)) {
      o.result = *v;
    } else {
      const Range r = s.facts.range(terms_, e.result);
      if (r.is_single() || r.lo != kMin || r.hi != kMax) {
        o.result.kind = r.is_single() ? specs::Value::Kind::Int : specs::Value::Kind::Range;
        o.result.imm = r.lo;
        o.result.hi = r.hi;
      }
      Place res;
      res.root = Place::Root::Result;
      for (std::int64_t x : r.excluded) o.when.push_back({res, ~std::uint64_t{0}, specs::Pred::Ne, x, std::nullopt});
      if (r.has_gap() && !r.allows(kFirstError) && !r.allows(kLastError))
        o.when.push_back({res, specs::err_ptr_mask, specs::Pred::Ne, specs::err_ptr_value, std::nullopt});
    }
  }
  // Conditions on what callers can see.
  for (const auto& [t, r] : s.facts.ranges()) {
    if (o.when.size() >= kMaxConditions) break;
    Place p;
    const Term& x = terms_[t];
    if (to_place(terms_, t, p) && !p.address) {
      if (p.root == Place::Root::Global && p.path.empty()) continue;
      add_range(o.when, p, ~std::uint64_t{0}, r);
    } else if (x.kind == TermKind::Arith && static_cast<model::ArithOp>(x.sub) == model::ArithOp::And && terms_.is_const(x.b) &&
               to_place(terms_, x.a, p) && !p.address) {
      add_range(o.when, p, static_cast<std::uint64_t>(terms_[x.b].imm), r);
    }
  }
  // And on how two such things compare.
  for (const Relation& r : s.facts.relations()) {
    if (o.when.size() >= kMaxConditions) break;
    Place a, b;
    if (!to_place(terms_, r.a, a) || a.address || !to_place(terms_, r.b, b) || b.address) continue;
    // Of globals only those that any pointer may be compared with: None and its like.
    auto usual = [&](const Place& p) {
      if (p.root != Place::Root::Global) return true;
      const auto* g = ctx_.specs.find_global(p.global);
      return p.path.empty() && g && g->immortal && !g->points_to && (r.ne || (r.lo == 0 && r.hi == 0));
    };
    if (!usual(a) || !usual(b)) continue;
    auto add = [&](specs::Pred pred) { o.when.push_back({a, ~std::uint64_t{0}, pred, 0, b}); };
    if (r.lo == 0 && r.hi == 0) add(specs::Pred::Eq);
    else if (r.lo >= 1) add(specs::Pred::Gt);
    else if (r.lo == 0) add(specs::Pred::Ge);
    else if (r.hi <= -1) add(specs::Pred::Lt);
    else if (r.hi == 0) add(specs::Pred::Le);
    if (r.ne && r.lo <= 0 && r.hi >= 0) add(specs::Pred::Ne);
  }
  // Memory callers can see.
  for (const Cell& c : s.memory) {
    Place where;
    if (!to_place(terms_, c.base, where) || where.address || where.path.size() >= kMaxPath) continue;
    if (o.stores.size() >= kMaxStores) {
      complete = false;
      break;
    }
    where.path.push_back(c.offset);
    auto v = give(c.value);
    o.stores.push_back({where, v ? *v : specs::Value{}});
  }
  // Counts of objects callers can see.
  for (const Obj& x : s.objects) {
    Place p;
    if ((x.kind != ObjKind::Param && x.kind != ObjKind::Loaded && x.kind != ObjKind::Global) || !to_place(terms_, x.term, p)) continue;
    if (x.escaped) {
      o.escapes.push_back(p);
      continue;
    }
    // Stores that callers see are told as stores; one they cannot see has taken a reference, or remembers the
    // object without one.
    int delta = x.owned;
    const int hidden = hidden_stores(s, x.term, o);
    if (hidden > 0 && delta < hidden) {
      o.escapes.push_back(p);
      continue;
    }
    delta -= hidden;
    // What an entry point takes of its arguments and never gives back is its own mistake, told there.
    if (delta > 0 && is_entry() && x.kind == ObjKind::Param && e.result != x.term)
      delta -= std::clamp(x.owned - stored_change(s, x), 0, delta);
    for (TermId h : x.holders) {
      if (delta >= 0) break;
      specs::Hold hold;
      hold.object = p;
      hold.steals = true;
      if (Place q; to_place(terms_, h, q) && !q.address) hold.holder = q;
      o.holds.push_back(hold);
      ++delta;
    }
    if (delta != 0) o.counts.push_back({p, "", delta});
  }
  // An argument put where callers cannot see it, its count untouched: somebody remembers it.
  for (const Cell& c : s.memory) {
    if (gc_ || terms_[c.value].kind != TermKind::Param || s.object(c.value)) continue;
    if (hidden_stores(s, c.value, o) == 0) continue;
    Place p;
    to_place(terms_, c.value, p);
    if (std::find(o.escapes.begin(), o.escapes.end(), p) == o.escapes.end()) o.escapes.push_back(p);
  }
  // References to objects callers get to know; one comes with the object itself unless that is lent.
  for (const auto& [t, n] : known) {
    const Obj* x = s.object(t);
    const int extra = x ? x->owned - (o.objects[n].owned ? 1 : 0) - hidden_stores(s, t, o) : 0;
    if (extra <= 0) continue;
    Place p;
    p.root = Place::Root::Object;
    p.index = n;
    o.counts.push_back({p, "", extra});
  }
  // Objects that live by a part of what is returned.
  for (const Obj& x : s.objects) {
    if (x.kind != ObjKind::New || x.owned <= 0 || x.escaped || e.result == kNoTerm || !embedded(x.term)) continue;
    auto [base, offset] = terms_.split(x.term);
    if (base != e.result) continue;
    Place p;
    p.root = Place::Root::Result;
    p.path.push_back(offset);
    p.address = true;
    o.counts.push_back({p, "", x.owned});
  }
  if (gc_) gc_outcome(s, e.result, o, known);
  for (TermId t : s.clobbered)
    if (Place p; to_place(terms_, t, p)) o.clobbers.push_back(p);
  for (const Count& c : s.counts)
    if (Place p; to_place(terms_, c.object, p)) o.counts.push_back({p, ctx_.count_kinds[c.kind], c.delta});

  switch (s.exception) {
    case ExcState::Entry:
    case ExcState::Unset: break;
    case ExcState::Clear: o.exception = specs::Exception::Cleared; break;
    case ExcState::Set: o.exception = specs::Exception::Set; break;
    case ExcState::Maybe: o.exception = specs::Exception::MaybeSet; break;
  }
  const auto k = o.result.kind;
  o.failure = s.exception == ExcState::Set &&
              (fn_.result == 0 || (k == specs::Value::Kind::Int && o.result.imm <= 0) ||
               (k == specs::Value::Kind::Range && o.result.hi <= 0));
  o.out_of_memory_only = s.oom;
  o.pending = s.pending;
  return o;
}

// A result that is sometimes a new reference and sometimes a borrowed one: no caller can be right. Reported
// here, and hidden from callers.
void Executor::check_mixed_result(std::vector<std::pair<Outcome, const Exit*>>& exits) {
  if (gc_ || !counted(fn_.result) || contract_ == Contract::NewOrNull || contract_ == Contract::NewOrEnd) return;
  const Exit* owned = nullptr;
  const Exit* lent = nullptr;
  // An argument itself, handed back without a reference; an argument or a global with one.
  auto concerns = [](const Outcome& o) { return [&o](const auto& c) { return c.object == o.result.place; }; };
  // Of one that other ends give up the caller's reference came along.
  auto given_up = [&](const Place& p) {
    return std::any_of(exits.begin(), exits.end(), [&](const auto& x) {
      const Outcome& o = x.first;
      return std::any_of(o.counts.begin(), o.counts.end(), [&](const auto& c) { return c.object == p && c.delta < 0; }) ||
             std::any_of(o.holds.begin(), o.holds.end(), [&](const auto& h) { return h.object == p && h.steals; }) ||
             std::find(o.escapes.begin(), o.escapes.end(), p) != o.escapes.end();
    });
  };
  auto argument = [&](const Outcome& o) {
    const specs::Value& r = o.result;
    if (r.kind != specs::Value::Kind::Place || r.place.root != Place::Root::Arg || !r.place.path.empty() || r.place.address) return false;
    return !given_up(r.place) && std::none_of(o.counts.begin(), o.counts.end(), concerns(o)) && std::none_of(o.holds.begin(), o.holds.end(), concerns(o));
  };
  auto with_reference = [&](const Outcome& o) {
    if (o.result.kind != specs::Value::Kind::Place) return false;
    const auto c = std::find_if(o.counts.begin(), o.counts.end(), concerns(o));
    return c != o.counts.end() && c->kind.empty() && c->delta > 0;
  };
  for (const auto& [o, e] : exits) {
    if (e->state.facts.known_zero(terms_, e->result)) continue;
    if (o.result.kind == specs::Value::Kind::Object && !o.objects[o.result.object].immortal)
      (specs::owns(o, o.result.object) ? owned : lent) = e;
    else if (argument(o) && !lent)
      lent = e;
    else if (with_reference(o) && !owned)
      owned = e;
  }
  if (!owned || !lent) return;
  State copy = lent->state;
  const Obj* o = obj(copy, lent->result, lent->instr);
  emit(EventKind::MixedResult, lent->state, o, lent->instr);
  for (auto& [out, e] : exits)
    if (out.result.kind == specs::Value::Kind::Object || argument(out)) {
      out.result = specs::Value{};
      Place res;
      res.root = Place::Root::Result;
      out.when.push_back({res, ~std::uint64_t{0}, specs::Pred::Ne, 0, std::nullopt});
      out.objects.clear();
    }
}

// Parameters that every way which gives them up looks at again.
std::uint32_t Executor::uses_ended() const {
  std::uint32_t used = 0, only_given_up = 0;
  for (const Exit& e : exits_)
    for (const Obj& o : e.state.objects)
      if (const Term& t = terms_[o.term]; t.kind == TermKind::Param && t.a < 32 && o.owned < 0)
        (o.used_up ? used : only_given_up) |= 1u << t.a;
  return used & ~only_given_up;
}

// A function that gives what another one makes of its argument gives what is there anyway when that does.
specs::Ready Executor::ready_result() const {
  auto def = [&](const model::Operand& o) -> const model::Instr* {
    for (const model::Instr& i : body_.instrs)
      if (o.kind == model::OperandKind::Value && i.result == o.id) return &i;
    return nullptr;
  };
  const model::Instr* call = nullptr;
  for (const model::Instr& i : body_.instrs) {
    if (i.op != model::Op::Ret || i.num_operands == 0) continue;
    const model::Instr* from = def(body_.ops(i)[0]);
    if (!from || from->op != model::Op::Call || (call && call != from)) return {};
    call = from;
  }
  const auto ops = call ? body_.ops(*call) : std::span<const model::Operand>();
  if (ops.empty() || ops[0].kind != model::OperandKind::Symbol) return {};
  const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
  const FuncId f = ctx_.program.definition(unit_id_, ops[0].id);
  specs::Ready ready = spec ? spec->ready : f != kNone && ctx_.summaries[f].ready ? ctx_.summaries[f].ready_result : specs::Ready{};
  if (ready.param >= ops.size() - 1) return {};
  model::Operand o = ops[ready.param + 1];
  for (const model::Instr* i = def(o); i && i->op == model::Op::Cast; i = def(o)) o = body_.ops(*i)[0];
  if (o.kind != model::OperandKind::Value || o.id >= fn_.params.size()) return {};
  ready.param = o.id;
  return ready;
}

Summary Executor::summarise() {
  Summary sum;
  sum.ready_result = ready_result();
  sum.ready = !result_.cut_short;
  sum.runs_code = runs_code_;
  sum.dereferences = dereferences_;
  sum.uses_ended = uses_ended();
  sum.may_throw = may_throw_ || std::any_of(exits_.begin(), exits_.end(), [](const Exit& e) { return e.by_exception; });
  std::vector<std::pair<Outcome, const Exit*>> exits;
  std::deque<Exit> cases;  // an end whose facts are a choice of several is several ends to callers
  for (const Exit& e : exits_) {
    if (e.by_exception) continue;
    std::vector<Facts> choice = e.state.facts.alternatives();
    if (choice.size() == 1) {
      exits.emplace_back(outcome_of(e, sum.complete), &e);
      continue;
    }
    for (Facts& f : choice) {
      Exit& one = cases.emplace_back(e);
      one.state.facts = std::move(f);
      exits.emplace_back(outcome_of(one, sum.complete), &one);
    }
  }
  if (!is_dealloc(contract_)) check_pairs(exits);
  // What is left of counts that outcomes cannot name is not known to whoever adds them up.
  for (const auto& [o, e] : exits)
    for (const Count& c : e->state.counts)
      if (Place p; c.delta != 0 && !visible_place(c.object, p))
        if (const std::string& kind = ctx_.count_kinds[c.kind]; std::find(disputed_.begin(), disputed_.end(), kind) == disputed_.end())
          disputed_.push_back(kind);
  sum.disputed = disputed_;
  check_mixed_result(exits);
  check_annotation(exits);
  // Zero is success for a function that returns numbers and gives zero without an exception, too.
  const bool gives_number = unit_.type(fn_.result).kind == model::TypeKind::Int;
  auto holds_zero = [](const Outcome& o) {
    return (o.result.kind == specs::Value::Kind::Int && o.result.imm == 0) ||
           (o.result.kind == specs::Value::Kind::Range && o.result.imm <= 0 && o.result.hi >= 0);
  };
  if (gives_number && std::any_of(exits.begin(), exits.end(), [&](const auto& x) {
        return holds_zero(x.first) && x.first.exception != specs::Exception::Set && x.first.exception != specs::Exception::MaybeSet;
      }))
    for (auto& [o, e] : exits)
      if (o.failure && holds_zero(o)) o.failure = false;
  // Some negative number together with an exception is what a system call gave: minus one.
  for (auto& [o, e] : exits)
    if (o.failure && o.result.kind == specs::Value::Kind::Range && o.result.imm <= -1 && o.result.hi == -1) {
      o.result = {specs::Value::Kind::Int, -1, 0, {}, 0};
      std::erase_if(o.when, [](const specs::Condition& c) { return c.place.root == Place::Root::Result; });
    }
  // A failure value that comes with an exception elsewhere, here after calls that might have raised: whether one is
  // set now is more than callers should rely on.
  auto fails_with = [&](std::int64_t v) {
    return std::any_of(exits.begin(), exits.end(), [&](const auto& x) {
      return x.first.failure && x.first.result.kind == specs::Value::Kind::Int && x.first.result.imm == v;
    });
  };
  for (auto& [o, e] : exits)
    if (!o.failure && o.result.kind == specs::Value::Kind::Int && fails_with(o.result.imm) && e->state.exception != ExcState::Entry)
      o.exception = specs::Exception::MaybeSet;
  // Different numbers stay apart while there are few: the number tells callers which conditions held.
  constexpr std::size_t kFewOutcomes = 6;
  auto merge_all = [&exits](bool exactly, bool any_number) {
    std::vector<std::pair<Outcome, const Exit*>> out;
    for (auto& [o, e] : exits) {
      auto it = std::find_if(out.begin(), out.end(), [&](const auto& x) {
        return same_effects(x.first, o, any_number) && (!exactly || unite_exactly(x.first.when, o.when));
      });
      if (it == out.end())
        out.emplace_back(std::move(o), e);
      else
        merge_into(it->first, o);
    }
    exits = std::move(out);
  };
  merge_all(true, false);
  if (exits.size() > kFewOutcomes) merge_all(false, false);
  if (exits.size() > kFewOutcomes) merge_all(false, true);
  if (gc_ && exits.empty() && endangered_at_error_ != 0) {
    Outcome& never = sum.outcomes.emplace_back();
    never.never_returns = never.allocates = true;
    for (std::uint32_t p = 0; p < fn_.params.size() && p < 64; ++p)
      if (endangered_at_error_ >> p & 1) {
        Place place;
        place.index = p;
        never.exposes.push_back(place);
        never.endangers.push_back(place);
      }
  }
  for (auto& [o, e] : exits) {
    sum.outcomes.push_back(std::move(o));
    outcome_ends_.push_back({e->state.path, e->instr});
  }
  // A function that reports failure by a negative value means success by all others, even where we could not
  // bound them.
  const bool fails_negative = std::any_of(sum.outcomes.begin(), sum.outcomes.end(), [](const Outcome& o) {
    return o.failure && o.result.kind == specs::Value::Kind::Int && o.result.imm < 0;
  });
  if (fails_negative)
    for (Outcome& o : sum.outcomes) {
      if (o.failure || o.exception == specs::Exception::Set || o.exception == specs::Exception::MaybeSet) continue;
      if (o.result.kind == specs::Value::Kind::Unknown) o.result = {specs::Value::Kind::Range, 0, kMax, {}, 0};
      if (o.result.kind == specs::Value::Kind::Range && o.result.hi >= 0) o.result.imm = std::max<std::int64_t>(o.result.imm, 0);
    }
  const bool fails_null = counted(fn_.result) || unit_.type(fn_.result).kind == model::TypeKind::Pointer;
  if (fails_null && std::any_of(sum.outcomes.begin(), sum.outcomes.end(), [](const Outcome& o) {
        return o.failure && o.result.kind == specs::Value::Kind::Int && o.result.imm == 0;
      })) {
    Place res;
    res.root = Place::Root::Result;
    for (Outcome& o : sum.outcomes)
      if (!o.failure && (o.result.kind == specs::Value::Kind::Unknown || o.result.kind == specs::Value::Kind::Place))
        o.when.push_back({res, ~std::uint64_t{0}, specs::Pred::Ne, 0, std::nullopt});
  }
  if (sum.outcomes.empty() && sum.ready) {
    Outcome never;
    never.never_returns = true;
    sum.outcomes.push_back(never);
  }
  if (sum.outcomes.size() > ctx_.budget.outcomes) {
    sum.complete = false;
    sum.ready = false;  // too many ways to end: callers treat it as unknown rather than as one of a few
  }
  return sum;
}

}  // namespace reckon::engine
