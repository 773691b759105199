#include "driver/workers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "host/console.h"

namespace reckon::driver {
namespace {

std::vector<std::uint32_t> first(std::uint32_t n) {
  std::vector<std::uint32_t> tasks(n);
  std::iota(tasks.begin(), tasks.end(), 0u);
  return tasks;
}

std::map<std::uint32_t, TaskResult> run(std::uint32_t tasks, unsigned jobs, const WorkerLimits& limits,
                                        std::function<std::string(std::uint32_t)> work) {
  std::map<std::uint32_t, TaskResult> results;
  WorkerCallbacks callbacks;
  callbacks.work = std::move(work);
  callbacks.done = [&](std::uint32_t task, TaskResult result) {
    EXPECT_TRUE(results.emplace(task, std::move(result)).second) << "task " << task << " has two results";
  };
  EXPECT_TRUE(run_in_workers(first(tasks), jobs, limits, callbacks));
  EXPECT_EQ(results.size(), tasks);
  return results;
}

TEST(Workers, AnswerEveryTask) {
  const auto results = run(100, 3, {}, [](std::uint32_t i) { return std::string(i * 1000, 'x') + std::to_string(i); });
  for (const auto& [task, result] : results) {
    EXPECT_TRUE(result.ok);
    EXPECT_EQ(result.bytes, std::string(task * 1000, 'x') + std::to_string(task));
  }
}

TEST(Workers, NoTasks) {
  EXPECT_TRUE(run(0, 2, {}, [](std::uint32_t) { return ""; }).empty());
}

TEST(Workers, CrashCostsOneTask) {
  const auto results = run(10, 2, {}, [](std::uint32_t i) -> std::string {
    if (i == 4) {
      if (write(STDERR_FILENO, "last words", 10) != 10) _exit(1);
      std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would report it instead
      std::raise(SIGSEGV);
    }
    return "fine";
  });
  for (const auto& [task, result] : results) EXPECT_EQ(result.ok, task != 4) << task;
  EXPECT_NE(results.at(4).reason.find("crashed (signal 11"), std::string::npos) << results.at(4).reason;
  EXPECT_EQ(results.at(4).output, "last words");
}

TEST(Workers, ExitCostsOneTask) {
  const auto results = run(3, 1, {}, [](std::uint32_t i) -> std::string {
    if (i == 1) _exit(7);
    return "fine";
  });
  EXPECT_TRUE(results.at(0).ok);
  EXPECT_NE(results.at(1).reason.find("exit status 7"), std::string::npos);
  EXPECT_TRUE(results.at(2).ok);
}

TEST(Workers, HangIsEnded) {
  WorkerLimits limits;
  limits.seconds = 0.3;
  const auto results = run(3, 2, limits, [](std::uint32_t i) -> std::string {
    if (i == 0) pause();
    return "fine";
  });
  EXPECT_FALSE(results.at(0).ok);
  EXPECT_EQ(results.at(0).reason, "gave no result within 0.3 s (--timeout)");
  EXPECT_TRUE(results.at(1).ok);
  EXPECT_TRUE(results.at(2).ok);
}

TEST(Workers, KilledFromOutside) {
  const auto results = run(2, 1, {}, [](std::uint32_t i) -> std::string {
    if (i == 0) kill(getpid(), SIGKILL);
    return "fine";
  });
  EXPECT_NE(results.at(0).reason.find("killed (signal 9)"), std::string::npos) << results.at(0).reason;
  EXPECT_TRUE(results.at(1).ok);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Workers, MemoryLimit) {
  WorkerLimits limits;
  limits.memory_mib = 64;
  const auto results = run(2, 1, limits, [](std::uint32_t i) -> std::string {
    if (i == 0) return std::string(std::size_t{256} << 20, 'x').substr(0, 3);
    return "fine";
  });
  EXPECT_FALSE(results.at(0).ok);
  EXPECT_EQ(results.at(0).reason, "needed more than 64 MiB of memory (--memory-limit)");
  EXPECT_TRUE(results.at(1).ok);
}
#endif

TEST(Workers, RetireAfterSoManyTasks) {
  WorkerLimits limits;
  limits.retire_tasks = 3;
  std::set<std::string> pids;
  for (const auto& [task, result] : run(9, 1, limits, [](std::uint32_t) { return std::to_string(getpid()); })) {
    EXPECT_TRUE(result.ok);
    pids.insert(result.bytes);
  }
  EXPECT_EQ(pids.size(), 3u);
}

TEST(Workers, RetireWhenLarge) {
  WorkerLimits limits;
  limits.retire_rss_mib = 1;  // every process is larger
  std::set<std::string> pids;
  for (const auto& [task, result] : run(3, 1, limits, [](std::uint32_t) { return std::to_string(getpid()); }))
    pids.insert(result.bytes);
  EXPECT_EQ(pids.size(), 3u);
}

TEST(Workers, InterruptEndsTheRunAndTheWorkers) {
  std::vector<std::uint32_t> tasks = first(2);
  const pid_t parent = getpid();
  WorkerCallbacks callbacks;
  callbacks.work = [parent](std::uint32_t) -> std::string {
    kill(parent, SIGINT);
    pause();
    return "";
  };
  callbacks.done = [](std::uint32_t task, const TaskResult&) { ADD_FAILURE() << "task " << task << " has a result"; };
  EXPECT_FALSE(run_in_workers(tasks, 2, {}, callbacks));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a worker is left";
}

TEST(Progress, Duration) {
  EXPECT_EQ(host::format_duration(7.2), "0:07");
  EXPECT_EQ(host::format_duration(760), "12:40");
  EXPECT_EQ(host::format_duration(3723), "1:02:03");
  EXPECT_EQ(host::format_duration(-1), "0:00");
}

TEST(Progress, Text) {
  EXPECT_EQ(host::progress_text("capturing", 50, 100, 10, 0), "capturing 50/100  5.0/s  0:10 left");
  EXPECT_EQ(host::progress_text("capturing", 0, 100, 0, 0), "capturing 0/100");
  EXPECT_EQ(host::progress_text("capturing", 1, 2, 1, 60),
            "capturing [=============             ] 1/2  1.0/s  0:01 left");
  EXPECT_EQ(host::progress_text("capturing", 50, 100, 10, 12), "capturing 50");
}

}  // namespace
}  // namespace reckon::driver
