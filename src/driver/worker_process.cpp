#include "driver/worker_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "host/memory.h"

namespace reckon::driver {

namespace {

constexpr int kOutOfMemoryExit = 86;
constexpr std::uint64_t kMiB = 1024 * 1024;
constexpr rlim_t kStackBytes = 64 * kMiB;  // Clang recurses deeply on generated code

struct FrameHeader {
  std::uint32_t task = 0;
  std::uint32_t retiring = 0;
  std::uint64_t size = 0;
};

// Pages of address space (first) and of resident memory (second) of this process, in MiB.
std::pair<std::uint64_t, std::uint64_t> memory_use_mib() {
  unsigned long long total = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%llu %llu", &total, &resident) != 2) total = resident = 0;
    std::fclose(file);
  }
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {total * page / kMiB, resident * page / kMiB};
}

bool read_all(int fd, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = recv(fd, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool send_all(int fd, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

void prepare_worker(pid_t parent, int log, const WorkerLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it ended before the line above
  std::signal(SIGINT, SIG_IGN);       // Ctrl-C goes to the whole group; the parent decides
  std::signal(SIGTERM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  if (const int null = open("/dev/null", O_RDONLY); null >= 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);

  host::set_soft_limit(RLIMIT_CORE, 0);
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY && stack.rlim_cur < kStackBytes)
    host::set_soft_limit(RLIMIT_STACK, kStackBytes);
  if (host::can_limit_memory() && limits.memory_mib > 0)
    host::set_soft_limit(RLIMIT_AS, (memory_use_mib().first + limits.memory_mib) * kMiB);
  std::set_new_handler([] { _exit(kOutOfMemoryExit); });
}

[[noreturn]] void worker_main(int socket, int log, const WorkerCallbacks& callbacks, const WorkerLimits& limits) {
  FrameHeader header;
  for (unsigned count = 1; read_all(socket, &header.task, sizeof header.task); ++count) {
    if (ftruncate(log, 0) == 0) lseek(log, 0, SEEK_SET);
    std::string answer;
    try {
      answer = callbacks.work(header.task);
    } catch (const std::bad_alloc&) {
      _exit(kOutOfMemoryExit);
    }
    header.size = answer.size();
    header.retiring = count >= limits.retire_tasks || memory_use_mib().second > limits.retire_rss_mib;
    if (!send_all(socket, &header, sizeof header) || !send_all(socket, answer.data(), answer.size())) break;
    if (header.retiring) break;
  }
  _exit(0);
}

}  // namespace

WorkerProcess::WorkerProcess(pid_t pid, int socket, int log, const WorkerLimits& limits)
    : pid_(pid), socket_(socket), log_(log), limits_(limits), deadline_(Clock::time_point::max()) {}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) {
    kill();
    epitaph();
  }
  close(socket_);
  if (log_ >= 0) close(log_);
}

std::unique_ptr<WorkerProcess> WorkerProcess::start(const WorkerCallbacks& callbacks, const WorkerLimits& limits,
                                                    std::span<const int> inherited, std::string& error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    error = std::strerror(errno);
    return nullptr;
  }
  const int log = memfd_create("reckon-worker", MFD_CLOEXEC);
  if (log < 0) {
    error = std::strerror(errno);
    close(ends[0]);
    close(ends[1]);
    return nullptr;
  }
  std::fflush(nullptr);  // else the child would print what is still in our buffers
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    for (const int fd : inherited) close(fd);
    prepare_worker(parent, log, limits);
    worker_main(ends[1], log, callbacks, limits);
  }
  if (pid < 0) error = std::strerror(errno);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    close(log);
    return nullptr;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, ends[0], log, limits));
}

bool WorkerProcess::give(std::uint32_t task) {
  if (!send_all(socket_, &task, sizeof task)) return false;
  task_ = task;
  deadline_ =
      limits_.seconds > 0
          ? Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.seconds))
          : Clock::time_point::max();
  return true;
}

WorkerProcess::Event WorkerProcess::receive(std::string& answer) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = recv(socket_, buffer, sizeof buffer, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Event::Nothing;
    if (n <= 0) return Event::Gone;
    received_.append(buffer, static_cast<std::size_t>(n));
    FrameHeader header;
    if (received_.size() < sizeof header) continue;
    std::memcpy(&header, received_.data(), sizeof header);
    if (received_.size() - sizeof header < header.size) continue;
    answer = received_.substr(sizeof header);
    received_ = std::string();
    retiring_ = header.retiring != 0;
    task_.reset();
    deadline_ = Clock::time_point::max();
    return Event::Answer;
  }
}

void WorkerProcess::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

pid_t WorkerProcess::let_go() {
  kill();
  return std::exchange(pid_, -1);
}

std::string WorkerProcess::epitaph() {
  int status = 0;
  pid_t reaped;
  do reaped = waitpid(pid_, &status, 0);
  while (reaped < 0 && errno == EINTR);
  pid_ = -1;
  if (reaped < 0) return "the worker process was lost";
  const std::string output = last_output();
  const bool no_memory = (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemoryExit) ||
                         output.find("LLVM ERROR: out of memory") != std::string::npos ||
                         output.find("std::bad_alloc") != std::string::npos;
  if (no_memory) return fmt::format("needed more than {} MiB of memory (--memory-limit)", limits_.memory_mib);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    was_killed_ = signal == SIGKILL || signal == SIGTERM || signal == SIGHUP;
    if (signal == SIGKILL) return "the worker process was killed (signal 9)";
    return fmt::format("the worker process crashed (signal {}, {})", signal, strsignal(signal));
  }
  return fmt::format("the worker process ended early (exit status {})", WEXITSTATUS(status));
}

std::string WorkerProcess::last_output() const {
  constexpr off_t kKept = 4096;
  const off_t size = lseek(log_, 0, SEEK_END);
  if (size <= 0) return "";
  std::string text(static_cast<std::size_t>(std::min(size, kKept)), '\0');
  const ssize_t n = pread(log_, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

EndingWorkers::~EndingWorkers() {
  for (const pid_t process : processes_)
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
}

void EndingWorkers::add(WorkerProcess& worker) {
  if (const pid_t process = worker.let_go(); process > 0) processes_.push_back(process);
}

bool EndingWorkers::any() {
  std::erase_if(processes_, [](pid_t process) { return waitpid(process, nullptr, WNOHANG) != 0; });
  return !processes_.empty();
}

}  // namespace reckon::driver
