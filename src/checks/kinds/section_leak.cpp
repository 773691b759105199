// section-leak: a critical section is begun and not ended.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "section-leak";

std::optional<report::Finding> report(const View& v) {
  const std::string& count = v.event().get<engine::CountFacts>().count;
  if (count != "section") return std::nullopt;
  report::Finding f = v.finding(kKind);
  f.message = count + " " + v.quoted_object() + " is not released";
  return f;
}

constexpr Rule kRules[] = {{EventKind::BufferLeft, report}};

}  // namespace

constinit const Check check_section_leak{
    .kind = kKind,
    .summary = "a critical section is begun and not ended",
    .rules = kRules,
};

}  // namespace reckon::checks
