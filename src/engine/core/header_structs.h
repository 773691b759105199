// Structs that hold an object's counter, and those that are counted because they start with the same fields.
#pragma once

#include <vector>

#include "model/model.h"
#include "specs/spec_set.h"

namespace reckon::engine {

// The structs of a unit that hold a counter.
std::vector<model::TypeId> headers_in(const specs::SpecSet& specs, const model::Unit& unit);

// What is counted in objects of struct `r`: it is named by a spec, or starts with the same fields as one of `headers`
// (macros in old headers repeat them where newer ones embed the struct). nullptr: nothing.
const specs::CountedType* counted_as(const specs::SpecSet& specs, const model::Unit& unit,
                                     const std::vector<model::TypeId>& headers, const model::Type& r);

// Is it this struct that holds the counter: the count, and the type beside it?
bool keeps_count(const specs::SpecSet& specs, const model::Unit& unit, model::TypeId record);

// Does this Field instruction name a part of the struct that holds the counter: the count, or the type beside it?
bool names_header(const specs::SpecSet& specs, const model::Unit& unit, const model::Body& body,
                  const model::Instr& field);

}  // namespace reckon::engine
