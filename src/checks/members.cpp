// type-dealloc, for members: references that a program keeps in the fields of its objects, and which the functions
// that destroy, traverse or clear such objects do not look at.
//
// The method: the engine tells in which fields of which structs references are kept; what a function visits when it
// traverses an object is kept there as well. A deallocator, and all it calls in the program, must mention each such
// field of its object's struct; so must functions that traverse or clear, for fields that objects of any kind get into
// (what holds only strings or numbers makes no cycles, nor does an object of the program's own whose members hold no
// more). A module's state is given up by what clears and what frees it together; a module that is set up anew for each
// interpreter and has no such function at all keeps what its state holds.
//
// Limits: mentioning is taken for releasing. A function that hands its object to code out of sight is not judged, nor
// one whose object's struct cannot be told from its parameter or the fields it uses.

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/type_checks.h"
#include "checks/type_tables.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::kNone;

class MemberChecker {
 public:
  MemberChecker(const engine::Context& ctx, const std::vector<engine::OwnedMember>& owned,
                const std::vector<ModuleState>& states, std::vector<report::Finding>& out)
      : ctx_(ctx), owned_(owned), states_(states), out_(out) {}

  void check(FuncId f) {
    const bool destroys = ctx_.contracts[f].frees_object;
    const specs::ContractFlags role = destroys ? specs::ContractFlags{} : role_of(f);
    const bool deallocates = destroys || role.destroys_static_object();
    const bool state = ends_state(role);
    if (!deallocates && !role.clears_members && !role.visits_members && !state) return;
    const std::vector<FuncId> partners = state ? partners_of(f) : std::vector<FuncId>{};
    if (state && !role.clears_members && !partners.empty()) return;  // told of the other
    auto records = records_of(f);
    if (role.of_state)
      for (const ModuleState& s : states_)
        if (s.functions.contains(f)) records.insert(s.records.begin(), s.records.end());
    if (records.empty()) return;
    own_ = records;
    foreign_offsets_.clear();
    seen_.clear();
    mentioned_.clear();
    out_of_sight_ = visits_ = false;
    collect(f, 0);
    for (FuncId partner : partners) collect(partner, 0);
    if (out_of_sight_) return;
    for (const engine::OwnedMember& m : owned_) {
      if (!records.contains(m.record) || mentions(m)) continue;
      // A module's types lead back to it, and one that visits nothing leaves out all that does.
      const bool of_module = role.visits_members && role.of_state && (!visits_ || holds_type(m));
      if (std::set<std::string> seen; !deallocates && !state && !of_module && (!m.any_type || !leads_on(m, seen)))
        continue;
      add(f, deallocates, role.visits_members, m);
    }
  }

  // What is visited is owned.
  void visited_by(FuncId f, std::vector<engine::OwnedMember>& out) const {
    if (!role_of(f).visits_members) return;
    const model::Unit& unit = ctx_.program.frame(f);
    for (const program::VisitNote& visit : ctx_.program.notes(f).visits) {
      if (visit.member == kNone) continue;
      const model::FieldName& field = ctx_.program.member(ctx_.program.unit_id(f), visit.member);
      const std::string_view record = unit.str(unit.type(field.record).name);
      if (!record.empty() && !is_type(record) && !ctx_.specs.find_counted(record))
        out.push_back({std::string(record), std::string(unit.str(field.path)), false});
    }
  }

 private:
  // Gives up what a module's state holds, by clearing or freeing it.
  static bool ends_state(const specs::ContractFlags& role) { return role.of_state && !role.visits_members; }

  // Other functions that see to the same module's state.
  std::vector<FuncId> partners_of(FuncId f) const {
    std::vector<FuncId> out;
    for (const program::TableEntry& mine : ctx_.program.roles(f))
      for (FuncId g{}; g < ctx_.program.num_functions(); ++g)
        for (const program::TableEntry& e : ctx_.program.roles(g))
          if (g != f && e.variable != kNone && e.unit == mine.unit && e.variable == mine.variable)
            if (ends_state(role_of(g))) out.push_back(g);
    return out;
  }

  // By its name, by that of a struct around it, or through another struct that has it at the same place.
  bool mentions(const engine::OwnedMember& m) const {
    for (std::size_t end = m.path.size(); end != std::string::npos;
         end = end == 0 ? std::string::npos : m.path.rfind('.', end - 1))
      if (mentioned_.contains({m.record, m.path.substr(0, end)})) return true;
    const auto field = field_of(m);
    return field && foreign_offsets_.contains(static_cast<std::int64_t>(field->offset));
  }

  // Where a member is in its struct, and the struct it points to, as the program declares them.
  struct Declared {
    std::uint64_t offset = 0;
    std::string points_to;
  };
  std::optional<Declared> field_of(const engine::OwnedMember& m) const {
    for (program::UnitId u{}; u < ctx_.program.num_units(); ++u) {
      const model::Unit& unit = ctx_.program.frame_at(u);
      for (const model::Type& t : unit.types) {
        if (t.kind != model::TypeKind::Struct || unit.str(t.name) != m.record) continue;
        const model::Type* in = &t;
        Declared out;
        std::string_view rest = m.path;
        while (in) {
          const std::string_view step = rest.substr(0, rest.find('.'));
          const auto f = std::find_if(in->fields.begin(), in->fields.end(),
                                      [&](const model::Field& x) { return unit.str(x.name) == step; });
          if (f == in->fields.end()) break;
          out.offset += f->offset;
          in = &unit.type(f->type);
          if (step.size() == rest.size()) {
            if (in->kind == model::TypeKind::Pointer) out.points_to = unit.str(unit.type(in->elem).name);
            return out;
          }
          rest.remove_prefix(step.size() + 1);
        }
      }
    }
    return std::nullopt;
  }

  // Can what the member holds lead anywhere? Not if it is of a type of the program whose own members hold no objects of
  // any kind, nor what they point to.
  bool leads_on(const engine::OwnedMember& m, std::set<std::string>& seen) const {
    const auto field = field_of(m);
    if (!field || field->points_to.empty() || ctx_.specs.find_counted(field->points_to)) return true;
    if (!seen.insert(field->points_to).second) return false;
    bool known = false;
    for (const engine::OwnedMember& next : owned_) {
      if (next.record != field->points_to) continue;
      known = true;
      if (next.any_type && leads_on(next, seen)) return true;
    }
    return !known;
  }

  bool holds_type(const engine::OwnedMember& m) const {
    const auto field = field_of(m);
    return field && is_type(field->points_to);
  }

  // What the first slot promises that the function stands in.
  specs::ContractFlags role_of(FuncId f) const {
    for (const program::TableEntry& e : ctx_.program.roles(f)) {
      const specs::SlotSpec* slot = ctx_.specs.find_slot(e.record, e.field);
      if (!slot && e.unit != kNone && e.element != kNone) {
        const model::Unit& unit = ctx_.program.frame_at(e.unit);
        const model::Constant& row = unit.constants[e.element];
        if (row.kind == model::ConstKind::Aggregate && !row.children.empty() &&
            unit.constants[row.children[0]].kind == model::ConstKind::Int)
          slot = ctx_.specs.find_slot(e.record, "[" + std::to_string(unit.constants[row.children[0]].imm) + "]");
      }
      if (!slot) continue;
      const specs::ContractSpec* contract = ctx_.specs.find_contract(slot->contract);
      if (contract) return *contract;
      break;
    }
    return {};
  }

  // The struct of the object: what the first parameter points to, or what the function takes it for.
  std::set<std::string> records_of(FuncId f) const {
    const model::Function& fn = ctx_.program.declared(f);
    const model::Unit& unit = ctx_.program.frame(f);
    std::set<std::string> out;
    auto has_members = [&](std::string_view record) {
      return std::any_of(owned_.begin(), owned_.end(), [&](const auto& m) { return m.record == record; });
    };
    if (fn.params.empty() || unit.type(fn.params[0].type).kind != model::TypeKind::Pointer) return out;
    const std::string_view declared = unit.str(unit.type(unit.type(fn.params[0].type).elem).name);
    if (has_members(declared) && !is_type(declared)) out.emplace(declared);
    if (ctx_.specs.find_counted(declared))
      for (const program::LookNote& look : ctx_.program.notes(f).looks)
        if (const std::string_view record = unit.str(unit.type(member(f, look).record).name);
            has_members(record) && !is_type(record))
          out.emplace(record);
    return out;
  }

  void collect(FuncId f, int depth) {
    if (std::find(seen_.begin(), seen_.end(), f) != seen_.end()) return;
    seen_.push_back(f);
    const model::Unit& unit = ctx_.program.frame(f);
    const program::UnitId u = ctx_.program.unit_id(f);
    const program::FunctionNotes& notes = ctx_.program.notes(f);
    for (const program::LookNote& look : notes.looks) {
      const model::FieldName& field = member(f, look);
      const std::string record(unit.str(unit.type(field.record).name));
      mentioned_.emplace(record, std::string(unit.str(field.path)));
      if (look.is_far && !own_.contains(record) && !is_type(record)) foreign_offsets_.insert(look.offset);
    }
    for (const program::CallNote& call : notes.calls) {
      visits_ = visits_ || with_visitor(f, call);
      if (call.callee != kNone && ctx_.spec_of[u][call.callee]) continue;
      const auto targets = ctx_.program.targets(u, call);
      if (!targets.empty() && depth < support::kLimits.checks.member_calls) {
        for (FuncId t : targets) collect(t, depth + 1);
        continue;
      }
      // What comes as an argument is what traversing calls for each member.
      if (call.param != kNone) continue;
      if (call.callee == kNone) out_of_sight_ = true;
      // Given an object, it may do the rest; given anything else, it cannot.
      for (std::size_t a = 0; a < call.arguments.size() && a < call.types.size(); ++a)
        out_of_sight_ = out_of_sight_ || ctx_.counted(u, call.types[a]);
    }
  }

  // Does the call call a function that came as an argument, or hand it on?
  bool with_visitor(FuncId f, const program::CallNote& call) const {
    return (call.param != kNone && points_to_function(f, call.param)) ||
           std::any_of(call.arguments.begin(), call.arguments.end(), [&](const program::ArgumentNote& a) {
             return a.kind == program::ArgumentNote::Kind::Param && !a.cast && points_to_function(f, a.id);
           });
  }

  const model::FieldName& member(FuncId f, const program::LookNote& look) const {
    return ctx_.program.member(ctx_.program.unit_id(f), look.member);
  }

  bool is_type(std::string_view record) const {
    return std::find(ctx_.type_records.begin(), ctx_.type_records.end(), record) != ctx_.type_records.end();
  }

  bool points_to_function(FuncId f, std::uint32_t param) const {
    const model::Unit& unit = ctx_.program.frame(f);
    const model::Type& type = unit.type(ctx_.program.declared(f).params[param].type);
    return type.kind == model::TypeKind::Pointer && unit.type(type.elem).kind == model::TypeKind::Function;
  }

  void add(FuncId f, bool deallocates, bool visits, const engine::OwnedMember& m) {
    const model::Unit& unit = ctx_.program.frame(f);
    report::Finding finding;
    const specs::DomainId d = ctx_.unit_domain[ctx_.program.unit_id(f)];
    finding.check = id_in(ctx_.specs.domains()[d].name, check_type_dealloc);
    finding.function = std::string(ctx_.program.display(f));
    finding.object = m.path;
    finding.loc = source_loc(unit, ctx_.program.declared(f).loc);
    finding.severity =
        deallocates ? report::Severity::Medium : report::Severity::Low;  // a state goes with the process, mostly
    finding.message = fmt::format("`{}` of `{}` holds a reference that {}() never {}", m.path, m.record,
                                  finding.function, visits ? "visits" : "releases");
    out_.push_back(std::move(finding));
  }

  const engine::Context& ctx_;
  const std::vector<engine::OwnedMember>& owned_;
  const std::vector<ModuleState>& states_;
  std::vector<report::Finding>& out_;
  std::vector<FuncId> seen_;
  std::set<std::pair<std::string, std::string>> mentioned_;
  std::set<std::string> own_;               // structs of the object of the function at hand
  std::set<std::int64_t> foreign_offsets_;  // at which other structs are looked into
  bool out_of_sight_ = false;
  bool visits_ = false;  // some member, or hands the visitor on
};

// Nobody will ever release what such a state holds.
void check_without_functions(const engine::Context& ctx, const ModuleState& state,
                             const std::vector<MemberStore>& stores, std::vector<report::Finding>& out) {
  if (!state.by_phases || state.has_functions) return;
  const model::Unit& unit = ctx.program.frame_at(state.unit);
  const auto kept = std::find_if(stores.begin(), stores.end(),
                                 [&](const MemberStore& s) { return state.records.contains(s.member.record); });
  if (kept == stores.end()) return;
  report::Finding f;
  f.check = id_in(ctx.specs.domains()[ctx.unit_domain[state.unit]].name, check_type_dealloc);
  f.object = kept->member.path;
  f.loc = source_loc(unit, unit.symbols[state.variable].loc);
  f.severity = report::Severity::Low;
  f.message = fmt::format(
      "`{}` of `{}` holds a reference that nothing releases: the module has no function that clears or frees its state",
      f.object, kept->member.record);
  out.push_back(std::move(f));
}

}  // namespace

void check_members(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                   std::vector<report::Finding>& out) {
  const std::vector<ModuleState> states = module_states(ctx, stores);
  std::vector<engine::OwnedMember> owned, visited;
  for (const MemberStore& s : stores) owned.push_back(s.member);
  for (const FuncId f : ctx.program.wholes()) {
    MemberChecker(ctx, owned, states, out).visited_by(f, visited);
    ctx.program.rest();
  }
  owned.insert(owned.end(), visited.begin(), visited.end());
  // Seen with objects of any kind once is enough.
  std::sort(owned.begin(), owned.end(), [](const auto& a, const auto& b) { return b < a; });
  owned.erase(std::unique(owned.begin(), owned.end(),
                          [](const auto& a, const auto& b) { return a.record == b.record && a.path == b.path; }),
              owned.end());
  MemberChecker checker(ctx, owned, states, out);
  for (const FuncId f : ctx.program.wholes()) {
    if (ctx.program.head(f).has_body) checker.check(f);
    ctx.program.rest();
  }
  for (const ModuleState& state : states) check_without_functions(ctx, state, stores, out);
}

}  // namespace reckon::checks
