#include "host/threads.h"

#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace reckon::host {

unsigned available_threads(unsigned wanted) {
  std::latch counted(1);
  std::vector<std::jthread> threads;
  try {
    while (threads.size() + 1 < wanted) threads.emplace_back([&] { counted.wait(); });
  } catch (const std::system_error&) {
    // This many there are, and no more.
  }
  counted.count_down();
  return static_cast<unsigned>(threads.size()) + 1;
}

}  // namespace reckon::host
