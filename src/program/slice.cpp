#include "program/slice.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace reckon::program {

using model::BlockId;
using model::InstrId;
using model::kNone;
using model::Op;
using model::OperandKind;

namespace {

// Immediate post-dominators over the reversed graph, by the iterative method of Cooper, Harvey and Kennedy.
// Node n (one past the last block) stands for the exit.
std::vector<BlockId> post_dominators(const model::Body& body) {
  const auto n = static_cast<BlockId>(body.blocks.size());
  std::vector<std::vector<BlockId>> preds(n + 1);
  for (BlockId b{}; b < n; ++b) {
    const std::span<const BlockId> succs = body.succs(body.terminator(b));
    for (const BlockId s : succs) preds[s].push_back(b);
    if (succs.empty()) preds[n].push_back(b);
  }

  // Postorder of the reversed graph from the exit; what it does not reach (endless loops) is given an edge to it.
  std::vector<std::uint32_t> order(n + 1, kNone);
  std::vector<BlockId> postorder;
  std::vector<bool> seen(n + 1, false), extra_exit(n + 1, false);
  std::vector<std::pair<BlockId, std::size_t>> stack;
  auto visit = [&](BlockId start) {
    seen[start] = true;
    stack.push_back({start, 0});
    while (!stack.empty()) {
      auto& [v, next] = stack.back();
      if (next < preds[v].size()) {
        const BlockId w = preds[v][next++];
        if (!seen[w]) {
          seen[w] = true;
          stack.push_back({w, 0});
        }
        continue;
      }
      postorder.push_back(v);
      stack.pop_back();
    }
  };
  for (BlockId b = n; b > 0;) {
    --b;
    // Reachability from the real exits first, so that only endless loops get an extra edge.
    if (body.succs(body.terminator(b)).empty() && !seen[b]) visit(b);
  }
  for (BlockId b = n; b > 0;) {
    --b;
    if (seen[b]) continue;
    extra_exit[b] = true;
    preds[n].push_back(b);
    visit(b);
  }
  postorder.clear();
  std::fill(seen.begin(), seen.end(), false);
  visit(n);
  for (std::uint32_t i = 0; i < postorder.size(); ++i) order[postorder[i]] = i;

  std::vector<BlockId> up(n + 1, kNone);
  up[n] = n;
  auto meet = [&](BlockId a, BlockId b) {
    while (a != b) {
      while (order[a] < order[b]) a = up[a];
      while (order[b] < order[a]) b = up[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = postorder.size(); i-- > 0;) {
      const BlockId v = postorder[i];
      if (v == n) continue;
      BlockId best = kNone;
      auto join = [&](BlockId s) {
        if (up[s] != kNone) best = best == kNone ? s : meet(best, s);
      };
      const std::span<const BlockId> succs = body.succs(body.terminator(v));
      for (const BlockId s : succs) join(s);
      if (succs.empty() || extra_exit[v]) join(n);
      if (best != kNone && best != up[v]) {
        up[v] = best;
        changed = true;
      }
    }
  }
  return up;
}

// What a load reads or a store writes, as far as we tell it apart.
struct MemoryKey {
  enum class Kind : std::uint8_t { Unknown, Global, Field } kind = Kind::Unknown;
  std::uint32_t id = 0;
  std::int64_t offset = 0;
};

MemoryKey key_of(const ValueDefs& defs, const model::Operand& address) {
  if (address.kind == OperandKind::Symbol) return {MemoryKey::Kind::Global, address.id, address.imm};
  const model::Instr* def = address.kind == OperandKind::Value ? defs.def(address.value_id()) : nullptr;
  if (def == nullptr || def->op != Op::Field || def->aux == kNone) return {};
  return {MemoryKey::Kind::Field, defs.body().fields[def->aux].path, 0};
}

bool may_be_same(const MemoryKey& a, const MemoryKey& b) {
  using Kind = MemoryKey::Kind;
  if (a.kind == Kind::Unknown || b.kind == Kind::Unknown) return true;
  return a.kind == b.kind && a.id == b.id && a.offset == b.offset;
}

class Slicer {
 public:
  Slicer(const ValueDefs& defs) : defs_(defs), body_(defs.body()) {
    deps_ = control_dependences(body_);
    block_of_.resize(body_.instrs.size());
    for (BlockId b{}; b < body_.blocks.size(); ++b)
      for (std::uint32_t k = 0; k < body_.blocks[b].count; ++k) block_of_[body_.blocks[b].first + k] = b;
    in_.assign(body_.instrs.size(), false);
    block_done_.assign(body_.blocks.size(), false);
    find_memory_uses();
  }

  std::vector<bool> run(std::span<const model::InstrId> criteria) {
    for (const InstrId c : criteria) mark(c);
    while (!todo_.empty()) {
      const InstrId i = todo_.back();
      todo_.pop_back();
      follow(i);
    }
    return std::move(in_);
  }

 private:
  InstrId index(const model::Instr& i) const { return static_cast<InstrId>(&i - body_.instrs.data()); }

  void mark(InstrId i) {
    if (in_[i]) return;
    in_[i] = true;
    todo_.push_back(i);
  }

  // Whether a block runs matters.
  void mark_control(BlockId b) {
    if (block_done_[b]) return;
    block_done_[b] = true;
    for (const BlockId d : deps_[b]) mark(index(body_.terminator(d)));
  }

  // The local variable an address is in, kNone if it is none.
  model::ValueId local_of(const model::Operand& address) const {
    const model::Operand root = root_of(defs_, address);
    const model::Instr* def = root.kind == OperandKind::Value ? defs_.def(root.value_id()) : nullptr;
    return def != nullptr && def->op == Op::Alloca ? root.value_id() : kNone;
  }

  void find_memory_uses() {
    for (InstrId n{}; n < body_.instrs.size(); ++n) {
      const model::Instr& i = body_.instrs[n];
      if (i.op == Op::Store && i.num_operands != 0) {
        const model::Operand& address = body_.ops(i)[0];
        if (const model::ValueId local = local_of(address); local != kNone)
          writers_[local].push_back(n);
        else
          stores_.push_back({n, key_of(defs_, address)});
      } else if (i.op == Op::Call) {
        for (const model::Operand& o : body_.ops(i))
          if (const model::ValueId local = local_of(o); local != kNone) writers_[local].push_back(n);
      }
    }
  }

  void mark_writers(model::ValueId local) {
    const auto it = writers_.find(local);
    if (it == writers_.end()) return;
    const std::vector<InstrId> writers = std::move(it->second);
    writers_.erase(it);
    for (const InstrId w : writers) mark(w);
  }

  void follow(InstrId n) {
    const model::Instr& i = body_.instrs[n];
    const std::span<const model::Operand> ops = body_.ops(i);
    mark_control(block_of_[n]);
    for (const model::Operand& o : ops)
      if (o.kind == OperandKind::Value)
        if (const model::Instr* def = defs_.def(o.value_id())) mark(index(*def));
    if (i.op == Op::Phi) {
      for (const BlockId from : body_.succs(i)) {
        mark_control(from);
        if (body_.succs(body_.terminator(from)).size() > 1) mark(index(body_.terminator(from)));
      }
    } else if (i.op == Op::Load && !ops.empty()) {
      if (const model::ValueId local = local_of(ops[0]); local != kNone) {
        mark_writers(local);
      } else {
        const MemoryKey key = key_of(defs_, ops[0]);
        for (const auto& [store, written] : stores_)
          if (may_be_same(key, written)) mark(store);
      }
    } else if (i.op == Op::Call) {
      for (const model::Operand& o : ops)  // what a local passed by address holds is an argument, too
        if (const model::ValueId local = local_of(o); local != kNone) mark_writers(local);
    }
  }

  const ValueDefs& defs_;
  const model::Body& body_;
  std::vector<std::vector<BlockId>> deps_;
  std::vector<BlockId> block_of_;
  std::unordered_map<model::ValueId, std::vector<InstrId>> writers_;  // of locals
  std::vector<std::pair<InstrId, MemoryKey>> stores_;                 // to anything else
  std::vector<bool> in_, block_done_;
  std::vector<InstrId> todo_;
};

}  // namespace

std::vector<std::vector<BlockId>> control_dependences(const model::Body& body) {
  std::vector<std::vector<BlockId>> deps(body.blocks.size());
  const std::vector<BlockId> up = post_dominators(body);
  const auto exit = static_cast<BlockId>(body.blocks.size());
  for (BlockId b{}; b < body.blocks.size(); ++b) {
    const std::span<const BlockId> succs = body.succs(body.terminator(b));
    if (succs.size() < 2) continue;
    for (const BlockId s : succs)
      for (BlockId v = s; v != up[b] && v != exit; v = up[v])
        if (deps[v].empty() || deps[v].back() != b) deps[v].push_back(b);
  }
  return deps;
}

model::Operand root_of(const ValueDefs& defs, model::Operand address) {
  for (std::size_t steps = 0; steps <= defs.body().instrs.size(); ++steps) {  // a malformed body may go round
    const model::Instr* def = address.kind == OperandKind::Value ? defs.def(address.value_id()) : nullptr;
    if (def == nullptr || def->num_operands == 0) break;
    if (def->op != Op::Field && def->op != Op::Index && def->op != Op::Cast) break;
    address = defs.body().ops(*def)[0];
  }
  return address;
}

std::vector<bool> backward_slice(const ValueDefs& defs, std::span<const model::InstrId> criteria) {
  return Slicer(defs).run(criteria);
}

}  // namespace reckon::program
