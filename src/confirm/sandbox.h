// Runs code of others so that it can do no harm: without a network, with a file system that it can only read, with
// folders and processes of its own, and with limits of time and memory. bubblewrap does the work.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reckon::confirm {

struct Limits {
  unsigned seconds = 600;
  unsigned memory_mib = 4096;  // 0: none, for programs with sanitizers, which reserve more than any machine has
};

class Sandbox {
 public:
  // `work` can be written; `copy`, if there is one, stands at the path `original`.
  Sandbox(std::string work, std::string original, std::string copy, bool confined)
      : work_(std::move(work)), original_(std::move(original)), copy_(std::move(copy)), confined_(confined) {}

  struct Result {
    std::string error;   // why it could not be started; "" if it was
    int status = 0;      // as waitpid gives it
    std::string output;  // both streams
  };
  using Environment = std::vector<std::pair<std::string, std::string>>;
  // `command` is the shell's.
  Result run(const std::string& command, const std::string& folder, const Limits& limits,
             const Environment& environment = {}) const;

  // "" if the sandbox works here, else what is missing.
  std::string problem() const;

 private:
  std::vector<std::string> prefix(const std::string& folder, const Environment& environment) const;

  std::string work_, original_, copy_;
  bool confined_;
};

// Did the program end by a signal, also if a shell or `timeout` stood between?
int signal_of(int status);

}  // namespace reckon::confirm
