// Address arithmetic. LLVM's getelementptr mixes member access, array subscripts and plain byte offsets.
// Constant steps become one Field from the value the chain starts at, so that the same memory always has
// the same (base, offset); a variable subscript becomes an Index, and what follows starts anew from it.
#include "capture/lower.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

namespace reckon::capture {

using model::kNone;

namespace {

bool needs_refinement(const AccessPath& path) {
  return (path.field != nullptr && path.field->isBitField()) || (!path.type.isNull() && path.type->isUnionType());
}

bool is_constant_step(const llvm::User* user) {
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
  return gep != nullptr && gep->hasAllConstantIndices();
}

}  // namespace

// A constant step nobody but further steps look at needs no instruction of its own.
bool FunctionLowering::needs_value(const llvm::GetElementPtrInst& gep) const {
  if (gep.use_empty()) return false;
  for (const llvm::Use& use : gep.uses()) {
    if (!is_constant_step(use.getUser()) || use.getOperandNo() != 0) return true;
  }
  return false;
}

FunctionLowering::Place FunctionLowering::place_of(const llvm::Value* address) {
  if (auto it = places_.find(address); it != places_.end()) return it->second;
  Place place;
  place.root = address;
  return place;
}

model::Operand FunctionLowering::emit_field(const llvm::Value* root, Operand base, std::int64_t offset,
                                            const AccessPath& path) {
  if (base.kind == model::OperandKind::Symbol) {
    base.imm += offset;
    return base;
  }
  TypeId type = path.type.isNull() ? TypeId{} : cx_.types.of(path.type);
  std::uint32_t name = kNone;
  if (path.record != nullptr) {
    TypeId record = cx_.types.used(cx_.ast.getRecordType(path.record));
    name = static_cast<std::uint32_t>(body_.fields.size());
    body_.fields.push_back({record, cx_.strings.intern(path.path), type});
  }
  model::Instr& instr = append(Op::Field, cx_.types.pointer_to(type), {base}, {});
  instr.imm = offset;
  instr.aux = name;
  return Operand::value(give_result(instr));
}

void FunctionLowering::lower_gep(const llvm::GetElementPtrInst& gep) {
  if (gep.getType()->isVectorTy()) return opaque(gep);
  Place place = place_of(gep.getPointerOperand());
  Operand base;  // set once a variable index made the chain start anew
  bool fresh = false;
  bool stepped = false;
  clang::QualType element_type = place.path.type;
  if (place.path.record == nullptr) element_type = object_at(gep.getPointerOperand(), nullptr);

  const std::int64_t given_offset = place.offset;
  auto flush = [&] {
    if (!fresh && place.offset == given_offset) {
      base = operand(gep.getPointerOperand());  // nothing but array decay since
      stepped = false;
    } else {
      if (!fresh) base = operand(place.root);
      stepped = stepped || place.offset != 0;
    }
    if (stepped) base = emit_field(place.root, base, place.offset, place.path);
    place.root = nullptr;
    place.offset = 0;
    fresh = true;
    stepped = false;
  };
  stepped = place.root != gep.getPointerOperand();

  llvm::gep_type_iterator step = llvm::gep_type_begin(gep);
  bool first = true;
  for (auto index = gep.idx_begin(); index != gep.idx_end(); ++index, ++step) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(*index);
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      std::uint64_t offset =
          cx_.layout.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(constant->getZExtValue()));
      AccessPath from = place.path;
      if (from.record == nullptr) from.type = element_type;
      place.path = cx_.records.step(std::move(from), structure, offset);
      if (place.path.record != nullptr && gep.getDebugLoc() && needs_refinement(place.path)) {
        for (const clang::FieldDecl* member :
             facts_.members_at(gep.getDebugLoc().getLine(), gep.getDebugLoc().getCol()))
          Records::refine(place.path, member);
      }
      element_type = place.path.type;
      place.offset += static_cast<std::int64_t>(offset);
      stepped = true;
    } else {
      llvm::TypeSize size = step.getSequentialElementStride(cx_.layout);
      std::int64_t bytes = static_cast<std::int64_t>(size.getKnownMinValue());
      // the first index steps over whole objects; later ones go into an array
      if (!first && !element_type.isNull()) {
        const clang::ArrayType* array = cx_.ast.getAsArrayType(element_type);
        element_type = array != nullptr ? array->getElementType() : clang::QualType();
        place.path.type = element_type;
        if (element_type.isNull()) place.path = {};
      }
      if (constant != nullptr) {
        std::int64_t distance = constant->getSExtValue() * bytes;
        place.offset += distance;
        if (first && distance != 0) {
          // p[3], or bytes past a struct: the name of the part no longer tells where we are
          llvm::Type* stride = gep.getSourceElementType();
          bool same = !element_type.isNull() && cx_.records.machine_type(element_type) == stride;
          if (!same) element_type = {};
          if (place.path.record != nullptr && element_type.isNull()) place.path = {};
          stepped = true;
        }
      } else {
        flush();
        if (const auto* narrow = llvm::dyn_cast<llvm::Constant>(*index); narrow != nullptr) element_type = {};
        Operand which = operand(*index);
        model::Instr& instr =
            append(Op::Index, cx_.types.pointer_to(element_type.isNull() ? TypeId{} : cx_.types.of(element_type)),
                   {base, which}, {});
        instr.imm = bytes;
        base = Operand::value(give_result(instr));
        place.path = {};
      }
    }
    first = false;
  }

  clang::QualType final_type = place.path.record != nullptr ? place.path.type : element_type;
  if (fresh) {
    if (stepped || place.offset != 0) base = emit_field(nullptr, base, place.offset, place.path);
    set(static_cast<const llvm::Value&>(gep), base);
    Place here;
    here.root = &gep;
    here.path.type = final_type;
    places_[&gep] = std::move(here);
    return;
  }
  // What stays a plain step of an array keeps its type, too.
  if (place.path.record == nullptr) place.path.type = final_type;
  if (needs_value(gep)) {
    Operand root = operand(place.root);
    set(static_cast<const llvm::Value&>(gep), emit_field(place.root, root, place.offset, place.path));
  }
  places_[&gep] = std::move(place);
}

clang::QualType FunctionLowering::object_at(const llvm::Value* address, llvm::Type* wanted) {
  clang::QualType type;
  std::uint64_t offset = 0;
  if (auto it = places_.find(address); it != places_.end()) {
    type = it->second.path.type;
  } else if (auto variable = variables_.find(address);
             variable != variables_.end() && !llvm::isa<llvm::Argument>(address)) {
    type = variable->second.type;
    // a reference's slot holds the address
    if (!type.isNull() && type->isReferenceType()) return type;
  } else if (const auto* constant = llvm::dyn_cast<llvm::Constant>(address)) {
    llvm::APInt distance(cx_.layout.getIndexTypeSizeInBits(address->getType()), 0);
    const llvm::Value* base = constant->stripAndAccumulateConstantOffsets(cx_.layout, distance, true);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(base)) type = symbols_.variable_type(*global);
    if (distance.isNegative()) return {};
    offset = distance.getZExtValue();
  } else if (clang::QualType pointer = c_type(address); !pointer.isNull()) {
    type = pointer->getPointeeType();
  }
  if (type.isNull() || (wanted == nullptr && offset == 0)) return type;
  if (type->isDependentType() || (type->isIncompleteType() && !type->isArrayType())) return {};
  if (const auto* atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  if (offset == 0 && wanted != nullptr && fits(cx_.ast, type, wanted)) return type;
  return cx_.records.find(type, offset, wanted).type;
}

// Where a function pointer was read from: "struct.field", a variable, an entry of a table.
std::string FunctionLowering::origin_of(const llvm::Value* pointer) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer->stripPointerCasts());
  if (load == nullptr) return {};
  auto record_text = [&](const AccessPath& path) {
    std::string tag(cx_.unit.str(cx_.types.record_name(path.record)));
    return path.path.empty() ? tag : tag + "." + path.path;
  };
  auto global_name = [&](const llvm::Value* value) -> std::string {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value);
    return global != nullptr ? std::string(cx_.unit.name(symbols_.of(*global))) : std::string();
  };
  const llvm::Value* address = load->getPointerOperand();
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(address)) {
    llvm::APInt distance(cx_.layout.getIndexTypeSizeInBits(address->getType()), 0);
    const llvm::Value* base = constant->stripAndAccumulateConstantOffsets(cx_.layout, distance, true);
    std::string name = global_name(base);
    if (name.empty() || distance.isNegative()) return name;
    clang::QualType type = symbols_.variable_type(llvm::cast<llvm::GlobalVariable>(*base));
    if (!type.isNull() && (!type->isIncompleteType() || type->isArrayType())) {
      AccessPath path = cx_.records.find(type, distance.getZExtValue(), load->getType());
      if (path.record != nullptr) return record_text(path);
      if (type->isArrayType())
        return name + "[" + std::to_string(distance.getZExtValue() / cx_.unit.pointer_size) + "]";
    }
    return name;
  }
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
  if (gep == nullptr) {
    if (const auto* table = llvm::dyn_cast<llvm::LoadInst>(address)) {
      std::string name = global_name(table->getPointerOperand());
      if (!name.empty()) return name + "[0]";
    }
    return {};
  }
  auto it = places_.find(gep);
  if (it == places_.end()) return {};
  const Place& place = it->second;
  if (place.path.record != nullptr) return record_text(place.path);
  if (const auto* table = llvm::dyn_cast_or_null<llvm::LoadInst>(place.root)) {
    std::string name = global_name(table->getPointerOperand());
    if (!name.empty())
      return name + "[" + std::to_string(place.offset / static_cast<std::int64_t>(cx_.unit.pointer_size)) + "]";
  }
  // table[i](): the table itself is the origin
  const llvm::Value* base = gep->getPointerOperand();
  if (auto of_base = places_.find(base); of_base != places_.end() && of_base->second.path.record != nullptr)
    return record_text(of_base->second.path);
  if (const auto* table = llvm::dyn_cast<llvm::LoadInst>(base)) base = table->getPointerOperand();
  return global_name(base);
}

}  // namespace reckon::capture
