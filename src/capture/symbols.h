// Functions and variables of a unit, their attributes, and the constant data of variables.
#pragma once

#include <optional>
#include <vector>

#include "capture/context.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalValue.h"
#include "model/model.h"

namespace reckon::capture {

class Symbols {
 public:
  explicit Symbols(Context& cx) : cx_(cx) {}

  model::SymId of(const llvm::GlobalValue& global);
  // A further name for a function of this unit.
  model::SymId alias(const llvm::GlobalAlias& alias, model::SymId original);
  // A symbol that exists only by name (memcpy for an intrinsic, ...).
  model::SymId named_function(llvm::StringRef name);
  // Static variables of functions are known by their declarations in the body.
  void local_static(const llvm::GlobalVariable& global, const clang::VarDecl* decl) { statics_[&global] = decl; }

  // The constant as an operand: integers, null, addresses; Other for what has no such form.
  model::Operand operand(const llvm::Constant& constant, bool as_callee = false);
  // A variable has the attribute `cleanup` with this function: so has the function, from then on.
  void cleans_up(const clang::FunctionDecl& function);
  // Lowers the initial values of all variables that were named so far, and of those they name in turn.
  void lower_initialisers();

  const clang::FunctionDecl* function_decl(const llvm::GlobalValue& global) const;
  clang::QualType variable_type(const llvm::GlobalValue& global) const;
  // For methods the type of `this`, else null.
  clang::QualType object_type(const clang::FunctionDecl* decl) const;
  // "name" as people say it.
  std::string display_name(const clang::NamedDecl* decl) const;

 private:
  void describe_function(model::Symbol& symbol, const llvm::GlobalValue& global);
  void describe_variable(model::Symbol& symbol, const llvm::GlobalVariable& global);
  void add_attributes(model::Symbol& symbol, const clang::Decl* decl);
  void add_parameter_names(model::Symbol& symbol, const clang::FunctionDecl& function);

  model::ConstId constant(const llvm::Constant& value, clang::QualType type);
  model::ConstId scalar(const llvm::Constant& value, model::TypeId type);
  model::ConstId array(const llvm::Constant& value, clang::QualType element, std::uint64_t count, model::TypeId type);
  model::ConstId record(const llvm::Constant& value, const clang::RecordDecl* record, model::TypeId type);
  model::ConstId untyped(const llvm::Constant& value);
  model::ConstId add(model::Constant constant);
  // The part of an aggregate at a byte offset, at most `size` bytes if there is a choice; 0: the scalar there.
  const llvm::Constant* part(const llvm::Constant& whole, std::uint64_t offset, std::uint64_t size) const;
  std::optional<std::uint64_t> bits(const llvm::Constant& whole, std::uint64_t first_bit, unsigned width) const;
  bool holds_pointers(clang::QualType type) const;

  Context& cx_;
  llvm::DenseMap<const llvm::GlobalValue*, model::SymId> known_;
  llvm::StringMap<model::SymId> named_;
  llvm::DenseMap<const llvm::GlobalVariable*, const clang::VarDecl*> statics_;
  std::vector<const llvm::GlobalVariable*> pending_;
};

}  // namespace reckon::capture
