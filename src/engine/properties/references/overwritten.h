// A leak that comes of overwriting the last pointer: where that was, and whether it was told.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/core/events.h"

namespace reckon::engine {

// The variable that an instruction's result was stored in, 0 if none.
inline model::StrId name_of_result(const model::Body& body, InstrId instr) {
  const model::ValueId v = instr == model::kNone ? model::kNone : body.instrs[instr].result;
  return v != model::kNone && v < body.value_names.size() ? body.value_names[v] : model::StrId{};
}

// The call whose result was stored over the last pointer to `o`, on the way from node `lost` to node `end`;
// model::kNone if it was not overwritten, or not by a call.
inline InstrId overwritten_at(const model::Body& body, const std::vector<PathNode>& nodes, const Obj& o, PathId lost,
                              PathId end) {
  const model::StrId name = name_of_result(body, o.origin);
  if (name == 0) return model::kNone;
  if (o.touched != o.origin && name_of_result(body, o.touched) == name) return o.touched;
  InstrId first = model::kNone;
  for (; end != model::kNone && end != lost; end = nodes[end].parent)
    if (nodes[end].kind == PathNode::Kind::Call && name_of_result(body, nodes[end].instr) == name)
      first = nodes[end].instr;
  return end == lost ? first : model::kNone;
}

// One assignment overwrites one variable: was that told already, of an object that was made for us as much as this one?
inline bool already_reported(std::vector<Event>& events, InstrId at, const Obj& o) {
  auto known = std::find_if(events.begin(), events.end(), [&](const Event& e) {
    return e.kind == EventKind::Leak && e.instr == at && e.get<LeakFacts>().reason == LeakFacts::Reason::Overwritten;
  });
  if (known == events.end() || known->object.origin == o.origin) return false;
  if (!known->object.preexisting || o.preexisting) return true;
  events.erase(known);
  return false;
}

}  // namespace reckon::engine
