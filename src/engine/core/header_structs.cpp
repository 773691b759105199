#include "engine/core/header_structs.h"

#include <algorithm>

namespace reckon::engine {

std::vector<model::TypeId> headers_in(const specs::SpecSet& specs, const model::Unit& unit) {
  std::vector<model::TypeId> out;
  for (model::TypeId t{}; t < unit.types.size(); ++t)
    if (unit.types[t].kind == model::TypeKind::Struct && !unit.types[t].fields.empty())
      if (const specs::CountedType* c = specs.find_counted(unit.str(unit.types[t].name)); c && !c->count_field.empty())
        out.push_back(t);
  return out;
}

const specs::CountedType* counted_as(const specs::SpecSet& specs, const model::Unit& unit,
                                     const std::vector<model::TypeId>& headers, const model::Type& r) {
  if (const specs::CountedType* c = specs.find_counted(unit.str(r.name))) return c;
  for (const model::TypeId h : headers) {
    const auto& fields = unit.types[h].fields;
    if (r.fields.size() > fields.size() &&
        std::equal(fields.begin(), fields.end(), r.fields.begin(), [](const model::Field& a, const model::Field& b) {
          return a.name == b.name && a.offset == b.offset;
        }))
      return specs.find_counted(unit.str(unit.types[h].name));
  }
  return nullptr;
}

bool keeps_count(const specs::SpecSet& specs, const model::Unit& unit, model::TypeId record) {
  const specs::CountedType* c = specs.find_counted(unit.str(unit.type(record).name));
  return c && !c->count_field.empty();
}

bool names_header(const specs::SpecSet& specs, const model::Unit& unit, const model::Body& body,
                  const model::Instr& field) {
  return field.aux != model::kNone && keeps_count(specs, unit, body.fields[field.aux].record);
}

}  // namespace reckon::engine
