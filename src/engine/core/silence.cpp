#include "engine/core/silence.h"

namespace reckon::engine {

std::string_view name_of(Silence why) {
  switch (why) {
    case Silence::None: break;
#define SILENCE(name, text) \
  case Silence::name: return #name;
#include "engine/core/silence.def"
#undef SILENCE
  }
  return {};
}

std::string_view text_of(Silence why) {
  switch (why) {
    case Silence::None: break;
#define SILENCE(name, text) \
  case Silence::name: return text;
#include "engine/core/silence.def"
#undef SILENCE
  }
  return {};
}

}  // namespace reckon::engine
