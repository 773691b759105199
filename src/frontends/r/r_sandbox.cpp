#include "frontends/r/r_sandbox.h"

#include <cstdlib>
#include <filesystem>

#include "host/files.h"
#include "host/process.h"

namespace reckon::frontends {

namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

}  // namespace

bool have_sandbox() {
  if (host::find_program("bwrap").empty()) return false;
  // Containers often have the program but not the rights.
  const host::ProcessResult tried =
      host::run_process({{"bwrap", "--ro-bind", "/", "/", "--unshare-all", "--dev", "/dev", "--proc", "/proc", "--",
                          "sh", "-c", "exec 2>/dev/null; true"},
                         ""});
  return tried.error.empty() && tried.status == 0;
}

std::vector<std::string> confined(const ConfinedProgram& program, bool sandbox) {
  std::vector<std::pair<std::string, std::string>> environment = {
      {"PATH", variable("PATH", "/usr/local/bin:/usr/bin:/bin")}, {"LANG", variable("LANG", "C")}};
  environment.insert(environment.end(), program.environment.begin(), program.environment.end());
  const std::string home = variable("HOME", "");
  environment.emplace_back("HOME", sandbox || home.empty() ? program.writable : home);

  std::vector<std::string> line = {"timeout", "--kill-after=5", std::to_string(program.seconds)};
  if (!sandbox) {
    line.insert(line.end(), {"env", "-i"});
    for (const auto& [name, value] : environment) line.push_back(name + "=" + value);
  } else {
    line.insert(line.end(), {"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--ro-bind",
                             "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run"});
    std::error_code ec;
    if (home.size() > 1 && home[0] == '/' && std::filesystem::is_directory(home, ec))
      line.insert(line.end(), {"--tmpfs", home});
    for (const std::string& folder : program.readable)
      if (std::filesystem::is_directory(folder, ec)) line.insert(line.end(), {"--ro-bind", folder, folder});
    line.insert(line.end(), {"--bind", program.writable, program.writable, "--chdir", program.directory});
    for (const auto& [name, value] : environment) line.insert(line.end(), {"--setenv", name, value});
    line.push_back("--");
  }
  line.insert(line.end(), program.command.begin(), program.command.end());
  return line;
}

}  // namespace reckon::frontends
