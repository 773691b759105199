// The way to a state, events, and the names of callees.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/trail.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using model::OperandKind;

// Was it read from what a function of the C++ library gave (an element, what an iterator points to)?
bool Trail::in_container(TermId t) const {
  const Term& root = terms_[terms_.owner_root(t)];
  if (root.kind != TermKind::Fresh || root.a >= body_.instrs.size() || body_.instrs[root.a].op != model::Op::Call)
    return false;
  const model::Operand callee = body_.ops(body_.instrs[root.a])[0];
  return unit_.language == model::Language::Cxx && callee.kind == model::OperandKind::Symbol &&
         cxx_library(unit_.name(callee.symbol_id()));
}

std::string Trail::callee_name(const Instr& call) const {
  const auto ops = body_.ops(call);
  if (!ops.empty() && ops[0].kind == OperandKind::Symbol) {
    const std::string_view name = unit_.str(unit_.symbols[ops[0].id].display), macro = unit_.str(call.loc.macro);
    // A macro that only renames: the programmer knows the function by the macro's name.
    return std::string(macro.size() >= 4 && name.find(macro) != std::string_view::npos ? macro : name);
  }
  if (call.aux != kNone) return std::string(unit_.str(body_.calls[call.aux].origin));
  return {};
}

void Trail::note(State& s, PathNode node) {
  node.parent = s.path;
  path_.push_back(node);
  s.path = PathId(path_.size() - 1);
}

Event* Trail::emit(EventKind kind, const State& s, const EventObject* o, InstrId instr, std::string callee) {
  if (s.for_callers_only()) {
    silent(Silence::OnlyCallersKnow, o ? o->term : kNoTerm, instr);
    return nullptr;
  }
  auto same = [&](const Event& e) {
    return e.kind == kind && e.instr == instr && (!o || (e.object.origin == o->origin && e.object.term == o->term));
  };
  auto known = std::find_if(result_.events.begin(), result_.events.end(), same);
  if (known != result_.events.end()) {
    // The same without running out of memory, or without any failure, tells more; and so does that of an object made
    // for us.
    const bool preexisting = o && o->preexisting;
    if (std::tuple(known->object.preexisting, known->oom, known->failed) <= std::tuple(preexisting, s.oom, s.failed)) {
      silent(Silence::SameAsBefore, o ? o->term : kNoTerm, instr);
      return nullptr;
    }
    result_.events.erase(known);
  }
  Event e(kind);
  e.instr = instr;
  e.object.domain = ctx_.unit_domain[unit_id_];
  if (o) e.object = *o;
  e.path = s.path;
  e.oom = s.oom;
  e.failed = s.failed;
  e.callee = std::move(callee);
  result_.events.push_back(std::move(e));
  return &result_.events.back();
}

bool Trail::silent(Silence why, TermId object, InstrId instr, InstrId other) const {
  if (!answer_.asked()) return true;
  const Silenced now{why, object, instr, other};
  if (std::find(answer_.silences.begin(), answer_.silences.end(), now) == answer_.silences.end())
    answer_.silences.push_back(now);
  return true;
}

}  // namespace reckon::engine
