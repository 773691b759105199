// type-dealloc, for objects that end in two steps: one function gives up what an object holds, and may run more than
// once, another one runs last (GObject's dispose and finalize).
//
// The problem: a member that owns something must be released by one of the two, and what the first releases it must
// also forget, or it is released again. The method: the engine tells in which fields references are kept. The fields
// of a class are those of its struct, which begins with the struct that such a function takes, and of its private
// struct. One that no function of the two steps in the same unit mentions, nor what they call, is not released. A
// member that the first step counts down and leaves as it is is released twice.
//
// Limits: mentioning is taken for releasing. A class whose functions mention none of its fields is not judged, and a
// function that sets a mark so that it does its work only once is not either.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/type_checks.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::kNone;
using Fields = std::set<std::pair<std::string, std::string>>;  // struct and path

constexpr std::string_view kPrivate = "Private";  // the private struct of a class is called so behind the class's name

std::string_view plain(std::string_view record) {
  return record.substr(std::min(record.find_first_not_of('_'), record.size()));
}

class Finalizers {
 public:
  Finalizers(const engine::Context& ctx, const std::vector<MemberStore>& stores, std::vector<report::Finding>& out)
      : ctx_(ctx), stores_(stores), out_(out) {}

  void run() {
    std::map<program::UnitId, std::vector<FuncId>> by_unit;
    for (FuncId f{}; f < ctx_.program.num_functions(); ++f) {
      if (!ctx_.program.head(f).has_body) continue;
      const specs::ContractFlags role = role_of(f);
      if (!role.clears_members || role.of_state || !(role.runs_again || role.ends_object)) continue;
      by_unit[ctx_.program.unit_id(f)].push_back(f);
      if (role.runs_again) check_twice(f);
    }
    for (const auto& [unit, functions] : by_unit) check_unit(functions);
  }

 private:
  specs::ContractFlags role_of(FuncId f) const {
    for (const program::TableEntry& e : ctx_.program.roles(f))
      if (const specs::SlotSpec* slot = ctx_.specs.find_slot(e.record, e.field))
        if (const specs::ContractSpec* contract = ctx_.specs.find_contract(slot->contract)) return *contract;
    return {};
  }

  // Does the struct begin with the one that `f` takes, or is it the private one of a struct that does?
  bool of_class(const model::Unit& unit, std::string_view record, std::string_view object) const {
    std::string_view name = plain(record);
    if (name.ends_with(kPrivate)) name.remove_suffix(kPrivate.size());
    return std::any_of(unit.types.begin(), unit.types.end(), [&](const model::Type& t) {
      return t.kind == model::TypeKind::Struct && plain(unit.str(t.name)) == name && begins_with(unit, t, object);
    });
  }

  static bool begins_with(const model::Unit& unit, const model::Type& whole, std::string_view object) {
    const model::Type* t = &whole;
    for (int fuel = support::kLimits.operands.null_steps; fuel > 0; --fuel) {
      if (t->kind != model::TypeKind::Struct || t->fields.empty()) return false;
      t = &unit.type(t->fields[0].type);
      if (unit.str(t->name) == object) return true;
    }
    return false;
  }

  std::string_view object_of(FuncId f) const {
    const model::Unit& unit = ctx_.program.unit(f);
    const auto& params = ctx_.program.function(f).params;
    if (params.empty() || unit.type(params[0].type).kind != model::TypeKind::Pointer) return {};
    return unit.str(unit.type(unit.type(params[0].type).elem).name);
  }

  void mentioned_by(FuncId f, int depth, std::set<FuncId>& seen, Fields& out) const {
    if (!seen.insert(f).second) return;
    const model::Unit& unit = ctx_.program.unit(f);
    const model::Body& body = ctx_.program.function(f).body;
    for (const model::FieldName& field : body.fields)
      out.emplace(std::string(unit.str(unit.type(field.record).name)), std::string(unit.str(field.path)));
    if (depth >= support::kLimits.checks.member_calls) return;
    // Not through pointers: that is how the class above is called, and it sees to its own members.
    for (const model::Instr& i : body.instrs)
      if (i.op == model::Op::Call && body.ops(i)[0].kind == model::OperandKind::Symbol)
        for (FuncId t : ctx_.program.targets(f, i)) mentioned_by(t, depth + 1, seen, out);
  }

  void check_unit(const std::vector<FuncId>& functions) {
    const model::Unit& unit = ctx_.program.unit(functions.front());
    std::map<std::string, Fields> by_record;  // all that the functions mention that look into the struct
    std::map<std::string, FuncId> judged;     // the last of these
    for (FuncId f : functions) {
      Fields mentioned;
      std::set<FuncId> seen;
      mentioned_by(f, 0, seen, mentioned);
      const std::string_view object = object_of(f);
      for (const auto& [record, path] : mentioned) {
        if (object.empty() || !of_class(unit, record, object)) continue;
        by_record[record].insert(mentioned.begin(), mentioned.end());
        const auto known = judged.find(record);
        if (known == judged.end() || role_of(f).ends_object) judged[record] = f;
      }
    }
    std::set<std::pair<std::string, std::string>> told;
    for (const MemberStore& s : stores_) {
      const auto it = judged.find(s.member.record);
      if (it == judged.end() || mentions(by_record[s.member.record], s.member) ||
          !told.emplace(s.member.record, s.member.path).second)
        continue;
      // What an object holds may be given up when it is closed, or be a second name for what another one owns.
      add(it->second, s.member.path,
          fmt::format("`{}` of `{}` holds a reference that {}() never releases", s.member.path, s.member.record,
                      ctx_.program.display(it->second)),
          report::Confidence::Low);
    }
  }

  // By its name, or by that of a struct around it.
  static bool mentions(const Fields& fields, const engine::OwnedMember& m) {
    for (std::size_t end = m.path.size(); end != std::string::npos;
         end = end == 0 ? std::string::npos : m.path.rfind('.', end - 1))
      if (fields.contains({m.record, m.path.substr(0, end)})) return true;
    return false;
  }

  // A member that is released and stays as it is, in a function that may run again.
  void check_twice(FuncId f) {
    std::set<std::string> told;
    for (const specs::Outcome& o : ctx_.summaries[f].outcomes) {
      const bool marks = std::any_of(o.stores.begin(), o.stores.end(), [](const specs::StoreEffect& s) {
        return s.where.root == specs::Place::Root::Arg &&
               !(s.value.kind == specs::Value::Kind::Int && s.value.imm == 0);
      });
      if (marks || o.never_returns) continue;
      for (const specs::CountChange& c : o.counts) {
        if (c.delta >= 0 || !c.kind.empty() || c.object.root != specs::Place::Root::Arg || c.object.index != 0 ||
            c.object.path.empty() || c.object.address)
          continue;
        if (std::any_of(o.stores.begin(), o.stores.end(),
                        [&](const specs::StoreEffect& s) { return s.where == c.object; }))
          continue;
        const std::string member = member_at(f, c.object.path.back());
        if (member.empty() || !told.insert(member).second) continue;
        add(f, member,
            fmt::format("{}() may run more than once, and releases `{}` without forgetting it", ctx_.program.display(f),
                        member),
            report::Confidence::Medium);
      }
    }
  }

  // The member at this offset that the function looks into; "" if several are or none.
  std::string member_at(FuncId f, std::int64_t offset) const {
    const model::Unit& unit = ctx_.program.unit(f);
    const model::Body& body = ctx_.program.function(f).body;
    std::set<std::string> names;
    for (const model::Instr& i : body.instrs)
      if (i.op == model::Op::Field && i.aux != kNone && i.imm == offset)
        names.emplace(unit.str(body.fields[i.aux].path));
    return names.size() == 1 ? *names.begin() : std::string();
  }

  void add(FuncId f, const std::string& member, std::string message, report::Confidence confidence) {
    const model::Unit& unit = ctx_.program.unit(f);
    report::Finding finding;
    finding.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(f)]].name, check_type_dealloc);
    finding.function = std::string(ctx_.program.display(f));
    finding.object = member;
    finding.loc = source_loc(unit, ctx_.program.function(f).loc);
    finding.severity = report::Severity::Medium;
    finding.confidence = confidence;
    finding.message = std::move(message);
    out_.push_back(std::move(finding));
  }

  const engine::Context& ctx_;
  const std::vector<MemberStore>& stores_;
  std::vector<report::Finding>& out_;
};

}  // namespace

void check_finalizers(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                      std::vector<report::Finding>& out) {
  Finalizers(ctx, stores, out).run();
}

}  // namespace reckon::checks
