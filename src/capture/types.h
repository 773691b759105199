// C and C++ types as model types, and the names of what lies at an offset in a record.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "capture/builder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "model/model.h"

namespace llvm {
class Type;
class DataLayout;
}  // namespace llvm

namespace reckon::capture {

class Types {
 public:
  Types(clang::ASTContext& context, Strings& strings, model::Unit& unit);

  // The model's type for T. Records are named but without fields until complete() asks for them.
  model::TypeId of(clang::QualType type);
  // As of(), and whatever the type is or points to gets its fields.
  model::TypeId used(clang::QualType type);
  // Fields of a record (or of the record an array or pointer is about).
  void complete(model::TypeId type);

  model::TypeId pointer_to(model::TypeId elem);
  model::TypeId integer(unsigned bytes, bool is_signed);
  model::TypeId floating(unsigned bytes);
  model::TypeId other(std::uint64_t bytes);
  model::TypeId aggregate(const std::vector<model::TypeId>& elements, const std::vector<std::uint64_t>& offsets,
                          std::uint64_t size);
  // For values of which only the machine type is known.
  model::TypeId of_llvm(llvm::Type* type, const llvm::DataLayout& layout);
  // A function type; `object` is the type of `this`, null for none.
  model::TypeId function(const clang::FunctionType* type, clang::QualType object);

  model::StrId record_name(const clang::RecordDecl* record);
  clang::ASTContext& context() { return context_; }

 private:
  using Key = std::tuple<model::TypeKind, bool, bool, std::uint64_t, model::StrId, model::TypeId,
                         std::vector<model::TypeId>, std::vector<std::uint64_t>>;

  model::TypeId convert(const clang::Type* type);
  model::TypeId convert_record(const clang::RecordDecl* record);
  model::TypeId shared(model::Type type);
  model::TypeId renamed(model::TypeId type, llvm::StringRef name);
  std::uint64_t size_of(const clang::Type* type);

  clang::ASTContext& context_;
  Strings& strings_;
  model::Unit& unit_;
  clang::PrintingPolicy policy_;
  llvm::DenseMap<const clang::Type*, model::TypeId> known_;
  llvm::DenseMap<const clang::RecordDecl*, model::TypeId> records_;
  std::unordered_map<model::TypeId, const clang::RecordDecl*> incomplete_;
  std::map<Key, model::TypeId> shared_;
};

// The member of `record` that starts at byte `offset`; members of size zero only if nothing else does.
// Null if a base class or padding stands there.
const clang::FieldDecl* member_at(const clang::ASTContext& context, const clang::RecordDecl* record,
                                  std::uint64_t offset);

}  // namespace reckon::capture
