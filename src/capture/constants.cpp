// Constant data: what method tables, type slots and ops structures hold at program start.
//
// LLVM's constants have lost the C types, and their shape may differ from the C type (unions, padding,
// designated initialisers). So the C type leads: for each member the constant is asked what stands at that
// byte offset. Long tables of plain numbers carry no meaning for counting and are kept as Other.
#include <map>

#include "capture/records.h"
#include "capture/symbols.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"

namespace reckon::capture {

using model::Constant;
using model::ConstId;
using model::ConstKind;
using model::TypeId;

namespace {

constexpr std::uint64_t kLongestNumberTable = 64;

bool is_text(const llvm::Constant& value, clang::QualType element) {
  const auto* data = llvm::dyn_cast<llvm::ConstantDataArray>(&value);
  return data != nullptr && data->isString(8) && (element.isNull() || element->isAnyCharacterType());
}

}  // namespace

ConstId Symbols::add(Constant constant) {
  cx_.unit.constants.push_back(std::move(constant));
  return static_cast<ConstId>(cx_.unit.constants.size() - 1);
}

void Symbols::lower_initialisers() {
  while (!pending_.empty()) {
    const llvm::GlobalVariable* variable = pending_.back();
    pending_.pop_back();
    clang::QualType type = variable_type(*variable);
    const llvm::Constant& value = *variable->getInitializer();
    ConstId id = type.isNull() ? untyped(value) : constant(value, type);
    cx_.unit.symbols[of(*variable)].init = id;
  }
}

const llvm::Constant* Symbols::part(const llvm::Constant& whole, std::uint64_t offset, std::uint64_t size) const {
  const llvm::Constant* at = &whole;
  for (;;) {
    llvm::Type* type = at->getType();
    std::uint64_t extent = cx_.layout.getTypeAllocSize(type);
    if (offset >= extent) return nullptr;
    bool aggregate = type->isStructTy() || type->isArrayTy();
    if (offset == 0 && (!aggregate || extent <= size)) return at;
    if (!aggregate) return nullptr;
    unsigned index = 0;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout* layout = cx_.layout.getStructLayout(structure);
      index = layout->getElementContainingOffset(offset);
      offset -= layout->getElementOffset(index);
    } else {
      std::uint64_t each = cx_.layout.getTypeAllocSize(type->getArrayElementType());
      if (each == 0) return nullptr;
      index = static_cast<unsigned>(offset / each);
      offset %= each;
    }
    at = at->getAggregateElement(index);
    if (at == nullptr) return nullptr;
  }
}

std::optional<std::uint64_t> Symbols::bits(const llvm::Constant& whole, std::uint64_t first_bit, unsigned width) const {
  if (width > 64 || cx_.layout.isBigEndian()) return std::nullopt;
  std::uint64_t result = 0;
  for (unsigned done = 0; done < width;) {
    std::uint64_t byte = (first_bit + done) / 8;
    // the scalar that covers this byte may begin before it
    const llvm::Constant* scalar = nullptr;
    std::uint64_t start = byte;
    for (unsigned back = 0; back < 8 && back <= byte && scalar == nullptr; ++back) {
      scalar = part(whole, byte - back, 1);
      start = byte - back;
    }
    if (scalar == nullptr) return std::nullopt;
    std::uint64_t value = 0;
    if (const auto* i = llvm::dyn_cast<llvm::ConstantInt>(scalar); i != nullptr && i->getBitWidth() <= 64)
      value = i->getZExtValue();
    else if (!scalar->isNullValue() && !llvm::isa<llvm::UndefValue>(scalar))
      return std::nullopt;
    std::uint64_t in_scalar = first_bit + done - start * 8;
    std::uint64_t have = cx_.layout.getTypeSizeInBits(scalar->getType());
    if (in_scalar >= have || in_scalar >= 64) return std::nullopt;
    unsigned take = static_cast<unsigned>(std::min<std::uint64_t>({width - done, have - in_scalar, 64 - in_scalar}));
    std::uint64_t mask = take >= 64 ? ~0ull : (1ull << take) - 1;
    result |= ((value >> in_scalar) & mask) << done;
    done += take;
  }
  return result;
}

bool Symbols::holds_pointers(clang::QualType type) const {
  type = cx_.ast.getBaseElementType(type);
  if (type->isAnyPointerType() || type->isReferenceType()) return true;
  const auto* record = type->getAs<clang::RecordType>();
  if (record == nullptr || record->getDecl()->getDefinition() == nullptr) return false;
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDecl()->getDefinition()))
    if (cxx->getNumBases() != 0 || cxx->isDynamicClass()) return true;
  for (const clang::FieldDecl* f : record->getDecl()->getDefinition()->fields())
    if (holds_pointers(f->getType())) return true;
  return false;
}

ConstId Symbols::scalar(const llvm::Constant& value, TypeId type) {
  Constant out;
  out.type = type;
  if (value.isNullValue()) {
    out.kind = ConstKind::Zero;
    return add(std::move(out));
  }
  model::Operand operand = this->operand(value);
  switch (operand.kind) {
    case model::OperandKind::Int:
      out.kind = ConstKind::Int;
      out.imm = operand.imm;
      // sign extension is for signed types only
      if (unsigned width = value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth() : 64;
          width < 64 && cx_.unit.types[type].kind == model::TypeKind::Int && !cx_.unit.types[type].is_signed)
        out.imm &= static_cast<std::int64_t>((1ull << width) - 1);
      break;
    case model::OperandKind::Symbol:
      out.kind = ConstKind::Address;
      out.ref = operand.id;
      out.imm = operand.imm;
      break;
    default: out.kind = ConstKind::Other; break;
  }
  return add(std::move(out));
}

ConstId Symbols::untyped(const llvm::Constant& value) {
  llvm::Type* machine = value.getType();
  Constant out;
  out.type = cx_.types.of_llvm(machine, cx_.layout);
  if (value.isNullValue()) {
    out.kind = ConstKind::Zero;
    return add(std::move(out));
  }
  if (is_text(value, {})) {
    llvm::StringRef text = llvm::cast<llvm::ConstantDataArray>(value).getAsString();
    text.consume_back(llvm::StringRef("\0", 1));
    out.kind = ConstKind::String;
    out.ref = cx_.strings.intern(text);
    return add(std::move(out));
  }
  if (!machine->isStructTy() && !machine->isArrayTy()) return scalar(value, out.type);
  std::uint64_t count = machine->isStructTy() ? machine->getStructNumElements() : machine->getArrayNumElements();
  if (machine->isArrayTy() && !machine->getArrayElementType()->isPointerTy() && count > kLongestNumberTable)
    return add(std::move(out));
  out.kind = ConstKind::Aggregate;
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant* element = value.getAggregateElement(i);
    if (element == nullptr) return add(Constant{ConstKind::Other, out.type, 0, model::kNone, {}});
    out.children.push_back(untyped(*element));
  }
  return add(std::move(out));
}

ConstId Symbols::constant(const llvm::Constant& value, clang::QualType type) {
  TypeId id = cx_.types.of(type);
  if (value.isNullValue()) return scalar(value, id);
  if (const clang::ArrayType* c_array = cx_.ast.getAsArrayType(type)) {
    clang::QualType element = c_array->getElementType();
    if (is_text(value, element)) {
      llvm::StringRef text = llvm::cast<llvm::ConstantDataArray>(value).getAsString();
      text.consume_back(llvm::StringRef("\0", 1));
      return add(Constant{ConstKind::String, id, 0, cx_.strings.intern(text), {}});
    }
    std::uint64_t size = static_cast<std::uint64_t>(cx_.ast.getTypeSizeInChars(element).getQuantity());
    if (size == 0) return add(Constant{ConstKind::Other, id, 0, model::kNone, {}});
    std::uint64_t count = cx_.layout.getTypeAllocSize(value.getType()) / size;
    if (const auto* sized = llvm::dyn_cast<clang::ConstantArrayType>(c_array)) count = sized->getZExtSize();
    return array(value, element, count, id);
  }
  if (const auto* c_record = type->getAs<clang::RecordType>();
      c_record != nullptr && c_record->getDecl()->getDefinition() != nullptr) {
    cx_.types.complete(id);
    return record(value, c_record->getDecl()->getDefinition(), id);
  }
  if (value.getType()->isStructTy() || value.getType()->isArrayTy()) {
    // _Complex and the like
    return add(Constant{ConstKind::Other, id, 0, model::kNone, {}});
  }
  return scalar(value, id);
}

ConstId Symbols::array(const llvm::Constant& value, clang::QualType element, std::uint64_t count, TypeId type) {
  Constant out{ConstKind::Other, type, 0, model::kNone, {}};
  if (count > kLongestNumberTable && !holds_pointers(element)) return add(std::move(out));
  cx_.types.complete(cx_.types.of(element));
  std::uint64_t size = static_cast<std::uint64_t>(cx_.ast.getTypeSizeInChars(element).getQuantity());
  out.kind = ConstKind::Aggregate;
  ConstId zero = model::kNone, unknown = model::kNone;
  for (std::uint64_t i = 0; i < count; ++i) {
    const llvm::Constant* child = part(value, i * size, size);
    if (child != nullptr && child->isNullValue()) {
      if (zero == model::kNone) zero = add(Constant{ConstKind::Zero, cx_.types.of(element), 0, model::kNone, {}});
      out.children.push_back(zero);
    } else if (child != nullptr) {
      out.children.push_back(constant(*child, element));
    } else {
      if (unknown == model::kNone)
        unknown = add(Constant{ConstKind::Other, cx_.types.of(element), 0, model::kNone, {}});
      out.children.push_back(unknown);
    }
  }
  return add(std::move(out));
}

ConstId Symbols::record(const llvm::Constant& value, const clang::RecordDecl* record, TypeId type) {
  Constant out{ConstKind::Aggregate, type, 0, model::kNone, {}};
  const clang::ASTRecordLayout& layout = cx_.ast.getASTRecordLayout(record);
  auto child_at = [&](std::uint64_t offset, clang::QualType member) {
    TypeId member_type = cx_.types.of(member);
    std::uint64_t size = member->isIncompleteType()
                             ? ~0ull
                             : static_cast<std::uint64_t>(cx_.ast.getTypeSizeInChars(member).getQuantity());
    bool scalar_member = !member->isRecordType() && !member->isArrayType();
    const llvm::Constant* child = size == 0 ? nullptr : part(value, offset, scalar_member ? 0 : size);
    if (child == nullptr && size != 0 && offset == 0 && !scalar_member) child = &value;
    if (child == nullptr) return add(Constant{ConstKind::Other, member_type, 0, model::kNone, {}});
    if (child->isNullValue()) return add(Constant{ConstKind::Zero, member_type, 0, model::kNone, {}});
    if (scalar_member && !fits(cx_.ast, member, child->getType()) && !llvm::isa<llvm::UndefValue>(child))
      return add(Constant{ConstKind::Other, member_type, 0, model::kNone, {}});
    return constant(*child, member);
  };
  // In the order of the model's fields: bases first.
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record)) {
    for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
      if (base.isVirtual()) continue;
      std::uint64_t at =
          static_cast<std::uint64_t>(layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity());
      out.children.push_back(base.getType()->getAsCXXRecordDecl()->isEmpty()
                                 ? add(Constant{ConstKind::Zero, cx_.types.of(base.getType()), 0, model::kNone, {}})
                                 : child_at(at, base.getType()));
    }
  }
  for (const clang::FieldDecl* field : record->fields()) {
    std::uint64_t bit = layout.getFieldOffset(field->getFieldIndex());
    if (!field->isBitField()) {
      out.children.push_back(child_at(bit / 8, field->getType()));
      continue;
    }
    TypeId field_type = cx_.types.of(field->getType());
    unsigned width = field->getBitWidthValue(cx_.ast);
    std::optional<std::uint64_t> number = bits(value, bit, width);
    Constant child{ConstKind::Other, field_type, 0, model::kNone, {}};
    if (number && *number == 0)
      child.kind = ConstKind::Zero;
    else if (number) {
      child.kind = ConstKind::Int;
      child.imm = static_cast<std::int64_t>(*number);
      if (field->getType()->isSignedIntegerOrEnumerationType() && width < 64)
        child.imm = static_cast<std::int64_t>(*number << (64 - width)) >> (64 - width);
    }
    out.children.push_back(add(std::move(child)));
  }
  return add(std::move(out));
}

}  // namespace reckon::capture
