// Members that deallocators see to: where they read objects from their own, and which members they, or functions they
// call, release.

#include "analysis/learn/learn.h"

#include <algorithm>

#include "analysis/learn/reading.h"
#include "engine/core/header_structs.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

// Offsets at which a function reads objects from its first argument.
std::vector<std::int64_t> members_read(const Context& ctx, FuncId f) {
  const model::Unit& unit = ctx.program.frame(f);
  // Count and type are set by whoever makes the object.
  auto in_header = [&](const program::OwnMemberNote& m) {
    return m.record != model::kNone && keeps_count(ctx.specs, unit, m.record);
  };
  std::vector<std::int64_t> out;
  for (const program::OwnMemberNote& m : ctx.program.notes(f).own_members)
    if (ctx.counted(ctx.program.unit_id(f), m.type) && !in_header(m)) out.push_back(m.offset);
  return out;
}

// Members of structs that a deallocator, or a function it calls, gives up.
void fields_released_by(Context& ctx, FuncId f, int depth) {
  const model::Unit& unit = ctx.program.frame(f);
  const program::UnitId u = ctx.program.unit_id(f);
  for (const program::CallNote& call : ctx.program.notes(f).calls) {
    if (call.callee == model::kNone) continue;
    const specs::FunctionSpec* spec = ctx.spec_of[u][call.callee];
    if (!spec) {
      const FuncId callee = ctx.program.definition(u, call.callee);
      if (callee != program::kNone && depth < support::kLimits.program.released_calls)
        fields_released_by(ctx, callee, depth + 1);
      continue;
    }
    for (const specs::Outcome& o : spec->outcomes)
      for (const specs::CountChange& c : o.counts) {
        if (c.delta >= 0 || !c.kind.empty() || c.object.root != specs::Place::Root::Arg || !c.object.path.empty() ||
            !c.object.field_path.empty() || c.object.index >= call.arguments.size())
          continue;
        const program::ArgumentNote& argument = call.arguments[c.object.index];
        if (argument.kind != program::ArgumentNote::Kind::Member) continue;
        const model::FieldName& field = ctx.program.member(u, argument.field_id());
        ctx.released_fields.insert(std::string(unit.str(unit.type(field.record).name)) + "." +
                                   std::string(unit.str(field.path)));
      }
  }
}

}  // namespace

void learn_released(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.type_records = ctx.specs.records_with([](const specs::ContractFlags& c) { return c.destroys_static_object(); });
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    if (ctx.contracts[f].frees_object) fields_released_by(ctx, f, 0);
    for (const program::TableEntry& e : program.roles(f)) {
      if (e.unit == model::kNone) continue;
      const specs::SlotSpec* slot = slot_of(ctx, e);
      if (promises(ctx, slot, &specs::ContractFlags::clears_members)) fields_released_by(ctx, f, 0);
      if (ctx.contracts[f].frees_object && e.variable != model::kNone) {
        const model::Unit& unit = program.frame_at(e.unit);
        std::string name(unit.name(e.variable));
        if (unit.symbols[e.variable].linkage == model::Linkage::Internal) name += "@" + std::to_string(e.unit);
        ctx.released_members.emplace(std::move(name), members_read(ctx, f));
      }
    }
  }
}

}  // namespace reckon::analysis
