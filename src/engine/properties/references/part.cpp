// Objects where states are compared, joined and aged.
//
// The bindings of values and cells to objects that this function owns, or has released, are compared with the objects
// themselves, so that no join loses the last pointer to one.
#include "engine/properties/references/part.h"

#include <algorithm>

#include "engine/core/bindings.h"
#include "engine/core/symbol_sets.h"

namespace reckon::engine {

std::string_view name_of(ObjKind kind) {
  switch (kind) {
    case ObjKind::New: return "new";
    case ObjKind::Borrowed: return "borrowed";
    case ObjKind::Param: return "argument";
    case ObjKind::Loaded: return "loaded";
    case ObjKind::Global: return "global";
    case ObjKind::Interior: return "interior";
    case ObjKind::Unknown: break;
  }
  return "unknown";
}

Obj* ReferencesPart::object(TermId t) {
  auto it = std::lower_bound(objects.begin(), objects.end(), t, [](const Obj& o, TermId k) { return o.term < k; });
  return it != objects.end() && it->term == t ? &*it : nullptr;
}
const Obj* ReferencesPart::object(TermId t) const { return const_cast<ReferencesPart*>(this)->object(t); }

Obj& ReferencesPart::add_object(Obj o) {
  auto it = std::lower_bound(objects.begin(), objects.end(), o.term, [](const Obj& x, TermId k) { return x.term < k; });
  if (it != objects.end() && it->term == o.term) {
    *it = std::move(o);
    return *it;
  }
  return *objects.insert(it, std::move(o));
}

void ReferencesPart::remove_object(TermId t) {
  std::erase_if(objects, [&](const Obj& o) { return o.term == t; });
}

Deferral ReferencesPart::deferral(TermId root) const {
  for (const Deferral& c : deferrals)
    if (c.root == root) return c;
  return {root, false, false};
}

void ReferencesPart::set_deferral(Deferral c) {
  auto it = std::lower_bound(deferrals.begin(), deferrals.end(), c.root,
                             [](const Deferral& x, TermId k) { return x.root < k; });
  if (it != deferrals.end() && it->root == c.root)
    *it = c;
  else
    deferrals.insert(it, c);
}

// ---------------------------------------------------------------- comparing

namespace {

// Does a join have to keep where this object is bound?
bool bindings_matter(const Obj& o) { return ReferencesPart::interesting(o) && !ReferencesPart::vacuous_if_null(o); }

std::vector<Binding> bindings(const TermArena& terms, const Seen<ReferencesPart>& s) {
  std::vector<TermId> watched;
  for (const Obj& o : s.part.objects)
    if (bindings_matter(o)) watched.push_back(o.term);
  return engine::bindings(terms, s.core, watched);
}

bool same_objects(const TermArena& terms, const Seen<ReferencesPart>& a, const Seen<ReferencesPart>& b, bool strict) {
  const std::vector<Obj>&mine = a.part.objects, &theirs = b.part.objects;
  std::size_t i = 0, j = 0;
  auto null_there = [&](const Obj& o, const Seen<ReferencesPart>& there) {
    return !strict && ReferencesPart::vacuous_if_null(o) && there.core.facts.known_zero(terms, o.term);
  };
  for (;;) {
    while (i < mine.size() && !ReferencesPart::in_property(mine[i])) ++i;
    while (j < theirs.size() && !ReferencesPart::in_property(theirs[j])) ++j;
    const bool more = i < mine.size(), more_there = j < theirs.size();
    if (!more && !more_there) return true;
    if (more && more_there && mine[i].term == theirs[j].term) {
      if (!mine[i].same_property(theirs[j])) return false;
      ++i, ++j;
    } else if (more && (!more_there || mine[i].term < theirs[j].term)) {
      if (!null_there(mine[i], b)) return false;
      ++i;
    } else {
      if (!null_there(theirs[j], a)) return false;
      ++j;
    }
  }
}

}  // namespace

bool ReferencesPart::same(const TermArena& terms, Seen<ReferencesPart> a, Seen<ReferencesPart> b, bool strict) {
  return a.part.deferrals == b.part.deferrals && same_objects(terms, a, b, strict) &&
         bindings(terms, a) == bindings(terms, b);
}

bool ReferencesPart::same_execution(const ReferencesPart& other) const {
  return std::equal(objects.begin(), objects.end(), other.objects.begin(), other.objects.end(),
                    [](const Obj& a, const Obj& b) {
                      return a.same_property(b) && a.origin == b.origin && a.preexisting == b.preexisting;
                    });
}

void ReferencesPart::hash(const TermArena& terms, Seen<ReferencesPart> s, Hasher& hasher) {
  Hasher h = hasher;  // in a register
  for (const Obj& o : s.part.objects) {
    if (!in_property(o) || vacuous_if_null(o)) continue;
    h.mix(o.term);
    h.mix(static_cast<std::uint64_t>(o.kind) | static_cast<std::uint64_t>(o.life) << 8 |
          static_cast<std::uint64_t>(static_cast<std::uint8_t>(o.owned)) << 16 |
          static_cast<std::uint64_t>(static_cast<bool>(o.escaped)) << 24);
    h.mix(o.owner);
    for (TermId t : o.holders) h.mix(t);
  }
  for (const Deferral& c : s.part.deferrals)
    h.mix((static_cast<std::uint64_t>(c.root) << 2) ^ (c.kept ? 1 : 0) ^ (c.dropped ? 2 : 0));
  mix(h, bindings(terms, s));
  hasher = h;
}

bool ReferencesPart::watches(const TermArena&, TermId value) const {
  const Obj* o = object(value);
  return o && bindings_matter(*o);
}

// ---------------------------------------------------------------- ageing

void ReferencesPart::out_of_sight(TermId value) {
  if (Obj* o = object(value)) o->escaped.because(Silence::OutOfSight);
}

void ReferencesPart::forget_old(const TermArena& terms, TermId symbol, TermId old) {
  std::erase_if(objects, [&](const Obj& o) { return terms.contains(o.term, old); });
  std::erase_if(deferrals,
                [&](const Deferral& c) { return terms.contains(c.root, old) || terms.contains(c.root, symbol); });
}

void ReferencesPart::substitute(TermArena& terms, TermId symbol, TermId old) {
  for (Obj& o : objects) {
    o.term = terms.substitute(o.term, symbol, old);
    if (o.owner != kNoTerm) o.owner = terms.substitute(o.owner, symbol, old);
    for (TermId& h : o.holders) h = terms.substitute(h, symbol, old);
    std::sort(o.holders.begin(), o.holders.end());
  }
  std::sort(objects.begin(), objects.end(), [](const Obj& a, const Obj& b) { return a.term < b.term; });
}

void ReferencesPart::scan(MadeSymbols& found) const {
  for (const Obj& o : objects) found.add(o.term);
}

// ---------------------------------------------------------------- joining

namespace {

bool lent(const Obj* o) {
  return o && o->owned == 0 && o->life == Life::Alive &&
         (o->kind == ObjKind::Borrowed || o->kind == ObjKind::Param || o->kind == ObjKind::Loaded ||
          o->kind == ObjKind::Global);
}

// Neither owned here nor there: the joined pointer is not owned either.
void join_pointers(const Meeting<ReferencesPart>& m, const Difference& d) {
  ReferencesPart& into = m.into.part;
  const Obj* oa = into.object(d.a);
  const Obj* ob = m.from.part.object(d.b);
  const bool no_a = m.into.core.facts.known_zero(m.terms, d.a),
             no_b = m.from.core.facts.known_zero(m.terms, d.b);  // NULL is neutral
  if (!((lent(oa) && (lent(ob) || no_b)) || (no_a && lent(ob)))) {
    if (const Obj* mine = into.object(d.symbol); mine && !ReferencesPart::in_property(*mine))
      into.remove_object(d.symbol);
  } else if (!into.object(d.symbol)) {
    Obj o = lent(oa) ? *oa : *ob;
    o.term = d.symbol;
    o.singleton = false;  // one of several
    if (lent(oa) && lent(ob) && (oa->kind != ob->kind || oa->owner != ob->owner)) {
      o.kind = ObjKind::Loaded;
      o.owner = kNoTerm;
    }
    into.add_object(o);
  }
}

// An argument that somebody may have from here on: callers are told so, whatever other ways did.
bool remembered(const Obj& o) { return o.kind == ObjKind::Param && o.escaped && !ReferencesPart::in_property(o); }

void join_objects(const Meeting<ReferencesPart>& m, ReferencesPart::JoinNotes& notes) {
  ReferencesPart& into = m.into.part;
  const ReferencesPart& from = m.from.part;
  for (const Obj& o : from.objects) {
    if (into.object(o.term)) continue;
    // Counts changed there, and vacuous here; or merely lent there, and NULL here.
    if (remembered(o) || (ReferencesPart::in_property(o) ? ReferencesPart::vacuous_if_null(o)
                                                         : m.before.core.facts.known_zero(m.terms, o.term)))
      into.add_object(o);
  }
  // Objects of the execution part survive if both sides agree on them (or the join made them just now).
  std::erase_if(into.objects, [&](const Obj& o) {
    if (ReferencesPart::in_property(o) || m.terms[o.term].kind == TermKind::Join) return false;
    const Obj* other = from.object(o.term);
    return other ? !o.same_property(*other) && !(o.escaped && other->escaped)
                 : !remembered(o) && !m.from.core.facts.known_zero(m.terms, o.term);
  });
  for (Obj& o : into.objects)
    if (const Obj* other = from.object(o.term)) {
      if (o.stale == model::kNone) o.stale = other->stale;
      o.garbage = o.garbage && other->garbage;
      o.late_uses &= other->late_uses;
      notes.preexisting = notes.preexisting || (o.preexisting && !other->preexisting);
      o.preexisting = o.preexisting && other->preexisting;
    }
}

}  // namespace

void ReferencesPart::join(const Meeting<ReferencesPart>& m, JoinNotes& notes) {
  for (const Difference& d : m.differences) join_pointers(m, d);
  join_objects(m, notes);
  std::vector<Lost>& lost = m.into.part.lost;
  auto told = [&](const Lost& l) {
    return std::any_of(lost.begin(), lost.end(),
                       [&](const Lost& x) { return x.object.term == l.object.term && x.rank() <= l.rank(); });
  };
  for (Lost& l : m.from.part.lost)
    if (!told(l)) lost.push_back(std::move(l));
}

// Of an object's flags only `ready` counts: the others change what is said of it, not where paths lead.
bool ReferencesPart::changed(const ReferencesPart& before, const JoinNotes& notes) const {
  return notes.preexisting || lost.size() != before.lost.size() || objects.size() != before.objects.size();
}

// ---------------------------------------------------------------- reports

bool ReferencesPart::describe_change(const TermArena&, const ReferencesPart& before, Change& change) const {
  for (const Obj& o : objects) {
    if (o.kind == ObjKind::Interior) continue;
    const Obj* old = before.object(o.term);
    if (old ? old->same_property(o) : o.kind == ObjKind::Unknown) continue;
    change.objects.push_back(o);
  }
  return !change.objects.empty();
}

}  // namespace reckon::engine
