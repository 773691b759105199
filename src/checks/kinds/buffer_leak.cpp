// buffer-leak: a buffer, or another thing counted by a name of its own, is acquired and not released.

#include "checks/kinds.h"

namespace reckon::checks {

namespace {

using engine::EventKind;

constexpr std::string_view kKind = "buffer-leak";

std::optional<report::Finding> report(const View& v) {
  const std::string& count = v.event().get<engine::CountFacts>().count;
  report::Finding f = v.finding(count + "-" + std::string(check_leak.kind));
  f.message = count + " " + v.quoted_object() + " is not released";
  return f;
}

constexpr Rule kRules[] = {{EventKind::BufferLeft, report}};

}  // namespace

constinit const Check check_buffer_leak{
    .kind = kKind,
    .summary = "a buffer is acquired and not released",
    .rules = kRules,
    .grouping = Grouping::ByObject,
    .harm = report::Harm::Grows,
};

}  // namespace reckon::checks
