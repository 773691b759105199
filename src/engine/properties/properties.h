// The classes of the properties, for one look at a function. A property that needs another one includes that one's
// header, too.
#pragma once

#include <memory>

namespace reckon::engine {

class Executor;
#define MODULE(Type, name, active) class Type;
#define HELPER(Type, name) class Type;
#include "engine/properties/properties.def"

struct Properties {
  explicit Properties(Executor& executor);
  ~Properties();

#define MODULE(Type, name, active) std::unique_ptr<Type> name;
#define HELPER(Type, name) std::unique_ptr<Type> name;
#include "engine/properties/properties.def"
};

}  // namespace reckon::engine
