#include "analysis/learn/reading.h"

#include <algorithm>

namespace reckon::analysis {

namespace {

// Tables of {number, function} rows (`slot RECORD[N] CONTRACT`): the number stands in the row's first field.
std::string row_number(const model::Unit& unit, const program::TableEntry& entry) {
  if (entry.element == model::kNone) return {};
  const model::Constant& row = unit.constants[entry.element];
  if (row.kind != model::ConstKind::Aggregate || row.children.empty()) return {};
  const model::Constant& first = unit.constants[row.children[0]];
  return first.kind == model::ConstKind::Int ? "[" + std::to_string(first.imm) + "]" : std::string();
}

}  // namespace

const specs::SlotSpec* slot_of(const Context& ctx, const program::TableEntry& entry) {
  const specs::SlotSpec* slot = ctx.specs.find_slot(entry.record, entry.field);
  if (slot || entry.unit == model::kNone) return slot;
  return ctx.specs.find_slot(entry.record, row_number(ctx.program.frame_at(entry.unit), entry));
}

bool promises(const Context& ctx, const specs::SlotSpec* slot, bool specs::ContractFlags::* what) {
  const specs::ContractSpec* contract = slot ? ctx.specs.find_contract(slot->contract) : nullptr;
  return contract && contract->*what;
}

bool includes(const model::Unit& unit, const std::string& header) {
  return std::any_of(unit.headers.begin(), unit.headers.end(), [&](model::StrId h) {
    const std::string_view path = unit.str(h);
    return path.ends_with(header) && (path.size() == header.size() || path[path.size() - header.size() - 1] == '/');
  });
}

}  // namespace reckon::analysis
