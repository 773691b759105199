// Questions about types of a unit that several stages ask.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace reckon::program {

// The names of the struct and of all structs that start where it starts (members at offset 0, recursively),
// outermost first, unnamed ones left out. Empty for anything but a struct or union.
std::vector<std::string_view> leading_records(const model::Unit& unit, model::TypeId type);

// One step down into an object: a field of a struct or union, or an element of an array.
struct Step {
  model::TypeId record{};  // field: of this struct
  model::StrId field{};
  std::int64_t element = kField;  // array: which element, kAnyElement if not known
  static constexpr std::int64_t kField = -1;
  static constexpr std::int64_t kAnyElement = -2;
  bool is_field() const { return element == kField; }
  bool operator==(const Step&) const = default;
};

// The steps from an object of `type` down to the scalar at byte `offset`; empty if there is none. In a
// union the first member that fits.
std::vector<Step> steps_to_offset(const model::Unit& unit, model::TypeId type, std::uint64_t offset);
// The steps a field's path ("ops.run", "slots[2]") takes from its record; empty if the record has no such field.
// `reached`, if given, is set to the type the path leads to.
std::vector<Step> steps_of_path(const model::Unit& unit, model::TypeId record, std::string_view path,
                                model::TypeId* reached = nullptr);

// Steps as text: fields by name, unnamed members left out, elements of arrays as asked.
enum class Elements { Dropped, Any, Numbered };  // "slots.fn", "slots[].fn", "slots[2].fn"
std::string spell_steps(const model::Unit& unit, std::span<const Step> steps, Elements elements,
                        std::string start = {});
// The name of the struct a step goes into, "" if it has none or it is an array.
std::string_view record_name(const model::Unit& unit, const Step& step);

}  // namespace reckon::program
