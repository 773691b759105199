// One worker process, seen from the parent: starting it, giving it a task, taking its answer, ending it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/workers.h"

namespace reckon::driver {

class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // Forks. `inherited` are the parent's ends of other workers, closed in the child. nullptr on failure, with
  // the system's reason in `error`.
  static std::unique_ptr<WorkerProcess> start(const WorkerCallbacks& callbacks, const WorkerLimits& limits,
                                              std::span<const int> inherited, std::string& error);
  ~WorkerProcess();  // kills and reaps
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int fd() const { return socket_; }
  int log_fd() const { return log_; }
  bool busy() const { return task_.has_value(); }
  std::uint32_t task() const { return *task_; }
  bool retiring() const { return retiring_; }
  Clock::time_point deadline() const { return deadline_; }

  bool give(std::uint32_t task);  // false: the worker is gone

  enum class Event { Nothing, Answer, Gone };
  Event receive(std::string& answer);  // reads what has arrived

  void kill();
  // Waits for the end of a worker that is gone or was killed, and says how it ended.
  std::string epitaph();
  std::string last_output() const;
  // Kills it without waiting for its end: whoever takes the process id has to. -1: it was reaped already.
  pid_t let_go();
  // After epitaph(): did somebody else end it? Its task may be given to another one.
  bool was_killed() const { return was_killed_; }

 private:
  WorkerProcess(pid_t pid, int socket, int log, const WorkerLimits& limits);

  pid_t pid_;
  int socket_;
  int log_;  // the worker's stdout and stderr, a file in memory
  WorkerLimits limits_;
  std::optional<std::uint32_t> task_;
  Clock::time_point deadline_;
  std::string received_;
  bool retiring_ = false;
  bool was_killed_ = false;
};

// Workers that were killed and have not ended yet. The system takes tens of milliseconds to free the memory of a large
// process, and somebody who answers an editor cannot wait for that.
class EndingWorkers {
 public:
  EndingWorkers() = default;
  ~EndingWorkers();  // waits for them
  EndingWorkers(const EndingWorkers&) = delete;
  EndingWorkers& operator=(const EndingWorkers&) = delete;

  void add(WorkerProcess& worker);
  bool any();  // reaps those that have ended; true: there are others

 private:
  std::vector<pid_t> processes_;
};

}  // namespace reckon::driver
