// Work on as many threads as the system gives. A library of tasks would end the program where no more threads can be
// had (a limit on processes, which others of the same user share); here the threads that there are do the work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace reckon::support {

// Runs `worker` on up to `jobs` threads, this one included, which have ended when it returns. What a worker throws is
// thrown here, the first of several.
template <class Worker>
void on_threads(std::size_t jobs, const Worker& worker) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto guarded = [&] {
    try {
      worker();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      while (threads.size() + 1 < jobs) threads.emplace_back(guarded);
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are do the work.
    }
    guarded();
  }
  if (thrown) std::rethrow_exception(thrown);
}

// Calls body(i) for each i below `count`.
template <class Body>
void in_parallel(unsigned jobs, std::size_t count, const Body& body) {
  std::atomic<std::size_t> next = 0;
  on_threads(std::min<std::size_t>(jobs, count), [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) body(i);
  });
}

}  // namespace reckon::support
