// Does the C type of an argument fit what a unit of a format string needs?
//
// Types are compared by size, by pointer or not, and by what is pointed to; signs do not matter. What is not known
// (void pointers, structs without fields, types outside C) fits everything.
#pragma once

#include <string>
#include <string_view>

#include "engine/properties/formats/formats.h"
#include "model/model.h"
#include "specs/spec_set.h"

namespace reckon::checks {

struct Argument {
  model::TypeId type{};
  model::Operand operand;
};

// Does the unit include a header whose path ends so?
bool reads_header(const model::Unit& unit, std::string_view header);

class FormatTypes {
 public:
  // `by_address`: the call stores through its arguments. `long_lengths`: lengths are as large as pointers.
  FormatTypes(const model::Unit& unit, const specs::SpecSet& specs, bool by_address, bool long_lengths)
      : unit_(unit), specs_(specs), by_address_(by_address), long_lengths_(long_lengths) {}

  bool fits(const engine::FormatUnit& need, const Argument& given) const;
  // NULL as written, which is a number in C++. In C a zero of integer type is a variable that happens to be zero.
  bool is_null(const Argument& given) const {
    const bool zero = given.operand.kind == model::OperandKind::Int && given.operand.imm == 0;
    return given.operand.kind == model::OperandKind::Null || (unit_.language == model::Language::Cxx && zero);
  }
  // Does an argument that does not fit have the effect of one that would, on this machine?
  bool arrives_whole(const engine::FormatUnit& need, model::TypeId type) const;
  // "ssize_t * (8 bytes)"
  std::string needed(const engine::FormatUnit& need) const;
  std::string name(model::TypeId type) const;

  bool is_object_pointer(model::TypeId type) const;
  // A struct that is an object, or about which nothing speaks against it.
  bool may_be_object(model::TypeId record) const;

 private:
  struct Pointee {
    bool pointer = false;
    model::TypeId to{};
  };
  Pointee pointee(model::TypeId type) const;
  std::uint64_t bytes(engine::IntSize size) const;
  std::uint64_t bytes(const engine::FormatUnit& need) const;
  bool value_fits(const engine::FormatUnit& need, model::TypeId type) const;
  bool number_fits(model::TypeKind kind, std::uint64_t size, model::TypeId type) const;

  const model::Unit& unit_;
  const specs::SpecSet& specs_;
  bool by_address_;
  bool long_lengths_;
};

}  // namespace reckon::checks
