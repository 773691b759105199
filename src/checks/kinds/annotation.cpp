// annotation: the body of a function contradicts what a spec, or an attribute in the source, says of it.

#include <cstdlib>

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::AnnotationFacts;
using engine::EventKind;

constexpr std::string_view kKind = "annotation";

std::string in_words(const AnnotationFacts& facts) {
  using Does = AnnotationFacts::Does;
  const std::string goes = facts.parameter.empty() ? "returned" : "left in `*" + facts.parameter + "`";
  switch (facts.does) {
    case Does::ReturnsBorrowed: return "a borrowed reference is " + goes;
    case Does::ReturnsNew: return "a new reference is " + goes + ", which nobody will release";
    case Does::NotTakenOver: return "the reference to `" + facts.parameter + "` is not taken over";
    case Does::TakenOver: return "the reference to `" + facts.parameter + "` is taken over";
    case Does::Kept: return "a reference to `" + facts.parameter + "` is taken and not given back";
    case Does::SetsNoException: return "no exception is set";
    case Does::Collects: return "garbage may be collected";
    case Does::Endangers: return "`" + facts.parameter + "` may be collected before it is used";
    case Does::LeavesDepth:
      return "the protection stack is " + std::to_string(std::abs(facts.depth)) +
             (facts.depth > 0 ? " deeper" : " less deep") + " than callers expect";
    case Does::Agrees: break;  // no event tells that
  }
  return {};
}

std::optional<report::Finding> report(const View& v) {
  const auto& facts = v.event().get<AnnotationFacts>();
  // From the version on that has it for good, None goes out with and without a reference.
  if (facts.does == AnnotationFacts::Does::ReturnsBorrowed && v.is_immortal()) return std::nullopt;
  report::Finding f = v.finding(kKind);
  f.message = std::string("this path does not do what the ") + (facts.by_spec ? "spec" : "annotation") + " of " +
              f.function + "() says: " + in_words(facts);
  if (v.event().doubtful) f.confidence = report::Confidence::Low;
  return f;
}

constexpr Rule kRules[] = {{EventKind::AnnotationBroken, report}};

}  // namespace

constinit const Check check_annotation{
    .kind = kKind,
    .summary = "a function does not do what its annotation or its spec says",
    .rules = kRules,
};

}  // namespace reckon::checks
