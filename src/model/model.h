// The model: what Reckon knows of one translation unit once Clang is out of the picture.
//
// A Unit owns tables of strings, types, symbols, constants and functions; everything in it refers to
// everything else by index, so that a unit can be written to the cache, read back and compared byte by
// byte. Function bodies are small control flow graphs in SSA form over some twenty instruction kinds.
// Memory is addressed by (base, byte offset); names of structs and fields come along for people and
// for classification, never for identity.
//
// Limits: vectors, floats and atomics with exotic orderings are kept only as far as their data flow;
// what has no meaning for counting becomes Op::Opaque, a fresh unknown value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/id.h"

namespace reckon::model {

using StrId = support::Id<struct StrTag>;      // index into Unit::strings; 0 is the empty string
using TypeId = support::Id<struct TypeTag>;    // index into Unit::types; 0 is void
using SymId = support::Id<struct SymTag>;      // index into Unit::symbols
using ConstId = support::Id<struct ConstTag>;  // index into Unit::constants
using ValueId = support::Id<struct ValueTag>;  // SSA value of one body: parameters first, then results
using BlockId = support::Id<struct BlockTag>;  // index into Body::blocks; 0 is the entry
using InstrId = support::Id<struct InstrTag>;  // index into Body::instrs
using support::kNone;

// Where something stands in the source: the place of the outermost macro use, if it came from one.
struct Loc {
  StrId file{};  // as the compiler saw it, made absolute; 0: unknown
  std::uint32_t line = 0;
  std::uint32_t col = 0;
  StrId macro{};  // name of the outermost macro this was expanded from, or ""
  bool operator==(const Loc&) const = default;
};

// ---------------------------------------------------------------- types

enum class TypeKind : std::uint8_t { Void, Int, Float, Pointer, Struct, Union, Array, Function, Other };

struct Field {
  StrId name{};  // "" for an anonymous member
  TypeId type{};
  std::uint64_t offset = 0;  // bytes from the start of the struct
  bool operator==(const Field&) const = default;
};

struct Type {
  TypeKind kind = TypeKind::Void;
  bool is_signed = false;      // Int
  bool variadic = false;       // Function
  std::uint64_t size = 0;      // bytes, 0 if unknown or incomplete
  StrId name{};                // struct tag ("_object"), or the typedef the programmer wrote ("SEXP", "size_t")
  TypeId elem{};               // Pointer: pointee; Array: element; Function: result
  std::vector<Field> fields;   // Struct, Union
  std::vector<TypeId> params;  // Function
  bool operator==(const Type&) const = default;
};

// ---------------------------------------------------------------- symbols and constant data

enum class SymbolKind : std::uint8_t { Function, Variable };
enum class Linkage : std::uint8_t {
  External,  // one definition in the program
  Internal,  // static: private to the unit
  Merged,    // inline, weak, linkonce: definitions of all units are one
};

// An attribute that matters to us, by its source name: "annotate", "noreturn", "returns_nonnull",
// "ownership_returns", "cpychecker_steals_reference_to_arg", ...
struct Attribute {
  StrId name{};
  StrId text{};                    // string argument, if any
  std::vector<std::int64_t> args;  // integer arguments, as written (1-based where C says so)
  bool operator==(const Attribute&) const = default;
};

struct Symbol {
  SymbolKind kind = SymbolKind::Function;
  Linkage linkage = Linkage::External;
  bool defined = false;        // in this unit
  bool is_constant = false;    // const variable
  bool is_virtual = false;     // C++ virtual member function
  bool address_taken = false;  // a function whose address is used other than by calling it
  StrId name{};                // the linker's name; locals statics are "function.variable"
  StrId display{};             // what people call it (C++: qualified name), may equal name
  TypeId type{};               // Function type, or the variable's type
  ConstId init = kNone;        // variable: its initial value, kNone if none or not constant
  Loc loc;
  std::vector<Attribute> attributes;
};

enum class ConstKind : std::uint8_t {
  Zero,       // all zero bytes, any type (also a null pointer)
  Int,        // imm
  String,     // text, without the trailing NUL if there is one
  Address,    // symbol + imm bytes
  Aggregate,  // children: one per field of a struct type or element of an array
  Other,      // a float, a label, an expression we do not follow
};

struct Constant {
  ConstKind kind = ConstKind::Other;
  TypeId type{};  // the C type, with field names, where known
  std::int64_t imm = 0;
  std::uint32_t ref = kNone;  // Address: SymId; String: StrId
  std::vector<ConstId> children;
  bool operator==(const Constant&) const = default;
  SymId symbol_id() const { return SymId(ref); }  // of an Address
  StrId string_id() const { return StrId(ref); }  // of a String
};

// ---------------------------------------------------------------- instructions

enum class OperandKind : std::uint8_t {
  Value,   // id: ValueId
  Int,     // imm (sign-extended); `wide` values that do not fit are Other
  Null,    // the null pointer
  Undef,   // undef or poison: an uninitialised local
  Symbol,  // address of symbol id + imm bytes
  Other,   // a constant we do not follow (floats, vectors, wide integers, labels)
};

struct Operand {
  OperandKind kind = OperandKind::Other;
  std::uint32_t id = kNone;
  std::int64_t imm = 0;
  bool operator==(const Operand&) const = default;
  ValueId value_id() const { return ValueId(id); }  // of a Value
  SymId symbol_id() const { return SymId(id); }     // of a Symbol
  static Operand value(ValueId v) { return {OperandKind::Value, v, 0}; }
  static Operand integer(std::int64_t i) { return {OperandKind::Int, kNone, i}; }
  static Operand null() { return {OperandKind::Null, kNone, 0}; }
  static Operand undef() { return {OperandKind::Undef, kNone, 0}; }
  static Operand symbol(SymId s, std::int64_t off = 0) { return {OperandKind::Symbol, s, off}; }
};

enum class Op : std::uint8_t {
  Alloca,   // address of a new stack slot; type: Pointer to the slot's type; aux: local index (kNone: a temporary)
  Load,     // operands: address. type: what is read
  Store,    // operands: address, value. type: what is written
  Field,    // operands: base. imm: byte offset. aux: field index into Body::fields, or kNone
  Index,    // operands: base, index. imm: element size in bytes. address arithmetic with a variable index
  Phi,      // operands[i] comes from block targets[i]
  Cmp,      // sub: CmpPred; operands: a, b
  Arith,    // sub: ArithOp; operands: a, b
  Cast,     // sub: CastKind; operands: a
  Select,   // operands: condition, if true, if false
  Call,     // operands: callee, arguments... ; aux: index into Body::calls. With two targets it is an
            // invoke and ends its block: targets[0] normal, targets[1] unwind
  Extract,  // operands: aggregate. aux: element number
  Insert,   // operands: aggregate, element. aux: element number
  Opaque,   // an unknown value computed from operands (float arithmetic, va_arg, ...)
  Landing,  // value of a landing pad (C++ exception in flight)
  // ---- terminators
  Br,           // targets[0]
  CondBr,       // operands: condition; targets: true, false
  Switch,       // operands: value, then one Int per case; targets[0]: default, targets[1 + i]: case i
  Ret,          // operands: value or nothing
  Resume,       // leaves the function by an exception
  Unreachable,  // never executed (after a call that does not return)
};

// The last four compare a float with a whole number. Facts about whole numbers do not hold for what lies between them,
// so these are followed only where the float is a known number.
enum class CmpPred : std::uint8_t { Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge, Flt, Fle, Fgt, Fge };
enum class ArithOp : std::uint8_t { Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Sar };
enum class CastKind : std::uint8_t { Trunc, Zext, Sext, PtrToInt, IntToPtr, Other };

struct Instr {
  Op op = Op::Opaque;
  std::uint8_t sub = 0;
  TypeId type{};           // of the result (Store: of the value stored)
  ValueId result = kNone;  // kNone: no result
  std::uint32_t aux = kNone;
  std::int64_t imm = 0;
  std::uint32_t first_operand = 0;  // into Body::operands
  std::uint32_t num_operands = 0;
  std::uint32_t first_target = 0;  // into Body::targets
  std::uint32_t num_targets = 0;
  Loc loc;
  bool operator==(const Instr&) const = default;
};

// The name of what a Field instruction addresses, e.g. struct "device", path "power.usage_count".
struct FieldName {
  TypeId record{};
  StrId path{};
  TypeId type{};  // type of the field
  bool operator==(const FieldName&) const = default;
};

struct CallInfo {
  TypeId type{};                  // function type of the callee as seen by the caller (prototype), 0 unknown
  StrId origin{};                 // call through a pointer: "struct.field" or table it was read from, or ""
  bool inline_asm = false;        // operands[0] is then Other and carries no meaning
  std::vector<TypeId> arg_types;  // C types of the arguments as written, before promotion; may be empty
  bool operator==(const CallInfo&) const = default;
};

struct Local {
  StrId name{};
  TypeId type{};
  Loc loc;
  bool operator==(const Local&) const = default;
};

struct Block {
  InstrId first{};
  std::uint32_t count = 0;
  bool operator==(const Block&) const = default;
};

struct Body {
  std::vector<Block> blocks;
  std::vector<Instr> instrs;
  std::vector<Operand> operands;
  std::vector<BlockId> targets;
  std::vector<FieldName> fields;
  std::vector<CallInfo> calls;
  std::vector<Local> locals;
  // Name of the variable an SSA value was assigned to (from debug info), "" if none. Indexed by ValueId.
  std::vector<StrId> value_names;
  std::uint32_t num_values = 0;

  std::span<const Operand> ops(const Instr& i) const { return {operands.data() + i.first_operand, i.num_operands}; }
  std::span<const BlockId> succs(const Instr& i) const { return {targets.data() + i.first_target, i.num_targets}; }
  std::span<const Instr> block(BlockId b) const { return {instrs.data() + blocks[b].first, blocks[b].count}; }
  const Instr& terminator(BlockId b) const { return instrs[blocks[b].first + blocks[b].count - 1]; }
  bool operator==(const Body&) const = default;
};

struct Param {
  StrId name{};
  TypeId type{};
  bool operator==(const Param&) const = default;
};

struct Function {
  SymId symbol = kNone;
  std::vector<Param> params;  // value ids 0..n-1
  TypeId result{};
  bool variadic = false;
  bool from_header = false;  // defined in a file other than the unit's main file
  Loc loc;
  Loc end;                // closing brace
  Body body;              // empty blocks: body was not kept
  SymId rest_of = kNone;  // the function that goes on with this one (program/rests.h); never stored
};

// ---------------------------------------------------------------- the unit

enum class Language : std::uint8_t { C, Cxx };

struct Unit {
  std::string path;    // main file, absolute
  std::string target;  // triple
  Language language = Language::C;
  std::uint32_t pointer_size = 8;
  std::vector<std::string> strings;  // [0] == ""
  std::vector<Type> types;           // [0] is void
  std::vector<Symbol> symbols;
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<StrId> headers;  // every file the unit read, absolute
  std::vector<StrId> macros;   // "NAME=VALUE" object-like macros somebody may ask about (PY_SSIZE_T_CLEAN, ...)

  std::string_view str(StrId s) const { return strings[s]; }
  std::string_view name(SymId s) const { return strings[symbols[s].name]; }
  const Type& type(TypeId t) const { return types[t]; }
};

inline bool is_terminator(const Instr& i) { return i.op >= Op::Br || (i.op == Op::Call && i.num_targets != 0); }

}  // namespace reckon::model
