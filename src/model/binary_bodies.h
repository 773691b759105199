// The bodies of functions in the binary form. The tables must be there already: types are guessed from them.
#pragma once

#include <map>
#include <tuple>

#include "model/binary_coder.h"
#include "model/op_info.h"

namespace reckon::model::binary {

template <typename A>
class BodyCoder : Coder<A> {
 public:
  BodyCoder(A& a, Unit& u) : Coder<A>(a, u), last_call_(u.symbols.size() + 1, kNone) {}

  void bodies() {
    for (Function& f : u_.functions) body(f);
  }

 private:
  using Coder<A>::a_;
  using Coder<A>::u_;
  using Coder<A>::fail;
  using Coder<A>::name;
  using Coder<A>::param_of;
  using Coder<A>::result_of;
  using Coder<A>::symbol_type;

  // What is remembered while one body is coded.
  struct State {
    Function& f;
    LocCoder<A> loc;
    std::vector<TypeId> value_type;
    TypeId last_type[kNumOps] = {};
    ValueId next_value{};
    BlockId block{};
    std::uint32_t next_slot = 0;
    std::map<std::tuple<TypeId, StrId, TypeId>, std::uint32_t> field_index;  // reading
  };

  void body(Function& f) {
    Body& b = f.body;
    bool regular = true;
    if constexpr (!A::reading) regular = ends_in_terminators(b);
    std::uint8_t head = regular ? 1 : 0;
    a_.num(S::BodyHead, head);
    regular = head != 0;
    a_.length(S::BodyHead, b.blocks, S::Op);
    if (b.blocks.empty() && head == 1) return;  // not kept
    State st{f, LocCoder<A>(a_, kBodyLoc, f.loc), {}, {}, static_cast<ValueId>(f.params.size()), {}, 0, {}};
    locals(b, st);
    value_names(f, b);
    st.value_type.assign(b.value_names.size(), TypeId{});
    for (std::size_t i = 0; i < f.params.size() && i < st.value_type.size(); ++i) st.value_type[i] = f.params[i].type;
    for (BlockId id{}; id < b.blocks.size() && a_.ok(); ++id) {
      Block& block = b.blocks[id];
      st.block = id;
      if constexpr (A::reading) block.first = static_cast<InstrId>(b.instrs.size());
      if (!regular) a_.num(S::BlockSize, block.count);
      if constexpr (A::reading) {
        std::uint32_t wanted = block.count;
        block.count = 0;
        for (bool more = regular || wanted > 0; more && a_.ok();) {
          Instr in;
          instr(b, in, st);
          b.instrs.push_back(in);
          ++block.count;
          more = regular ? !is_terminator(in) : block.count < wanted;
        }
      } else {
        for (std::uint32_t i = 0; i < block.count; ++i) instr(b, b.instrs[block.first + i], st);
      }
    }
  }

  static bool ends_in_terminators(const Body& b) {
    for (BlockId id{}; id < b.blocks.size(); ++id) {
      auto list = b.block(id);
      if (list.empty() || !is_terminator(list.back())) return false;
      if (std::any_of(list.begin(), list.end() - 1, [](const Instr& i) { return is_terminator(i); })) return false;
    }
    // Without blocks there is nothing else to say, or else the rest has to be coded.
    return !b.blocks.empty() || (b.locals.empty() && b.num_values == 0);
  }

  void locals(Body& b, State& st) {
    a_.length(S::LocalType, b.locals, S::LocalType);
    StrId last{};
    for (Local& l : b.locals) {
      name(S::LocalName, l.name, last);
      a_.num(S::LocalType, l.type);
      st.loc.code(l.loc);
    }
  }

  // Names of values repeat those of parameters and locals: 0 for none, else the place in a list that starts with
  // these and grows.
  void value_names(Function& f, Body& b) {
    a_.length(S::ValueNew, b.value_names, S::ValueName);
    if constexpr (A::reading) b.num_values = static_cast<std::uint32_t>(b.value_names.size());
    std::map<StrId, std::uint32_t> index;  // writing
    std::vector<StrId> known;
    auto learn = [&](StrId s) {
      if (s == 0) return;
      if (index.try_emplace(s, static_cast<std::uint32_t>(known.size())).second) known.push_back(s);
    };
    for (const Param& p : f.params) learn(p.name);
    for (const Local& l : b.locals) learn(l.name);
    for (StrId& s : b.value_names) {
      auto size = static_cast<std::uint32_t>(known.size());
      std::uint32_t code = 0;
      if constexpr (!A::reading) {
        auto it = index.find(s);
        code = s == 0 ? 0 : it != index.end() ? it->second + 1 : size + 1;
      }
      a_.num(S::ValueName, code);
      if (code == size + 1) {
        a_.num(S::ValueNew, s);
        learn(s);
      } else if (code > size + 1) {
        fail();
      } else {
        s = code == 0 ? StrId{} : known[code - 1];
      }
    }
  }

  void instr(Body& b, Instr& in, State& st) {
    // How the result is told: as the kind suggests (none, or the next number), none, or by number.
    enum : std::uint8_t { Usual = 0, None = 1, Explicit = 2 };
    std::uint8_t head = 0;
    if constexpr (!A::reading) {
      const OpInfo& info = *op_info(in.op);
      ValueId usual = info.result == Result::Never ? kNone : st.next_value;
      unsigned how = in.result == usual ? Usual : in.result == kNone ? None : Explicit;
      head = static_cast<std::uint8_t>(static_cast<unsigned>(in.op) | how << 5 | (has_extra(in) ? 128 : 0));
    }
    a_.num(S::Op, head);
    in.op = static_cast<Op>(head & 31);
    const OpInfo* info = op_info(in.op);
    if (info == nullptr) return fail();
    auto op = static_cast<std::size_t>(in.op);
    if constexpr (A::reading) in.result = info->result == Result::Never ? kNone : st.next_value;
    switch (head >> 5 & 3) {
      case Usual: break;
      case None: in.result = kNone; break;
      default: a_.num(S::Result, in.result);
    }
    if constexpr (A::reading) {
      in.num_operands = info->min_operands;
      in.num_targets = info->min_targets;
    }
    if (head & 128) extra(in);
    if (!sub_names(in.op).empty()) a_.num(S::Sub, in.sub);
    operands(b, in, *info, st);
    targets(b, in, *info, st);
    if (in.op == Op::Call) call(b, in);
    if (in.op == Op::Field) field(b, in, st);
    if (in.op == Op::Alloca) {
      a_.delta(S::Slot, in.aux, st.next_slot);
      if (in.aux != kNone) st.next_slot = in.aux + 1;
    }
    if (in.op == Op::Index) a_.sint(S::FieldImm, in.imm);
    if (in.op == Op::Extract || in.op == Op::Insert) a_.guess(S::Element, in.aux, kNone);
    a_.guess(S::InstrType, in.type, guess_type(b, in, st));
    st.last_type[op] = in.type;
    st.loc.code(in.loc);
    if (in.result != kNone) {
      if (in.result < st.value_type.size()) st.value_type[in.result] = in.type;
      st.next_value = ValueId(in.result + 1);
    }
  }

  // Numbers that this kind of instruction does not use are set, or a fixed number of operands or targets is wrong:
  // rare, but it must come back.
  static bool has_extra(const Instr& in) {
    const OpInfo& info = *op_info(in.op);
    bool uses_aux =
        in.op == Op::Call || in.op == Op::Field || in.op == Op::Alloca || in.op == Op::Extract || in.op == Op::Insert;
    bool uses_imm = in.op == Op::Field || in.op == Op::Index;
    return (sub_names(in.op).empty() && in.sub != 0) || (!uses_aux && in.aux != kNone) || (!uses_imm && in.imm != 0) ||
           (info.min_operands == info.max_operands && in.num_operands != info.min_operands) ||
           (info.min_targets == info.max_targets && in.num_targets != info.min_targets);
  }
  void extra(Instr& in) {
    a_.num(S::Extra, in.sub);
    a_.guess(S::Extra, in.aux, kNone);
    a_.sint(S::Extra, in.imm);
    a_.num(S::Extra, in.num_operands);
    a_.num(S::Extra, in.num_targets);
  }

  TypeId guess_type(const Body& b, const Instr& in, const State& st) const {
    if (in.op == Op::Call) return in.aux < b.calls.size() ? result_of(b.calls[in.aux].type) : TypeId{};
    if (in.op == Op::Store && in.num_operands == 2) {
      const Operand& v = b.operands[in.first_operand + 1];
      if (v.kind == OperandKind::Value && v.id < st.value_type.size()) return st.value_type[v.id];
    }
    return st.last_type[static_cast<std::size_t>(in.op)];
  }

  void operands(Body& b, Instr& in, const OpInfo& info, State& st) {
    if (info.min_operands != info.max_operands) a_.num(S::Count, in.num_operands);
    if constexpr (A::reading) {
      in.first_operand = static_cast<std::uint32_t>(b.operands.size());
      if (in.num_operands > a_.left(S::OperandKind)) {
        in.num_operands = 0;
        return fail();
      }
    }
    for (std::uint32_t i = 0; i < in.num_operands; ++i) {
      if constexpr (A::reading) {
        Operand o;
        operand(o, in.op == Op::Call && i == 0, st);
        b.operands.push_back(o);
      } else {
        operand(b.operands[in.first_operand + i], in.op == Op::Call && i == 0, st);
      }
    }
  }

  void operand(Operand& o, bool callee, State& st) {
    constexpr std::uint8_t kPlainSymbol = 6;
    std::uint8_t kind = static_cast<std::uint8_t>(o.kind);
    if (o.kind == OperandKind::Symbol && o.imm == 0) kind = kPlainSymbol;
    a_.num(S::OperandKind, kind);
    o.kind = kind == kPlainSymbol ? OperandKind::Symbol : static_cast<OperandKind>(kind);
    switch (o.kind) {
      case OperandKind::Value: {
        std::uint32_t back = st.next_value - 1 - o.id;
        a_.delta(S::Value, back, 0);
        o.id = st.next_value - 1 - back;
        break;
      }
      case OperandKind::Int: a_.sint(S::Int, o.imm); break;
      case OperandKind::Symbol:
        a_.num(callee ? S::Callee : S::SymbolId, o.id);
        if (kind != kPlainSymbol) a_.sint(S::SymbolOffset, o.imm);
        break;
      case OperandKind::Null:
      case OperandKind::Undef:
      case OperandKind::Other: break;
    }
  }

  void targets(Body& b, Instr& in, const OpInfo& info, State& st) {
    if (info.min_targets != info.max_targets) {
      bool as_operands = in.op == Op::Phi || in.op == Op::Switch;
      a_.delta(S::Count, in.num_targets, as_operands ? in.num_operands : 0);
    }
    if constexpr (A::reading) {
      in.first_target = static_cast<std::uint32_t>(b.targets.size());
      if (in.num_targets > a_.left(S::Target)) {
        in.num_targets = 0;
        return fail();
      }
    }
    for (std::uint32_t i = 0; i < in.num_targets; ++i) {
      BlockId t = A::reading ? BlockId{} : b.targets[in.first_target + i];
      a_.delta(S::Target, t, st.block);
      if constexpr (A::reading) b.targets.push_back(t);
    }
  }

  void field(Body& b, Instr& in, State& st) {
    Key k;
    if constexpr (!A::reading) {
      k.imm = in.imm;
      if (in.aux != kNone) {
        k.named = true;
        k.name = b.fields[in.aux];
      }
    }
    std::uint32_t index = 0;
    auto size = static_cast<std::uint32_t>(keys_.size());
    if constexpr (!A::reading) {
      index = key_index_.try_emplace({k.named, k.name.record, k.name.path, k.name.type, k.imm}, size).first->second;
    }
    a_.num(S::Field, index);
    if (index > size) return fail();
    if (index == size) {
      a_.num(S::FieldKey, k.named);
      if (k.named) {
        a_.num(S::FieldKey, k.name.record);
        a_.num(S::FieldKey, k.name.path);
        a_.num(S::FieldKey, k.name.type);
      }
      a_.sint(S::FieldImm, k.imm);
      keys_.push_back(k);
    }
    if constexpr (A::reading) {
      k = keys_[index];
      in.imm = k.imm;
      in.aux = kNone;
      if (k.named) {
        auto next = static_cast<std::uint32_t>(b.fields.size());
        auto [it, fresh] = st.field_index.try_emplace({k.name.record, k.name.path, k.name.type}, next);
        if (fresh) b.fields.push_back(k.name);
        in.aux = it->second;
      }
    }
  }

  void call(Body& b, Instr& in) {
    SymId callee = static_cast<SymId>(u_.symbols.size());  // stands for all that are no symbols
    if (in.num_operands != 0) {
      const Operand& o = b.operands[in.first_operand];
      if (o.kind == OperandKind::Symbol && o.id < callee) callee = o.symbol_id();
    }
    auto size = static_cast<std::uint32_t>(calls_.size());
    std::uint32_t index = 0;
    CallInfo c;
    if constexpr (!A::reading) {
      c = b.calls[in.aux];
      index = call_index_.try_emplace({c.type, c.origin, c.inline_asm, c.arg_types}, size).first->second;
    }
    a_.guess(S::Call, index, last_call_[callee]);
    if (index > size) return fail();
    if (index == size) {
      a_.guess(S::CallKey, c.type, symbol_type(callee));
      a_.num(S::CallKey, c.origin);
      a_.num(S::CallKey, c.inline_asm);
      a_.length(S::CallKey, c.arg_types, S::CallKey);
      for (std::size_t i = 0; i < c.arg_types.size(); ++i) a_.guess(S::CallKey, c.arg_types[i], param_of(c.type, i));
      calls_.push_back(c);
    }
    last_call_[callee] = index;
    if constexpr (A::reading) {
      in.aux = static_cast<std::uint32_t>(b.calls.size());
      b.calls.push_back(calls_[index]);
    }
  }

  struct Key {
    bool named = false;
    FieldName name;
    std::int64_t imm = 0;
  };
  std::vector<Key> keys_;
  std::map<std::tuple<bool, TypeId, StrId, TypeId, std::int64_t>, std::uint32_t> key_index_;  // writing
  std::vector<CallInfo> calls_;
  std::map<std::tuple<TypeId, StrId, bool, std::vector<TypeId>>, std::uint32_t> call_index_;  // writing
  std::vector<std::uint32_t> last_call_;                                                      // by callee
};

}  // namespace reckon::model::binary
