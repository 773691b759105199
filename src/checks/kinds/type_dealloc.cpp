// type-dealloc: an object is freed and its type or members are not released; or a type's functions leave out what they
// owe to its members (members.cpp, finalizers.cpp) or to the collector (type_slots.cpp).

#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/type_checks.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding("type-dealloc");
  f.message = "the object is freed, but its reference to its type is not released";
  return f;
}

void run(const WholeProgram& program, std::vector<report::Finding>& out) {
  check_members(program.ctx, program.stores, out);
  check_type_slots(program.ctx, program.stores, out);
  check_finalizers(program.ctx, program.stores, out);
}

constexpr Rule kRules[] = {{EventKind::TypeKept, report}};

}  // namespace

constinit const Check check_type_dealloc{
    .kind = "type-dealloc",
    .summary = "an object's type or members outlive it unreleased",
    .rules = kRules,
    .program = run,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
