// annotation: the body of a function contradicts what an attribute in the source says of it.

#include "checks/checks.h"

namespace reckon::checks {

std::optional<report::Finding> report_annotation(const View& v) {
  report::Finding f = v.finding("annotation");
  f.message = "this path does not do what the annotation of " + f.function + "() says: " + v.event().detail;
  return f;
}

}  // namespace reckon::checks
