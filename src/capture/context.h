// Everything lowering needs at hand while one unit is turned into the model.
#pragma once

#include "capture/builder.h"
#include "capture/facts.h"
#include "capture/types.h"
#include "clang/AST/ASTContext.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Module.h"

namespace reckon::capture {

class Symbols;
class Records;

struct Context {
  clang::ASTContext& ast;
  clang::CodeGenerator& codegen;
  llvm::Module& module;
  const llvm::DataLayout& layout;
  model::Unit& unit;
  Strings& strings;
  Types& types;
  Places& places;
  Records& records;
};

}  // namespace reckon::capture
