// Instructions of LLVM IR, one by one. Blocks are visited so that definitions come before their uses;
// only phis look ahead, and their operands are filled in when everything has a number.
#include "capture/lower.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"
#include "support/hash.h"

namespace reckon::capture {

using model::ArithOp;
using model::CastKind;
using model::CmpPred;
using model::kNone;

// ---------------------------------------------------------------- building

model::Instr& FunctionLowering::append(Op op, TypeId type, const std::vector<Operand>& operands,
                                       const std::vector<model::BlockId>& targets) {
  model::Instr& instr = body_.instrs.emplace_back();
  instr.op = op;
  instr.type = type;
  instr.loc = loc_;
  instr.first_operand = static_cast<std::uint32_t>(body_.operands.size());
  instr.num_operands = static_cast<std::uint32_t>(operands.size());
  body_.operands.insert(body_.operands.end(), operands.begin(), operands.end());
  instr.first_target = static_cast<std::uint32_t>(body_.targets.size());
  instr.num_targets = static_cast<std::uint32_t>(targets.size());
  body_.targets.insert(body_.targets.end(), targets.begin(), targets.end());
  return instr;
}

model::ValueId FunctionLowering::give_result(model::Instr& instr) { return instr.result = ValueId(body_.num_values++); }

model::ValueId FunctionLowering::emit(Op op, TypeId type, std::initializer_list<Operand> operands, std::uint8_t sub,
                                      bool result) {
  model::Instr& instr = append(op, type, operands, {});
  instr.sub = sub;
  return result ? give_result(instr) : kNone;
}

void FunctionLowering::set(const llvm::Instruction& i, ValueId id, clang::QualType type) {
  values_[&i] = Operand::value(id);
  if (!type.isNull()) c_types_[&i] = type;
}

model::Operand FunctionLowering::operand(const llvm::Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return symbols_.operand(*constant);
  if (auto it = values_.find(value); it != values_.end()) return it->second;
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(value)) {
    // skipped where it stood because only other addresses were thought to need it
    if (auto it = places_.find(gep); it != places_.end())
      return emit_field(it->second.root, operand(it->second.root), it->second.offset, it->second.path);
  }
  return {};
}

model::TypeId FunctionLowering::type_of(const llvm::Value* value) {
  clang::QualType type = c_type(value);
  return type.isNull() ? machine_type(value->getType()) : cx_.types.used(type);
}

// ---------------------------------------------------------------- blocks

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  model::Block out;
  out.first = static_cast<model::InstrId>(body_.instrs.size());
  loc_ = {};
  if (&block == &function_.getEntryBlock()) take_parameters_apart();
  for (const llvm::Instruction& i : block) {
    if (const llvm::DebugLoc& at = i.getDebugLoc())
      loc_ = cx_.places.at(at.get());
    else if (!i.isTerminator())
      loc_ = {};
    else if (body_.instrs.size() > out.first)
      loc_ = body_.instrs.back().loc;
    if (i.isTerminator())
      lower_terminator(i);
    else
      lower(i);
  }
  out.count = static_cast<std::uint32_t>(body_.instrs.size()) - out.first;
  body_.blocks.push_back(out);
}

void FunctionLowering::lower(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
    case llvm::Instruction::Alloca: {
      auto it = variables_.find(&i);
      TypeId slot = machine_type(llvm::cast<llvm::AllocaInst>(i).getAllocatedType());
      std::uint32_t local = kNone;
      if (it != variables_.end()) {
        if (!it->second.type.isNull() && !it->second.type->isReferenceType()) slot = cx_.types.used(it->second.type);
        local = static_cast<std::uint32_t>(body_.locals.size());
        body_.locals.push_back({it->second.name, slot, it->second.loc});
      }
      model::Instr& instr = append(Op::Alloca, cx_.types.pointer_to(slot), {}, {});
      instr.aux = local;
      set(i, give_result(instr));
      if (it != variables_.end()) {
        body_.value_names.resize(body_.num_values);
        body_.value_names[instr.result] = it->second.name;
      }
      return;
    }
    case llvm::Instruction::Load: return lower_load(llvm::cast<llvm::LoadInst>(i));
    case llvm::Instruction::Store: {
      const auto& store = llvm::cast<llvm::StoreInst>(i);
      Operand address = operand(store.getPointerOperand());
      Operand value = operand(store.getValueOperand());
      clang::QualType type = object_at(store.getPointerOperand(), store.getValueOperand()->getType());
      TypeId id = fits(cx_.ast, type, store.getValueOperand()->getType()) ? cx_.types.used(type)
                                                                          : type_of(store.getValueOperand());
      emit(Op::Store, id, {address, value}, 0, false);
      return;
    }
    case llvm::Instruction::GetElementPtr: return lower_gep(llvm::cast<llvm::GetElementPtrInst>(i));
    case llvm::Instruction::PHI: return lower_phi(llvm::cast<llvm::PHINode>(i));
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp: return lower_compare(llvm::cast<llvm::CmpInst>(i));
    case llvm::Instruction::Select: {
      const auto& select = llvm::cast<llvm::SelectInst>(i);
      if (select.getCondition()->getType()->isVectorTy()) return opaque(i);
      Operand c = operand(select.getCondition()), t = operand(select.getTrueValue()),
              f = operand(select.getFalseValue());
      clang::QualType type = c_type(select.getTrueValue());
      if (type.isNull()) type = c_type(select.getFalseValue());
      set(i, emit(Op::Select, type.isNull() ? machine_type(i.getType()) : cx_.types.used(type), {c, t, f}), type);
      return;
    }
    case llvm::Instruction::Call: return lower_call(llvm::cast<llvm::CallBase>(i));
    case llvm::Instruction::ExtractValue: return lower_extract(llvm::cast<llvm::ExtractValueInst>(i));
    case llvm::Instruction::InsertValue: return lower_insert(llvm::cast<llvm::InsertValueInst>(i));
    case llvm::Instruction::AtomicRMW: return lower_atomic(llvm::cast<llvm::AtomicRMWInst>(i));
    case llvm::Instruction::AtomicCmpXchg: return lower_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(i));
    case llvm::Instruction::LandingPad: set(i, emit(Op::Landing, machine_type(i.getType()), {})); return;
    case llvm::Instruction::Freeze:
      set(static_cast<const llvm::Value&>(i), operand(i.getOperand(0)));
      if (clang::QualType type = c_type(i.getOperand(0)); !type.isNull()) c_types_[&i] = type;
      return;
    case llvm::Instruction::Fence: return;
    default: break;
  }
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return lower_binary(*binary);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return lower_cast(*cast);
  opaque(i);
}

namespace {
// A number for an operation that is nothing but a function of its operands, so that one on the same operands can be
// told from another one; kNone: it may give something else each time. Constants that operands cannot show are part of
// it.
std::uint32_t operation_number(const llvm::Instruction& i) {
  if (i.mayReadOrWriteMemory() || i.mayHaveSideEffects() || i.getType()->isVoidTy()) return kNone;
  support::Hasher h;
  h.number(i.getOpcode());
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&i)) h.number(compare->getPredicate());
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) h.number(call->getIntrinsicID());
  for (const llvm::Value* v : i.operands()) {
    if (llvm::isa<llvm::Function>(v)) continue;
    const auto* constant = llvm::dyn_cast<llvm::Constant>(v);
    if (!constant || llvm::isa<llvm::ConstantInt>(v)) continue;
    const auto* number = llvm::dyn_cast<llvm::ConstantFP>(v);
    if (!number) return kNone;
    const llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
    for (unsigned n = 0; n < bits.getNumWords(); ++n) h.number(bits.getRawData()[n]);
  }
  return static_cast<std::uint32_t>(h.finish().low >> 33);
}
}  // namespace

void FunctionLowering::opaque(const llvm::Instruction& i) {
  std::vector<Operand> operands;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  for (const llvm::Value* v : i.operands())
    if (!llvm::isa<llvm::BasicBlock>(v) && !v->getType()->isMetadataTy() && !(call && v == call->getCalledOperand()))
      operands.push_back(operand(v));
  model::Instr& instr = append(Op::Opaque, machine_type(i.getType()), operands, {});
  instr.aux = operation_number(i);
  if (!i.getType()->isVoidTy()) set(i, give_result(instr));
}

void FunctionLowering::lower_load(const llvm::LoadInst& load) {
  Operand address = operand(load.getPointerOperand());
  clang::QualType type = object_at(load.getPointerOperand(), load.getType());
  if (!fits(cx_.ast, type, load.getType()))
    type = {};
  else
    type = type.getUnqualifiedType();
  set(load, emit(Op::Load, type.isNull() ? machine_type(load.getType()) : cx_.types.used(type), {address}), type);
}

void FunctionLowering::lower_binary(const llvm::BinaryOperator& binary) {
  ArithOp op = ArithOp::Add;
  switch (binary.getOpcode()) {
    case llvm::Instruction::Add: op = ArithOp::Add; break;
    case llvm::Instruction::Sub: op = ArithOp::Sub; break;
    case llvm::Instruction::Mul: op = ArithOp::Mul; break;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv: op = ArithOp::Div; break;
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: op = ArithOp::Rem; break;
    case llvm::Instruction::And: op = ArithOp::And; break;
    case llvm::Instruction::Or: op = ArithOp::Or; break;
    case llvm::Instruction::Xor: op = ArithOp::Xor; break;
    case llvm::Instruction::Shl: op = ArithOp::Shl; break;
    case llvm::Instruction::LShr: op = ArithOp::Shr; break;
    case llvm::Instruction::AShr: op = ArithOp::Sar; break;
    default: return opaque(binary);
  }
  if (!binary.getType()->isIntegerTy()) return opaque(binary);
  Operand a = operand(binary.getOperand(0)), b = operand(binary.getOperand(1));
  clang::QualType type = c_type(binary.getOperand(0));
  bool is_unsigned = binary.getOpcode() == llvm::Instruction::UDiv || binary.getOpcode() == llvm::Instruction::URem;
  TypeId id = !is_unsigned && fits(cx_.ast, type, binary.getType())
                  ? cx_.types.of(type)
                  : cx_.types.integer((binary.getType()->getIntegerBitWidth() + 7) / 8,
                                      !is_unsigned && binary.getType()->getIntegerBitWidth() > 1);
  set(binary, emit(Op::Arith, id, {a, b}, static_cast<std::uint8_t>(op)));
}

// Whether an answer for NaN would differ is left aside.
static std::optional<CmpPred> float_predicate(llvm::CmpInst::Predicate p) {
  switch (p) {
    case llvm::CmpInst::FCMP_OEQ: return CmpPred::Eq;
    case llvm::CmpInst::FCMP_UNE: return CmpPred::Ne;
    case llvm::CmpInst::FCMP_OLT:
    case llvm::CmpInst::FCMP_ULT: return CmpPred::Flt;
    case llvm::CmpInst::FCMP_OLE:
    case llvm::CmpInst::FCMP_ULE: return CmpPred::Fle;
    case llvm::CmpInst::FCMP_OGT:
    case llvm::CmpInst::FCMP_UGT: return CmpPred::Fgt;
    case llvm::CmpInst::FCMP_OGE:
    case llvm::CmpInst::FCMP_UGE: return CmpPred::Fge;
    default: return std::nullopt;
  }
}

void FunctionLowering::lower_compare(const llvm::CmpInst& compare) {
  // Of floats comparisons with whole numbers are followed: `x == -1.0` and `x < 0` are how they report failure.
  if (const auto* whole = llvm::dyn_cast<llvm::ConstantFP>(compare.getOperand(1))) {
    const auto predicate = float_predicate(compare.getPredicate());
    llvm::APSInt number(64, false);
    bool exact = false;
    if (!predicate ||
        whole->getValueAPF().convertToInteger(number, llvm::APFloat::rmTowardZero, &exact) != llvm::APFloat::opOK ||
        !exact)
      return opaque(compare);
    set(compare, emit(Op::Cmp, cx_.types.integer(1, false),
                      {operand(compare.getOperand(0)), Operand::integer(number.getExtValue())},
                      static_cast<std::uint8_t>(*predicate)));
    return;
  }
  CmpPred predicate = CmpPred::Eq;
  switch (compare.getPredicate()) {
    case llvm::CmpInst::ICMP_EQ: predicate = CmpPred::Eq; break;
    case llvm::CmpInst::ICMP_NE: predicate = CmpPred::Ne; break;
    case llvm::CmpInst::ICMP_ULT: predicate = CmpPred::Ult; break;
    case llvm::CmpInst::ICMP_ULE: predicate = CmpPred::Ule; break;
    case llvm::CmpInst::ICMP_UGT: predicate = CmpPred::Ugt; break;
    case llvm::CmpInst::ICMP_UGE: predicate = CmpPred::Uge; break;
    case llvm::CmpInst::ICMP_SLT: predicate = CmpPred::Slt; break;
    case llvm::CmpInst::ICMP_SLE: predicate = CmpPred::Sle; break;
    case llvm::CmpInst::ICMP_SGT: predicate = CmpPred::Sgt; break;
    case llvm::CmpInst::ICMP_SGE: predicate = CmpPred::Sge; break;
    default: return opaque(compare);
  }
  if (compare.getType()->isVectorTy()) return opaque(compare);
  Operand a = operand(compare.getOperand(0)), b = operand(compare.getOperand(1));
  set(compare, emit(Op::Cmp, cx_.types.integer(1, false), {a, b}, static_cast<std::uint8_t>(predicate)));
}

void FunctionLowering::lower_cast(const llvm::CastInst& cast) {
  const llvm::Value* from = cast.getOperand(0);
  CastKind kind = CastKind::Other;
  switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc: kind = CastKind::Trunc; break;
    case llvm::Instruction::ZExt: kind = CastKind::Zext; break;
    case llvm::Instruction::SExt: kind = CastKind::Sext; break;
    case llvm::Instruction::PtrToInt: kind = CastKind::PtrToInt; break;
    case llvm::Instruction::IntToPtr: kind = CastKind::IntToPtr; break;
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
      if (cast.getType()->isPointerTy() && from->getType()->isPointerTy()) {
        set(static_cast<const llvm::Value&>(cast), operand(from));
        if (clang::QualType type = c_type(from); !type.isNull()) c_types_[&cast] = type;
        return;
      }
      break;
    default: break;
  }
  if (cast.getType()->isVectorTy() || from->getType()->isVectorTy()) return opaque(cast);
  Operand a = operand(from);
  set(cast, emit(Op::Cast, machine_type(cast.getType()), {a}, static_cast<std::uint8_t>(kind)));
}

void FunctionLowering::lower_phi(const llvm::PHINode& phi) {
  // One operand for each block that still jumps here.
  std::vector<const llvm::Value*> incoming;
  std::vector<model::BlockId> from;
  bool is_return = returns_.count(phi.getParent()) != 0;
  for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
    const llvm::BasicBlock* before = phi.getIncomingBlock(n);
    auto it = blocks_.find(before);
    if (it == blocks_.end() || std::find(from.begin(), from.end(), it->second) != from.end()) continue;
    const auto* jump = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (is_return && jump != nullptr && jump->isUnconditional()) continue;
    incoming.push_back(phi.getIncomingValue(n));
    from.push_back(it->second);
  }
  clang::QualType type = c_type(&phi);
  if (type.isNull()) {
    for (const llvm::Value* v : incoming)
      if (type.isNull()) type = c_type(v);
    if (!type.isNull()) c_types_[&phi] = type;
  }
  model::Instr& instr = append(Op::Phi, type.isNull() ? machine_type(phi.getType()) : cx_.types.used(type),
                               std::vector<Operand>(incoming.size()), from);
  for (std::uint32_t n = 0; n < incoming.size(); ++n) later_.emplace_back(instr.first_operand + n, incoming[n]);
  set(phi, give_result(instr));
}

void FunctionLowering::lower_extract(const llvm::ExtractValueInst& extract) {
  Operand at = operand(extract.getAggregateOperand());
  llvm::Type* type = extract.getAggregateOperand()->getType();
  ValueId id = kNone;
  for (unsigned index : extract.indices()) {
    type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{index});
    model::Instr& instr = append(Op::Extract, machine_type(type), {at}, {});
    instr.aux = index;
    id = give_result(instr);
    at = Operand::value(id);
  }
  set(extract, id);
}

void FunctionLowering::lower_insert(const llvm::InsertValueInst& insert) {
  // a.b.c = v: take out a.b, put v into it, put that back, from the inside out
  std::vector<Operand> outer{operand(insert.getAggregateOperand())};
  std::vector<llvm::Type*> types{insert.getType()};
  llvm::ArrayRef<unsigned> path = insert.getIndices();
  for (std::size_t n = 0; n + 1 < path.size(); ++n) {
    types.push_back(llvm::GetElementPtrInst::getTypeAtIndex(types.back(), std::uint64_t{path[n]}));
    model::Instr& instr = append(Op::Extract, machine_type(types.back()), {outer.back()}, {});
    instr.aux = path[n];
    outer.push_back(Operand::value(give_result(instr)));
  }
  Operand value = operand(insert.getInsertedValueOperand());
  ValueId id = kNone;
  for (std::size_t n = path.size(); n-- > 0;) {
    model::Instr& instr = append(Op::Insert, machine_type(types[n]), {outer[n], value}, {});
    instr.aux = path[n];
    id = give_result(instr);
    value = Operand::value(id);
  }
  set(insert, id);
}

// ---------------------------------------------------------------- atomics: their data flow, step by step

void FunctionLowering::lower_atomic(const llvm::AtomicRMWInst& atomic) {
  Operand address = operand(atomic.getPointerOperand()), value = operand(atomic.getValOperand());
  clang::QualType c = object_at(atomic.getPointerOperand(), atomic.getType());
  if (!fits(cx_.ast, c, atomic.getType())) c = {};
  TypeId type = c.isNull() ? machine_type(atomic.getType()) : cx_.types.used(c);
  ValueId old = emit(Op::Load, type, {address});
  Operand now;
  std::optional<ArithOp> op;
  switch (atomic.getOperation()) {
    case llvm::AtomicRMWInst::Xchg: now = value; break;
    case llvm::AtomicRMWInst::Add: op = ArithOp::Add; break;
    case llvm::AtomicRMWInst::Sub: op = ArithOp::Sub; break;
    case llvm::AtomicRMWInst::And: op = ArithOp::And; break;
    case llvm::AtomicRMWInst::Or: op = ArithOp::Or; break;
    case llvm::AtomicRMWInst::Xor: op = ArithOp::Xor; break;
    default: now = Operand::value(emit(Op::Opaque, type, {Operand::value(old), value})); break;
  }
  if (op) now = Operand::value(emit(Op::Arith, type, {Operand::value(old), value}, static_cast<std::uint8_t>(*op)));
  emit(Op::Store, type, {address, now}, 0, false);
  set(atomic, old, c);
}

void FunctionLowering::lower_exchange(const llvm::AtomicCmpXchgInst& exchange) {
  Operand address = operand(exchange.getPointerOperand()), expected = operand(exchange.getCompareOperand()),
          desired = operand(exchange.getNewValOperand());
  llvm::Type* machine = exchange.getNewValOperand()->getType();
  clang::QualType c = object_at(exchange.getPointerOperand(), machine);
  TypeId type = fits(cx_.ast, c, machine) ? cx_.types.used(c) : machine_type(machine);
  Operand old = Operand::value(emit(Op::Load, type, {address}));
  Operand same = Operand::value(
      emit(Op::Cmp, cx_.types.integer(1, false), {old, expected}, static_cast<std::uint8_t>(CmpPred::Eq)));
  Operand stored = Operand::value(emit(Op::Select, type, {same, desired, old}));
  emit(Op::Store, type, {address, stored}, 0, false);
  TypeId pair = machine_type(exchange.getType());
  model::Instr& first = append(Op::Insert, pair, {Operand::undef(), old}, {});
  first.aux = 0;
  Operand half = Operand::value(give_result(first));
  model::Instr& second = append(Op::Insert, pair, {half, same}, {});
  second.aux = 1;
  set(exchange, give_result(second));
}

// ---------------------------------------------------------------- terminators

void FunctionLowering::lower_return(const llvm::Value* value) {
  std::vector<Operand> operands;
  if (value != nullptr) operands.push_back(operand(value));
  append(Op::Ret, value != nullptr ? result_type_ : TypeId{}, operands, {});
}

// Instead of a jump to the common return block: what that block does, at the place of the jump.
void FunctionLowering::copy_return_block(const llvm::BasicBlock& block, const llvm::BasicBlock& from) {
  for (const llvm::Instruction& i : block) {
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
      const llvm::Value* incoming = phi->getIncomingValueForBlock(&from);
      set(static_cast<const llvm::Value&>(i), operand(incoming));
      if (clang::QualType type = c_type(incoming); !type.isNull()) c_types_[&i] = type;
    } else if (const auto* ret = llvm::dyn_cast<llvm::ReturnInst>(&i)) {
      lower_return(ret->getReturnValue());
    } else {
      lower(i);
    }
  }
}

void FunctionLowering::lower_terminator(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
    case llvm::Instruction::Ret: return lower_return(llvm::cast<llvm::ReturnInst>(i).getReturnValue());
    case llvm::Instruction::Br: {
      const auto& branch = llvm::cast<llvm::BranchInst>(i);
      if (branch.isConditional()) {
        append(Op::CondBr, TypeId{}, {operand(branch.getCondition())},
               {target(branch.getSuccessor(0)), target(branch.getSuccessor(1))});
        return;
      }
      const llvm::BasicBlock* next = branch.getSuccessor(0);
      if (returns_.count(next) != 0) return copy_return_block(*next, *branch.getParent());
      append(Op::Br, TypeId{}, {}, {target(next)});
      return;
    }
    case llvm::Instruction::Switch: return lower_switch(llvm::cast<llvm::SwitchInst>(i));
    case llvm::Instruction::Invoke: return lower_call(llvm::cast<llvm::CallBase>(i));
    case llvm::Instruction::Resume: append(Op::Resume, TypeId{}, {}, {}); return;
    case llvm::Instruction::Unreachable: append(Op::Unreachable, TypeId{}, {}, {}); return;
    case llvm::Instruction::CallBr: {
      const auto& jump = llvm::cast<llvm::CallBrInst>(i);
      lower_call(jump);
      Operand which = Operand::value(emit(Op::Opaque, cx_.types.integer(4, true), {}));
      std::vector<Operand> operands{which};
      std::vector<model::BlockId> targets{target(jump.getDefaultDest())};
      for (unsigned n = 0; n < jump.getNumIndirectDests(); ++n) {
        operands.push_back(Operand::integer(n + 1));
        targets.push_back(target(jump.getIndirectDest(n)));
      }
      append(Op::Switch, TypeId{}, operands, targets);
      return;
    }
    case llvm::Instruction::IndirectBr: {
      const auto& jump = llvm::cast<llvm::IndirectBrInst>(i);
      if (jump.getNumDestinations() == 0) {
        append(Op::Unreachable, TypeId{}, {}, {});
        return;
      }
      Operand which = Operand::value(emit(Op::Opaque, cx_.types.integer(4, true), {operand(jump.getAddress())}));
      std::vector<Operand> operands{which};
      std::vector<model::BlockId> targets{target(jump.getDestination(0))};
      for (unsigned n = 1; n < jump.getNumDestinations(); ++n) {
        operands.push_back(Operand::integer(n));
        targets.push_back(target(jump.getDestination(n)));
      }
      append(Op::Switch, TypeId{}, operands, targets);
      return;
    }
    default: append(Op::Unreachable, TypeId{}, {}, {}); return;
  }
}

void FunctionLowering::lower_switch(const llvm::SwitchInst& i) {
  std::vector<Operand> operands{operand(i.getCondition())};
  std::vector<model::BlockId> targets{target(i.getDefaultDest())};
  std::int64_t number = 0;
  bool wide = i.getCondition()->getType()->getIntegerBitWidth() > 64;
  if (wide) operands[0] = Operand::value(emit(Op::Opaque, machine_type(i.getCondition()->getType()), {operands[0]}));
  for (const auto& option : i.cases()) {
    operands.push_back(wide ? Operand::integer(number++) : symbols_.operand(*option.getCaseValue()));
    targets.push_back(target(option.getCaseSuccessor()));
  }
  append(Op::Switch, TypeId{}, operands, targets);
}

}  // namespace reckon::capture
