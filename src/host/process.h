// Running a program and reading what it prints.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reckon::host {

struct ProcessResult {
  std::string error;   // could not be started, else ""
  int status = 0;      // as waitpid gives it; 0: success
  std::string output;  // stdout, up to 64 MiB, unless it went to stderr
};

struct ProcessRequest {
  std::vector<std::string> command;                                   // found by PATH
  std::string directory;                                              // "" : the current one
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
  bool keep_output = true;                                            // false: its stdout goes to our stderr
  int signal_when_we_die = 0;                                         // sent to it then; 0: none
};

ProcessResult run_process(const ProcessRequest& request);

// "failed with exit status 2", "was ended by signal 9"
std::string describe_status(int status);

}  // namespace reckon::host
