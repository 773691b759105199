// reckon run -- BUILD COMMAND: lets Bear record the compiler calls of any build, then checks them.
//
// The build's own output goes to stderr, so that stdout holds the report alone. Bear hands on the exit
// status of the build; a build that fails may still have compiled most of the program, so the run goes on
// with what was recorded, and fails at its end (exit code 3). Sources that are gone by then (configure's
// test programs) are left out.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/pipeline.h"
#include "host/files.h"

namespace reckon::driver {

namespace {

struct BuildResult {
  std::string error;  // could not be started
  int status = 0;     // as waitpid gives it
  bool interrupted = false;
};

// Runs a program and waits; SIGINT and SIGTERM are handed on to it.
BuildResult run_build(const std::vector<std::string>& command) {
  BuildResult result;
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, &before);

  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  // Bear's parts talk to each other over this host, which would be sent to the proxy of http_proxy. The variable is
  // read by nothing else, so that the build keeps its proxy.
  const char* others = std::getenv("no_grpc_proxy");
  const std::string own_host = std::string("localhost,127.0.0.1") + (others ? std::string(",") + others : "");
  const pid_t pid = fork();
  if (pid == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv("no_grpc_proxy", own_host.c_str(), 1);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  if (pid < 0) {
    result.error = std::strerror(errno);
  } else {
    while (waitpid(pid, &result.status, WNOHANG) == 0) {
      siginfo_t info;
      const int signal = sigwaitinfo(&signals, &info);
      if (signal == SIGINT || signal == SIGTERM) {
        result.interrupted = true;
        kill(pid, signal);
      }
    }
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return result;
}

std::string describe(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("failed with exit status {}", WEXITSTATUS(status));
}

int work(const Options& options, host::Console& console) {
  if (options.input.trailing.empty()) {
    console.error("no build command: reckon run [OPTIONS] -- COMMAND...");
    return kExitUsage;
  }
  const std::string bear = host::find_program("bear");
  if (bear.empty()) {
    console.error("'bear' was not found, which records the compiler calls of a build; install the package bear");
    return kExitUsage;
  }

  frontends::Compdb db;
  BuildResult build;
  {
    const host::TempFolder folder;
    if (!folder.ok()) {
      console.error(fmt::format("no temporary folder: {}", folder.error()));
      return kExitUsage;
    }
    const std::string recording = folder.path() + "/compile_commands.json";
    std::vector<std::string> command = {bear, "--output", recording, "--"};
    command.insert(command.end(), options.input.trailing.begin(), options.input.trailing.end());
    build = run_build(command);
    if (build.interrupted) {
      console.error("interrupted");
      return kExitInterrupted;
    }
    if (!build.error.empty()) {
      console.error(fmt::format("{}: {}", bear, build.error));
      return kExitUsage;
    }
    db = frontends::load_compdb(recording);
  }

  std::error_code ec;
  const std::size_t gone = std::erase_if(
      db.commands, [&](const frontends::Command& command) { return !std::filesystem::exists(command.path, ec); });
  if (gone > 0) console.detail(fmt::format("{} recorded sources are gone (temporary files of the build)", gone));

  const bool failed = build.status != 0;
  if (failed && (!db.ok || db.commands.empty())) {
    console.error(fmt::format("the build {}, and no compiler call was recorded", describe(build.status)));
    frontends::Input nothing;
    nothing.build_failure = describe(build.status);
    return check_program(nothing, options, console);  // reports say so, too
  }
  if (db.ok && db.commands.empty()) {
    console.error("the build compiled no C or C++ file (perhaps everything is up to date: clean it first)");
    return kExitUsage;
  }
  if (failed)
    console.warning(fmt::format("the build {}; what it compiled is checked ({} files)", describe(build.status),
                                db.commands.size()));
  auto input = input_from_database(db, options.input.files, console);
  if (input && failed) input->build_failure = describe(build.status);
  return input ? check_program(*input, options, console) : kExitUsage;
}

}  // namespace

void define_run(CommandLine& line) {
  CommandArguments app = line.command(
      {"run", "Record a build with Bear and check what it compiled", "reckon run [OPTIONS] -- BUILD COMMAND..."}, work);
  line.checking(app);
}

}  // namespace reckon::driver
