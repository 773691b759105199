// Letting go of what a state need not know any more, and of states that no longer differ.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/composition.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/memory.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "support/limits.h"

namespace reckon::engine {

using model::BlockId;
using model::Instr;
using model::kNone;
using model::Op;

bool Loop::live_after(BlockId block, std::uint32_t after, model::ValueId v) const {
  if (after != kNone) return flow_.live_out(block, v) || (last_uses_[v] != kNone && last_uses_[v] > after);
  if (flow_.live_in(block, v)) return true;
  for (const Instr& i : body_.block(block)) {
    if (i.op != Op::Phi) break;
    if (i.result == v) return true;
  }
  return false;
}

void Loop::merge(States& states, BlockId block, std::uint32_t after) {
  States out;
  std::vector<std::uint64_t> keys;
  for (State& s : states) {
    prune(s, block, after);
    const std::uint64_t key = s.property_hash(terms_);
    bool joined = false;
    for (std::size_t i = 0; i < out.size() && !joined; ++i)
      if (keys[i] == key && (joining_ != Joining::Paths || out[i].same_execution(s)) &&
          !hooks_.any<&Property::keep_apart>(out[i], s) && out[i].same_property(terms_, s)) {
        // Keyed by the instruction, so that symbols joined here do not collide with those of block entries.
        join_states(terms_, out[i], std::move(s), 0x40000000u + after, false);
        joined = true;
      }
    if (joined) continue;
    out.push_back(std::move(s));
    keys.push_back(key);
  }
  const std::size_t limit =
      joining_ == Joining::Paths ? support::kLimits.looks.path_states : support::kLimits.looks.states_per_block;
  if (out.size() > limit) {
    cut("too many states in one block");
    out.resize(limit);
  }
  states.swap(out);
}

namespace {

// Leaf symbols that live values and kept memory mention.
class Mentioned {
 public:
  Mentioned(const TermArena& terms) : terms_(terms) {}
  bool add(TermId t) {
    const Term& x = terms_[t];
    switch (x.kind) {
      case TermKind::Fresh:
      case TermKind::Join:
      case TermKind::Slot: return insert(t);
      case TermKind::Initial: {
        bool a = insert(t);  // an object read from memory is a leaf of its own, too
        return add(x.a) || a;
      }
      case TermKind::Offset: return add(x.a);
      case TermKind::Index:
      case TermKind::Arith:
      case TermKind::Cmp: {
        const bool a = add(x.a);
        return add(x.b) || a;
      }
      case TermKind::Param: return insert(t);
      case TermKind::Global: return insert(t);
      default: return false;
    }
  }
  bool has(TermId t) const { return std::binary_search(set_.begin(), set_.end(), t); }
  // Do only mentioned symbols, parameters and globals occur in t?
  bool covers(TermId t) const {
    const Term& x = terms_[t];
    switch (x.kind) {
      case TermKind::Fresh: return x.a == kAnswer || has(t);
      case TermKind::Join:
      case TermKind::Slot: return has(t);
      case TermKind::Initial:
      case TermKind::Offset: return covers(x.a);
      case TermKind::Index:
      case TermKind::Arith:
      case TermKind::Cmp: return covers(x.a) && covers(x.b);
      default: return true;
    }
  }

 private:
  bool insert(TermId t) {
    auto it = std::lower_bound(set_.begin(), set_.end(), t);
    if (it != set_.end() && *it == t) return false;
    set_.insert(it, t);
    return true;
  }
  const TermArena& terms_;
  std::vector<TermId> set_;
};

}  // namespace

void Loop::prune(State& s, BlockId block, std::uint32_t after) {
  std::erase_if(s.values, [&](const auto& e) { return !live_after(block, after, e.first); });

  Mentioned m(terms_);
  for (const auto& [v, t] : s.values) m.add(t);
  auto mention = [&](const Linear& l) {
    for (const auto& part : l.parts) m.add(part.first);
  };
  if (s.gc.depth) mention(*s.gc.depth);
  for (const GcObject& o : s.gc.objects)
    for (const Linear& l : o.slots) mention(l);
  // Memory that callers can see whatever happens to our variables. What a loop came by is theirs, too, but they cannot
  // name it: it matters if it keeps an object.
  auto nameable = [&](TermId base) {
    const TermKind k = terms_[terms_.owner_root(base)].kind;
    return k == TermKind::Param || k == TermKind::Global;
  };
  auto visible = [&](const Cell& c) {
    return nameable(c.base) ||
           (terms_[terms_.owner_root(c.base)].kind == TermKind::Join && s.object(subject_.untagged(c.value)));
  };
  std::vector<char> kept(s.memory.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < s.memory.size(); ++i) {
      if (kept[i]) continue;
      const TermId root = terms_.owner_root(s.memory[i].base);
      if (!visible(s.memory[i]) && !m.has(root)) continue;
      kept[i] = 1;
      m.add(s.memory[i].value);
      changed = true;
    }
  }
  // What turned out to be NULL is no object.
  std::erase_if(s.objects, [&](const Obj& o) { return s.facts.known_zero(terms_, terms_.root(o.term)); });
  // What callers know: an argument, and in C++ what an owner of theirs holds, which a container may have taken.
  auto lent = [&](TermId value) {
    const Term& x = terms_[value];
    if (x.kind == TermKind::Param) return x.a < fn_.params.size() && subject_.counted(fn_.params[x.a].type) != 0;
    return !gc_ && held_by_caller(terms_, unit_, value);
  };
  // Memory that goes takes the references stored in it along: whoever destroys the holder releases them.
  for (std::size_t i = 0; i < s.memory.size(); ++i) {
    if (kept[i] || terms_[terms_.root(s.memory[i].base)].kind == TermKind::Slot) continue;
    const TermId value = subject_.untagged(s.memory[i].value);
    Obj* o = s.object(value);
    if (o && o->owned > 0) {
      if (--o->owned == 0 && o->kind == ObjKind::New) o->escaped = true;
    } else if (lent(value)) {
      // Remembered where nobody here can see it: its reference may have gone along.
      if (Obj* x = props().references->obj(s, value, kNone)) x->escaped = true;
    }
  }
  // Objects: what is owned and can no longer be reached is lost.
  for (Obj& o : s.objects) {
    if (o.owned <= 0 || o.escaped || (o.kind != ObjKind::New && o.kind != ObjKind::Borrowed) ||
        m.has(terms_.root(o.term)))
      continue;
    if (o.immortal) {
      o.escaped = true;
      continue;
    }
    props().references->lose(s, o);
    o.escaped = true;
  }
  auto keep_object = [&](const Obj& o) {
    if (o.escaped && o.singleton) return true;  // something was found to be it: its counts are not only ours to judge
    if (o.escaped && (o.kind == ObjKind::Param ||
                      (o.kind == ObjKind::Loaded && (o.handed || held_by_caller(terms_, unit_, o.term)))))
      return true;  // callers have to know
    if (o.kind == ObjKind::Param || o.kind == ObjKind::Loaded || o.kind == ObjKind::Global)
      return o.owned != 0 || m.has(terms_.root(o.term));
    return m.has(terms_.root(o.term));
  };
  std::vector<char> keep(s.objects.size(), 0);
  for (std::size_t i = 0; i < s.objects.size(); ++i) keep[i] = keep_object(s.objects[i]);
  for (std::size_t i = 0; i < s.objects.size(); ++i) {
    if (!keep[i]) continue;
    auto keep_term = [&](TermId t) {
      for (std::size_t j = 0; j < s.objects.size(); ++j)
        if (s.objects[j].term == t) keep[j] = 1;
    };
    if (s.objects[i].owner != kNoTerm) keep_term(s.objects[i].owner);
    for (TermId h : s.objects[i].holders) keep_term(h);
  }
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.objects.size(); ++i)
    if (keep[i]) {
      m.add(s.objects[i].term);
      if (n != i) s.objects[n] = std::move(s.objects[i]);
      ++n;
    }
  s.objects.resize(n);
  n = 0;
  for (std::size_t i = 0; i < s.memory.size(); ++i)
    if (kept[i]) s.memory[n++] = s.memory[i];
  s.memory.resize(n);
  if (s.gc.on) {  // records of what is still named, and of what keeps those
    std::vector<char> wanted(s.gc.objects.size(), 0);
    std::vector<TermId> todo;
    auto want = [&](TermId t) {
      for (TermId x : {t, terms_.owner_root(t)}) {
        const GcObject* o = s.gc.object(x);
        if (!o || wanted[static_cast<std::size_t>(o - s.gc.objects.data())]) continue;
        wanted[static_cast<std::size_t>(o - s.gc.objects.data())] = 1;
        todo.push_back(x);
      }
    };
    for (const GcObject& o : s.gc.objects)
      if (m.has(o.term) || terms_[o.term].kind == TermKind::Param)
        want(o.term);
      else if (props().collector->pushes_ && !props().collector->pops_ && o.fresh && !o.slots.empty())
        want(o.term);  // left on the stack for whom?
    while (!todo.empty()) {
      const GcObject& o = *s.gc.object(todo.back());
      todo.pop_back();
      m.add(o.term);
      if (o.owner != kNoTerm) want(o.owner);
      for (TermId h : o.holders) want(h);
    }
    n = 0;
    for (std::size_t i = 0; i < s.gc.objects.size(); ++i)
      if (wanted[i]) {
        if (n != i) s.gc.objects[n] = std::move(s.gc.objects[i]);
        ++n;
      }
    s.gc.objects.resize(n);
  }
  s.facts.retain([&](TermId t) { return m.covers(t); });
  std::erase_if(s.epochs, [&](const auto& e) { return !nameable(e.first) && !m.has(terms_.owner_root(e.first)); });
}

}  // namespace reckon::engine
