// What events of pointers tell beside what all events do.
#pragma once

#include <cstdint>
#include <string>

namespace reckon::engine {

// NullDereference, NullArgument.
struct NullFacts {
  std::string giver;           // the call that gave the NULL, if known
  bool by_contract = false;    // an argument that callers may give as NULL, or that a call may leave so
  bool of_header = false;      // NullDereference: the struct with the counter is accessed
  bool ends_list = false;      // NullArgument: it cuts a list of objects short
  std::uint32_t argument = 0;  // NullArgument: which
};

// UninitUse.
struct UninitFacts {
  enum class Use : std::uint8_t {
    Access,  // it is dereferenced or, if there is a callee, passed on
    Return,
    Dealloc,  // the object has a field that was never set, and its deallocator reads that
  };
  Use use = Use::Access;
};

}  // namespace reckon::engine
