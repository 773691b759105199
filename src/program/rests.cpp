#include "program/rests.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "support/limits.h"

namespace reckon::program {

using model::BlockId;
using model::Body;
using model::Function;
using model::Instr;
using model::InstrId;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

namespace {

constexpr std::size_t kMostInstructions = support::kLimits.program.rest_instructions;

// A call after which its function ends.
struct LastCall {
  BlockId block{};
  std::uint32_t position = 0;  // in the block
  bool with_result = false;    // what the call gives is returned
};

bool ends_without_result(const Body& body, BlockId b) {
  return body.blocks[b].count == 1 && body.terminator(b).op == Op::Ret && body.terminator(b).num_operands == 0;
}

// How many ways end by the same `return`: several in `return a ? b : f();`.
std::ptrdiff_t ways_to_return(const Body& body, const model::Loc& loc) {
  return std::count_if(body.instrs.begin(), body.instrs.end(),
                       [&](const Instr& i) { return i.op == Op::Ret && i.loc == loc; });
}

// nullopt: something follows the call.
std::optional<LastCall> last_call(const Body& body, model::SymId callee) {
  for (BlockId b{}; b < body.blocks.size(); ++b) {
    const auto instrs = body.block(b);
    for (std::uint32_t n = 0; n + 1 < instrs.size(); ++n) {
      const Instr& call = instrs[n];
      if (call.op != Op::Call || call.num_operands == 0 || body.ops(call)[0] != Operand::symbol(callee)) continue;
      if (n + 2 != instrs.size()) return std::nullopt;
      const Instr& next = instrs[n + 1];
      if (next.op == Op::Br && ends_without_result(body, body.succs(next)[0])) return LastCall{b, n, false};
      if (next.op != Op::Ret) return std::nullopt;
      if (next.num_operands == 0) return LastCall{b, n, false};
      if (call.result == kNone || body.ops(next)[0] != Operand::value(call.result)) return std::nullopt;
      if (ways_to_return(body, next.loc) != 1) return std::nullopt;
      return LastCall{b, n, true};
    }
  }
  return std::nullopt;
}

// Puts a copy of one body behind another one.
class Joining {
 public:
  Joining(Function& first, const Function& rest, LastCall at) : first_(first), rest_(rest), at_(at) {
    const Body& body = first.body;
    const auto ops = body.ops(body.block(at.block)[at.position]);
    arguments_.assign(ops.begin() + 1, ops.end());
    blocks_ = static_cast<std::uint32_t>(body.blocks.size());
    values_ = body.num_values;
  }

  void run() {
    name_arguments();
    const Body before = std::move(first_.body);
    Body& out = first_.body = {};
    out.fields = before.fields;
    out.calls = before.calls;
    out.locals = before.locals;
    out.value_names = before.value_names;
    const Body& rest = rest_.body;
    for (BlockId b{}; b < before.blocks.size(); ++b) {
      const auto instrs = before.block(b);
      begin_block(out);
      if (b != at_.block)
        for (const Instr& i : instrs) copy(before, i, out);
      else {
        for (const Instr& i : instrs.first(at_.position)) copy(before, i, out);
        for (const Instr& i : rest.block(BlockId{})) move(i, out);
      }
    }
    for (BlockId b{1}; b < rest.blocks.size(); ++b) {
      begin_block(out);
      for (const Instr& i : rest.block(b)) move(i, out);
    }
    out.fields.insert(out.fields.end(), rest.fields.begin(), rest.fields.end());
    out.calls.insert(out.calls.end(), rest.calls.begin(), rest.calls.end());
    out.locals.insert(out.locals.end(), rest.locals.begin(), rest.locals.end());
    out.num_values = values_ + rest.num_values - params();
    out.value_names.resize(values_);
    for (std::uint32_t v = params(); v < rest.num_values; ++v)
      out.value_names.push_back(v < rest.value_names.size() ? rest.value_names[v] : model::StrId{});
  }

 private:
  std::uint32_t params() const { return static_cast<std::uint32_t>(rest_.params.size()); }

  // What had no name in the first half has that of the parameter.
  void name_arguments() {
    std::vector<model::StrId>& names = first_.body.value_names;
    names.resize(values_);
    for (std::uint32_t p = 0; p < params(); ++p)
      if (arguments_[p].kind == OperandKind::Value && names[arguments_[p].id] == 0)
        names[arguments_[p].id] = rest_.params[p].name;
  }

  static void begin_block(Body& out) { out.blocks.push_back({static_cast<InstrId>(out.instrs.size()), 0}); }

  static void append(Body& out, Instr i) {
    out.instrs.push_back(i);
    ++out.blocks.back().count;
  }

  // The rest begins in the block of the call.
  BlockId moved(BlockId b) const { return b == 0 ? at_.block : static_cast<BlockId>(b - 1 + blocks_); }

  Operand moved(const Operand& o) const {
    if (o.kind != OperandKind::Value) return o;
    if (o.id < params()) return arguments_[o.id];
    Operand other = o;
    other.id = o.id - params() + values_;
    return other;
  }

  // What an instruction names by a number of its body.
  std::uint32_t moved_aux(const Instr& i) const {
    if (i.aux == kNone) return kNone;
    const Body& body = first_.body;
    switch (i.op) {
      case Op::Alloca: return i.aux + static_cast<std::uint32_t>(body.locals.size());
      case Op::Field: return i.aux + static_cast<std::uint32_t>(body.fields.size());
      case Op::Call: return i.aux + static_cast<std::uint32_t>(body.calls.size());
      default: return i.aux;
    }
  }

  static void copy(const Body& from, Instr i, Body& out) {
    const auto ops = from.ops(i);
    const auto succs = from.succs(i);
    begin_lists(out, i);
    out.operands.insert(out.operands.end(), ops.begin(), ops.end());
    out.targets.insert(out.targets.end(), succs.begin(), succs.end());
    append(out, i);
  }

  // The same for an instruction of the rest, whose numbers change.
  void move(Instr i, Body& out) const {
    const auto ops = rest_.body.ops(i);
    const auto succs = rest_.body.succs(i);
    begin_lists(out, i);
    if (i.result != kNone) i.result = static_cast<model::ValueId>(i.result - params() + values_);
    i.aux = moved_aux(i);
    if (i.op == Op::Ret && !at_.with_result)
      i.num_operands = 0;
    else
      for (const Operand& o : ops) out.operands.push_back(moved(o));
    for (const BlockId b : succs) out.targets.push_back(moved(b));
    append(out, i);
  }

  static void begin_lists(const Body& out, Instr& i) {
    i.first_operand = static_cast<std::uint32_t>(out.operands.size());
    i.first_target = static_cast<std::uint32_t>(out.targets.size());
  }

  Function& first_;
  const Function& rest_;
  const LastCall at_;
  std::vector<Operand> arguments_;
  std::uint32_t blocks_ = 0, values_ = 0;  // of the first half
};

class Rests {
 public:
  Rests(const model::Unit& unit, const specs::SpecSet& specs) : unit_(unit), specs_(specs) {}

  // nullptr: there are none.
  std::shared_ptr<const model::Unit> joined() {
    if (unit_.language != model::Language::C) return nullptr;
    count_uses();
    for (std::uint32_t f = 0; f < unit_.functions.size(); ++f) join_into(f);
    return std::move(result_);
  }

 private:
  struct Use {
    std::uint32_t calls = 0, others = 0;
    std::uint32_t caller = kNone;  // index into Unit::functions
  };

  void count_uses() {
    uses_.resize(unit_.symbols.size());
    callees_.resize(unit_.functions.size());
    begun_.resize(unit_.functions.size());
    done_.resize(unit_.functions.size());
    definition_.assign(unit_.symbols.size(), kNone);
    for (std::uint32_t f = 0; f < unit_.functions.size(); ++f) {
      definition_[unit_.functions[f].symbol] = f;
      const Body& body = unit_.functions[f].body;
      for (const Instr& i : body.instrs) {
        const auto ops = body.ops(i);
        for (std::size_t n = 0; n < ops.size(); ++n) {
          if (ops[n].kind != OperandKind::Symbol) continue;
          Use& use = uses_[ops[n].id];
          const bool called = i.op == Op::Call && n == 0 && ops[n].imm == 0 && i.num_targets == 0;
          ++(called ? use.calls : use.others);
          if (!called) continue;
          use.caller = f;
          callees_[f].push_back(ops[n].symbol_id());
        }
      }
    }
  }

  // A pattern is no contract.
  bool described(std::string_view name) const {
    const specs::FunctionSpec* spec = specs_.find(name);
    return spec != nullptr && spec->name.find('*') == std::string::npos;
  }

  // Could the function be the rest of the one that calls it?
  bool may_be_rest(model::SymId s, std::uint32_t caller) const {
    const model::Symbol& symbol = unit_.symbols[s];
    const Use& use = uses_[s];
    if (definition_[s] == kNone || use.calls != 1 || use.others != 0 || use.caller != caller) return false;
    if (symbol.linkage != model::Linkage::Internal || symbol.address_taken || !symbol.attributes.empty()) return false;
    const Function& rest = unit_.functions[definition_[s]];
    return definition_[s] != caller && !rest.from_header && !unit_.functions[caller].from_header && !rest.variadic &&
           !rest.body.blocks.empty() && !described(unit_.name(s)) &&
           std::none_of(rest.params.begin(), rest.params.end(), [&](const model::Param& p) {
             const model::TypeKind kind = unit_.type(p.type).kind;
             return kind == model::TypeKind::Struct || kind == model::TypeKind::Union;
           });
  }

  const Function& now(std::uint32_t f) const { return result_ ? result_->functions[f] : unit_.functions[f]; }

  // Joins all rests of a function, and theirs before.
  void join_into(std::uint32_t f) {
    if (begun_[f]) return;
    begun_[f] = true;
    for (const model::SymId s : callees_[f]) {
      if (!may_be_rest(s, f)) continue;
      const std::uint32_t r = definition_[s];
      if (begun_[r] && !done_[r]) continue;  // each ends with the other
      join_into(r);
      const std::optional<LastCall> at = last_call(now(f).body, s);
      if (!at || now(f).body.instrs.size() + now(r).body.instrs.size() > kMostInstructions) continue;
      const Body& body = now(f).body;
      if (body.block(at->block)[at->position].num_operands != now(r).params.size() + 1) continue;
      if (at->with_result && now(r).result != now(f).result) continue;
      if (!result_) result_ = std::make_shared<model::Unit>(unit_);
      Joining(result_->functions[f], result_->functions[r], *at).run();
      result_->functions[r].rest_of = unit_.functions[f].symbol;
    }
    done_[f] = true;
  }

  const model::Unit& unit_;
  const specs::SpecSet& specs_;
  std::vector<Use> uses_;                           // by symbol
  std::vector<std::uint32_t> definition_;           // by symbol: index into Unit::functions
  std::vector<std::vector<model::SymId>> callees_;  // by function
  std::vector<char> begun_, done_;                  // by function
  std::shared_ptr<model::Unit> result_;
};

}  // namespace

std::shared_ptr<const model::Unit> with_rests(std::shared_ptr<const model::Unit> unit, const specs::SpecSet& specs) {
  if (auto joined = Rests(*unit, specs).joined()) return joined;
  return unit;
}

Units ready_to_link(Units units, const specs::SpecSet& specs) {
  for (std::shared_ptr<const model::Unit>& unit : units) unit = with_rests(std::move(unit), specs);
  return with_named_calls(std::move(units), specs);
}

ReadyUnits ready_to_link(std::size_t count, std::size_t most, UnitStore::Read read, const CallNamer::Lookups& lookups,
                         const specs::SpecSet& specs) {
  const auto namer = std::make_shared<const CallNamer>(count, lookups, specs);
  auto ready = [read = std::move(read), namer, &specs](UnitId u) {
    return namer->named(u, with_rests(read(u), specs));
  };
  return {std::make_shared<const UnitStore>(count, most, std::move(ready)), namer->identity()};
}

}  // namespace reckon::program
