// Which functions end the objects of a class, and what these mention.
//
// The method: the fields of a class are those of its struct, which begins with the struct that such a function takes,
// and of its private struct, which is called after it. Functions of one unit belong together, and what they call is
// followed some steps deep.
//
// Limits: mentioning is all that is asked for. Calls through pointers are not followed: that is how the class above is
// called, and it sees to its own members.

#include "checks/teardown.h"

#include <algorithm>
#include <map>

#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;

constexpr std::string_view kPrivate = "Private";  // the private struct of a class is called so behind the class's name

bool begins_with(const model::Unit& unit, const model::Type& whole, std::string_view object) {
  const model::Type* t = &whole;
  for (int fuel = support::kLimits.operands.null_steps; fuel > 0; --fuel) {
    if (t->kind != model::TypeKind::Struct || t->fields.empty()) return false;
    t = &unit.type(t->fields[0].type);
    if (unit.str(t->name) == object) return true;
  }
  return false;
}

// Does the struct begin with the one that such a function takes, or is it the private one of a struct that does?
bool of_class(const model::Unit& unit, std::string_view record, std::string_view object) {
  const std::string_view name = class_of_record(record);
  return std::any_of(unit.types.begin(), unit.types.end(), [&](const model::Type& t) {
    return t.kind == model::TypeKind::Struct && class_of_record(unit.str(t.name)) == name &&
           !unit.str(t.name).ends_with(kPrivate) && begins_with(unit, t, object);
  });
}

std::string_view object_of(const engine::Context& ctx, FuncId f) {
  const model::Unit& unit = ctx.program.frame(f);
  const auto& params = ctx.program.declared(f).params;
  if (params.empty() || unit.type(params[0].type).kind != model::TypeKind::Pointer) return {};
  return unit.str(unit.type(unit.type(params[0].type).elem).name);
}

// A parameter, or what a call made of one.
bool is_object(const program::FunctionNotes& notes, const program::ArgumentNote& argument) {
  using Kind = program::ArgumentNote::Kind;
  auto is_param = [](const program::ArgumentNote& a) { return a.kind == Kind::Param && !a.cast; };
  if (argument.kind != Kind::Result) return is_param(argument);
  const auto& given = notes.calls[argument.id].arguments;
  return !given.empty() && is_param(given[0]);
}

struct Mentioned {
  FieldSet fields;
  bool hands_on = false;
  std::set<FuncId> seen;
};

// Does this call hand a parameter of the function to something described, as an argument that is not the first? That is
// how functions are removed which are called with it. A parameter whose type was checked is still the same.
bool hands_on(const engine::Context& ctx, FuncId f, const program::CallNote& call) {
  if (!ctx.spec_of[ctx.program.unit_id(f)][call.callee] || call.arguments.size() < 2) return false;
  return std::any_of(call.arguments.begin() + 1, call.arguments.end(),
                     [&](const program::ArgumentNote& a) { return is_object(ctx.program.notes(f), a); });
}

void mentioned_by(const engine::Context& ctx, FuncId f, int depth, Mentioned& out) {
  if (!out.seen.insert(f).second) return;
  const model::Unit& unit = ctx.program.frame(f);
  const program::UnitId u = ctx.program.unit_id(f);
  for (const program::LookNote& look : ctx.program.notes(f).looks) {
    const model::FieldName& field = ctx.program.member(u, look.member);
    out.fields.emplace(std::string(unit.str(unit.type(field.record).name)), std::string(unit.str(field.path)));
  }
  for (const program::CallNote& call : ctx.program.notes(f).calls) {
    if (call.callee == model::kNone) continue;
    out.hands_on = out.hands_on || hands_on(ctx, f, call);
    if (depth < support::kLimits.checks.member_calls)
      for (FuncId t : ctx.program.targets(u, call)) mentioned_by(ctx, t, depth + 1, out);
  }
}

}  // namespace

std::string_view class_of_record(std::string_view record) {
  record.remove_prefix(std::min(record.find_first_not_of('_'), record.size()));
  if (record.ends_with(kPrivate)) record.remove_suffix(kPrivate.size());
  return record;
}

specs::ContractFlags role_of(const engine::Context& ctx, FuncId f) {
  for (const program::TableEntry& e : ctx.program.roles(f))
    if (const specs::SlotSpec* slot = ctx.specs.find_slot(e.record, e.field))
      if (const specs::ContractSpec* contract = ctx.specs.find_contract(slot->contract)) return *contract;
  return {};
}

bool ends_in_steps(const specs::ContractFlags& role) {
  return role.clears_members && !role.of_state && (role.runs_again || role.ends_object);
}

std::vector<ClassEnd> ends_of_classes(const engine::Context& ctx) {
  std::map<std::pair<program::UnitId, std::string>, ClassEnd> found;
  for (FuncId f{}; f < ctx.program.num_functions(); ++f) {
    if (!ctx.program.head(f).has_body) continue;
    const specs::ContractFlags role = role_of(ctx, f);
    const std::string_view object = object_of(ctx, f);
    if (!ends_in_steps(role) || object.empty()) continue;
    Mentioned mentioned;
    mentioned_by(ctx, f, 0, mentioned);
    const program::UnitId u = ctx.program.unit_id(f);
    for (const auto& [record, path] : mentioned.fields) {
      if (!of_class(ctx.program.frame(f), record, object)) continue;
      const auto [it, first] = found.try_emplace({u, record}, ClassEnd{u, record, f, {}, false});
      it->second.mentioned.insert(mentioned.fields.begin(), mentioned.fields.end());
      it->second.hands_on = it->second.hands_on || mentioned.hands_on;
      if (role.ends_object) it->second.last = f;
    }
  }
  std::vector<ClassEnd> out;
  for (auto& [key, end] : found) out.push_back(std::move(end));
  return out;
}

}  // namespace reckon::checks
