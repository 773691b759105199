// How the parameters of a C function are spread over the parameters of its LLVM function.
#pragma once

#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/DerivedTypes.h"

namespace reckon::capture {

struct Convention {
  struct Part {
    unsigned first = 0;  // LLVM parameter
    unsigned count = 1;  // 0: not passed at all (an empty struct)
  };
  std::vector<Part> parameters;  // one per C parameter, `this` first
  int result_slot = -1;          // LLVM parameter that points to where the result goes
  bool plain = true;             // C and LLVM parameters are the same, one for one
  unsigned machine_parameters = 0;
};

// `method` is null for anything but a C++ member function.
Convention convention_of(clang::ASTContext& ast, clang::CodeGenerator& codegen, clang::QualType function,
                         const clang::CXXMethodDecl* method, llvm::FunctionType* machine);

}  // namespace reckon::capture
