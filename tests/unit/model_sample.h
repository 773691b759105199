// A small unit made by hand that has every kind of type, symbol, constant and instruction.
#pragma once

#include <initializer_list>
#include <string>

#include "model/model.h"

namespace reckon::model::sample {

inline StrId intern(Unit& u, const std::string& s) {
  if (u.strings.empty()) u.strings.emplace_back();
  for (StrId i{}; i < u.strings.size(); ++i) {
    if (u.strings[i] == s) return i;
  }
  u.strings.push_back(s);
  return static_cast<StrId>(u.strings.size() - 1);
}

// Appends instructions to the last block of a body.
class BodyBuilder {
 public:
  BodyBuilder(Unit& u, Function& f) : u_(u), f_(f), b_(f.body) {
    b_.num_values = static_cast<std::uint32_t>(f.params.size());
    for (const Param& p : f.params) b_.value_names.push_back(p.name);
  }

  void block() { b_.blocks.push_back({static_cast<InstrId>(b_.instrs.size()), 0}); }

  Instr& add(Op op, TypeId type, std::initializer_list<Operand> operands,
             std::initializer_list<std::uint32_t> targets = {}, bool result = false) {
    Instr in;
    in.op = op;
    in.type = type;
    in.first_operand = static_cast<std::uint32_t>(b_.operands.size());
    in.num_operands = static_cast<std::uint32_t>(operands.size());
    in.first_target = static_cast<std::uint32_t>(b_.targets.size());
    in.num_targets = static_cast<std::uint32_t>(targets.size());
    b_.operands.insert(b_.operands.end(), operands);
    for (const std::uint32_t t : targets) b_.targets.push_back(BlockId(t));
    if (result) {
      in.result = ValueId(b_.num_values++);
      b_.value_names.emplace_back();
    }
    in.loc = {f_.loc.file, f_.loc.line + static_cast<std::uint32_t>(b_.instrs.size() / 2), 5, {}};
    b_.instrs.push_back(in);
    ++b_.blocks.back().count;
    return b_.instrs.back();
  }
  // With a result.
  Instr& value(Op op, TypeId type, std::initializer_list<Operand> operands,
               std::initializer_list<std::uint32_t> targets = {}) {
    return add(op, type, operands, targets, true);
  }

  void name(std::uint32_t v, const std::string& s) { b_.value_names[v] = intern(u_, s); }

 private:
  Unit& u_;
  Function& f_;
  Body& b_;
};

inline Type make_type(TypeKind kind, std::uint64_t size, StrId name = {}, TypeId elem = {}) {
  Type t;
  t.kind = kind;
  t.size = size;
  t.name = name;
  t.elem = elem;
  return t;
}

inline Symbol make_symbol(SymbolKind kind, Linkage linkage, StrId name, TypeId type) {
  Symbol s;
  s.kind = kind;
  s.linkage = linkage;
  s.name = s.display = name;
  s.type = type;
  return s;
}

// Types of the sample.
inline constexpr TypeId kVoid(0), kInt(1), kObject(2), kObjectPtr(3), kFunction(4), kFunctionPtr(5), kArray(6),
    kUnion(7), kDouble(8), kOdd(9), kBool(10);
// Symbols of the sample.
inline constexpr SymId kMain(0), kAlloc(1), kTable(2), kCxx(3), kTwinA(4), kTwinB(5);

inline void tables(Unit& u) {
  auto s = [&](const char* text) { return intern(u, text); };
  u.path = "/src/dir with space/\xc3\xa4.c";
  u.target = "x86_64-pc-linux-gnu";
  u.language = Language::Cxx;
  u.strings = {""};
  u.headers = {s(u.path.c_str()), s("/usr/include/x.h")};
  u.macros = {s("LIMIT=3")};

  u.types.push_back(Type{});
  u.types.push_back(make_type(TypeKind::Int, 4, s("int")));
  u.types.back().is_signed = true;
  u.types.push_back(make_type(TypeKind::Struct, 16, s("_object")));
  u.types.back().fields = {{s("count"), kInt, 0}, {s("next"), kObjectPtr, 8}, {{}, kUnion, 8}};
  u.types.push_back(make_type(TypeKind::Pointer, 8, {}, kObject));
  u.types.push_back(make_type(TypeKind::Function, 0, {}, kObjectPtr));
  u.types.back().params = {kObjectPtr, kInt};
  u.types.back().variadic = true;
  u.types.push_back(make_type(TypeKind::Pointer, 8, s("callback"), kFunction));
  u.types.push_back(make_type(TypeKind::Array, 16, {}, kFunctionPtr));
  u.types.push_back(make_type(TypeKind::Union, 8, s("both")));
  u.types.back().fields = {{s("a"), kInt, 0}, {s("b"), kObjectPtr, 0}};
  u.types.push_back(make_type(TypeKind::Float, 8, s("double")));
  u.types.push_back(make_type(TypeKind::Other, 0));
  u.types.push_back(make_type(TypeKind::Int, 1));

  u.symbols.push_back(make_symbol(SymbolKind::Function, Linkage::Internal, s("run"), kFunction));
  u.symbols.back().defined = true;
  u.symbols.back().address_taken = true;
  u.symbols.back().loc = {u.headers[0], 10, 1, {}};
  u.symbols.push_back(make_symbol(SymbolKind::Function, Linkage::External, s("make"), kFunction));
  u.symbols.back().attributes = {{s("ownership_returns"), s("malloc"), {1, -2}}, {s("noreturn"), {}, {}}};
  u.symbols.back().loc = {u.headers[1], 3, 9, s("DECLARE")};
  u.symbols.push_back(make_symbol(SymbolKind::Variable, Linkage::Merged, s("table"), kArray));
  u.symbols.back().defined = u.symbols.back().is_constant = true;
  u.symbols.back().init = ConstId(5);
  u.symbols.push_back(make_symbol(SymbolKind::Function, Linkage::Merged, s("_ZN1A1fEv"), kFunction));
  u.symbols.back().display = s("A::f()");
  u.symbols.back().is_virtual = true;
  u.symbols.back().defined = true;
  u.symbols.push_back(make_symbol(SymbolKind::Variable, Linkage::Internal, s("twin"), kInt));
  u.symbols.push_back(make_symbol(SymbolKind::Variable, Linkage::Internal, s("twin"), kInt));

  u.constants.resize(6);
  u.constants[0] = {ConstKind::Zero, kObjectPtr, 0, kNone, {}};
  u.constants[1] = {ConstKind::Int, kInt, -7, kNone, {}};
  u.constants[2] = {ConstKind::String, kArray, 0, s("a\"b\\\n"), {}};
  u.strings.push_back(std::string("nul\0\xff", 5));
  u.constants[3] = {ConstKind::String, kArray, 0, static_cast<StrId>(u.strings.size() - 1), {}};
  u.constants[4] = {ConstKind::Address, kFunctionPtr, 16, kTwinB, {}};
  u.constants[5] = {ConstKind::Aggregate, kArray, 0, kNone, {ConstId(4), ConstId(0), ConstId(1)}};
  u.constants.push_back({ConstKind::Other, kDouble, 0, kNone, {}});
}

// static object *run(object *self, int n, ...): every instruction once or more.
inline void main_function(Unit& u) {
  auto s = [&](const char* text) { return intern(u, text); };
  auto val = [](std::uint32_t v) { return Operand::value(ValueId(v)); };
  Function f;
  f.symbol = kMain;
  f.params = {{s("self"), kObjectPtr}, {s("n"), kInt}};
  f.result = kObjectPtr;
  f.variadic = true;
  f.loc = {u.headers[0], 10, 1, {}};
  f.end = {u.headers[0], 30, 1, {}};
  f.body.locals = {{s("slot"), kObjectPtr, {u.headers[0], 11, 3, {}}}, {s("unused"), kInt, {}}};
  f.body.fields = {{kObject, s("next"), kObjectPtr}, {kObject, s("count"), kInt}};
  f.body.calls.resize(3);
  f.body.calls[0] = {kFunction, {}, false, {kObjectPtr, kInt}};
  f.body.calls[1] = {kFunction, s("ops.make"), false, {}};
  f.body.calls[2] = {kVoid, {}, true, {}};

  BodyBuilder b(u, f);
  b.block();                                    // b0
  b.value(Op::Alloca, kObjectPtr, {}).aux = 0;  // %2
  b.value(Op::Alloca, kObjectPtr, {});          // %3
  b.add(Op::Store, kObjectPtr, {val(2), Operand::null()});
  b.value(Op::Load, kObjectPtr, {val(2)}).loc.macro = s("GET");  // %4
  Instr& next = b.value(Op::Field, kObjectPtr, {val(0)});        // %5
  next.aux = 0;
  next.imm = 8;
  b.value(Op::Field, kObjectPtr, {val(0)}).imm = -16;                                               // %6, no name
  b.value(Op::Index, kObjectPtr, {val(5), val(1)}).imm = 24;                                        // %7
  b.value(Op::Cmp, kBool, {val(7), Operand::null()}).sub = static_cast<std::uint8_t>(CmpPred::Ne);  // %8
  b.value(Op::Arith, kInt, {val(1), Operand::integer(INT64_MIN)}).sub = static_cast<std::uint8_t>(ArithOp::Sar);  // %9
  b.value(Op::Cast, kInt, {val(9)}).sub = static_cast<std::uint8_t>(CastKind::Other);                             // %10
  b.value(Op::Select, kInt, {val(8), val(10), Operand::undef()});                                                 // %11
  b.value(Op::Call, kObjectPtr, {Operand::symbol(kAlloc), val(0), val(11)}).aux = 0;                              // %12
  b.add(Op::CondBr, kVoid, {val(8)}, {1, 2});
  b.block();  // b1: an invoke through a pointer
  b.value(Op::Call, kObjectPtr, {val(12), Operand::symbol(kTable, 8)}, {3, 4}).aux = 1;  // %13
  b.block();                                                                             // b2
  b.add(Op::Call, kVoid, {{}, val(12), Operand::symbol(kTwinA)}).aux = 2;                // inline asm, no result
  b.add(Op::Switch, kVoid, {val(1), Operand::integer(-1), Operand::integer(7)}, {3, 5, 5});
  b.block();                                                    // b3
  b.value(Op::Phi, kObjectPtr, {val(13), val(12)}, {1, 2});     // %14
  b.value(Op::Extract, kInt, {val(14)}).aux = 1;                // %15
  b.value(Op::Insert, kOdd, {val(14), val(15)}).aux = 0;        // %16
  Instr& opaque = b.value(Op::Opaque, kDouble, {val(16), {}});  // %17
  opaque.imm = 3;
  opaque.sub = 2;
  opaque.aux = 9;
  b.add(Op::Opaque, kVoid, {});
  b.add(Op::Ret, kObjectPtr, {val(14)});
  b.block();                                                                     // b4
  b.value(Op::Landing, kOdd, {}).loc = {u.headers[1], 4, 2, s("odd macro(x)")};  // %18
  b.add(Op::Resume, kVoid, {val(18)}).loc = Loc{};
  b.block();                                                       // b5, a loop with a value that comes from below
  b.value(Op::Phi, kInt, {Operand::integer(0), val(20)}, {2, 6});  // %19
  b.value(Op::Field, kObjectPtr, {val(0)}).aux = 1;                // %20
  b.add(Op::CondBr, kVoid, {Operand::integer(1)}, {6, 7});
  b.block();  // b6
  b.add(Op::Br, kVoid, {}, {5});
  b.block();  // b7
  b.add(Op::Unreachable, kVoid, {});
  b.name(12, "made");
  b.name(14, "result");
  u.functions.push_back(f);
}

inline Unit unit() {
  Unit u;
  tables(u);
  // Two symbols may share a name, two strings may not.
  main_function(u);
  Function kept_out;
  kept_out.symbol = kCxx;
  kept_out.from_header = true;
  kept_out.result = kObjectPtr;
  u.functions.push_back(kept_out);
  return u;
}

}  // namespace reckon::model::sample
