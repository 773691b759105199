// Types of the program, as far as somebody looks at them.
//
// A unit of a kernel drags in thousands of structs; the model keeps those its code touches. So a record
// starts as a name and a size, and gets its fields only when a value, a variable or a member access needs
// them. What stands at offset zero is completed along with it, because "subclass by first member" (a
// struct that begins with another one) is how these programs build type hierarchies. Types that are equal
// in all we record share one id, except records, whose identity is their declaration.
#include "capture/types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

namespace reckon::capture {

using model::TypeId;
using model::TypeKind;

Types::Types(clang::ASTContext& context, Strings& strings, model::Unit& unit)
    : context_(context), strings_(strings), unit_(unit), policy_(context.getLangOpts()) {
  policy_.SuppressTagKeyword = true;
  policy_.SuppressUnwrittenScope = true;
  policy_.AnonymousTagLocations = false;
  policy_.PrintCanonicalTypes = true;
  unit_.types.assign(1, model::Type{});  // void
}

TypeId Types::shared(model::Type type) {
  std::vector<TypeId> parts = type.params;
  std::vector<std::uint64_t> offsets;
  for (const model::Field& f : type.fields) {
    parts.push_back(f.type);
    offsets.push_back(f.offset);
  }
  Key key{type.kind, type.is_signed, type.variadic,    type.size,
          type.name, type.elem,      std::move(parts), std::move(offsets)};
  auto [it, fresh] = shared_.try_emplace(std::move(key), static_cast<TypeId>(unit_.types.size()));
  if (fresh) unit_.types.push_back(std::move(type));
  return it->second;
}

TypeId Types::pointer_to(TypeId elem) {
  model::Type t;
  t.kind = TypeKind::Pointer;
  t.size = unit_.pointer_size;
  t.elem = elem;
  return shared(std::move(t));
}

TypeId Types::integer(unsigned bytes, bool is_signed) {
  model::Type t;
  t.kind = TypeKind::Int;
  t.size = bytes;
  t.is_signed = is_signed;
  return shared(std::move(t));
}

TypeId Types::floating(unsigned bytes) {
  model::Type t;
  t.kind = TypeKind::Float;
  t.size = bytes;
  return shared(std::move(t));
}

TypeId Types::other(std::uint64_t bytes) {
  model::Type t;
  t.kind = TypeKind::Other;
  t.size = bytes;
  return shared(std::move(t));
}

TypeId Types::aggregate(const std::vector<TypeId>& elements, const std::vector<std::uint64_t>& offsets,
                        std::uint64_t size) {
  model::Type t;
  t.kind = TypeKind::Struct;
  t.size = size;
  for (std::size_t i = 0; i < elements.size(); ++i) t.fields.push_back({{}, elements[i], offsets[i]});
  return shared(std::move(t));
}

TypeId Types::of_llvm(llvm::Type* type, const llvm::DataLayout& layout) {
  if (type->isPointerTy()) return pointer_to(TypeId{});
  if (type->isVoidTy()) return TypeId{};
  if (auto* i = llvm::dyn_cast<llvm::IntegerType>(type))
    return integer((i->getBitWidth() + 7) / 8, i->getBitWidth() > 1);
  if (type->isFloatingPointTy()) return floating(static_cast<unsigned>(layout.getTypeStoreSize(type)));
  if (auto* s = llvm::dyn_cast<llvm::StructType>(type); s != nullptr && s->isSized()) {
    std::vector<TypeId> elements;
    std::vector<std::uint64_t> offsets;
    for (unsigned i = 0; i < s->getNumElements(); ++i) {
      elements.push_back(of_llvm(s->getElementType(i), layout));
      offsets.push_back(layout.getStructLayout(s)->getElementOffset(i));
    }
    return aggregate(elements, offsets, layout.getTypeAllocSize(s));
  }
  if (auto* a = llvm::dyn_cast<llvm::ArrayType>(type)) {
    model::Type t;
    t.kind = TypeKind::Array;
    t.elem = of_llvm(a->getElementType(), layout);
    t.size = layout.getTypeAllocSize(a);
    return shared(std::move(t));
  }
  return other(type->isSized() ? layout.getTypeStoreSize(type).getKnownMinValue() : 0);
}

std::uint64_t Types::size_of(const clang::Type* type) {
  if (type->isIncompleteType() || type->isDependentType() || type->isFunctionType() || type->isVariableArrayType())
    return 0;
  return static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
}

TypeId Types::of(clang::QualType type) {
  if (type.isNull()) return TypeId{};
  const clang::Type* key = type.getTypePtr();
  if (auto it = known_.find(key); it != known_.end()) return it->second;
  TypeId id = convert(key);
  known_[key] = id;
  return id;
}

TypeId Types::used(clang::QualType type) {
  TypeId id = of(type);
  complete(id);
  return id;
}

TypeId Types::renamed(TypeId id, llvm::StringRef name) {
  const model::Type& t = unit_.types[id];
  switch (t.kind) {
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::Pointer:
    case TypeKind::Array: {
      model::Type copy = t;
      copy.name = strings_.intern(name);
      return shared(std::move(copy));
    }
    default: return id;
  }
}

TypeId Types::function(const clang::FunctionType* type, clang::QualType object) {
  model::Type t;
  t.kind = TypeKind::Function;
  t.elem = of(type->getReturnType());
  if (!object.isNull()) t.params.push_back(of(object));
  if (const auto* proto = llvm::dyn_cast<clang::FunctionProtoType>(type)) {
    t.variadic = proto->isVariadic();
    for (clang::QualType p : proto->param_types()) t.params.push_back(of(p));
  } else {
    t.variadic = true;  // f(): takes whatever it is given
  }
  return shared(std::move(t));
}

TypeId Types::convert(const clang::Type* type) {
  if (const auto* typedef_type = llvm::dyn_cast<clang::TypedefType>(type))
    return renamed(of(typedef_type->desugar()), typedef_type->getDecl()->getName());
  if (const auto* adjusted = llvm::dyn_cast<clang::AdjustedType>(type)) return of(adjusted->getAdjustedType());
  if (!type->isCanonicalUnqualified()) {
    clang::QualType inner = type->getLocallyUnqualifiedSingleStepDesugaredType();
    if (inner.getTypePtr() != type) return of(inner);
  }
  if (type->isDependentType()) return other(0);

  model::Type t;
  switch (type->getTypeClass()) {
    case clang::Type::Builtin: {
      const auto* builtin = llvm::cast<clang::BuiltinType>(type);
      if (builtin->isVoidType()) return TypeId{};
      t.size = size_of(type);
      if (builtin->isInteger()) {
        t.kind = TypeKind::Int;
        t.is_signed = builtin->isSignedInteger();
        t.name = strings_.intern(builtin->getName(policy_));
      } else if (builtin->isFloatingPoint()) {
        t.kind = TypeKind::Float;
        t.name = strings_.intern(builtin->getName(policy_));
      } else if (builtin->isNullPtrType()) {
        return pointer_to(TypeId{});
      } else {
        t.kind = TypeKind::Other;
      }
      return shared(std::move(t));
    }
    case clang::Type::Enum: {
      const auto* decl = llvm::cast<clang::EnumType>(type)->getDecl();
      t.kind = TypeKind::Int;
      t.size = size_of(type);
      t.is_signed = type->isSignedIntegerOrEnumerationType();
      if (decl->getIdentifier() != nullptr)
        t.name = strings_.intern(decl->getName());
      else if (const auto* named = decl->getTypedefNameForAnonDecl())
        t.name = strings_.intern(named->getName());
      return shared(std::move(t));
    }
    case clang::Type::Pointer:
    case clang::Type::BlockPointer:
    case clang::Type::ObjCObjectPointer:
    case clang::Type::LValueReference:
    case clang::Type::RValueReference: return pointer_to(of(type->getPointeeType()));
    case clang::Type::Record: return convert_record(llvm::cast<clang::RecordType>(type)->getDecl());
    case clang::Type::ConstantArray:
    case clang::Type::IncompleteArray:
    case clang::Type::VariableArray:
      t.kind = TypeKind::Array;
      t.size = size_of(type);
      t.elem = of(llvm::cast<clang::ArrayType>(type)->getElementType());
      return shared(std::move(t));
    case clang::Type::FunctionProto:
    case clang::Type::FunctionNoProto: return function(llvm::cast<clang::FunctionType>(type), {});
    case clang::Type::Atomic: return of(llvm::cast<clang::AtomicType>(type)->getValueType());
    case clang::Type::BitInt:
      t.kind = TypeKind::Int;
      t.size = size_of(type);
      t.is_signed = type->isSignedIntegerType();
      return shared(std::move(t));
    default: return other(size_of(type));
  }
}

model::StrId Types::record_name(const clang::RecordDecl* record) {
  if (record->getIdentifier() == nullptr) {
    const clang::TypedefNameDecl* named = record->getTypedefNameForAnonDecl();
    return named != nullptr ? strings_.intern(named->getName()) : model::StrId{};
  }
  if (!context_.getLangOpts().CPlusPlus) return strings_.intern(record->getName());
  return strings_.intern(context_.getRecordType(record).getAsString(policy_));
}

TypeId Types::convert_record(const clang::RecordDecl* record) {
  const clang::RecordDecl* canonical = llvm::cast<clang::RecordDecl>(record->getCanonicalDecl());
  if (auto it = records_.find(canonical); it != records_.end()) return it->second;
  TypeId id = static_cast<TypeId>(unit_.types.size());
  records_[canonical] = id;
  model::Type t;
  t.kind = record->isUnion() ? TypeKind::Union : TypeKind::Struct;
  t.name = record_name(record);
  const clang::RecordDecl* definition = record->getDefinition();
  if (definition != nullptr && definition->isCompleteDefinition() && !definition->isInvalidDecl()) {
    t.size = size_of(context_.getRecordType(definition).getTypePtr());
    incomplete_[id] = definition;
  }
  unit_.types.push_back(std::move(t));
  return id;
}

void Types::complete(TypeId id) {
  while (unit_.types[id].kind == TypeKind::Pointer || unit_.types[id].kind == TypeKind::Array)
    id = unit_.types[id].elem;
  // The struct itself, then what it begins with, and so on.
  for (;;) {
    while (unit_.types[id].kind == TypeKind::Array) id = unit_.types[id].elem;
    auto it = incomplete_.find(id);
    if (it == incomplete_.end()) return;
    const clang::RecordDecl* record = it->second;
    incomplete_.erase(it);
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
    std::vector<model::Field> fields;
    if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record)) {
      for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
        if (base.isVirtual()) continue;
        const clang::CXXRecordDecl* decl = base.getType()->getAsCXXRecordDecl();
        fields.push_back(
            {{}, of(base.getType()), static_cast<std::uint64_t>(layout.getBaseClassOffset(decl).getQuantity())});
      }
    }
    for (const clang::FieldDecl* field : record->fields()) {
      model::StrId name = field->getIdentifier() != nullptr ? strings_.intern(field->getName()) : model::StrId{};
      fields.push_back({name, of(field->getType()), layout.getFieldOffset(field->getFieldIndex()) / 8});
    }
    TypeId first = model::kNone;
    for (const model::Field& f : fields) {
      if (f.offset == 0) {
        first = f.type;
        break;
      }
    }
    unit_.types[id].fields = std::move(fields);
    if (first == model::kNone) return;
    id = first;
  }
}

const clang::FieldDecl* member_at(const clang::ASTContext& context, const clang::RecordDecl* record,
                                  std::uint64_t offset) {
  record = record->getDefinition();
  if (record == nullptr || record->isInvalidDecl()) return nullptr;
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(record);
  const clang::FieldDecl* empty = nullptr;
  for (const clang::FieldDecl* field : record->fields()) {
    std::uint64_t at = layout.getFieldOffset(field->getFieldIndex()) / 8;
    if (at > offset) break;
    if (at != offset || field->isUnnamedBitField()) continue;
    if (!field->getType()->isIncompleteArrayType() && !field->isZeroSize(context)) {
      bool flexible = context.getTypeSizeInChars(field->getType()).isZero();
      if (!flexible) return field;
    }
    if (empty == nullptr) empty = field;
  }
  return empty;
}

}  // namespace reckon::capture
