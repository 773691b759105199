#include "engine/core/events.h"

#include <type_traits>

namespace reckon::engine {

EventFacts facts_for(EventKind kind) {
  switch (kind) {
    case EventKind::AnnotationBroken: return AnnotationFacts{};
#define EVENT(name, Facts) \
  case EventKind::name: return Facts{};
#include "engine/properties/properties.def"
  }
  return {};
}

const CountFacts* Event::count_facts() const {
  return std::visit(
      []<class T>(const T& all) -> const CountFacts* {
        if constexpr (std::is_same_v<T, CountFacts>)
          return &all;
        else if constexpr (requires { all.ends; })
          return &all.ends;
        else
          return nullptr;
      },
      facts);
}

}  // namespace reckon::engine
