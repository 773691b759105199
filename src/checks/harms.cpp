#include "checks/harms.h"

#include <utility>

namespace reckon::checks {

report::Harm harm_of(std::string_view kind) {
  static constexpr std::pair<std::string_view, report::Harm> kHarms[] = {
#define HARM(kind, harm) {#kind, report::Harm::harm},
#include "checks/harms.def"
#undef HARM
  };
  for (const auto& [name, harm] : kHarms)
    if (name == kind) return harm;
  return report::Harm::None;
}

}  // namespace reckon::checks
