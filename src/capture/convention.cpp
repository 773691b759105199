// The ABI takes structs apart: a struct of two words arrives as two LLVM parameters, a large one as a
// pointer, an empty one not at all, and a large result as a hidden first parameter. Specs and people count
// parameters as C does, so the model must, too. Clang's own classification of each parameter says where
// the pieces are.
//
// Limits: constructors, destructors and structs expanded member by member (32-bit x86) are taken as they
// come when the numbers do not match.
#include "capture/convention.h"

#include "clang/AST/CanonicalType.h"
#include "clang/CodeGen/CGFunctionInfo.h"
#include "clang/CodeGen/CodeGenABITypes.h"

namespace reckon::capture {
namespace {

Convention one_to_one(llvm::FunctionType* machine) {
  Convention c;
  c.machine_parameters = machine->getNumParams();
  for (unsigned i = 0; i < c.machine_parameters; ++i) c.parameters.push_back({i, 1});
  return c;
}

// How many LLVM parameters one C parameter takes up; -1: cannot tell.
int width_of(const clang::CodeGen::ABIArgInfo& info) {
  using Kind = clang::CodeGen::ABIArgInfo;
  switch (info.getKind()) {
    case Kind::Extend:
    case Kind::Indirect:
    case Kind::IndirectAliased: return 1;
    case Kind::Direct:
      if (auto* pieces = llvm::dyn_cast<llvm::StructType>(info.getCoerceToType());
          pieces != nullptr && info.getCanBeFlattened())
        return static_cast<int>(pieces->getNumElements());
      return 1;
    case Kind::Ignore:
    case Kind::InAlloca: return 0;
    case Kind::CoerceAndExpand: return static_cast<int>(info.getCoerceAndExpandTypeSequence().size());
    case Kind::Expand: return -1;
  }
  return -1;
}

}  // namespace

Convention convention_of(clang::ASTContext& ast, clang::CodeGenerator& codegen, clang::QualType function,
                         const clang::CXXMethodDecl* method, llvm::FunctionType* machine) {
  const auto* proto = function.isNull() ? nullptr : function->getAs<clang::FunctionProtoType>();
  bool member = method != nullptr && method->isImplicitObjectMemberFunction();
  if (proto == nullptr || proto->isDependentType()) return one_to_one(machine);
  if (llvm::isa_and_nonnull<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method)) return one_to_one(machine);
  auto taken_apart = [](clang::QualType t) { return t->isRecordType() || t->isAnyComplexType(); };
  bool simple =
      !taken_apart(proto->getReturnType()) && machine->getNumParams() == proto->getNumParams() + (member ? 1 : 0);
  for (clang::QualType p : proto->param_types()) simple = simple && !taken_apart(p);
  if (simple) return one_to_one(machine);
  // Clang can only classify what it can lay out.
  auto laid_out = [](clang::QualType t) { return t->isVoidType() || !t->isIncompleteType(); };
  if (!laid_out(proto->getReturnType())) return one_to_one(machine);
  for (clang::QualType p : proto->param_types())
    if (!laid_out(p)) return one_to_one(machine);

  const clang::CodeGen::CGFunctionInfo& info =
      member ? clang::CodeGen::arrangeCXXMethodType(codegen.CGM(), method->getParent(), proto, method)
             : clang::CodeGen::arrangeFreeFunctionType(
                   codegen.CGM(), ast.getCanonicalType(function).castAs<clang::FunctionProtoType>());
  Convention c;
  c.plain = false;
  c.machine_parameters = machine->getNumParams();
  bool after_this = false;
  if (info.getReturnInfo().isIndirect()) {
    after_this = info.getReturnInfo().isSRetAfterThis();
    c.result_slot = after_this ? 1 : 0;
  }
  unsigned next = 0;
  for (const clang::CodeGen::CGFunctionInfoArgInfo& argument : info.arguments()) {
    if (static_cast<int>(next) == c.result_slot) ++next;
    int width = width_of(argument.info);
    if (width < 0) return one_to_one(machine);
    if (argument.info.getPaddingType() != nullptr) ++next;
    c.parameters.push_back({next, static_cast<unsigned>(width)});
    next += static_cast<unsigned>(width);
  }
  if (static_cast<int>(next) == c.result_slot) ++next;
  if (next != c.machine_parameters) return one_to_one(machine);
  return c;
}

}  // namespace reckon::capture
