// Before lowering: which variables the function has, which LLVM values they become, and in what order the
// blocks come.
//
// Clang writes every variable to the stack and tells in debug records which slot is which variable. The
// slots whose address does not escape are promoted to SSA values; the records then say which value a
// variable has, and that is where the names of values come from. Clang also sends every `return` of a
// function through one block; that block is undone here, so that each return keeps its own line.
#include "capture/lower.h"

#include <map>
#include <optional>

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace reckon::capture {

using model::kNone;

FunctionLowering::FunctionLowering(Context& cx, Symbols& symbols, llvm::Function& function)
    : cx_(cx), symbols_(symbols), function_(function), decl_(symbols.function_decl(function)) {
  if (decl_ != nullptr && decl_->getDefinition() != nullptr) decl_ = decl_->getDefinition();
  if (decl_ != nullptr) {
    facts_ = BodyFacts(decl_, cx_.places);
    for (const clang::RecordDecl* record : facts_.records()) cx_.records.know(record);
    for (const clang::FunctionDecl* cleanup : facts_.cleanups()) symbols_.cleans_up(*cleanup);
    cx_.places.load_macros(decl_->getLocation());
  }
}

FunctionLowering::Variable FunctionLowering::describe(const llvm::DILocalVariable* variable) {
  auto [it, fresh] = described_.try_emplace(variable);
  if (!fresh) return it->second;
  Variable out;
  out.name = cx_.strings.intern(variable->getName());
  out.parameter = variable->getArg();
  out.loc.file = cx_.places.file(variable->getFile());
  out.loc.line = variable->getLine();
  if (decl_ != nullptr) {
    unsigned position = variable->getArg();
    if (clang::QualType object = symbols_.object_type(decl_); position != 0 && !object.isNull()) {
      if (position == 1) out.type = object;
      --position;
    }
    if (position != 0 && position <= decl_->getNumParams()) {
      out.type = decl_->getParamDecl(position - 1)->getType();
    } else if (variable->getArg() == 0) {
      if (const clang::VarDecl* v = facts_.variable(variable->getName(), variable->getLine())) {
        out.type = v->getType();
        out.loc.col = cx_.places.line_and_column(v->getLocation()).second;
      }
    }
  }
  described_[variable] = out;
  return out;
}

void FunctionLowering::collect_variables() {
  for (llvm::BasicBlock& block : function_) {
    for (llvm::Instruction& i : block) {
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(i.getDbgRecordRange())) {
        if (!record.isDbgDeclare() || record.getVariableLocationOp(0) == nullptr) continue;
        // A captured variable or a reference's target is reached by an expression; the slot is not it.
        if (record.getExpression()->getNumElements() != 0) continue;
        variables_.try_emplace(record.getVariableLocationOp(0), describe(record.getVariable()));
      }
    }
  }
  // A parameter is stored to its slot first thing; one that stays in memory is its slot.
  for (llvm::Argument& argument : function_.args()) {
    if (auto it = variables_.find(&argument); it != variables_.end()) {
      parameters_[&argument] = it->second;
      continue;
    }
    for (const llvm::User* user : argument.users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store == nullptr || store->getValueOperand() != &argument) continue;
      const llvm::Value* slot = store->getPointerOperand()->stripInBoundsConstantOffsets();
      if (auto it = variables_.find(slot); it != variables_.end() && it->second.parameter != 0) {
        parameters_[&argument] = it->second;
        break;
      }
    }
  }
}

// A `switch` that names all values of its enumeration has no other way through it. C would allow one, but a variable
// that each case sets is not meant to be unset behind them.
void FunctionLowering::leave_out_defaults() {
  std::vector<llvm::SwitchInst*> complete;
  for (llvm::BasicBlock& block : function_)
    if (auto* choice = llvm::dyn_cast_or_null<llvm::SwitchInst>(block.getTerminator()))
      if (const llvm::DILocation* at = choice->getDebugLoc();
          at && facts_.names_all_values(at->getLine(), at->getColumn()))
        complete.push_back(choice);
  for (llvm::SwitchInst* choice : complete) {
    auto* nowhere = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
    new llvm::UnreachableInst(function_.getContext(), nowhere);
    choice->getDefaultDest()->removePredecessor(choice->getParent());
    choice->setDefaultDest(nowhere);
  }
}

void FunctionLowering::promote() {
  std::optional<llvm::DominatorTree> dominators;
  // A pointer or reference to a variable, once promoted, can set that variable free for promotion, too.
  for (;;) {
    std::vector<llvm::AllocaInst*> slots;
    for (llvm::Instruction& i : function_.getEntryBlock()) {
      auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&i);
      if (slot == nullptr || !llvm::isAllocaPromotable(slot)) continue;
      slots.push_back(slot);
      variables_.erase(slot);  // its memory may come back as some other instruction
    }
    if (slots.empty()) return;
    if (!dominators) dominators.emplace(function_);
    llvm::PromoteMemToReg(slots, *dominators);
  }
}

void FunctionLowering::describe_parameters(model::Function& out) {
  Convention convention =
      convention_of(cx_.ast, cx_.codegen, decl_ != nullptr ? decl_->getType() : clang::QualType(),
                    llvm::dyn_cast_or_null<clang::CXXMethodDecl>(decl_), function_.getFunctionType());
  // The place for a large result comes last, after what the programmer wrote.
  if (convention.result_slot >= 0) convention.parameters.push_back({static_cast<unsigned>(convention.result_slot), 1});
  clang::QualType object = symbols_.object_type(decl_);
  for (const Convention::Part& part : convention.parameters) {
    model::Param param;
    if (part.count != 1) {
      // A struct in pieces, or an empty one.
      std::size_t position = out.params.size() - (object.isNull() ? 0 : 1);
      if (decl_ != nullptr && position < decl_->getNumParams()) {
        const clang::ParmVarDecl* p = decl_->getParamDecl(static_cast<unsigned>(position));
        param.name = p->getIdentifier() != nullptr ? cx_.strings.intern(p->getName()) : model::StrId{};
        param.type = cx_.types.used(p->getType());
      }
      if (part.count > 1) in_pieces_.emplace_back(body_.num_values, part);
      ++body_.num_values;
      body_.value_names.push_back(param.name);
      out.params.push_back(param);
      continue;
    }
    llvm::Argument& argument = *function_.getArg(part.first);
    auto it = parameters_.find(&argument);
    if (it != parameters_.end()) {
      param.name = it->second.name;
      if (fits(cx_.ast, it->second.type, argument.getType())) {
        c_types_[&argument] = it->second.type;
        param.type = cx_.types.used(it->second.type);
      } else if (argument.getType()->isPointerTy() && !it->second.type.isNull()) {
        // a struct handed over in memory
        clang::QualType pointer = cx_.ast.getPointerType(it->second.type.getUnqualifiedType());
        c_types_[&argument] = pointer;
        param.type = cx_.types.used(pointer);
      }
    }
    if (static_cast<int>(part.first) == convention.result_slot && !convention.plain) {
      clang::QualType pointer = cx_.ast.getPointerType(decl_->getReturnType());
      c_types_[&argument] = pointer;
      param.type = cx_.types.used(pointer);
    }
    if (param.type == 0) param.type = machine_type(argument.getType());
    values_[&argument] = Operand::value(model::ValueId(body_.num_values++));
    body_.value_names.push_back(param.name);
    out.params.push_back(param);
  }
}

void FunctionLowering::take_parameters_apart() {
  for (auto [whole, part] : in_pieces_) {
    for (unsigned n = 0; n < part.count; ++n) {
      const llvm::Argument* piece = function_.getArg(part.first + n);
      model::Instr& instr = append(Op::Extract, machine_type(piece->getType()), {Operand::value(whole)}, {});
      instr.aux = n;
      values_[piece] = Operand::value(give_result(instr));
    }
  }
}

// The block does nothing but return: phis, perhaps reading the result from its slot, and the return.
const llvm::ReturnInst* FunctionLowering::bare_return(const llvm::BasicBlock& block) const {
  int reads = 0;
  for (const llvm::Instruction& i : block) {
    switch (i.getOpcode()) {
      case llvm::Instruction::PHI: continue;
      case llvm::Instruction::Load:
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::ExtractValue:
      case llvm::Instruction::InsertValue:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::ZExt:
        if (++reads > 6) return nullptr;
        continue;
      case llvm::Instruction::Ret: return llvm::cast<llvm::ReturnInst>(&i);
      default: return nullptr;
    }
  }
  return nullptr;
}

void FunctionLowering::order_blocks() {
  for (const llvm::BasicBlock& block : function_) {
    if (&block == &function_.getEntryBlock()) continue;
    if (const llvm::ReturnInst* ret = bare_return(block)) returns_[&block] = ret;
  }
  llvm::ReversePostOrderTraversal<llvm::Function*> forward(&function_);
  for (const llvm::BasicBlock* block : forward) {
    if (returns_.count(block) != 0) {
      bool still_entered = false;
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        const auto* jump = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
        if (jump == nullptr || jump->isConditional()) still_entered = true;
      }
      if (!still_entered) continue;
    }
    blocks_[block] = static_cast<model::BlockId>(order_.size());
    order_.push_back(block);
  }
}

void FunctionLowering::name_values() {
  body_.value_names.resize(body_.num_values);
  for (const llvm::BasicBlock* block : order_) {
    for (const llvm::Instruction& i : *block) {
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(i.getDbgRecordRange())) {
        if (!record.isDbgValue() || record.getNumVariableLocationOps() != 1) continue;
        const llvm::Value* value = record.getVariableLocationOp(0);
        if (value == nullptr || (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value))) continue;
        auto it = values_.find(value);
        if (it == values_.end() || it->second.kind != model::OperandKind::Value) continue;
        model::StrId& name = body_.value_names[it->second.id];
        if (name == 0) name = cx_.strings.intern(record.getVariable()->getName());
      }
    }
  }
}

namespace {
// Numbers of operations serve to compare them, so one that stands alone needs none.
void forget_single_operations(model::Body& body) {
  std::map<std::uint32_t, int> times;
  for (const model::Instr& i : body.instrs)
    if (i.op == model::Op::Opaque && i.aux != model::kNone) ++times[i.aux];
  for (model::Instr& i : body.instrs)
    if (i.op == model::Op::Opaque && i.aux != model::kNone && times[i.aux] < 2) i.aux = model::kNone;
}
}  // namespace

model::Function FunctionLowering::run() {
  model::Function out;
  out.symbol = symbols_.of(function_);
  out.loc = cx_.unit.symbols[out.symbol].loc;
  out.variadic = function_.isVarArg();
  out.result = machine_type(function_.getReturnType());
  result_type_ = out.result;
  if (decl_ != nullptr) {
    clang::QualType result = decl_->getReturnType();
    if (!result->isVoidType() || function_.getReturnType()->isVoidTy()) out.result = cx_.types.used(result);
    if (fits(cx_.ast, result, function_.getReturnType())) result_type_ = out.result;
    out.end = cx_.places.at(decl_->getBodyRBrace());
    const clang::SourceManager& sources = cx_.ast.getSourceManager();
    out.from_header = !sources.isInMainFile(sources.getExpansionLoc(decl_->getLocation()));
  }

  collect_variables();
  leave_out_defaults();
  promote();
  describe_parameters(out);
  order_blocks();
  // Phis that mem2reg made stand for a variable: its type is theirs.
  for (const llvm::BasicBlock* block : order_) {
    for (const llvm::Instruction& i : *block) {
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(i.getDbgRecordRange())) {
        if (!record.isDbgValue() || record.getNumVariableLocationOps() != 1) continue;
        const auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(record.getVariableLocationOp(0));
        if (phi == nullptr || c_types_.count(phi) != 0) continue;
        clang::QualType type = describe(record.getVariable()).type;
        if (fits(cx_.ast, type, phi->getType())) c_types_[phi] = type;
      }
    }
  }
  for (const llvm::BasicBlock* block : order_) lower_block(*block);
  for (auto [index, value] : later_) body_.operands[index] = operand(value);
  name_values();
  forget_single_operations(body_);
  out.body = std::move(body_);
  return out;
}

}  // namespace reckon::capture
