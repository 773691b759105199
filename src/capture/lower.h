// One LLVM function in, one model::Function out.
#pragma once

#include <optional>
#include <vector>

#include "capture/context.h"
#include "capture/convention.h"
#include "capture/records.h"
#include "capture/symbols.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "model/model.h"

namespace reckon::capture {

class FunctionLowering {
 public:
  FunctionLowering(Context& cx, Symbols& symbols, llvm::Function& function);

  // Promotes the function's variables to SSA values (changing the LLVM function) and lowers it.
  model::Function run();

 private:
  using Op = model::Op;
  using Operand = model::Operand;
  using TypeId = model::TypeId;
  using ValueId = model::ValueId;

  // What a variable of the debug info is in the syntax tree.
  struct Variable {
    model::StrId name{};
    clang::QualType type;
    model::Loc loc;
    unsigned parameter = 0;  // 1-based, 0: not one
  };

  // A place a constant distance from another value.
  struct Place {
    const llvm::Value* root = nullptr;
    std::int64_t offset = 0;
    AccessPath path;
  };

  // ---- prepare.cpp: variables, parameters, order of blocks
  void collect_variables();
  Variable describe(const llvm::DILocalVariable* variable);
  void leave_out_defaults();
  void promote();
  void describe_parameters(model::Function& out);
  void take_parameters_apart();
  void order_blocks();
  void name_values();
  const llvm::ReturnInst* bare_return(const llvm::BasicBlock& block) const;

  // ---- lower.cpp: instructions
  void lower_block(const llvm::BasicBlock& block);
  void lower(const llvm::Instruction& i);
  void lower_load(const llvm::LoadInst& load);
  void lower_binary(const llvm::BinaryOperator& binary);
  void lower_compare(const llvm::CmpInst& compare);
  void lower_cast(const llvm::CastInst& cast);
  void lower_phi(const llvm::PHINode& phi);
  void lower_atomic(const llvm::AtomicRMWInst& atomic);
  void lower_exchange(const llvm::AtomicCmpXchgInst& exchange);
  void lower_extract(const llvm::ExtractValueInst& extract);
  void lower_insert(const llvm::InsertValueInst& insert);
  void lower_terminator(const llvm::Instruction& i);
  void lower_switch(const llvm::SwitchInst& i);
  void lower_return(const llvm::Value* value);
  void copy_return_block(const llvm::BasicBlock& block, const llvm::BasicBlock& from);
  void opaque(const llvm::Instruction& i);

  // ---- address.cpp: address arithmetic
  void lower_gep(const llvm::GetElementPtrInst& gep);
  bool needs_value(const llvm::GetElementPtrInst& gep) const;
  Place place_of(const llvm::Value* address);
  Operand emit_field(const llvm::Value* root, Operand base, std::int64_t offset, const AccessPath& path);
  // The C type of what an address leads to, seen as machine type `wanted` (null: as it is).
  clang::QualType object_at(const llvm::Value* address, llvm::Type* wanted);
  std::string origin_of(const llvm::Value* pointer);

  // ---- call.cpp: calls
  void lower_call(const llvm::CallBase& call);
  bool lower_intrinsic(const llvm::IntrinsicInst& call);
  std::vector<Operand> c_arguments(const llvm::CallBase& call, const Convention& convention);
  void emit_call(const llvm::CallBase& call, Operand callee, const std::vector<Operand>& arguments,
                 model::CallInfo info);

  // ---- building
  ValueId emit(Op op, TypeId type, std::initializer_list<Operand> operands, std::uint8_t sub = 0, bool result = true);
  model::Instr& append(Op op, TypeId type, const std::vector<Operand>& operands,
                       const std::vector<model::BlockId>& targets);
  ValueId give_result(model::Instr& instr);
  void set(const llvm::Value& value, Operand operand) { values_[&value] = operand; }
  void set(const llvm::Instruction& i, ValueId id, clang::QualType type = {});
  Operand operand(const llvm::Value* value);
  model::BlockId target(const llvm::BasicBlock* block) const { return blocks_.lookup(block); }
  clang::QualType c_type(const llvm::Value* value) const { return c_types_.lookup(value); }
  TypeId type_of(const llvm::Value* value);
  TypeId machine_type(llvm::Type* type) { return cx_.types.of_llvm(type, cx_.layout); }

  Context& cx_;
  Symbols& symbols_;
  llvm::Function& function_;
  const clang::FunctionDecl* decl_ = nullptr;
  BodyFacts facts_;
  TypeId result_type_{};
  std::vector<std::pair<ValueId, Convention::Part>> in_pieces_;  // parameters that LLVM has in several pieces
  model::Body body_;
  model::Loc loc_;  // of the instruction being lowered

  llvm::DenseMap<const llvm::Value*, Operand> values_;
  llvm::DenseMap<const llvm::Value*, clang::QualType> c_types_;
  llvm::DenseMap<const llvm::Value*, Variable> variables_;  // allocas and memory parameters
  llvm::DenseMap<const llvm::Argument*, Variable> parameters_;
  llvm::DenseMap<const llvm::DILocalVariable*, Variable> described_;
  llvm::DenseMap<const llvm::Value*, Place> places_;
  llvm::DenseMap<const llvm::BasicBlock*, model::BlockId> blocks_;
  std::vector<const llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::ReturnInst*> returns_;  // blocks copied into their predecessors
  std::vector<std::pair<std::uint32_t, const llvm::Value*>> later_;           // phi operands, filled in at the end
};

}  // namespace reckon::capture
