// What objects a collector may take hold of each other: what calls make, keep in something, and let go of.
//
// A record is made for what this function got new, or reached through that. An object is linked to its holders, and an
// element, an attribute or a variable is a place of its own, told by its index or name (parts.h).
//
// Limits: an object has a few holders at most; what is kept beyond them is safe for good.

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/parts.h"
#include "support/limits.h"

namespace reckon::engine {

using model::kNone;
using specs::Outcome;
using specs::Place;

namespace {
constexpr std::size_t kMaxHolders = support::kLimits.objects.holders;
}  // namespace

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

namespace {
// Something read from memory of the caller's has no record here, and may have one there: that it is kept is told. What
// is read from an object is held by that anyway.
void note_kept(const model::Function& fn, const Subject& subject, const TermArena& terms, State& s,
               std::optional<TermId> object, std::optional<TermId> holder) {
  if (!object || terms[*object].kind != TermKind::Initial) return;
  const Term& from = terms[terms.owner_root(*object)];
  if (from.kind != TermKind::Param || (from.a < fn.params.size() && subject.counted(fn.params[from.a].type))) return;
  specs::Place told;
  if (holder && to_place(terms, *holder, told))
    s.note_deed(terms, {specs::effect_rows::holds, *object, *holder});
  else if (!holder || s.gc.is_protected(terms, terms.root(*holder), {}))
    s.note_deed(terms, {specs::effect_rows::escapes, *object});
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
    if (!g) {
      note_kept(fn_, subject_, terms_, s, calls_.place(s, h.object, args, instr, result),
                h.holder ? calls_.place(s, *h.holder, args, instr, result) : std::nullopt);
      continue;
    }
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
  for (const Place& p : o.escapes) {
    if (GcObject* g = record(p))
      trail_.silence(*g, Silence::KeptByCallee, instr);
    else
      note_kept(fn_, subject_, terms_, s, calls_.place(s, p, args, instr, result), std::nullopt);
  }
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
