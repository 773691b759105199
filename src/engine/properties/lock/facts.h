// What events of the lock tell beside what all events do.
#pragma once

#include <cstdint>
#include <string>

namespace reckon::engine {

// NoLock.
struct LockFacts {
  std::string user;  // the function inside the callee that needs the lock, "" if the callee itself does
};

// FreeThreading.
struct ThreadFacts {
  enum class Hazard : std::uint8_t {
    BorrowedItem,    // of a container that others may change
    SharedVariable,  // is written without a lock
    CountOfOne,      // is taken as a proof that nobody else has the object
  };
  Hazard hazard = Hazard::BorrowedItem;
  std::string safer;  // BorrowedItem: the function to use instead
};

}  // namespace reckon::engine
