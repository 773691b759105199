#include "checks/format_types.h"

#include <algorithm>

#include "engine/core/header_structs.h"
#include "support/limits.h"

namespace reckon::checks {

using engine::ArgKind;
using engine::FormatUnit;
using engine::IntSize;
using model::Type;
using model::TypeId;
using model::TypeKind;

namespace {

constexpr int kMaxDepth = support::kLimits.checks.number_nesting;
constexpr std::uint64_t kIntBytes = 4, kDoubleBytes = 8;

std::string_view number_name(const FormatUnit& u) {
  switch (u.size) {
    case IntSize::Byte: return u.letter == 'c' ? "char" : "unsigned char";
    case IntSize::Short: return u.letter == 'H' ? "unsigned short" : "short";
    case IntSize::Long: return u.letter == 'k' ? "unsigned long" : "long";
    case IntSize::LongLong: return u.letter == 'K' ? "unsigned long long" : "long long";
    case IntSize::Pointer: return "ssize_t";
    default: return u.letter == 'I' ? "unsigned int" : "int";
  }
}

}  // namespace

bool reads_header(const model::Unit& unit, std::string_view header) {
  return std::any_of(unit.headers.begin(), unit.headers.end(), [&](model::StrId h) {
    const std::string_view path = unit.str(h);
    return path.ends_with(header) && (path.size() == header.size() || path[path.size() - header.size() - 1] == '/');
  });
}

std::uint64_t FormatTypes::bytes(IntSize size) const {
  switch (size) {
    case IntSize::Byte: return 1;
    case IntSize::Short: return 2;
    case IntSize::Long: return unit_.target.find("windows") != std::string::npos ? kIntBytes : unit_.pointer_size;
    case IntSize::LongLong: return 8;
    case IntSize::Pointer: return unit_.pointer_size;
    default: return kIntBytes;
  }
}

std::uint64_t FormatTypes::bytes(const FormatUnit& need) const {
  if (need.kind == ArgKind::Length) return long_lengths_ ? unit_.pointer_size : kIntBytes;
  if (need.kind == ArgKind::Float) return need.size == IntSize::Int ? kIntBytes : kDoubleBytes;
  return bytes(need.size);
}

FormatTypes::Pointee FormatTypes::pointee(TypeId type) const {
  const Type& t = unit_.type(type);
  if (t.kind == TypeKind::Pointer || t.kind == TypeKind::Array) return {true, t.elem};
  if (t.kind == TypeKind::Function) return {true, type};
  return {};
}

bool FormatTypes::may_be_object(TypeId record) const {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const Type& r = unit_.type(record);
    if (r.kind == TypeKind::Void || r.kind == TypeKind::Other || r.kind == TypeKind::Union) return true;
    if (r.kind != TypeKind::Struct) return false;
    if (r.fields.empty() || specs_.find_counted(unit_.str(r.name))) return true;
    if (r.fields[0].offset != 0) return true;
    if (unit_.type(r.fields[0].type).kind == TypeKind::Int &&
        engine::counted_as(specs_, unit_, engine::headers_in(specs_, unit_), r))
      return true;
    record = r.fields[0].type;
  }
  return true;
}

bool FormatTypes::is_object_pointer(TypeId type) const {
  const Type& t = unit_.type(type);
  if (t.kind == TypeKind::Other || t.kind == TypeKind::Struct || t.kind == TypeKind::Void) return true;  // C++ handles
  const Pointee p = pointee(type);
  return p.pointer && may_be_object(p.to);
}

// A number, or a struct or array that begins with one.
bool FormatTypes::number_fits(TypeKind kind, std::uint64_t size, TypeId type) const {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const Type& t = unit_.type(type);
    switch (t.kind) {
      case TypeKind::Void:
      case TypeKind::Other:
      case TypeKind::Union: return true;
      case TypeKind::Array:
        if (!by_address_) return false;
        type = t.elem;
        continue;
      case TypeKind::Struct:
        if (t.fields.empty() || t.fields[0].offset != 0) return true;
        type = t.fields[0].type;
        continue;
      case TypeKind::Int:
      case TypeKind::Float: {
        if (t.kind != kind) return false;
        std::uint64_t have = t.size;
        if (!by_address_) have = std::max(have, kind == TypeKind::Int ? kIntBytes : kDoubleBytes);  // promotion
        return t.size == 0 || have == size;
      }
      default: return false;
    }
  }
  return true;
}

bool FormatTypes::value_fits(const FormatUnit& need, TypeId type) const {
  const Type& t = unit_.type(type);
  if (t.kind == TypeKind::Void || t.kind == TypeKind::Other || t.kind == TypeKind::Union) return true;
  const Pointee p = pointee(type);
  const Type& to = unit_.type(p.to);
  const bool unknown = p.pointer && (to.kind == TypeKind::Void || to.kind == TypeKind::Other);
  switch (need.kind) {
    case ArgKind::Number:
      // A pointer printed as a number of its size arrives whole on every machine.
      if (!by_address_ && p.pointer && bytes(need) == unit_.pointer_size) return true;
      return number_fits(TypeKind::Int, bytes(need), type);
    case ArgKind::Length: return number_fits(TypeKind::Int, bytes(need), type);
    case ArgKind::Float: return number_fits(TypeKind::Float, bytes(need), type);
    case ArgKind::Text:
    case ArgKind::Encoding: return unknown || (p.pointer && to.kind == TypeKind::Int && to.size == 1);
    case ArgKind::WideText: return unknown || (p.pointer && to.kind == TypeKind::Int && to.size > 1);
    case ArgKind::Object:
    case ArgKind::Type: return is_object_pointer(type);
    case ArgKind::Function: return unknown || (p.pointer && to.kind == TypeKind::Function);
    case ArgKind::Struct:
      return unknown || (p.pointer && (to.kind == TypeKind::Struct || to.kind == TypeKind::Union ||
                                       to.kind == TypeKind::Array || to.kind == TypeKind::Float));
    case ArgKind::Any:
      return p.pointer || t.kind == TypeKind::Struct || (t.kind == TypeKind::Int && t.size == unit_.pointer_size);
  }
  return true;
}

bool FormatTypes::fits(const FormatUnit& need, const Argument& given) const {
  const bool number = need.kind == ArgKind::Number || need.kind == ArgKind::Float || need.kind == ArgKind::Length;
  if ((by_address_ || !number) && is_null(given)) return true;
  const bool direct = need.kind == ArgKind::Type || need.kind == ArgKind::Function || need.kind == ArgKind::Encoding ||
                      need.kind == ArgKind::Struct || need.kind == ArgKind::Any;
  if (!by_address_ || direct) return value_fits(need, given.type);
  const Type& t = unit_.type(given.type);
  if (t.kind == TypeKind::Other || t.kind == TypeKind::Void) return true;
  const Pointee p = pointee(given.type);
  if (!p.pointer) return false;
  // An array stands for its first element, unless the element must be a pointer.
  if (unit_.type(p.to).kind == TypeKind::Array && need.kind != ArgKind::Number && need.kind != ArgKind::Float)
    return unit_.type(unit_.type(p.to).elem).kind == TypeKind::Pointer && value_fits(need, unit_.type(p.to).elem);
  return value_fits(need, p.to);
}

// A number wider than the one that is read has a slot of its own where pointers have eight bytes, and the part that is
// read is the number as long as that fits; a pointer filled as a number of its size is the same bytes.
bool FormatTypes::arrives_whole(const FormatUnit& need, TypeId type) const {
  if (need.kind != ArgKind::Number) return false;
  if (by_address_) {
    const Pointee p = pointee(type);
    return p.pointer && unit_.type(p.to).kind == TypeKind::Pointer && bytes(need) == unit_.pointer_size;
  }
  const Type& t = unit_.type(type);
  return unit_.pointer_size == 8 && t.kind == TypeKind::Int && t.size > bytes(need) && t.size <= unit_.pointer_size;
}

std::string FormatTypes::needed(const FormatUnit& need) const {
  const std::string star = by_address_ ? " *" : "";
  auto sized = [&](std::string_view type) {
    return std::string(type) + star + " (" + std::to_string(bytes(need)) + " bytes)";
  };
  switch (need.kind) {
    case ArgKind::Number:
      if (bytes(need) == 1) return std::string(number_name(need)) + star + " (1 byte)";
      return sized(number_name(need));
    case ArgKind::Length: return sized(long_lengths_ ? "ssize_t" : "int");
    case ArgKind::Float: return sized(need.size == IntSize::Int ? "float" : "double");
    case ArgKind::Text: return by_address_ ? "char **" : "char *";
    case ArgKind::WideText: return by_address_ ? "wchar_t **" : "wchar_t *";
    case ArgKind::Object: return by_address_ ? "the address of an object pointer" : "an object";
    case ArgKind::Type: return "a type object";
    case ArgKind::Function: return "a function";
    case ArgKind::Encoding: return "the name of an encoding";
    case ArgKind::Struct: return need.use == engine::UnitUse::Buffer ? "a buffer" : "the address of a complex number";
    case ArgKind::Any: return "a pointer";
  }
  return {};
}

std::string FormatTypes::name(TypeId type) const {
  const Type& t = unit_.type(type);
  if (t.name != 0) return std::string(unit_.str(t.name));
  switch (t.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Pointer: {
      if (unit_.type(t.elem).kind == TypeKind::Function) return "a function pointer";
      const std::string to = name(t.elem);
      return to + (to.ends_with("*") ? "*" : " *");
    }
    case TypeKind::Array: return "an array of " + name(t.elem);
    case TypeKind::Function: return "a function";
    case TypeKind::Struct:
    case TypeKind::Union: return "a struct without a name";
    case TypeKind::Int: return "an integer of " + std::to_string(t.size) + " bytes";
    case TypeKind::Float: return "a floating point number";
    case TypeKind::Other: return "unknown";
  }
  return {};
}

}  // namespace reckon::checks
