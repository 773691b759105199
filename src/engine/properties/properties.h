// The properties of one look at a function. A property that needs another one includes that one's header, too.
#pragma once

#include <memory>

namespace reckon::engine {

class Borrows;
class Collector;
class Counts;
class Decisions;
class Deferred;
class Exceptions;
class Executor;
class Formats;
class Locks;
class Pointers;
class ProtectionExits;
class ProtectionStack;
class ReferenceExits;
class References;
class Summing;
class Types;

struct Properties {
  explicit Properties(Executor& executor);
  ~Properties();

  std::unique_ptr<Pointers> pointers;
  std::unique_ptr<References> references;
  std::unique_ptr<Borrows> borrows;
  std::unique_ptr<Deferred> deferred;
  std::unique_ptr<ReferenceExits> reference_exits;
  std::unique_ptr<Counts> counts;
  std::unique_ptr<ProtectionStack> protection_stack;
  std::unique_ptr<ProtectionExits> protection_exits;
  std::unique_ptr<Decisions> decisions;
  std::unique_ptr<Collector> collector;
  std::unique_ptr<Exceptions> exceptions;
  std::unique_ptr<Locks> locks;
  std::unique_ptr<Types> types;
  std::unique_ptr<Formats> formats;
  std::unique_ptr<Summing> summing;
};

}  // namespace reckon::engine
