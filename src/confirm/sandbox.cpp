#include "confirm/sandbox.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include "host/files.h"
#include "host/process.h"

namespace reckon::confirm {

std::vector<std::string> Sandbox::prefix(const std::string& folder, const Environment& environment) const {
  std::vector<std::string> out = {"env"};
  if (confined_) {
    out = {"bwrap",
           "--ro-bind",
           "/",
           "/",
           "--dev",
           "/dev",
           "--proc",
           "/proc",
           "--tmpfs",
           "/tmp",
           "--tmpfs",
           "/var/tmp",
           "--bind",
           work_,
           work_,
           "--unshare-all",
           "--die-with-parent",
           "--new-session",
           "--cap-drop",
           "ALL"};
    if (!copy_.empty()) out.insert(out.end(), {"--bind", copy_, original_});
    out.insert(out.end(), {"--chdir", folder, "--setenv", "HOME", "/tmp"});
    for (const auto& [name, value] : environment) out.insert(out.end(), {"--setenv", name, value});
    return out;
  }
  out.insert(out.end(), {"-C", folder});
  for (const auto& [name, value] : environment) out.push_back(name + "=" + value);
  return out;
}

Sandbox::Result Sandbox::run(const std::string& command, const std::string& folder, const Limits& limits,
                             const Environment& environment) const {
  std::vector<std::string> words = prefix(folder, environment);
  constexpr unsigned kKiB = 1024;
  const std::string memory = limits.memory_mib > 0 ? fmt::format("ulimit -v {};", limits.memory_mib * kKiB) : "";
  // What Reckon allows itself is too little for a sanitizer, which reserves more than any machine has.
  constexpr const char* kOwnLimit = "ulimit -S -d \"$(ulimit -H -d)\";";
  words.insert(words.end(), {"sh", "-c",
                             fmt::format("ulimit -c 0; {} {} exec timeout -k 5 {} sh -c \"$0\" 2>&1", kOwnLimit, memory,
                                         limits.seconds),
                             command});
  const host::ProcessResult done = host::run_process({words, "", {}, true});
  return {done.error, done.status, done.output};
}

std::string Sandbox::problem() const {
  if (!confined_) return "";
  if (host::find_program("bwrap").empty()) return "bubblewrap (bwrap) is not installed";
  const Result result = run("true", "/", {});
  if (!result.error.empty()) return result.error;
  return result.status == 0 ? "" : "bubblewrap does not work here: " + result.output;
}

int signal_of(int status) {
  constexpr int kShell = 128;  // what a shell adds to the number of a signal
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code > kShell ? code - kShell : 0;
}

}  // namespace reckon::confirm
