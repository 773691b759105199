#include "host/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace reckon::host {

namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
};

// Reads both to their ends.
void drain(Pipe& out, Pipe& err, std::string& out_text, std::string& err_text) {
  std::array<pollfd, 2> waiting{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  std::array<std::string*, 2> texts{&out_text, &err_text};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 16384> buffer;
      const ssize_t n = read(waiting[i].fd, buffer.data(), buffer.size());
      if (n > 0)
        texts[i]->append(buffer.data(), static_cast<std::size_t>(n));
      else if (n == 0 || errno != EINTR)
        waiting[i].fd = -1;
    }
  }
}

}  // namespace

std::optional<std::string> output_of(const std::vector<std::string>& command, std::string& error) {
  Pipe out, err;
  if (pipe2(out.ends, O_CLOEXEC) != 0 || pipe2(err.ends, O_CLOEXEC) != 0) {
    error = std::strerror(errno);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int problem = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) {
    error = command[0] + ": " + std::strerror(problem);
    return std::nullopt;
  }
  out.close_end(1);
  err.close_end(1);
  std::string text, complaint;
  drain(out, err, text, complaint);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return text;
  while (!complaint.empty() && complaint.back() == '\n') complaint.pop_back();
  error = complaint.empty() ? command[0] + " failed" : complaint;
  return std::nullopt;
}

}  // namespace reckon::host
