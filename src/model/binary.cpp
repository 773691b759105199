// The binary form of a unit.
//
//   "RKNU", version                       then, as varints,
//   size of the tables, size of the bodies
//   tables: lengths of the table streams, their bytes       (strings, types, symbols, constants, function headers)
//   bodies: lengths of the body streams, their bytes        (a reader that wants no bodies skips this)
//
// Each number goes to the stream of its kind (binary_streams.h). Whatever can be guessed from what was coded before
// is coded as 0: the type of a stored value, the result type of a call, the next value number, the place of the
// previous instruction, the end of a block. Names of fields and facts about calls are coded once per unit, where they
// first occur, and by number after that.
//
// The description below runs both ways: with a Writer it reads the unit and writes bytes, with a Reader the reverse.
// Nothing is checked here except what keeps memory safe while reading; decode() asks verify_shape() about the result.
#include "model/binary.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "model/binary_streams.h"
#include "model/canonical.h"
#include "model/op_info.h"
#include "model/verify.h"

namespace reckon::model {

namespace {

using binary::kFirstBodyStream;
using binary::kNumStreams;
using binary::Reader;
using binary::S;
using binary::Writer;

constexpr char kMagic[] = {'R', 'K', 'N', 'U'};
constexpr std::uint64_t kVersion = 1;

// Bits of a coded place.
enum : std::uint8_t { kFileBit = 1, kLineBit = 2, kColBit = 4, kMacroBit = 8, kNoPlace = 16 };

struct LocStreams {
  S head, line, col, file, macro;
};
constexpr LocStreams kTableLoc{S::TableLoc, S::TableLine, S::TableCol, S::TableFile, S::TableFile};
constexpr LocStreams kBodyLoc{S::Loc, S::Line, S::Col, S::File, S::Macro};

// Codes places one after the other, each by what changed.
template <typename A>
class LocCoder {
 public:
  LocCoder(A& a, const LocStreams& s, Loc start) : a_(a), s_(s), last_(start) {}

  void code(Loc& l) {
    std::uint8_t head = 0;
    if constexpr (!A::reading) {
      if (l == Loc{}) {
        head = kNoPlace;
      } else {
        head = static_cast<std::uint8_t>((l.file != last_.file ? kFileBit : 0) | (l.line != last_.line ? kLineBit : 0) |
                                         (l.col != last_.col ? kColBit : 0) | (l.macro != last_.macro ? kMacroBit : 0));
      }
    }
    a_.num(s_.head, head);
    if (head & kNoPlace) {
      l = Loc{};
      return;
    }
    if constexpr (A::reading) l = last_;
    if (head & kFileBit) a_.num(s_.file, l.file);
    if (head & kLineBit) a_.delta(s_.line, l.line, last_.line);
    if (head & kColBit) a_.num(s_.col, l.col);
    if (head & kMacroBit) {
      // Code mostly goes from no macro into the one it just left, and back.
      a_.guess(s_.macro, l.macro, last_.macro == 0 ? last_macro_ : 0);
      if (l.macro != 0) last_macro_ = l.macro;
    }
    last_ = l;
  }

 private:
  A& a_;
  const LocStreams& s_;
  Loc last_;
  StrId last_macro_ = 0;
};

template <typename A>
class Coder {
 public:
  Coder(A& a, Unit& u) : a_(a), u_(u), table_loc_(a, kTableLoc, Loc{}) {}

  void tables() {
    head();
    a_.length(S::Unit, u_.types, S::TypeHead);
    for (TypeId t = 0; t < u_.types.size(); ++t) type(t, u_.types[t]);
    a_.length(S::Unit, u_.symbols, S::SymbolHead);
    for (Symbol& s : u_.symbols) symbol(s);
    a_.length(S::Unit, u_.constants, S::ConstHead);
    for (Constant& c : u_.constants) constant(c);
    a_.length(S::Unit, u_.functions, S::FunctionHead);
    for (Function& f : u_.functions) function(f);
  }

  void head() {
    a_.text(u_.path);
    a_.text(u_.target);
    a_.num(S::Unit, u_.language);
    a_.num(S::Unit, u_.pointer_size);
    a_.length(S::Unit, u_.strings, S::StringLength);
    for (std::string& s : u_.strings) a_.text(s);
    ids(S::Headers, u_.headers);
    ids(S::Headers, u_.macros);
  }

  void bodies() {
    last_call_.assign(u_.symbols.size() + 1, kNone);
    for (Function& f : u_.functions) body(f);
  }

 private:
  const Type* type_at(TypeId t) const { return t < u_.types.size() ? &u_.types[t] : nullptr; }
  TypeId symbol_type(SymId s) const { return s < u_.symbols.size() ? u_.symbols[s].type : 0; }
  TypeId result_of(TypeId fn) const { return fn < u_.types.size() ? u_.types[fn].elem : 0; }
  TypeId param_of(TypeId fn, std::size_t i) const {
    const Type* t = type_at(fn);
    return t != nullptr && i < t->params.size() ? t->params[i] : 0;
  }

  // A list of numbers that mostly grow by one.
  void ids(S s, std::vector<std::uint32_t>& list) {
    a_.length(s, list, s);
    std::uint32_t next = 0;
    for (std::uint32_t& id : list) {
      a_.delta(s, id, next);
      next = id + 1;
    }
  }

  // ---------------------------------------------------------------- tables

  void type(TypeId id, Type& t) {
    std::uint16_t head = 0;
    if constexpr (!A::reading) {
      head = static_cast<std::uint16_t>(static_cast<unsigned>(t.kind) | (t.name != 0 ? 16 : 0) |
                                        (t.fields.empty() ? 0 : 32) | (t.params.empty() ? 0 : 64) |
                                        (t.is_signed ? 128 : 0) | (t.variadic ? 256 : 0));
    }
    a_.num(S::TypeHead, head);
    t.kind = static_cast<TypeKind>(head & 15);
    t.is_signed = (head & 128) != 0;
    t.variadic = (head & 256) != 0;
    a_.num(S::TypeSize, t.size);
    if (head & 16) name(S::TypeName, t.name, last_type_name_);
    std::uint32_t elem = t.elem == 0 ? 0 : id - t.elem;  // near in the table; 0 is void
    if (t.elem != 0 && elem == 0) elem = kNone;          // refers to itself: only through damage
    a_.delta(S::TypeElem, elem, 0);
    if constexpr (A::reading) t.elem = elem == 0 ? 0 : elem == kNone ? id : id - elem;
    if (head & 32) {
      a_.length(S::TypeCount, t.fields, S::FieldType);
      std::uint64_t offset = 0;
      for (Field& f : t.fields) {
        auto d = static_cast<std::int64_t>(f.offset - offset);
        a_.sint(S::FieldOffset, d);
        f.offset = offset + static_cast<std::uint64_t>(d);
        offset = f.offset;
        a_.num(S::FieldType, f.type);
        name(S::FieldName, f.name, last_field_name_);
      }
    }
    if (head & 64) {
      a_.length(S::TypeCount, t.params, S::TypeParam);
      for (TypeId& p : t.params) a_.num(S::TypeParam, p);
    }
  }

  // A name: new ones mostly come in the order of the string table.
  void name(S s, StrId& v, StrId& last) {
    a_.delta(s, v, last + 1);
    last = std::max(last, v);
  }

  void symbol(Symbol& y) {
    std::uint16_t head = 0;
    if constexpr (!A::reading) {
      head = static_cast<std::uint16_t>(
          static_cast<unsigned>(y.kind) | static_cast<unsigned>(y.linkage) << 1 | (y.defined ? 8 : 0) |
          (y.is_constant ? 16 : 0) | (y.is_virtual ? 32 : 0) | (y.address_taken ? 64 : 0) |
          (y.attributes.empty() ? 0 : 128) | (y.display != y.name ? 256 : 0) | (y.init != kNone ? 512 : 0));
    }
    a_.num(S::SymbolHead, head);
    y.kind = static_cast<SymbolKind>(head & 1);
    y.linkage = static_cast<Linkage>(head >> 1 & 3);
    y.defined = (head & 8) != 0;
    y.is_constant = (head & 16) != 0;
    y.is_virtual = (head & 32) != 0;
    y.address_taken = (head & 64) != 0;
    name(S::SymbolName, y.name, last_symbol_name_);
    if (head & 256) {
      a_.delta(S::SymbolDisplay, y.display, y.name);
    } else {
      y.display = y.name;
    }
    a_.num(S::SymbolType, y.type);
    if (head & 512) {
      a_.delta(S::SymbolInit, y.init, last_init_ + 1);
      last_init_ = y.init;
    } else {
      y.init = kNone;
    }
    table_loc_.code(y.loc);
    if ((head & 128) == 0) return;
    a_.length(S::Attribute, y.attributes, S::Attribute);
    for (Attribute& at : y.attributes) {
      a_.num(S::Attribute, at.name);
      a_.num(S::Attribute, at.text);
      a_.length(S::Attribute, at.args, S::Attribute);
      for (std::int64_t& n : at.args) a_.sint(S::Attribute, n);
    }
  }

  void constant(Constant& c) {
    a_.num(S::ConstHead, c.kind);
    a_.guess(S::ConstType, c.type, last_const_type_);
    last_const_type_ = c.type;
    switch (c.kind) {
      case ConstKind::Int: a_.sint(S::ConstInt, c.imm); break;
      case ConstKind::String: a_.delta(S::ConstRef, c.ref, last_const_string_ + 1); last_const_string_ = c.ref; break;
      case ConstKind::Address:
        a_.delta(S::ConstRef, c.ref, last_const_symbol_ + 1);
        last_const_symbol_ = c.ref;
        a_.sint(S::ConstInt, c.imm);
        break;
      case ConstKind::Aggregate: {
        a_.length(S::ConstCount, c.children, S::ConstChild);
        for (ConstId& child : c.children) {
          a_.delta(S::ConstChild, child, last_child_ + 1);
          last_child_ = child;
        }
        break;
      }
      case ConstKind::Zero:
      case ConstKind::Other: break;
    }
  }

  void function(Function& f) {
    std::uint8_t head = 0;
    if constexpr (!A::reading) {
      head = static_cast<std::uint8_t>((f.variadic ? 1 : 0) | (f.from_header ? 2 : 0));
    }
    a_.num(S::FunctionHead, head);
    f.variadic = (head & 1) != 0;
    f.from_header = (head & 2) != 0;
    a_.delta(S::FunctionSymbol, f.symbol, last_function_ + 1);
    last_function_ = f.symbol;
    TypeId fn = symbol_type(f.symbol);
    a_.guess(S::FunctionType, f.result, result_of(fn));
    a_.length(S::FunctionType, f.params, S::ParamName);
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      a_.guess(S::FunctionType, f.params[i].type, param_of(fn, i));
      a_.num(S::ParamName, f.params[i].name);
    }
    table_loc_.code(f.loc);
    table_loc_.code(f.end);
  }

  // ---------------------------------------------------------------- bodies

  // What is remembered while one body is coded.
  struct State {
    Function& f;
    LocCoder<A> loc;
    std::vector<TypeId> value_type;
    TypeId last_type[kNumOps] = {};
    ValueId next_value = 0;
    BlockId block = 0;
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
    State st{f, LocCoder<A>(a_, kBodyLoc, f.loc), {}, {}, static_cast<ValueId>(f.params.size()), 0, 0, {}};
    locals(b, st);
    value_names(f, b);
    st.value_type.assign(b.value_names.size(), 0);
    for (std::size_t i = 0; i < f.params.size() && i < st.value_type.size(); ++i) st.value_type[i] = f.params[i].type;
    for (BlockId id = 0; id < b.blocks.size() && a_.ok(); ++id) {
      Block& block = b.blocks[id];
      st.block = id;
      if constexpr (A::reading) block.first = static_cast<std::uint32_t>(b.instrs.size());
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
    for (BlockId id = 0; id < b.blocks.size(); ++id) {
      auto list = b.block(id);
      if (list.empty() || !is_terminator(list.back())) return false;
      if (std::any_of(list.begin(), list.end() - 1, [](const Instr& i) { return is_terminator(i); })) return false;
    }
    // Without blocks there is nothing else to say, or else the rest has to be coded.
    return !b.blocks.empty() || (b.locals.empty() && b.num_values == 0);
  }

  void locals(Body& b, State& st) {
    a_.length(S::LocalType, b.locals, S::LocalType);
    StrId last = 0;
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
        s = code == 0 ? 0 : known[code - 1];
      }
    }
  }

  void fail() {
    if constexpr (A::reading) a_.fail();
  }

  void instr(Body& b, Instr& in, State& st) {
    // How the result is told: as the kind suggests (none, or the next number), none, or by number.
    enum : std::uint8_t { Usual = 0, None = 1, Explicit = 2 };
    std::uint8_t head = 0;
    if constexpr (!A::reading) {
      const OpInfo& info = *op_info(in.op);
      std::uint32_t usual = info.result == Result::Never ? kNone : st.next_value;
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
      st.next_value = in.result + 1;
    }
  }

  // Numbers that this kind of instruction does not use are set, or a fixed number of operands or targets is wrong:
  // rare, but it must come back.
  static bool has_extra(const Instr& in) {
    const OpInfo& info = *op_info(in.op);
    bool uses_aux = in.op == Op::Call || in.op == Op::Field || in.op == Op::Alloca || in.op == Op::Extract ||
                    in.op == Op::Insert;
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
    if (in.op == Op::Call) return in.aux < b.calls.size() ? result_of(b.calls[in.aux].type) : 0;
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
      BlockId t = A::reading ? 0 : b.targets[in.first_target + i];
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
      if (o.kind == OperandKind::Symbol && o.id < callee) callee = o.id;
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

  A& a_;
  Unit& u_;
  LocCoder<A> table_loc_;
  StrId last_type_name_ = 0, last_field_name_ = 0, last_symbol_name_ = 0, last_const_string_ = 0;
  TypeId last_const_type_ = 0;
  SymId last_const_symbol_ = 0, last_function_ = 0;
  ConstId last_init_ = 0, last_child_ = 0;

  struct Key {
    bool named = false;
    FieldName name;
    std::int64_t imm = 0;
  };
  std::vector<Key> keys_;
  std::map<std::tuple<bool, TypeId, StrId, TypeId, std::int64_t>, std::uint32_t> key_index_;  // writing
  std::vector<CallInfo> calls_;
  std::map<std::tuple<TypeId, StrId, bool, std::vector<TypeId>>, std::uint32_t> call_index_;  // writing
  std::vector<std::uint32_t> last_call_;  // by callee
};

// Calls f(number, bytes) for each stream; false if this is not what encode() writes.
template <typename F>
bool open_streams(std::span<const std::byte> bytes, F f) {
  support::ByteReader in(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  if (in.take(sizeof kMagic) != std::string_view(kMagic, sizeof kMagic) || in.number() != kVersion) return false;
  std::uint64_t tables = in.number(), bodies = in.number();
  if (!in.ok() || tables > in.left() || bodies != in.left() - tables) return false;
  auto section = [&](std::string_view part, std::size_t first, std::size_t end) {
    support::ByteReader s(part);
    std::uint64_t length[kNumStreams];
    for (std::size_t i = first; i < end; ++i) length[i] = s.number();
    for (std::size_t i = first; i < end; ++i) f(i, s.take(length[i]));
    return s.ok() && s.left() == 0;
  };
  return section(in.take(tables), 0, kFirstBodyStream) && section(in.take(bodies), kFirstBodyStream, kNumStreams);
}

}  // namespace

std::string encode(const Unit& unit) {
  Unit c = canonical(unit);
  Writer w;
  Coder<Writer> coder(w, c);
  coder.tables();
  coder.bodies();
  auto section = [&](std::size_t first, std::size_t end) {
    std::string lengths, bytes;
    for (std::size_t i = first; i < end; ++i) {
      std::string s = w.take(i);
      support::put_number(lengths, s.size());
      bytes += s;
    }
    return lengths + bytes;
  };
  std::string tables = section(0, kFirstBodyStream);
  std::string bodies = section(kFirstBodyStream, kNumStreams);
  std::string out(kMagic, sizeof kMagic);
  support::put_number(out, kVersion);
  support::put_number(out, tables.size());
  support::put_number(out, bodies.size());
  return out + tables + bodies;
}

bool decode(std::span<const std::byte> bytes, Unit& unit) {
  unit = Unit{};
  Reader r;
  if (!open_streams(bytes, [&](std::size_t i, std::string_view s) { r.set(i, s); })) return false;
  Coder<Reader> coder(r, unit);
  coder.tables();
  if (r.ok()) coder.bodies();
  return r.exhausted() && well_shaped(unit);
}

bool decode_headers(std::span<const std::byte> bytes, std::vector<std::string>& headers) {
  Unit unit;
  Reader r;
  if (!open_streams(bytes, [&](std::size_t i, std::string_view s) { r.set(i, s); })) return false;
  Coder<Reader>(r, unit).head();
  headers.clear();
  for (StrId h : unit.headers) {
    if (h >= unit.strings.size()) return false;
    headers.push_back(unit.strings[h]);
  }
  return r.ok();
}

std::vector<std::size_t> seams(std::span<const std::byte> bytes) {
  // Shorter pieces cost more in tables of the compressor than they gain.
  constexpr std::size_t kShort = 1500;
  std::vector<std::size_t> r;
  auto* start = reinterpret_cast<const char*>(bytes.data());
  auto add = [&](const char* at) {
    auto offset = static_cast<std::size_t>(at - start);
    if (offset != 0 && offset != bytes.size() && (r.empty() || r.back() != offset)) r.push_back(offset);
  };
  auto each = [&](std::size_t, std::string_view s) {
    if (s.size() < kShort) return;
    add(s.data());
    add(s.data() + s.size());
  };
  if (!open_streams(bytes, each)) r.clear();
  return r;
}

}  // namespace reckon::model
