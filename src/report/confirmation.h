// What became of a finding when the program was run (src/confirm/), and what a run can show at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reckon::report {

// What findings of a check do to a running program.
enum class Harm : std::uint8_t {
  None,       // nothing that a run of the program shows
  Grows,      // memory or a count that grows with each call
  Dangling,   // an object that goes while somebody uses it: a count that falls, a crash, a report of the allocator
  Crash,      // a signal
  Exception,  // failure without an exception, or an exception without failure
  Collected,  // an object that the collector takes while it is in use
};

struct Confirmation {
  enum class Status : std::uint8_t {
    Untried,     // it could not be tried; `why` says the reason
    NotReached,  // nothing that was run came to the place
    Reached,     // the place was reached, and no harm was seen: that does not make the finding false
    Confirmed,   // harm was seen
  };
  Status status = Status::Untried;
  std::string seen = {};                   // "allocated blocks after 16 calls: +17, ..."
  std::string why = {};                    // what was missing, unless it is confirmed
  std::vector<std::string> assuming = {};  // the calls that were made to fail
  std::string command = {};                // shows it again
  std::string script = {};                 // what that command runs, as text
};

const char* name_of(Confirmation::Status status);  // "untried", "not-reached", "reached", "confirmed"

// How a call on a path ended, as far as somebody can make it end so again. What a failing call does besides returning
// belongs to it: a function that fails and has released an argument all the same does both.
struct CallEnd {
  struct Store {  // *argument = value
    std::uint32_t argument = 0;
    std::int64_t value = 0;
    auto operator<=>(const Store&) const = default;
  };
  bool failure = false;                      // this end means failure
  bool decides = false;                      // it gives NULL where another end gives an object
  std::optional<std::int64_t> value = {};    // what it returns, if that is one number; NULL is 0
  std::string exception = {};                // "set", "cleared", "may be set"; "" as before the call
  std::vector<std::uint32_t> released = {};  // arguments, from 0, of which it gives up a reference of the caller's
  std::vector<Store> stores = {};            // what it leaves in out-parameters
  auto operator<=>(const CallEnd&) const = default;
};

}  // namespace reckon::report
