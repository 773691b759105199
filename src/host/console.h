// What the user sees on stderr: messages, and a progress bar that never mixes with them.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace reckon::host {

enum class Verbosity { Quiet, Normal, Verbose };

class Console {
 public:
  explicit Console(Verbosity verbosity);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void error(std::string_view text);    // always shown
  void warning(std::string_view text);  // shown unless -q
  void note(std::string_view text);     // shown unless -q, without a label
  void detail(std::string_view text);   // shown with -v
  void result(std::string_view text);   // how the run went; always shown, without a label
  void raw(std::string_view text);      // somebody else's text, of several lines (Clang's errors); always shown

  bool verbose() const { return verbosity_ == Verbosity::Verbose; }
  bool quiet() const { return verbosity_ == Verbosity::Quiet; }

  // Progress of one stage: a bar on a terminal, else a line every few seconds, nothing with -q.
  void progress(std::string_view stage, std::size_t done, std::size_t total);
  void end_progress();

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::string_view label, std::string_view text);
  void clear_bar();
  void draw_bar(std::string_view stage, std::size_t done, std::size_t total, double seconds);

  Verbosity verbosity_;
  bool terminal_;
  bool bar_shown_ = false;
  bool running_ = false;
  Clock::time_point started_, last_shown_;
};

// "0:07", "12:40", "1:02:03".
std::string format_duration(double seconds);

// The text of the bar without control characters, at most `width` columns. Width 0: no bar, no limit.
std::string progress_text(std::string_view stage, std::size_t done, std::size_t total, double seconds,
                          std::size_t width);

}  // namespace reckon::host
