// A pool of worker processes for work that may crash, hang or eat all memory.
//
// The problem: Clang runs as a library, and a crash in it would take the whole run along. The method: each
// worker is a fork of this process (no exec, so it already has everything in memory) that receives task
// numbers over a socket and answers with bytes over the same socket, one task at a time. The parent waits
// with poll(); a worker that closes its end without an answer has died and costs its task only, one that
// passes the deadline is killed. Workers that grew large, or have done many tasks, retire after an answer
// and are replaced.
//
// Limits: the calling process must be single threaded while the pool runs (fork copies one thread only). A
// task lost with its worker is not tried again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace reckon::driver {

struct WorkerLimits {
  double seconds = 120;                 // per task; 0: none
  std::uint64_t memory_mib = 4096;      // address space on top of what the parent had; 0: none
  std::uint64_t retire_rss_mib = 1024;  // a worker larger than this retires after its answer
  unsigned retire_tasks = 200;          // and so does one that has done so many
};

struct TaskResult {
  bool ok = false;
  std::string bytes;   // the answer
  std::string reason;  // if not ok: what happened to the worker, in the user's words
  std::string output;  // if not ok: the end of what the worker had written to stderr
};

struct WorkerCallbacks {
  std::function<std::string(std::uint32_t task)> work;              // runs in the worker
  std::function<void(std::uint32_t task, TaskResult result)> done;  // runs in the parent
  std::function<void(std::size_t finished)> tick;                   // runs in the parent, several times a second
};

// Runs all tasks on up to `jobs` workers. False: SIGINT or SIGTERM arrived, the workers were ended, and some
// tasks have no result.
bool run_in_workers(std::span<const std::uint32_t> tasks, unsigned jobs, const WorkerLimits& limits,
                    const WorkerCallbacks& callbacks);

}  // namespace reckon::driver
