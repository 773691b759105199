#include "analysis/dump_states.h"

#include <fmt/core.h>

namespace reckon::analysis {

using model::kNone;

namespace {

const char* sign_of(model::ArithOp op) {
  constexpr const char* kSigns[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>"};
  return kSigns[static_cast<std::size_t>(op)];
}

const char* sign_of(model::CmpPred pred) {
  constexpr const char* kSigns[] = {"==", "!=", "<u", "<=u", ">u", ">=u", "<", "<=", ">", ">="};
  return kSigns[static_cast<std::size_t>(pred)];
}

std::string bound(std::int64_t v) { return v == kMin ? "-inf" : v == kMax ? "inf" : std::to_string(v); }

std::string text_of(const Range& r) {
  std::string out = r.is_single() ? fmt::format("= {}", r.lo) : fmt::format("in [{}, {}]", bound(r.lo), bound(r.hi));
  for (const std::int64_t v : r.excluded) out += fmt::format(", not {}", v);
  if (r.has_gap()) out += fmt::format(", not in [{}, {}]", r.gap_lo, r.gap_hi);
  return out;
}

std::string term_text(const Executor& ex, TermId t) {
  const Term& x = ex.terms()[t];
  switch (x.kind) {
    case TermKind::Const: return std::to_string(x.imm);
    case TermKind::Arith:
      return fmt::format("({} {} {})", term_text(ex, x.left()), sign_of(static_cast<model::ArithOp>(x.sub)),
                         term_text(ex, x.right()));
    case TermKind::Cmp:
      return fmt::format("({} {} {})", term_text(ex, x.left()), sign_of(static_cast<model::CmpPred>(x.sub)),
                         term_text(ex, x.right()));
    case TermKind::Undef: return "uninitialised";
    default: break;
  }
  if (std::string name = ex.describe(t); !name.empty()) return name;
  if (x.kind == TermKind::Offset) return fmt::format("({} + {})", term_text(ex, x.left()), x.imm);
  if (x.kind == TermKind::Index)
    return fmt::format("({} + {} * {})", term_text(ex, x.left()), term_text(ex, x.right()), x.imm);
  if (x.kind == TermKind::Initial) return fmt::format("*({} + {})", term_text(ex, x.left()), x.imm);
  return fmt::format("#{}", t);
}

std::string state_text(const Executor& ex, const State& s) {
  auto text = [&](TermId t) { return term_text(ex, t); };
  std::string out = fmt::format("    exception {}\n", name_of(s.exception));
  for (const Obj& o : s.objects) {
    out += fmt::format("    object {}: {}, owned {}{}{}{}", text(o.term), name_of(o.kind), o.owned,
                       o.life == Life::Released ? ", released" : "", o.escaped ? ", escaped" : "",
                       o.immortal ? ", immortal" : "");
    if (o.owner != kNoTerm) out += ", lent by " + text(o.owner);
    for (const TermId h : o.holders) out += ", held by " + text(h);
    out += '\n';
  }
  for (const Count& c : s.counts)
    out += fmt::format("    count {} of {}: {:+}\n", ex.context().count_names[c.kind], text(c.object), c.delta);
  if (s.gc.on) {
    out += "    stack depth ";
    out += s.gc.depth ? std::to_string(s.gc.depth->constant) : "unknown";
    if (s.gc.depth)
      for (const auto& [t, k] : s.gc.depth->parts) out += fmt::format(" + {} * {}", k, text(t));
    out += '\n';
    for (const GcObject& o : s.gc.objects)
      out += fmt::format("    object {}: {}{}{}\n", text(o.term), o.fresh ? "fresh" : "part of another",
                         o.slots.empty() ? "" : ", protected", o.exposed != kNone ? ", may be gone" : "");
  }
  for (const State::Lost& l : s.lost) out += fmt::format("    lost {}\n", text(l.object.term));
  for (const Cell& c : s.memory) out += fmt::format("    memory {} + {}: {}\n", text(c.base), c.offset, text(c.value));
  for (const auto& [t, r] : s.facts.ranges()) out += fmt::format("    fact {} {}\n", text(t), text_of(r));
  for (const Relation& r : s.facts.relations())
    out += fmt::format("    fact {} - {} in [{}, {}]{}\n", text(r.a), text(r.b), bound(r.lo), bound(r.hi),
                       r.ne ? ", not 0" : "");
  if (const std::size_t cases = s.facts.alternatives().size(); cases > 1) out += fmt::format("    {} cases\n", cases);
  return out;
}

}  // namespace

std::string states_at_exits(const Executor& ex) {
  const model::Body& body = ex.function().body;
  std::string out = fmt::format("{}\n", ex.context().program.display(ex.id()));
  for (const Exit& e : ex.exits()) {
    const std::uint32_t line = e.instr < body.instrs.size() ? body.instrs[e.instr].loc.line : 0;
    out += fmt::format("  line {}: {}\n", line,
                       e.by_exception        ? "leaves by an exception"
                       : e.result == kNoTerm ? "returns"
                                             : "returns " + term_text(ex, e.result));
    out += state_text(ex, e.state);
  }
  return out;
}

}  // namespace reckon::analysis
