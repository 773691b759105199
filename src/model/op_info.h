// What each instruction kind looks like: one table for the printer, the parser, the verifier and the coder, so
// that a new instruction is one line here and not four lists kept in step by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/model.h"

namespace reckon::model {

inline constexpr std::uint32_t kMany = 0xffffffffu;

enum class Result : std::uint8_t { Never, Always, Maybe };

struct OpInfo {
  Op op;
  std::string_view name;
  Result result;
  std::uint32_t min_operands, max_operands;
  std::uint32_t min_targets, max_targets;
};

inline constexpr OpInfo kOps[] = {
    {Op::Alloca, "alloca", Result::Always, 0, 1, 0, 0},  // an operand is the number of elements
    {Op::Load, "load", Result::Always, 1, 1, 0, 0},
    {Op::Store, "store", Result::Never, 2, 2, 0, 0},
    {Op::Field, "field", Result::Always, 1, 1, 0, 0},
    {Op::Index, "index", Result::Always, 2, 2, 0, 0},
    {Op::Phi, "phi", Result::Always, 0, kMany, 0, kMany},
    {Op::Cmp, "cmp", Result::Always, 2, 2, 0, 0},
    {Op::Arith, "arith", Result::Always, 2, 2, 0, 0},
    {Op::Cast, "cast", Result::Always, 1, 1, 0, 0},
    {Op::Select, "select", Result::Always, 3, 3, 0, 0},
    {Op::Call, "call", Result::Maybe, 1, kMany, 0, 2},
    {Op::Extract, "extract", Result::Always, 1, 1, 0, 0},
    {Op::Insert, "insert", Result::Always, 2, 2, 0, 0},
    {Op::Opaque, "opaque", Result::Maybe, 0, kMany, 0, 0},
    {Op::Landing, "landing", Result::Always, 0, kMany, 0, 0},
    {Op::Br, "br", Result::Never, 0, 0, 1, 1},
    {Op::CondBr, "condbr", Result::Never, 1, 1, 2, 2},
    {Op::Switch, "switch", Result::Never, 1, kMany, 1, kMany},
    {Op::Ret, "ret", Result::Never, 0, 1, 0, 0},
    {Op::Resume, "resume", Result::Never, 0, 1, 0, 0},
    {Op::Unreachable, "unreachable", Result::Never, 0, 0, 0, 0},
};
inline constexpr std::size_t kNumOps = sizeof(kOps) / sizeof(kOps[0]);

inline constexpr std::string_view kCmpNames[] = {"eq",  "ne",  "ult", "ule", "ugt", "uge", "slt",
                                                 "sle", "sgt", "sge", "flt", "fle", "fgt", "fge"};
inline constexpr std::string_view kArithNames[] = {"add", "sub", "mul", "div", "rem", "and",
                                                   "or",  "xor", "shl", "shr", "sar"};
inline constexpr std::string_view kCastNames[] = {"trunc", "zext", "sext", "ptrtoint", "inttoptr", "other"};
inline constexpr std::string_view kTypeKindNames[] = {"void",  "int",   "float",    "pointer", "struct",
                                                      "union", "array", "function", "other"};
inline constexpr std::string_view kConstKindNames[] = {"zero", "int", "string", "address", "aggregate", "other"};
inline constexpr std::string_view kLinkageNames[] = {"external", "internal", "merged"};

// Words of the textual form that may stand where the name of a symbol may, too.
constexpr bool is_reserved_word(std::string_view s) {
  return s == "null" || s == "undef" || s == "other" || s == "from" || s == "sub" || s == "imm";
}

constexpr bool ops_in_order() {
  for (std::size_t i = 0; i < kNumOps; ++i) {
    if (kOps[i].op != static_cast<Op>(i)) return false;
  }
  return kNumOps == static_cast<std::size_t>(Op::Unreachable) + 1;
}
static_assert(ops_in_order(), "kOps is indexed by Op");

// nullptr if `op` is no instruction kind.
constexpr const OpInfo* op_info(Op op) {
  auto i = static_cast<std::size_t>(op);
  return i < kNumOps ? &kOps[i] : nullptr;
}

// The names of what `sub` says, empty if this kind does not use it.
constexpr std::span<const std::string_view> sub_names(Op op) {
  switch (op) {
    case Op::Cmp: return kCmpNames;
    case Op::Arith: return kArithNames;
    case Op::Cast: return kCastNames;
    default: return {};
  }
}

}  // namespace reckon::model
