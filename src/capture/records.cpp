// LLVM knows structs by shape and by a made-up name ("struct.foo", "struct.anon.3"); people and specs know
// records and members. Clang tells which LLVM type it made for a record, so the records that a function
// body names are entered into a table; anything else is looked up by its name. Members are found by
// offset, never by LLVM's element numbers, which bit-fields and padding shift.
//
// Limits: bit-fields of one storage unit and members of unions share an address; which one was meant comes
// from the expression at the same place in the source, and is the first one where there is none.
#include "capture/records.h"

#include "capture/types.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/CodeGen/CodeGenABITypes.h"

namespace reckon::capture {
namespace {

void append(std::string& path, llvm::StringRef name) {
  if (name.empty()) return;
  if (!path.empty()) path += '.';
  path += name;
}

const clang::RecordDecl* definition_of(clang::QualType type) {
  if (type.isNull()) return nullptr;
  const auto* record = type->getAs<clang::RecordType>();
  return record != nullptr ? record->getDecl()->getDefinition() : nullptr;
}

}  // namespace

bool fits(const clang::ASTContext& ast, clang::QualType type, llvm::Type* machine) {
  if (type.isNull() || type->isDependentType()) return false;
  if (const auto* atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  if (machine->isPointerTy())
    return type->isAnyPointerType() || type->isReferenceType() || type->isNullPtrType() || type->isBlockPointerType();
  if (const auto* i = llvm::dyn_cast<llvm::IntegerType>(machine)) {
    if (!type->isIntegralOrEnumerationType() || type->isIncompleteType()) return false;
    std::uint64_t bits = ast.getTypeSize(type);
    return bits == i->getBitWidth() || (type->isBooleanType() && i->getBitWidth() == 1) || type->isBitIntType();
  }
  if (machine->isFloatingPointTy()) return type->isRealFloatingType();
  if (machine->isVoidTy()) return type->isVoidType();
  return false;
}

llvm::Type* Records::machine_type(clang::QualType type) {
  return clang::CodeGen::convertTypeForMemory(codegen_.CGM(), type);
}

void Records::know(const clang::RecordDecl* record) {
  record = record->getDefinition();
  if (record == nullptr || record->isInvalidDecl() || record->isDependentType()) return;
  if (!known_.try_emplace(record, true).second) return;
  if (auto* made = llvm::dyn_cast<llvm::StructType>(machine_type(ast_.getRecordType(record))))
    records_.try_emplace(made, record);
}

std::string Records::name_of(const clang::RecordDecl& record) {
  if (record.getIdentifier() != nullptr) return record.getName().str();
  const clang::TypedefNameDecl* named = record.getTypedefNameForAnonDecl();
  return named != nullptr ? named->getName().str() : "";
}

const clang::RecordDecl* Records::of(llvm::StructType* type) {
  if (auto it = records_.find(type); it != records_.end()) return it->second;
  if (!type->hasName()) return nullptr;
  for (; indexed_ < met_.size(); ++indexed_)
    if (const std::string name = name_of(*met_[indexed_]); !name.empty()) by_name_.try_emplace(name, met_[indexed_]);
  llvm::StringRef name = type->getName().split('.').second;
  name.consume_back(".base");
  if (const llvm::StringRef last = name.rsplit("::").second; !last.empty()) name = last;
  const clang::RecordDecl* named = earlier_ ? earlier_(name) : nullptr;
  if (named == nullptr) named = by_name_.lookup(name);
  const clang::RecordDecl* found = nullptr;
  if (named != nullptr) {
    know(named);
    auto again = records_.find(type);
    if (again != records_.end()) found = again->second;
  }
  records_[type] = found;
  return found;
}

AccessPath Records::step(AccessPath path, llvm::StructType* seen_as, std::uint64_t offset) {
  const clang::RecordDecl* record = of(seen_as);
  const clang::RecordDecl* expected = definition_of(path.type);
  // An unnamed shape for what we know by its C type: a struct passed in registers, say.
  if (record == nullptr && expected != nullptr && !expected->isUnion()) record = expected;
  if (record == nullptr) return {};
  if (path.record != nullptr && expected != record) {
    // The C type at this point is another one: the member of a union, or what a struct begins with.
    const clang::RecordDecl* at = expected;
    std::string more = path.path;
    while (at != nullptr && at != record) {
      const clang::FieldDecl* next = nullptr;
      if (at->isUnion()) {
        for (const clang::FieldDecl* f : at->fields())
          if (definition_of(f->getType()) == record) next = f;
      }
      if (next == nullptr) next = member_at(ast_, at, 0);
      if (next == nullptr)
        at = nullptr;
      else {
        append(more, next->getName());
        at = definition_of(next->getType());
      }
    }
    if (at == record)
      path.path = std::move(more);
    else
      path = {};
  }
  if (path.record == nullptr) path = {record, "", ast_.getRecordType(record), nullptr};
  const clang::FieldDecl* field = member_at(ast_, record, offset);
  if (field == nullptr) {
    // A base class, or the pointer to the virtual table.
    if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record)) {
      const clang::ASTRecordLayout& layout = ast_.getASTRecordLayout(record);
      for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
        const clang::CXXRecordDecl* decl = base.getType()->getAsCXXRecordDecl();
        if (!base.isVirtual() && decl != nullptr && !decl->isEmpty() &&
            static_cast<std::uint64_t>(layout.getBaseClassOffset(decl).getQuantity()) == offset) {
          path.type = base.getType();
          path.field = nullptr;
          return path;
        }
      }
    }
    return {};
  }
  append(path.path, field->getName());
  path.type = field->getType();
  path.field = field;
  return path;
}

void Records::refine(AccessPath& path, const clang::FieldDecl* member) {
  const clang::RecordDecl* parent = member->getParent()->getDefinition();
  if (path.field != nullptr && path.field->isBitField() && member->isBitField() &&
      path.field->getParent()->getDefinition() == parent) {
    std::size_t keep = path.path.size() - path.field->getName().size();
    path.path = path.path.substr(0, keep) + member->getName().str();
  } else if (definition_of(path.type) == parent && parent != nullptr && parent->isUnion()) {
    append(path.path, member->getName());
  } else {
    return;
  }
  path.type = member->getType();
  path.field = member;
}

AccessPath Records::find(clang::QualType type, std::uint64_t offset, llvm::Type* wanted) {
  AccessPath path;
  path.type = type;
  for (int depth = 0; depth < 64; ++depth) {
    if (path.type.isNull()) return path;
    if (offset == 0 && wanted != nullptr && fits(ast_, path.type, wanted)) return path;
    if (const clang::ArrayType* array = ast_.getAsArrayType(path.type)) {
      clang::QualType element = array->getElementType();
      if (element->isIncompleteType() || element->isVariablyModifiedType()) return path;
      std::uint64_t size = static_cast<std::uint64_t>(ast_.getTypeSizeInChars(element).getQuantity());
      if (offset == 0 && wanted == nullptr) return path;
      offset = size == 0 ? offset : offset % size;
      path.type = element;
      continue;
    }
    const clang::RecordDecl* record = definition_of(path.type);
    if (record == nullptr || record->isInvalidDecl()) {
      if (offset != 0) path.type = {};
      return path;
    }
    if (offset == 0 && wanted == nullptr) return path;
    const clang::ASTRecordLayout& layout = ast_.getASTRecordLayout(record);
    const clang::FieldDecl* best = nullptr;
    std::uint64_t best_at = 0;
    for (const clang::FieldDecl* f : record->fields()) {
      std::uint64_t at = layout.getFieldOffset(f->getFieldIndex()) / 8;
      if (at > offset) break;
      if (f->isUnnamedBitField()) continue;
      bool incomplete = f->getType()->isIncompleteType();
      std::uint64_t size =
          incomplete ? 0 : static_cast<std::uint64_t>(ast_.getTypeSizeInChars(f->getType()).getQuantity());
      if (!incomplete && offset >= at + size) continue;
      bool better = best == nullptr || !record->isUnion() ||
                    (wanted != nullptr && !fits(ast_, best->getType(), wanted) && fits(ast_, f->getType(), wanted));
      if (better) {
        best = f;
        best_at = at;
      }
      if (!record->isUnion() && !incomplete) break;
    }
    if (best == nullptr) {
      path.type = {};
      return path;
    }
    if (path.record == nullptr) path.record = record;
    append(path.path, best->getName());
    path.type = best->getType();
    offset -= best_at;
  }
  return path;
}

}  // namespace reckon::capture
