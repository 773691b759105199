// annotation: the body of a function contradicts what an attribute in the source says of it.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::AnnotationFacts;
using engine::EventKind;

constexpr std::string_view kKind = "annotation";

std::string in_words(const AnnotationFacts& facts) {
  using Does = AnnotationFacts::Does;
  switch (facts.does) {
    case Does::ReturnsBorrowed: return "a borrowed reference is returned";
    case Does::ReturnsNew: return "a new reference is returned, which nobody will release";
    case Does::NotTakenOver: return "the reference to `" + facts.parameter + "` is not taken over";
    case Does::TakenOver: return "the reference to `" + facts.parameter + "` is taken over";
    case Does::SetsNoException: return "no exception is set";
    case Does::Agrees: break;  // no event tells that
  }
  return {};
}

std::optional<report::Finding> report(const View& v) {
  report::Finding f = v.finding(kKind);
  f.message = "this path does not do what the annotation of " + f.function +
              "() says: " + in_words(v.event().get<AnnotationFacts>());
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
