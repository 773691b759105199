// Arguments of functions in tables that are always NULL, or made for the one call.

#include "analysis/learn/learn.h"

#include <algorithm>
#include <optional>

namespace reckon::analysis {

namespace {

// A number in a row of a table, by the name of its field.
std::optional<std::uint64_t> row_value(const model::Unit& unit, const model::Constant& row, std::string_view name) {
  const model::Type& t = unit.type(row.type);
  if (row.kind != model::ConstKind::Aggregate || t.fields.size() != row.children.size()) return std::nullopt;
  for (std::size_t i = 0; i < t.fields.size(); ++i) {
    if (unit.str(t.fields[i].name) != name) continue;
    const model::Constant& c = unit.constants[row.children[i]];
    if (c.kind == model::ConstKind::Zero) return 0;
    if (c.kind == model::ConstKind::Int) return static_cast<std::uint64_t>(c.imm);
  }
  return std::nullopt;
}

}  // namespace

void learn_entry_params(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.null_params.assign(program.num_functions(), 0);
  ctx.private_params.assign(program.num_functions(), 0);
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    const auto& params = program.declared(f).params;
    const program::UnitId u = program.unit_id(f);
    ctx.private_params[f] =
        (ctx.contracts[f].null_needs_exception() || ctx.contracts[f].runs_again) && params.size() == 3 &&
        std::all_of(params.begin(), params.end(), [&](const model::Param& p) { return ctx.counted(u, p.type); });
    for (const program::TableEntry& e : program.roles(f)) {
      if (e.unit == model::kNone || e.element == model::kNone) continue;
      const model::Unit& unit = program.frame_at(e.unit);
      // The first line whose flags are those of the row says how the function is called.
      for (const specs::EntrySpec& way : ctx.specs.entries()) {
        if (way.record != e.record || way.field != e.field) continue;
        if (!way.flags_field.empty()) {
          const auto flags = row_value(unit, unit.constants[e.element], way.flags_field);
          if (!flags || (*flags & way.mask) != way.value) continue;
        }
        for (std::size_t p = 0; p < way.params.size() && p < 31; ++p)
          if (way.params[p].kind == specs::EntryParamKind::Null && p < params.size()) ctx.null_params[f] |= 1u << p;
        break;
      }
    }
  }
}

}  // namespace reckon::analysis
