#include "host/console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "support/terminal_text.h"

namespace reckon::host {

namespace {

constexpr double kRedrawSeconds = 0.1;  // bar on a terminal
constexpr double kLineSeconds = 10.0;   // plain lines elsewhere

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::string format_duration(double seconds) {
  const auto total = static_cast<unsigned long long>(std::max(0.0, seconds) + 0.5);
  const auto h = total / 3600, m = total / 60 % 60, s = total % 60;
  return h ? fmt::format("{}:{:02}:{:02}", h, m, s) : fmt::format("{}:{:02}", m, s);
}

std::string progress_text(std::string_view stage, std::size_t done, std::size_t total, double seconds,
                          std::size_t width) {
  std::string tail = fmt::format(" {}/{}", done, total);
  if (done > 0 && seconds > 0) {
    const double rate = static_cast<double>(done) / seconds;
    tail += fmt::format("  {:.1f}/s", rate);
    tail += fmt::format("  {} left", format_duration(static_cast<double>(total - done) / rate));
  }
  std::string text(stage);
  const std::size_t used = text.size() + tail.size() + 3;  // " [" and "]"
  if (used + 10 <= width) {
    const std::size_t cells = std::min<std::size_t>(width - used, 40);
    const std::size_t full = total ? cells * done / total : cells;
    text += " [" + std::string(full, '=') + std::string(cells - full, ' ') + "]";
  }
  text += tail;
  if (width > 0 && text.size() > width) text.resize(width);
  return text;
}

Console::Console(Verbosity verbosity) : verbosity_(verbosity), terminal_(isatty(STDERR_FILENO) == 1) {}

Console::~Console() { clear_bar(); }

void Console::print(std::string_view label, std::string_view text) {
  clear_bar();
  const std::string line = fmt::format("reckon: {}{}\n", label, support::printable(text));
  std::fwrite(line.data(), 1, line.size(),
              stderr);  // a full or closed stderr is no reason to end
}

void Console::error(std::string_view text) { print("error: ", text); }

void Console::warning(std::string_view text) {
  if (!quiet()) print("warning: ", text);
}

void Console::note(std::string_view text) {
  if (!quiet()) print("", text);
}

void Console::detail(std::string_view text) {
  if (verbose()) print("", text);
}

void Console::result(std::string_view text) { print("", text); }

void Console::raw(std::string_view text) {
  clear_bar();
  std::string safe = support::printable_lines(text);
  if (!safe.empty() && safe.back() != '\n') safe += '\n';
  std::fwrite(safe.data(), 1, safe.size(), stderr);
}

void Console::clear_bar() {
  if (!bar_shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  bar_shown_ = false;
}

void Console::draw_bar(std::string_view stage, std::size_t done, std::size_t total, double seconds) {
  const std::string text = progress_text(stage, done, total, seconds, terminal_width() - 1);
  std::fputs(("\r" + text + "\033[K").c_str(), stderr);
  std::fflush(stderr);
  bar_shown_ = true;
}

void Console::progress(std::string_view stage, std::size_t done, std::size_t total) {
  if (quiet()) return;
  const auto now = Clock::now();
  if (!running_) {
    running_ = true;
    started_ = last_shown_ = now;
    if (!terminal_) return;
  }
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double since = std::chrono::duration<double>(now - last_shown_).count();
  if (terminal_) {
    if (bar_shown_ && since < kRedrawSeconds && done != total) return;
    draw_bar(stage, done, total, elapsed);
  } else {
    if (since < kLineSeconds) return;
    std::fputs(("reckon: " + progress_text(stage, done, total, elapsed, 0) + "\n").c_str(), stderr);
  }
  last_shown_ = now;
}

void Console::end_progress() {
  clear_bar();
  running_ = false;
}

}  // namespace reckon::host
