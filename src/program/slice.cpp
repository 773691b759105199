#include "program/slice.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "program/scc.h"

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

// What each instruction depends on. Besides instructions the graph has nodes for blocks (whether they run), for local
// variables (who writes them) and for other places in memory (who may write there).
class Dependences {
 public:
  using Nodes = std::vector<std::uint32_t>;

  explicit Dependences(const ValueDefs& defs) : defs_(defs), body_(defs.body()) {
    const std::vector<std::vector<BlockId>> deps = control_dependences(body_);
    const std::size_t instrs = body_.instrs.size();
    edges_.resize(instrs + body_.blocks.size());
    find_memory_uses();
    for (BlockId b{}; b < body_.blocks.size(); ++b) {
      for (const BlockId d : deps[b]) edges_[control(b)].push_back(index(body_.terminator(d)));
      for (std::uint32_t k = 0; k < body_.blocks[b].count; ++k) add_instr(InstrId(body_.blocks[b].first + k), b);
    }
  }

  const std::vector<Nodes>& edges() const { return edges_; }

 private:
  InstrId index(const model::Instr& i) const { return static_cast<InstrId>(&i - body_.instrs.data()); }
  std::uint32_t control(BlockId b) const { return static_cast<std::uint32_t>(body_.instrs.size()) + b; }

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
          edges_[writers(local)].push_back(n);
        else
          stores_.push_back({n, key_of(defs_, address)});
      } else if (i.op == Op::Call) {
        for (const model::Operand& o : body_.ops(i))
          if (const model::ValueId local = local_of(o); local != kNone) edges_[writers(local)].push_back(n);
      }
    }
  }

  std::uint32_t fresh() {
    edges_.emplace_back();
    return static_cast<std::uint32_t>(edges_.size() - 1);
  }
  std::uint32_t writers(model::ValueId local) {
    const auto [it, added] = writers_.try_emplace(local, 0);
    if (added) it->second = fresh();
    return it->second;
  }
  // Who may have written what is read there.
  std::uint32_t writers(const MemoryKey& key) {
    const auto [it, added] = places_.try_emplace(std::tuple(key.kind, key.id, key.offset), 0);
    if (!added) return it->second;
    const std::uint32_t node = it->second = fresh();
    for (const auto& [store, written] : stores_)
      if (may_be_same(key, written)) edges_[node].push_back(store);
    return node;
  }

  void add_instr(InstrId n, BlockId block) {
    const model::Instr& i = body_.instrs[n];
    const std::span<const model::Operand> ops = body_.ops(i);
    Nodes on{control(block)};
    for (const model::Operand& o : ops)
      if (o.kind == OperandKind::Value)
        if (const model::Instr* def = defs_.def(o.value_id())) on.push_back(index(*def));
    if (i.op == Op::Phi) {
      for (const BlockId from : body_.succs(i)) {
        on.push_back(control(from));
        if (body_.succs(body_.terminator(from)).size() > 1) on.push_back(index(body_.terminator(from)));
      }
    } else if (i.op == Op::Load && !ops.empty()) {
      const model::ValueId local = local_of(ops[0]);
      on.push_back(local != kNone ? writers(local) : writers(key_of(defs_, ops[0])));
    } else if (i.op == Op::Call) {
      for (const model::Operand& o : ops)  // what a local passed by address holds is an argument, too
        if (const model::ValueId local = local_of(o); local != kNone) on.push_back(writers(local));
    }
    edges_[n] = std::move(on);
  }

  const ValueDefs& defs_;
  const model::Body& body_;
  std::vector<Nodes> edges_;
  std::unordered_map<model::ValueId, std::uint32_t> writers_;                                 // nodes, of locals
  std::map<std::tuple<MemoryKey::Kind, std::uint32_t, std::int64_t>, std::uint32_t> places_;  // nodes, of the rest
  std::vector<std::pair<InstrId, MemoryKey>> stores_;                                         // to anything but locals
};

// A set of calls.
class Bits {
 public:
  Bits(std::size_t rows, std::size_t columns) : words_((columns + 63) / 64), all_(rows * words_) {}
  void set(std::size_t row, std::uint32_t column) {
    all_[row * words_ + column / 64] |= std::uint64_t{1} << column % 64;
  }
  void add(std::size_t row, std::size_t other) {
    for (std::size_t w = 0; w < words_; ++w) all_[row * words_ + w] |= all_[other * words_ + w];
  }
  void list(std::size_t row, std::vector<std::uint32_t>& out) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t left = all_[row * words_ + w]; left != 0; left &= left - 1)
        out.push_back(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> all_;
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

std::vector<std::vector<std::uint32_t>> deciding_calls(const ValueDefs& defs, std::span<const InstrId> calls,
                                                       std::span<const std::vector<InstrId>> wanted) {
  std::vector<std::vector<std::uint32_t>> out(wanted.size());
  if (calls.empty()) return out;
  const Dependences graph(defs);
  const auto& edges = graph.edges();
  std::vector<std::uint32_t> call_number(edges.size(), kNone);
  for (std::uint32_t n = 0; n < calls.size(); ++n) call_number[calls[n]] = n;
  // Calls end the way: behind them are the calls that decide about them.
  std::vector<std::vector<std::uint32_t>> between(edges.size());
  for (std::size_t n = 0; n < edges.size(); ++n)
    for (const std::uint32_t d : edges[n])
      if (call_number[d] == kNone) between[n].push_back(d);
  const auto components = strong_components(between);
  std::vector<std::uint32_t> component_of(edges.size());
  Bits reached(components.size() + wanted.size(), calls.size());
  auto add = [&](std::size_t row, std::uint32_t node) {
    for (const std::uint32_t d : edges[node]) {
      if (call_number[d] != kNone)
        reached.set(row, call_number[d]);
      else if (component_of[d] != row)
        reached.add(row, component_of[d]);
    }
  };
  for (std::uint32_t c = 0; c < components.size(); ++c) {
    for (const std::uint32_t n : components[c]) component_of[n] = c;
    for (const std::uint32_t n : components[c]) add(c, n);
  }
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    const std::size_t row = components.size() + w;
    for (const InstrId i : wanted[w]) reached.add(row, component_of[i]);
    reached.list(row, out[w]);
  }
  return out;
}

}  // namespace reckon::program
