// From LLVM struct types back to the records they were made from, and names for offsets into them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DerivedTypes.h"

namespace reckon::capture {

// A named part of a record: what `base->power.usage_count` says without the base.
struct AccessPath {
  const clang::RecordDecl* record = nullptr;  // null: unknown
  std::string path;
  clang::QualType type;                     // of what the path leads to; null if unknown
  const clang::FieldDecl* field = nullptr;  // the last member named, if the path ends at it
};

class Records {
 public:
  Records(clang::ASTContext& ast, clang::CodeGenerator& codegen) : ast_(ast), codegen_(codegen) {}

  // Every record definition the parser met; looked through by name only if nothing better is known.
  void met(const clang::RecordDecl* record) { met_.push_back(record); }
  // Those that were met before, by name: nullptr if there was none.
  void met_before(std::function<const clang::RecordDecl*(llvm::StringRef)> find) { earlier_ = std::move(find); }
  // The name by which a record is looked up; "" if it has none.
  static std::string name_of(const clang::RecordDecl& record);
  // A record that code at hand uses.
  void know(const clang::RecordDecl* record);
  const clang::RecordDecl* of(llvm::StructType* type);
  llvm::Type* machine_type(clang::QualType type);

  // Goes on from `path` to what stands `offset` bytes further, a member of a value of LLVM type `seen_as`.
  AccessPath step(AccessPath path, llvm::StructType* seen_as, std::uint64_t offset);
  // The expression that makes this access names `member`: the bit-field or union member meant.
  static void refine(AccessPath& path, const clang::FieldDecl* member);
  // Finds what stands at `offset` in a value of type T, going down to what is `wanted` machine type.
  AccessPath find(clang::QualType type, std::uint64_t offset, llvm::Type* wanted);

 private:
  clang::ASTContext& ast_;
  clang::CodeGenerator& codegen_;
  std::function<const clang::RecordDecl*(llvm::StringRef)> earlier_;
  std::vector<const clang::RecordDecl*> met_;
  llvm::StringMap<const clang::RecordDecl*> by_name_;
  std::size_t indexed_ = 0;
  llvm::DenseMap<const clang::RecordDecl*, bool> known_;
  llvm::DenseMap<llvm::StructType*, const clang::RecordDecl*> records_;
};

// Whether a value of machine type `machine` can be a C value of type T.
bool fits(const clang::ASTContext& ast, clang::QualType type, llvm::Type* machine);

}  // namespace reckon::capture
