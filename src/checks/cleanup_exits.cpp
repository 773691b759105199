// Variables with a clean-up attribute make all returns jump to one block at the closing brace, and what goes wrong
// there is of no use to a reader: the statement that jumped is what to look at. The way from the last decision of the
// path to the end has no other branches, so its last jump to a shared block, before those of the clean-up itself, is
// the `return`.
//
// Limits: functions that return something, as others may just fall off their end.

#include "checks/cleanup_exits.h"
#include "support/limits.h"

#include <algorithm>
#include <vector>

namespace reckon::checks {

using engine::PathNode;
using model::kNone;

model::InstrId returned_at(const engine::Trace& trace, model::InstrId instr, engine::PathId path) {
  const model::Function& fn = trace.function();
  const model::Body& body = fn.body;
  auto at_brace = [&](const model::Loc& l) { return l.line == fn.end.line && l.col == fn.end.col; };
  if (instr >= body.instrs.size() || fn.result == 0 || !at_brace(body.instrs[instr].loc)) return instr;
  std::vector<int> entries(body.blocks.size());
  for (const model::BlockId b : body.targets) ++entries[b];
  const auto& nodes = trace.path_nodes();
  model::InstrId until = kNone;  // the branch that was looked at before
  int tries = 0;
  for (engine::PathId n = path; tries < 4; n = n == kNone ? kNone : nodes[n].parent) {
    while (n != kNone && nodes[n].kind != PathNode::Kind::Branch) n = nodes[n].parent;
    ++tries;
    model::BlockId b{};
    if (n != kNone) {
      const auto sides = body.succs(body.instrs[nodes[n].instr]);
      if (nodes[n].which >= sides.size()) return instr;
      b = sides[nodes[n].which];
    }
    model::InstrId found = kNone;
    for (int fuel = support::kLimits.checks.cleanup_blocks; fuel > 0; --fuel) {
      const model::InstrId last(body.blocks[b].first + body.blocks[b].count - 1);
      const model::Instr& end = body.instrs[last];
      if (end.op != model::Op::Br) {
        if (end.op != model::Op::Ret && last != until) return instr;
        break;
      }
      b = body.succs(end)[0];
      if (entries[b] > 1 && end.loc.line != 0 && !at_brace(end.loc)) found = last;
    }
    if (found != kNone) return found;
    if (n == kNone) break;
    until = nodes[n].instr;
  }
  return instr;
}

}  // namespace reckon::checks
