// The protection stack: pushes, pops, its depth as a number the program can read and set, and loops that let it grow.

#include <algorithm>

#include "engine/core/calls.h"
#include "engine/core/loop.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/protection/open_depth.h"
#include "engine/properties/protection/stack.h"
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
constexpr InstrId kUnknownDepth{
    kNone - 4};  // in place of the instruction: none makes it, and it is no predicate's answer (kAnswer)
}  // namespace

// 1: above 0, 0: it is 0, -1: below, 2: not known.
int ProtectionStack::compare_zero(State& s, const Linear& l) {
  auto sign = [](std::int64_t v) { return v > 0 ? 1 : v < 0 ? -1 : 0; };
  if (l.is_const()) return sign(l.constant);
  constexpr std::int64_t kFar = support::kLimits.protection.far;
  std::int64_t lo = l.constant, hi = l.constant;
  bool lo_known = true, hi_known = true;
  for (const auto& [t, c] : l.parts) {
    const Range r = s.facts.range(terms_, t);
    const bool low_end = r.lo > -kFar, high_end = r.hi < kFar;
    if (c > 0) {
      lo_known = lo_known && low_end;
      hi_known = hi_known && high_end;
      if (low_end) lo += c * r.lo;
      if (high_end) hi += c * r.hi;
    } else {
      lo_known = lo_known && high_end;
      hi_known = hi_known && low_end;
      if (high_end) lo += c * r.hi;
      if (low_end) hi += c * r.lo;
    }
  }
  if (lo_known && hi_known && lo == 0 && hi == 0) return 0;
  if (lo_known && lo > 0) return 1;
  if (hi_known && hi < 0) return -1;
  if (l.parts.size() == 2 && std::llabs(l.parts[0].second) == 1 && l.parts[0].second == -l.parts[1].second) {
    // a - b + k
    const TermId a = l.parts[l.parts[0].second > 0 ? 0 : 1].first, b = l.parts[l.parts[0].second > 0 ? 1 : 0].first;
    const TermId right = terms_.offset(b, -l.constant);
    if (s.facts.decide(terms_, terms_.cmp(model::CmpPred::Eq, a, right)) == 1) return 0;
    if (s.facts.decide(terms_, terms_.cmp(model::CmpPred::Sgt, a, right)) == 1) return 1;
    if (s.facts.decide(terms_, terms_.cmp(model::CmpPred::Slt, a, right)) == 1) return -1;
  }
  if (lo_known && lo == 0 && !hi_known) return 3;  // not below
  return lo_known && lo >= 0 ? 3 : 2;
}

void ProtectionStack::pop_to(State& s, const Linear& depth, InstrId instr) {
  s.gc.depth = depth;
  for (GcObject& o : s.gc.objects) {
    const std::size_t before = o.slots.size();
    std::erase_if(o.slots, [&](const Linear& slot) {
      Linear above = slot;
      above.add(depth, -1);
      const int c = compare_zero(s, above);
      return c == 0 || c == 1 || c == 3;
    });
    if (o.slots.size() != before && o.slots.empty()) o.popped = instr;
  }
  const int c = compare_zero(s, depth);
  result_.unsure |= c == 2 && left_open_by_join(terms_, flow_, depth);
  if (s.gc.below == kNone && c == -1) s.gc.below = instr;
  if (c == 2) trail_.silent(Silence::DepthUnclear, kNoTerm, instr);
}

bool ProtectionStack::is_stack_top(TermId base, std::int64_t offset) const {
  return offset == 0 && !stack_top_name_.empty() && terms_[base].kind == TermKind::Global &&
         terms_.global_name(base) == stack_top_name_;
}

TermId ProtectionStack::stack_top(State& s) {
  if (!s.gc.depth) return terms_.fresh(kUnknownDepth, 0, 0);
  Linear l = *s.gc.depth;
  l.add(linear_of(terms_, stack_symbol_), 1);
  return term_of(terms_, l);
}

void ProtectionStack::set_stack_top(State& s, TermId t, InstrId instr) {
  Linear l = linear_of(terms_, t);
  l.add(linear_of(terms_, stack_symbol_), -1);
  const bool known =
      std::none_of(l.parts.begin(), l.parts.end(), [&](const auto& p) { return p.first == stack_symbol_; });
  if (known)
    pop_to(s, l, instr);
  else
    s.gc.depth.reset();
}

void ProtectionStack::gc_stack(State& s, InstrId instr, const specs::ProtectionEffects& o,
                               const std::vector<TermId>& args, TermId result) {
  auto term = [&](const Place& p) -> TermId {
    const auto t = calls_.place(s, p, args, instr, result);
    return !t || terms_.is_const(*t) || terms_[*t].kind == TermKind::Undef ? kNoTerm : terms_.root(*t);
  };
  auto record = [&](TermId t) -> GcObject* {
    if (t == kNoTerm) return nullptr;
    if (GcObject* g = s.gc.object(t)) return g;
    // A part of something that has a record is a thing of its own from here on.
    const TermId root = terms_.owner_root(t);
    const bool part = root != t && s.gc.object(root);
    // What memory held is held by somebody else; if they let it go, the stack still holds it.
    if (!part && (terms_[t].kind != TermKind::Initial || terms_[root].kind != TermKind::Global)) return nullptr;
    GcObject g;
    g.term = t;
    g.owner = part ? root : kNoTerm;
    g.origin = instr;
    return &s.gc.add(std::move(g));
  };
  if (o.depth_unknown) s.gc.depth.reset();
  if (!s.gc.depth) {
    // The depth is lost: what is pushed counts as safe, what is popped is anybody's guess.
    for (const Place& p : o.protected_objects)
      if (GcObject* g = record(term(p))) trail_.silence(*g, Silence::DepthLost, instr);
    return;
  }
  if (o.unprotects) {
    const auto n = calls_.place(s, *o.unprotects, args, instr, result);
    if (!n) {
      s.gc.depth.reset();
      return;
    }
    Linear d = *s.gc.depth;
    d.add(linear_of(terms_, *n), -1);
    pop_to(s, d, instr);
  }
  const int further = o.protects - static_cast<int>(o.protected_objects.size());
  if (further < 0) {
    Linear d = *s.gc.depth;
    d.constant += further;
    pop_to(s, d, instr);
  }
  for (const Place& p : o.unprotected) {
    const TermId t = term(p);
    if (GcObject* g = t == kNoTerm ? nullptr : s.gc.object(t); g && !g->slots.empty()) {
      const Linear gone = g->slots.back();
      g->slots.pop_back();
      if (g->slots.empty()) g->popped = instr;
      for (GcObject& other : s.gc.objects)
        for (Linear& slot : other.slots) {
          Linear above = slot;
          above.add(gone, -1);
          if (compare_zero(s, above) == 1) --slot.constant;
        }
    } else if (t != kNoTerm) {
      s.note_deed(terms_, {specs::effect_rows::unprotected, t});
    }
    --s.gc.depth->constant;
  }
  for (const specs::Reprotect& r : o.reprotects) {
    const auto number = calls_.place(s, r.slot, args, instr, result);
    const TermId t = term(r.object);
    if (!number) continue;
    Linear slot = linear_of(terms_, *number);
    slot.add(linear_of(terms_, stack_symbol_), -1);
    const bool known =
        std::none_of(slot.parts.begin(), slot.parts.end(), [&](const auto& p) { return p.first == stack_symbol_; });
    GcObject* g = record(t);
    // What the slot holds already, perhaps by several names, of which a join has made one.
    if (known && g && std::find(g->slots.begin(), g->slots.end(), slot) != g->slots.end()) continue;
    for (GcObject& other : s.gc.objects)
      if (known && std::erase(other.slots, slot) != 0 && other.slots.empty()) other.popped = instr;
    if (g) {
      if (known)
        g->slots.push_back(slot);
      else
        trail_.silence(*g, Silence::SomeSlot, instr);
    }
    if (!known && t != kNoTerm) s.note_deed(terms_, {specs::effect_rows::reprotects, t, *number}, true);
  }
  for (const Place& p : o.protected_objects) {
    if (GcObject* g = record(term(p)); g && g->slots.size() < support::kLimits.protection.slots)
      g->slots.push_back(*s.gc.depth);
    ++s.gc.depth->constant;
  }
  if (further > 0) s.gc.depth->constant += further;
}

// Loops in which the stack grows along with a counter, as often as an object has elements.
void ProtectionStack::check_growth() {
  for (model::BlockId b{}; b < body_.blocks.size(); ++b) {
    if (!flow_.is_loop_head(b) || depth_reported()) continue;
    const InstrId last(body_.blocks[b].first + body_.blocks[b].count - 1);
    const Instr& end = body_.instrs[last];
    if (end.op != Op::CondBr || body_.ops(end)[0].kind != OperandKind::Value) continue;
    const InstrId def = defs_[body_.ops(end)[0].id];
    if (def == kNone || body_.instrs[def].op != Op::Cmp) continue;
    for (State& s : loop_.blocks_[b].seen) {
      if (!s.gc.depth) continue;
      // It is this loop that makes it grow, not one before it.
      const auto& parts = s.gc.depth->parts;
      if (std::none_of(parts.begin(), parts.end(), [&](const auto& p) {
            return terms_[p.first].kind == TermKind::Join && terms_[p.first].block() == b;
          }))
        continue;
      // The bound is told by a call in the head itself or before the loop.
      auto counts_elements = [&](const model::Operand& o) {
        if (o.kind != OperandKind::Value) return false;
        TermId t = s.value(o.value_id());
        const InstrId made = defs_[o.id];
        if (t == kNoTerm && made != kNone && body_.instrs[made].op == Op::Call &&
            body_.ops(body_.instrs[made])[0].kind == OperandKind::Symbol) {
          const FunctionSpec* spec = ctx_.spec_of[unit_id_][body_.ops(body_.instrs[made])[0].id];
          return spec && std::any_of(spec->outcomes.begin(), spec->outcomes.end(), [](const Outcome& x) {
                   return x.result.kind == specs::Value::Kind::Place && !x.result.place.path.empty() &&
                          specs::property_name(x.result.place.path.back()) == "len";
                 });
        }
        return t != kNoTerm && terms_[t].kind == TermKind::Initial && specs::property_name(terms_[t].imm) == "len";
      };
      const auto ops = body_.ops(body_.instrs[def]);
      if (!counts_elements(ops[0]) && !counts_elements(ops[1])) continue;
      props().collector->emit_gc(EventKind::DepthByData, s, nullptr, last);
      break;
    }
  }
}

bool ProtectionStack::changes_depth(const Instr& i) const {
  const auto ops = body_.ops(i);
  if (i.op != Op::Call || ops.empty() || ops[0].kind != OperandKind::Symbol) return false;
  const FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id];
  const FuncId f = spec ? kNone : ctx_.program.definition(unit_id_, ops[0].symbol_id());
  if (!spec && (f == kNone || !ctx_.summaries[f].known)) return false;
  const auto& outcomes = spec ? spec->outcomes : ctx_.summaries[f].outcomes;
  return std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    return o.protects != 0 || o.unprotects || !o.unprotected.empty() || !o.protected_objects.empty();
  });
}

// Does something in the loop of this head push or pop? If not, states of several depths have come from before it.
bool ProtectionStack::changes_in_loop(model::BlockId head) const {
  if (!flow_.heads_loop(head)) return true;
  for (model::BlockId b{}; b < body_.blocks.size(); ++b) {
    if (!flow_.in_loop(head, b)) continue;
    const auto block = body_.block(b);
    if (std::any_of(block.begin(), block.end(), [&](const Instr& i) {
          const auto ops = body_.ops(i);
          return changes_depth(i) || (i.op == Op::Store && ops[0].kind == OperandKind::Symbol &&
                                      unit_.name(ops[0].symbol_id()) == stack_top_name_);
        }))
      return true;
  }
  return false;
}

// Each round of a loop comes back with another depth, and no variable counts along.
void ProtectionStack::depth_grows(State& s, model::BlockId block) {
  const bool counted_pops =
      std::find(counters_.values.begin(), counters_.values.end(), 1) != counters_.values.end() || counters_.memory;
  const model::Block& b = body_.blocks[block];
  const InstrId head(b.first + b.count - 1);
  if (counted_pops)
    trail_.silent(Silence::CountedAlong, kNoTerm, head);
  else if (depth_reported())
    trail_.silent(Silence::DepthReported, kNoTerm, head);
  else
    props().collector->emit_gc(EventKind::DepthInLoop, s, nullptr, head);
  s.gc.depth.reset();
}

}  // namespace reckon::engine
