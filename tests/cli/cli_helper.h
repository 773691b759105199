// Runs the built program as a user would: in a folder of its own, with a home of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace reckon::cli {

struct RunResult {
  int code = -1;    // exit code, or -signal
  std::string out;  // stdout
  std::string err;  // stderr
};

// A fresh folder below the system's temporary folder, removed at the end.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  const std::filesystem::path& root() const { return root_; }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  void write(const std::string& name, const std::string& text) const;
  // compile_commands.json in the root, one `clang -c FILE` entry a file.
  void write_database(const std::vector<std::string>& files) const;

 private:
  std::filesystem::path root_;
};

struct Launch {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;  // added to the test's own
  std::vector<std::string> unset;                  // variables taken away
  bool unprivileged = false;                       // as nobody, if the test runs as root
  std::string script = {};                         // for sh, in place of the arguments; $RECKON is the program
};

// A running reckon.
class Process {
 public:
  Process(const Sandbox& sandbox, const Launch& launch);
  ~Process();  // kills it if it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  std::vector<pid_t> children() const;
  RunResult wait(double seconds = 120);  // code is -9 after that time

 private:
  const Sandbox& sandbox_;
  std::string out_, err_;
  pid_t pid_ = -1;
};

RunResult run(const Sandbox& sandbox, const Launch& launch);
RunResult run(const Sandbox& sandbox, std::vector<std::string> arguments);
// What sh makes of a script in which $RECKON is the program: for streams, limits and descriptors.
RunResult shell(const Sandbox& sandbox, const std::string& script, bool unprivileged = false);

// Waits until `ready` says yes; false after `seconds`.
bool wait_until(const std::function<bool()>& ready, double seconds = 30);

bool contains(const std::string& text, const std::string& part);

// A source that includes it keeps its worker busy for years.
void write_endless_header(const std::string& path);
// Waits until a worker has spent more time on its unit than a small one takes; false: none has.
bool wait_for_busy_worker(const Process& reckon);

}  // namespace reckon::cli
