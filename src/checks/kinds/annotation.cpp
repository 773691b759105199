// annotation: the body of a function contradicts what an attribute in the source says of it.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "annotation";

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = "this path does not do what the annotation of " + f.function + "() says: " + v.event().detail;
  return f;
}

constexpr Rule kRules[] = {{EventKind::AnnotationBroken, report}};

}  // namespace

constinit const Check check_annotation{
    .kind = kKind,
    .summary = "a function does not do what its annotation says",
    .rules = kRules,
};

}  // namespace reckon::checks
