// Shows how far the analysis is, from a thread of its own. Until end() nobody else may use the console.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "analysis/analyse.h"
#include "host/console.h"

namespace reckon::driver {

class AnalysisProgress {
 public:
  explicit AnalysisProgress(host::Console& console) : console_(console) {
    if (console.quiet()) return;
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
    } catch (const std::system_error&) {
      // The system gives no thread for it: the analysis goes on without a word.
    }
  }
  ~AnalysisProgress() { end(); }
  AnalysisProgress(const AnalysisProgress&) = delete;
  AnalysisProgress& operator=(const AnalysisProgress&) = delete;

  analysis::Progress& state() { return state_; }
  void end() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    console_.end_progress();
  }

 private:
  void show(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    while (!changed.wait_for(lock, stop, 200ms, [&] { return stop.stop_requested(); }))
      if (const std::size_t total = state_.total; total > 0) console_.progress("analysing", state_.done, total);
  }

  host::Console& console_;
  analysis::Progress state_;
  std::jthread thread_;
};

}  // namespace reckon::driver
