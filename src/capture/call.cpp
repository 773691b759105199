// Calls: direct, through pointers, inline assembly, and the intrinsics that stand for C library calls or for
// nothing at all.
#include "capture/lower.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/IR/InlineAsm.h"

namespace reckon::capture {

using model::ArithOp;
using model::kNone;

void FunctionLowering::emit_call(const llvm::CallBase& call, Operand callee, const std::vector<Operand>& arguments,
                                 model::CallInfo info) {
  std::vector<Operand> operands{callee};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  std::vector<model::BlockId> targets;
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    targets = {target(invoke->getNormalDest()), target(invoke->getUnwindDest())};
  if (info.type != 0) {
    TypeId elem = cx_.unit.types[info.type].elem;
    cx_.types.complete(elem);
  }
  model::Instr& instr = append(Op::Call, machine_type(call.getType()), operands, targets);
  instr.aux = static_cast<std::uint32_t>(body_.calls.size());
  body_.calls.push_back(std::move(info));
  if (!call.getType()->isVoidTy()) {
    TypeId type = type_of(&call);
    instr.type = type;
    set(call, give_result(instr));
  }
}

// The arguments as C counts them: structs in one piece, the place for a large result last.
std::vector<model::Operand> FunctionLowering::c_arguments(const llvm::CallBase& call, const Convention& convention) {
  std::vector<Operand> result;
  if (convention.plain || call.arg_size() < convention.machine_parameters) {
    for (const llvm::Value* a : call.args()) result.push_back(operand(a));
    return result;
  }
  for (const Convention::Part& part : convention.parameters) {
    if (part.count == 0) {
      result.push_back(Operand::undef());
    } else if (part.count == 1) {
      result.push_back(operand(call.getArgOperand(part.first)));
    } else {
      std::vector<llvm::Type*> pieces;
      for (unsigned n = 0; n < part.count; ++n) pieces.push_back(call.getArgOperand(part.first + n)->getType());
      TypeId type = machine_type(llvm::StructType::get(call.getContext(), pieces));
      Operand whole = Operand::undef();
      for (unsigned n = 0; n < part.count; ++n) {
        Operand piece = operand(call.getArgOperand(part.first + n));
        model::Instr& instr = append(Op::Insert, type, {whole, piece}, {});
        instr.aux = n;
        whole = Operand::value(give_result(instr));
      }
      result.push_back(whole);
    }
  }
  for (unsigned n = convention.machine_parameters; n < call.arg_size(); ++n)
    result.push_back(operand(call.getArgOperand(n)));
  if (convention.result_slot >= 0)
    result.push_back(operand(call.getArgOperand(static_cast<unsigned>(convention.result_slot))));
  return result;
}

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
      intrinsic != nullptr && lower_intrinsic(*intrinsic))
    return;

  model::CallInfo info;
  if (call.isInlineAsm()) {
    info.inline_asm = true;
    return emit_call(call, Operand{}, c_arguments(call, {}), std::move(info));
  }

  const llvm::Value* callee = call.getCalledOperand()->stripPointerCasts();
  const auto* direct = llvm::dyn_cast<llvm::Function>(callee);
  const clang::FunctionDecl* target_decl = direct != nullptr ? symbols_.function_decl(*direct) : nullptr;
  const clang::CallExpr* written = nullptr;
  if (const llvm::DebugLoc& at = call.getDebugLoc(); at && (direct == nullptr || target_decl != nullptr))
    written = facts_.call_at(at.getLine(), at.getCol(), target_decl);

  // The prototype the caller saw.
  clang::QualType result, prototype;
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(target_decl);
  if (target_decl != nullptr) {
    info.type = cx_.unit.symbols[symbols_.of(*direct)].type;
    result = target_decl->getReturnType();
    prototype = target_decl->getType();
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(target_decl)) result = {};
  } else if (written != nullptr) {
    const clang::Expr* through = written->getCallee();
    method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(written->getCalleeDecl());
    clang::QualType type = through->getType();
    if (method != nullptr)
      type = method->getType();
    else if (const clang::Type* pointer = type->getPointeeOrArrayElementType(); type->isAnyPointerType())
      type = clang::QualType(pointer, 0);
    if (const auto* function = type->getAs<clang::FunctionType>()) {
      info.type = cx_.types.function(function, symbols_.object_type(method));
      result = function->getReturnType();
      prototype = type;
    }
    if (method != nullptr) info.origin = cx_.strings.intern(symbols_.display_name(method));
  }
  if (written != nullptr) {
    if (llvm::isa<clang::CXXMemberCallExpr>(written) && method != nullptr && method->isImplicitObjectMemberFunction())
      info.arg_types.push_back(cx_.types.used(symbols_.object_type(method)));
    for (const clang::Expr* argument : written->arguments())
      info.arg_types.push_back(cx_.types.used(argument->IgnoreParenImpCasts()->getType()));
  }
  if (direct == nullptr && info.origin == 0) info.origin = cx_.strings.intern(origin_of(callee));
  if (fits(cx_.ast, result, call.getType())) c_types_[&call] = result;

  Operand to;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(callee))
    to = symbols_.operand(*constant, /*as_callee=*/true);
  else
    to = operand(callee);
  Convention convention = convention_of(cx_.ast, cx_.codegen, prototype, method, call.getFunctionType());
  emit_call(call, to, c_arguments(call, convention), std::move(info));
}

// Returns false for an intrinsic that should be treated as an ordinary call.
bool FunctionLowering::lower_intrinsic(const llvm::IntrinsicInst& call) {
  auto same_as = [&](const llvm::Value* value) {
    set(static_cast<const llvm::Value&>(call), operand(value));
    if (clang::QualType type = c_type(value); !type.isNull()) c_types_[&call] = type;
    if (auto it = places_.find(value); it != places_.end()) {
      Place place = it->second;
      places_[&call] = std::move(place);
    }
    return true;
  };
  auto library = [&](const char* name, std::initializer_list<unsigned> which) {
    std::vector<Operand> arguments;
    for (unsigned n : which) arguments.push_back(operand(call.getArgOperand(n)));
    emit_call(call, Operand::symbol(symbols_.named_function(name)), arguments, {});
    return true;
  };
  auto arithmetic = [&](ArithOp op) {
    // (a op b, did it overflow): the flag is unknown
    llvm::Type* number = call.getArgOperand(0)->getType();
    if (!number->isIntegerTy()) return false;
    Operand a = operand(call.getArgOperand(0)), b = operand(call.getArgOperand(1));
    Operand value = Operand::value(emit(Op::Arith, machine_type(number), {a, b}, static_cast<std::uint8_t>(op)));
    Operand flag = Operand::value(emit(Op::Opaque, cx_.types.integer(1, false), {a, b}));
    TypeId pair = machine_type(call.getType());
    model::Instr& first = append(Op::Insert, pair, {Operand::undef(), value}, {});
    first.aux = 0;
    Operand half = Operand::value(give_result(first));
    model::Instr& second = append(Op::Insert, pair, {half, flag}, {});
    second.aux = 1;
    set(call, give_result(second));
    return true;
  };

  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline: return library("memcpy", {0, 1, 2});
    case llvm::Intrinsic::memmove: return library("memmove", {0, 1, 2});
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline: return library("memset", {0, 1, 2});
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::ubsantrap: return library("__builtin_trap", {});
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::preserve_struct_access_index:
    case llvm::Intrinsic::preserve_array_access_index:
    case llvm::Intrinsic::preserve_union_access_index: return same_as(call.getArgOperand(0));
    case llvm::Intrinsic::is_constant: set(static_cast<const llvm::Value&>(call), Operand::integer(0)); return true;
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::uadd_with_overflow:
      if (arithmetic(ArithOp::Add)) return true;
      break;
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
      if (arithmetic(ArithOp::Sub)) return true;
      break;
    case llvm::Intrinsic::smul_with_overflow:
    case llvm::Intrinsic::umul_with_overflow:
      if (arithmetic(ArithOp::Mul)) return true;
      break;
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::vacopy: return false;
    default: break;
  }
  if (!call.getType()->isVoidTy()) {
    opaque(call);
    return true;
  }
  // lifetime, assume, variable annotations, stack bookkeeping, prefetches: nothing happens
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::invariant_end: return true;
    default: return false;
  }
}

}  // namespace reckon::capture
