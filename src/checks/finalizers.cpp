// type-dealloc, for objects that end in two steps: one function gives up what an object holds, and may run more than
// once, another one runs last (GObject's dispose and finalize).
//
// The problem: a member that owns something must be released by one of the two, and what the first releases it must
// also forget, or it is released again. The method: the engine tells in which fields references are kept. The fields
// of a class, and what the functions that end its objects mention, teardown.cpp tells. One that they do not mention is
// not released. A member that the first step counts down and leaves as it is is released twice.
//
// Limits: mentioning is taken for releasing. A class whose functions mention none of its fields is not judged, and a
// function that sets a mark so that it does its work only once is not either.

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/teardown.h"
#include "checks/type_checks.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::kNone;

class Finalizers {
 public:
  Finalizers(const engine::Context& ctx, const std::vector<MemberStore>& stores, std::vector<report::Finding>& out)
      : ctx_(ctx), stores_(stores), out_(out) {}

  void run() {
    for (FuncId f{}; f < ctx_.program.num_functions(); ++f)
      if (const specs::ContractFlags role = role_of(ctx_, f);
          ends_in_steps(role) && role.runs_again && ctx_.program.head(f).has_body)
        check_twice(f);
    for (const ClassEnd& end : ends_of_classes(ctx_)) check_class(end);
  }

 private:
  void check_class(const ClassEnd& end) {
    std::set<std::string> told;
    for (const MemberStore& s : stores_) {
      if (s.member.record != end.record || mentions(end.mentioned, s.member) || !told.insert(s.member.path).second)
        continue;
      // What an object holds may be given up when it is closed, or be a second name for what another one owns.
      add(end.last, s.member.path,
          fmt::format("`{}` of `{}` holds a reference that {}() never releases", s.member.path, s.member.record,
                      ctx_.program.display(end.last)),
          report::Confidence::Low);
    }
  }

  // By its name, or by that of a struct around it.
  static bool mentions(const FieldSet& fields, const engine::OwnedMember& m) {
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
      // An outcome has room for a few stores, and what is forgotten beyond these it does not tell.
      if (marks || o.never_returns || o.stores.size() >= support::kLimits.outcomes.stores) continue;
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
    const model::Unit& unit = ctx_.program.frame(f);
    std::set<std::string> names;
    for (const program::LookNote& look : ctx_.program.notes(f).looks)
      if (look.is_far && look.offset == offset)
        names.emplace(unit.str(ctx_.program.member(ctx_.program.unit_id(f), look.member).path));
    return names.size() == 1 ? *names.begin() : std::string();
  }

  void add(FuncId f, const std::string& member, std::string message, report::Confidence confidence) {
    const model::Unit& unit = ctx_.program.frame(f);
    report::Finding finding;
    finding.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(f)]].name, check_type_dealloc);
    finding.function = std::string(ctx_.program.display(f));
    finding.object = member;
    finding.loc = source_loc(unit, ctx_.program.declared(f).loc);
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
