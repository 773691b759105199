#include "host/process.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace reckon::host {

namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 20;  // the rest of what a program prints is read and dropped

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  std::array<int, 2> ends{-1, -1};
  if (request.keep_output && pipe(ends.data()) != 0) {
    result.error = std::strerror(errno);
    return result;
  }
  std::vector<char*> argv;
  for (const std::string& argument : request.command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    if (request.signal_when_we_die != 0) {
      prctl(PR_SET_PDEATHSIG, request.signal_when_we_die);
      if (getppid() != parent) _exit(0);  // it ended before the line above
    }
    dup2(request.keep_output ? ends[1] : STDERR_FILENO, STDOUT_FILENO);
    if (request.keep_output) close(ends[0]), close(ends[1]);
    if (!request.directory.empty() && chdir(request.directory.c_str()) != 0) _exit(126);
    for (const auto& [name, value] : request.environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  if (pid < 0) result.error = std::strerror(errno);
  if (request.keep_output) {
    close(ends[1]);
    std::array<char, 4096> buffer{};
    while (pid > 0) {
      const ssize_t n = read(ends[0], buffer.data(), buffer.size());
      if (n > 0 && result.output.size() < kMostOutput) result.output.append(buffer.data(), static_cast<std::size_t>(n));
      if (n == 0 || (n < 0 && errno != EINTR)) break;
    }
    close(ends[0]);
  }
  while (pid > 0 && waitpid(pid, &result.status, 0) < 0 && errno == EINTR) {
  }
  return result;
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("failed with exit status {}", WEXITSTATUS(status));
}

}  // namespace reckon::host
