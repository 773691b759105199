// One job of a fleet: starts the work as a process of its own and writes down how it went.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/engine_files.h"
#include "driver/fleet.h"
#include "driver/version.h"
#include "host/process.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/strings.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr unsigned kGrace = 10;  // seconds between "please end" and the end

// A lock of the package's folder: the same job may have been started twice. What the job starts inherits it, so that
// it is held until the last process of a killed job has ended.
class JobLock {
 public:
  explicit JobLock(const std::string& folder) : fd_(open((folder + "/lock").c_str(), O_RDWR | O_CREAT, 0666)) {
    while (fd_ >= 0 && flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~JobLock() {
    if (fd_ >= 0) close(fd_);
  }
  JobLock(const JobLock&) = delete;
  JobLock& operator=(const JobLock&) = delete;
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

// What a result depends on: the package's line and options, its archive, and this program.
std::string key_of(const std::string& folder, const FleetPackage& package) {
  std::string what, ignored;  // read by the work, which says what is wrong
  support::read_input(folder + "/package.json", what, ignored);
  struct stat about{};
  if (stat(package.path.c_str(), &about) == 0 && S_ISREG(about.st_mode))
    what += fmt::format("{} {} {}", about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
  return support::hash128(what + cache_version() + analysis_version()).hex();
}

struct Ended {
  std::string error;  // could not be started
  int status = 0;
  double cpu = 0, seconds = 0;
  long peak_kib = 0;  // of the largest process
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Runs a program whose words go to a file. It is asked to end when this process does.
Ended run_logged(const std::vector<std::string>& command, const std::string& log) {
  Ended out;
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    out.error = support::system_error(log, errno);
    return out;
  }
  const auto begin = std::chrono::steady_clock::now();
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  if (pid < 0) out.error = std::strerror(errno);
  close(file);
  rusage used{};
  while (pid > 0 && wait4(pid, &out.status, 0, &used) < 0 && errno == EINTR) {
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  out.cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  out.peak_kib = used.ru_maxrss;
  return out;
}

// The last error in a log, without its place: those of Clang before it may be of flags that were tried.
enum class Teller : std::uint8_t { Reckon, Clang };
std::string last_error(const std::string& log, Teller teller) {
  std::string text, ignored, last;  // a log that cannot be read has no error
  support::read_input(log, text, ignored);
  constexpr std::string_view kError = " error: ";
  for (const std::string& line : support::lines_of(text)) {
    const std::size_t at = line.find(kError);
    const bool ours = line.starts_with("reckon: error: "), of_clang = !line.starts_with("reckon:");
    if (at != std::string::npos && (teller == Teller::Reckon ? ours : of_clang)) last = line.substr(at + kError.size());
  }
  return last;
}

std::string why_not_done(const Ended& ended, const FleetOptions& fleet, const std::string& log) {
  if (!ended.error.empty()) return ended.error;
  if (ended.seconds >= fleet.seconds) return fmt::format("took longer than {} s", fleet.seconds);
  const std::string told = last_error(log, Teller::Reckon);
  const std::string how = "the process " + host::describe_status(ended.status);
  return told.empty() ? how : told;
}

std::vector<std::string> command_of_work(const FleetOptions& fleet, const Options& options) {
  std::vector<std::string> out = {"timeout", fmt::format("--kill-after={}", kGrace), std::to_string(fleet.seconds),
                                  "/proc/self/exe"};
  std::error_code ec;
  if (const fs::path self = fs::read_symlink("/proc/self/exe", ec); !ec) out.back() = self.string();
  out.insert(out.end(), options.arguments.begin() + 1, options.arguments.end());
  out.emplace_back("--confined");
  return out;
}

}  // namespace

int run_fleet_job(const FleetPackage& package, const FleetOptions& fleet, const Options& options,
                  host::Console& console) {
  const std::string folder = folder_of(fleet, package);
  const JobLock lock(folder);
  if (!lock.ok()) {
    console.error(support::system_error(folder + "/lock", errno));
    return kExitUsage;
  }
  const std::string key = key_of(folder, package);
  if (const json done = result_of(folder); done.is_object() && done["key"] == key) return kExitClean;
  std::error_code ec;
  for (const char* name : {"result.json", "outcome.json", "pages", "source", "made"})
    fs::remove_all(folder + "/" + name, ec);
  const std::string log = folder + "/log.txt";
  const Ended ended = run_logged(command_of_work(fleet, options), log);

  std::string text, ignored;  // without an outcome the work did not end well, and the log says why
  support::read_input(folder + "/outcome.json", text, ignored);
  json result = json::parse(text, nullptr, false);
  if (!result.is_object() || ended.status != 0 || !ended.error.empty())
    result = {{"status", "not analysed"}, {"reason", why_not_done(ended, fleet, log)}};
  if (result["status"] != "analysed" && result.value("units_failed", 0) > 0)
    if (const std::string error = last_error(log, Teller::Clang); !error.empty())
      result["reason"] = fmt::format("{} (Clang: {})", result.value("reason", std::string()), error);
  result["key"] = key;
  result["cpu_seconds"] = ended.cpu;
  result["wall_seconds"] = ended.seconds;
  result["peak_mib"] = ended.peak_kib / 1024;
  for (const char* name : {"outcome.json", "source", "made"}) fs::remove_all(folder + "/" + name, ec);
  if (!put_file(folder, "result.json",
                support::printable_json(result.dump(1, ' ', false, json::error_handler_t::replace)) + "\n", console))
    return kExitUsage;
  const bool analysed = result["status"] == "analysed";
  console.note(fmt::format("{}: {}", support::printable(package.name),
                           analysed ? fmt::format("{} units, {} findings, {:.1f} s of CPU time",
                                                  result.value("units", 0), result["findings"].size(), ended.cpu)
                                    : "not analysed: " + result.value("reason", std::string())));
  return kExitClean;
}

}  // namespace reckon::driver
