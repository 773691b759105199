#include "cli/cli_helper.h"
#include "test_paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace reckon::cli {

namespace {

constexpr uid_t kNobody = 65534;

std::string program() {
  const char* given = std::getenv("RECKON_BIN");
  return given ? given : RECKON_BIN;
}

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

[[noreturn]] void execute(const Sandbox& sandbox, const Launch& launch, const std::string& out,
                          const std::string& err) {
  const int out_fd = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int err_fd = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(out_fd, STDOUT_FILENO);
  dup2(err_fd, STDERR_FILENO);
  if (chdir(sandbox.root().c_str()) != 0) _exit(126);
  setenv("HOME", sandbox.path("home").c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
  for (const auto& [name, value] : launch.environment) setenv(name.c_str(), value.c_str(), 1);
  for (const std::string& name : launch.unset) unsetenv(name.c_str());
  if (launch.unprivileged && geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
  const std::string bin = program();
  if (!launch.script.empty()) {
    setenv("RECKON", bin.c_str(), 1);
    execl("/bin/sh", "sh", "-c", launch.script.c_str(), nullptr);
    _exit(127);
  }
  std::vector<char*> argv{const_cast<char*>(bin.c_str())};
  for (const std::string& argument : launch.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(bin.c_str(), argv.data());
  _exit(127);
}

}  // namespace

Sandbox::Sandbox() {
  std::string name = (std::filesystem::temp_directory_path() / "reckon-cli-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  root_ = std::filesystem::canonical(name);
  std::filesystem::create_directory(root_ / "home");
}

Sandbox::~Sandbox() {
  std::error_code ec;
  std::filesystem::remove_all(root_, ec);
}

void Sandbox::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((root_ / name).parent_path());
  std::ofstream(root_ / name, std::ios::binary) << text;
}

void Sandbox::write_database(const std::vector<std::string>& files) const {
  nlohmann::json entries = nlohmann::json::array();
  for (const std::string& file : files)
    entries.push_back({{"directory", root_.string()}, {"file", file}, {"arguments", {"clang", "-c", file}}});
  write("compile_commands.json", entries.dump(1));
}

Process::Process(const Sandbox& sandbox, const Launch& launch) : sandbox_(sandbox) {
  out_ = sandbox.path("home/stdout");
  err_ = sandbox.path("home/stderr");
  if (launch.unprivileged) std::filesystem::permissions(sandbox.root() / "home", std::filesystem::perms::all);
  pid_ = fork();
  if (pid_ == 0) execute(sandbox, launch, out_, err_);
}

Process::~Process() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::vector<pid_t> Process::children() const {
  std::istringstream in(slurp("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/children"));
  std::vector<pid_t> pids;
  for (pid_t pid; in >> pid;) pids.push_back(pid);
  return pids;
}

RunResult Process::wait(double seconds) {
  RunResult result;
  int status = 0;
  if (!wait_until([&] { return waitpid(pid_, &status, WNOHANG) != 0; }, seconds)) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  }
  pid_ = -1;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.out = slurp(out_);
  result.err = slurp(err_);
  return result;
}

RunResult run(const Sandbox& sandbox, const Launch& launch) { return Process(sandbox, launch).wait(); }

RunResult run(const Sandbox& sandbox, std::vector<std::string> arguments) {
  return run(sandbox, Launch{std::move(arguments), {}, {}, false});
}

RunResult shell(const Sandbox& sandbox, const std::string& script, bool unprivileged) {
  return run(sandbox, Launch{{}, {}, {}, unprivileged, script});
}

bool wait_until(const std::function<bool()>& ready, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!ready()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void write_endless_header(const std::string& path) {
  std::ofstream out(path);
  out << "#define M0\n";
  for (int level = 1; level <= 7; ++level) {
    out << "#define M" << level;
    for (int i = 0; i < 200; ++i) out << " M" << level - 1;
    out << "\n";
  }
  out << "M7\n";  // 200^7 names, each of them replaced by nothing
}

bool wait_for_busy_worker(const Process& reckon) {
  const auto is_busy = [](pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string word;
    for (int i = 0; i < 11; ++i) rest >> word;  // the state is the third field of the line, the user time the 14th
    long ticks = 0;
    rest >> ticks;
    return ticks * 1000 / sysconf(_SC_CLK_TCK) >= 300;
  };
  return wait_until([&] {
    const std::vector<pid_t> workers = reckon.children();
    return std::any_of(workers.begin(), workers.end(), is_busy);
  });
}

}  // namespace reckon::cli
