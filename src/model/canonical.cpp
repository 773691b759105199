#include "model/canonical.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "model/op_info.h"

namespace reckon::model {

namespace {

Operand cleared(const Operand& o) {
  switch (o.kind) {
    case OperandKind::Value: return Operand::value(o.value_id());
    case OperandKind::Int: return Operand::integer(o.imm);
    case OperandKind::Symbol: return Operand::symbol(o.symbol_id(), o.imm);
    case OperandKind::Null:
    case OperandKind::Undef:
    case OperandKind::Other: break;
  }
  return {o.kind, kNone, 0};
}

Constant cleared(const Constant& c) {
  Constant r;
  r.kind = c.kind;
  r.type = c.type;
  if (c.kind == ConstKind::Int || c.kind == ConstKind::Address) r.imm = c.imm;
  if (c.kind == ConstKind::String || c.kind == ConstKind::Address) r.ref = c.ref;
  if (c.kind == ConstKind::Aggregate) r.children = c.children;
  return r;
}

// Whether [first, first + count) lies in a pool of `size`.
bool fits(std::uint32_t first, std::uint32_t count, std::size_t size) { return std::uint64_t{first} + count <= size; }

bool same(const Symbol& a, const Symbol& b) {
  return a.kind == b.kind && a.linkage == b.linkage && a.defined == b.defined && a.is_constant == b.is_constant &&
         a.is_virtual == b.is_virtual && a.address_taken == b.address_taken && a.name == b.name &&
         a.display == b.display && a.type == b.type && a.init == b.init && a.loc == b.loc &&
         a.attributes == b.attributes;
}

bool same(const Function& a, const Function& b) {
  return a.symbol == b.symbol && a.params == b.params && a.result == b.result && a.variadic == b.variadic &&
         a.from_header == b.from_header && a.loc == b.loc && a.end == b.end && a.body == b.body;
}

}  // namespace

Body canonical(const Body& body) {
  Body r;
  r.locals = body.locals;
  r.num_values = body.num_values;
  r.blocks.reserve(body.blocks.size());
  r.instrs.reserve(body.instrs.size());
  r.operands.reserve(body.operands.size());
  r.targets.reserve(body.targets.size());
  r.calls.reserve(body.calls.size());
  std::map<std::tuple<TypeId, StrId, TypeId>, std::uint32_t> field_index;
  for (const Block& block : body.blocks) {
    Block b{static_cast<InstrId>(r.instrs.size()), 0};
    if (fits(block.first, block.count, body.instrs.size())) {
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        Instr in = body.instrs[i];
        if (op_info(in.op) == nullptr) continue;
        std::uint32_t first_operand = static_cast<std::uint32_t>(r.operands.size());
        std::uint32_t first_target = static_cast<std::uint32_t>(r.targets.size());
        if (fits(in.first_operand, in.num_operands, body.operands.size())) {
          for (const Operand& o : body.ops(in)) r.operands.push_back(cleared(o));
        } else {
          in.num_operands = 0;
        }
        if (fits(in.first_target, in.num_targets, body.targets.size())) {
          for (BlockId t : body.succs(in)) r.targets.push_back(t);
        } else {
          in.num_targets = 0;
        }
        in.first_operand = first_operand;
        in.first_target = first_target;
        if (in.op == Op::Call) {
          r.calls.push_back(in.aux < body.calls.size() ? body.calls[in.aux] : CallInfo{});
          in.aux = static_cast<std::uint32_t>(r.calls.size() - 1);
        } else if (in.op == Op::Field) {
          if (in.aux < body.fields.size()) {
            const FieldName& f = body.fields[in.aux];
            auto next = static_cast<std::uint32_t>(r.fields.size());
            auto [it, fresh] = field_index.try_emplace({f.record, f.path, f.type}, next);
            if (fresh) r.fields.push_back(f);
            in.aux = it->second;
          } else {
            in.aux = kNone;
          }
        }
        r.instrs.push_back(in);
        ++b.count;
      }
    }
    r.blocks.push_back(b);
  }
  // A count far beyond what the instructions define can only be damage; do not allocate for it.
  std::size_t names = std::min<std::size_t>(body.num_values, body.value_names.size() + body.instrs.size() + 65536);
  r.value_names = body.value_names;
  r.value_names.resize(names);
  return r;
}

Unit canonical(const Unit& unit) {
  Unit r = unit;
  for (Function& f : r.functions) f.body = canonical(f.body);
  for (Constant& c : r.constants) c = cleared(c);
  return r;
}

bool identical(const Unit& a, const Unit& b) {
  auto same_all = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) { return same(p, q); });
  };
  return a.path == b.path && a.target == b.target && a.language == b.language && a.pointer_size == b.pointer_size &&
         a.strings == b.strings && a.types == b.types && a.constants == b.constants && a.headers == b.headers &&
         a.macros == b.macros && same_all(a.symbols, b.symbols) && same_all(a.functions, b.functions);
}

}  // namespace reckon::model
