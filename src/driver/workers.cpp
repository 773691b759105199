#include "driver/workers.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <set>
#include <vector>

#include "driver/worker_process.h"

namespace reckon::driver {

namespace {

constexpr int kTickMilliseconds = 100;

// While it lives, SIGINT and SIGTERM arrive on a file descriptor instead of ending the process.
class StopSignals {
 public:
  StopSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, &before_);
    fd_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~StopSignals() {
    while (arrived()) {  // a second Ctrl-C means the same as the first
    }
    if (fd_ >= 0) close(fd_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int fd() const { return fd_; }
  bool arrived() const {
    signalfd_siginfo info;
    return fd_ >= 0 && read(fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info);
  }

 private:
  sigset_t before_;
  int fd_;
};

class Pool {
 public:
  Pool(std::span<const std::uint32_t> tasks, unsigned jobs, const WorkerLimits& limits,
       const WorkerCallbacks& callbacks)
      : tasks_(tasks), limits_(limits), callbacks_(callbacks) {
    workers_.resize(std::clamp<std::size_t>(jobs, 1, std::max<std::size_t>(tasks.size(), 1)));
  }

  bool run() {
    while (finished_ < tasks_.size()) {
      if (signals_.arrived()) return false;
      for (auto& worker : workers_) feed(worker);
      if (finished_ == tasks_.size()) break;
      wait();
      if (signals_.arrived()) return false;
      for (auto& worker : workers_) {
        if (worker) attend(worker);
      }
      if (callbacks_.tick) callbacks_.tick(finished_);
    }
    return true;
  }

 private:
  using Slot = std::unique_ptr<WorkerProcess>;

  // Gives an idle slot the next task, starting a worker if there is none.
  void feed(Slot& slot) {
    while (waiting() && !(slot && slot->busy())) {
      if (slot && slot->give(first_waiting())) {
        take_first();
        return;
      }
      std::string error;
      slot.reset();
      slot = WorkerProcess::start(callbacks_, limits_, descriptors(), error);
      if (slot && slot->give(first_waiting())) {
        take_first();
        return;
      }
      // There is none, or it ended before it got its task: as bad luck as if it had ended right after.
      const std::uint32_t task = first_waiting();
      std::string reason = slot ? slot->epitaph() : fmt::format("no worker process could be started: {}", error);
      const bool killed = slot && slot->was_killed();
      slot.reset();
      if (killed && tried_again_.insert(task).second) continue;
      const bool others = std::any_of(workers_.begin(), workers_.end(), [](const Slot& s) { return s && s->busy(); });
      if (others) return;  // they will do this task, too
      take_first();
      finish(task, {false, "", std::move(reason), ""});
    }
  }

  // Tasks whose worker was killed come before those that nobody had yet.
  bool waiting() const { return !again_.empty() || next_ < tasks_.size(); }
  std::uint32_t first_waiting() const { return again_.empty() ? tasks_[next_] : again_.back(); }
  void take_first() {
    if (again_.empty())
      ++next_;
    else
      again_.pop_back();
  }

  std::vector<int> descriptors() const {
    std::vector<int> fds{signals_.fd()};
    for (const Slot& worker : workers_)
      if (worker) fds.insert(fds.end(), {worker->fd(), worker->log_fd()});
    return fds;
  }

  void wait() {
    std::vector<pollfd> fds{{signals_.fd(), POLLIN, 0}};
    auto first_deadline = WorkerProcess::Clock::time_point::max();
    for (const Slot& worker : workers_) {
      if (!worker) continue;
      fds.push_back({worker->fd(), POLLIN, 0});
      first_deadline = std::min(first_deadline, worker->deadline());
    }
    int timeout = kTickMilliseconds;
    if (first_deadline != WorkerProcess::Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(first_deadline - WorkerProcess::Clock::now());
      timeout = static_cast<int>(std::clamp<long long>(left.count(), 0, kTickMilliseconds));
    }
    poll(fds.data(), fds.size(), timeout);  // an interrupted call is like a timeout
  }

  void attend(Slot& slot) {
    std::string answer;
    const bool busy = slot->busy();
    const std::uint32_t task = busy ? slot->task() : 0;
    switch (slot->receive(answer)) {
      case WorkerProcess::Event::Answer:
        if (slot->retiring()) slot.reset();
        finish(task, {true, std::move(answer), "", ""});
        return;
      case WorkerProcess::Event::Gone:
        if (busy) {
          std::string reason = slot->epitaph();
          // Somebody, or the system short of memory, may kill a worker that did nothing wrong: a second one is not
          // bad luck any more.
          if (slot->was_killed() && tried_again_.insert(task).second)
            again_.push_back(task);
          else
            finish(task, {false, "", std::move(reason), slot->last_output()});
        }
        slot.reset();
        return;
      case WorkerProcess::Event::Nothing:
        if (busy && WorkerProcess::Clock::now() >= slot->deadline()) {
          slot->kill();
          finish(task, {false, "", fmt::format("gave no result within {} s (--timeout)", limits_.seconds),
                        slot->last_output()});
          slot.reset();
        }
        return;
    }
  }

  void finish(std::uint32_t task, TaskResult result) {
    ++finished_;
    callbacks_.done(task, std::move(result));
  }

  std::span<const std::uint32_t> tasks_;
  const WorkerLimits& limits_;
  const WorkerCallbacks& callbacks_;
  StopSignals signals_;
  std::vector<Slot> workers_;
  std::size_t next_ = 0, finished_ = 0;
  std::vector<std::uint32_t> again_;  // whose worker was killed, to be given out once more
  std::set<std::uint32_t> tried_again_;
};

}  // namespace

bool run_in_workers(std::span<const std::uint32_t> tasks, unsigned jobs, const WorkerLimits& limits,
                    const WorkerCallbacks& callbacks) {
  return Pool(tasks, jobs, limits, callbacks).run();
}

}  // namespace reckon::driver
