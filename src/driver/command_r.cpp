// reckon r PACKAGE...: checks R packages from their sources, folders or archives, without installing them.
//
// Packages are programs of their own, with names that may clash. So several are checked one after the other, each by
// this same program, and `{package}` in the name of an --output stands for the package's name. The worst exit code
// wins.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/pipeline.h"
#include "driver/spec_files.h"
#include "frontends/r/r_package.h"

namespace reckon::driver {

namespace {

constexpr std::string_view kPlaceholder = "{package}";

struct ROptions {
  std::vector<std::string> packages;  // folders or archives
  bool allow_build = false;           // configure and make may run
  std::string include;                // headers of another R
};

int check_one(const ROptions& own, const std::string& path, const Options& options, host::Console& console) {
  frontends::RPackage package;
  if (!package.open(path, own.allow_build, own.include, console)) return kExitUsage;
  const auto input = package.commands(console);
  if (!input) return kExitUsage;
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  Options here = options;
  if (here.report.base.empty()) here.report.base = package.root();
  here.analysis.scripts = package.scripts(specs, console);
  return check_program(*input, here, console);
}

// "digest" of "digest_0.6.31.tar.gz" and of "some/digest/".
std::string name_of_package(const std::string& path) {
  std::filesystem::path plain(path);
  if (plain.filename().empty()) plain = plain.parent_path();
  const std::string name = plain.filename().string();
  return name.substr(0, name.find('_'));
}

// Runs this program and waits. Its exit code, or kExitIncomplete if it has none.
int run_self(const std::vector<std::string>& command, host::Console& console) {
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    execv("/proc/self/exe", argv.data());
    _exit(127);
  }
  int status = 0;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (pid < 0) console.error(std::strerror(errno));
  return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(kExitIncomplete);
}

// The command line for one of the packages.
std::vector<std::string> arguments_for(const ROptions& own, const std::string& package, const Options& options) {
  std::vector<std::string> out;
  for (std::string word : options.arguments) {
    if (std::find(own.packages.begin(), own.packages.end(), word) != own.packages.end()) continue;
    if (const std::size_t at = word.find(kPlaceholder); at != std::string::npos)
      word.replace(at, kPlaceholder.size(), name_of_package(package));
    out.push_back(std::move(word));
  }
  out.push_back(package);
  return out;
}

int work(const ROptions& own, const Options& options, host::Console& console) {
  if (own.packages.size() == 1) return check_one(own, own.packages.front(), options, console);
  std::vector<std::pair<const char*, std::string>> outputs = {{"--write-baseline", options.report.write_baseline}};
  for (const ReportWish& wish : options.report.reports) outputs.emplace_back("--output", wish.output);
  std::erase_if(outputs, [](const auto& output) { return output.second.empty() || output.second == "-"; });
  for (const auto& [option, path] : outputs)
    if (path.find(kPlaceholder) == std::string::npos) {
      console.error(
          fmt::format("{} {}: of several packages each needs a file of its own; {} in its name stands "
                      "for the package",
                      option, path, kPlaceholder));
      return kExitUsage;
    }
  std::set<std::string> names;
  for (const std::string& package : own.packages)
    if (const std::string name = name_of_package(package); !names.insert(name).second && !outputs.empty()) {
      console.error(fmt::format("two packages are called {}, and each needs a file of its own", name));
      return kExitUsage;
    }
  int worst = kExitClean;
  for (const std::string& package : own.packages) {
    console.note(fmt::format("package {}", name_of_package(package)));
    worst = std::max(worst, run_self(arguments_for(own, package, options), console));
    if (worst == kExitInterrupted) break;
  }
  return worst;
}

}  // namespace

void define_r(CommandLine& line) {
  auto own = std::make_shared<ROptions>();
  CommandArguments app =
      line.command({"r", "Check R packages from their sources", "reckon r [OPTIONS] FOLDER|ARCHIVE..."},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.group("Input");
  app.words({"packages", "The packages: folders or .tar.gz", "PACKAGE", true, true}, own->packages);
  app.flag("--allow-build", "Run the package's configure and make to learn its flags", own->allow_build);
  app.text({"--r-include", "Headers of another R than the one that is installed", "DIR"}, own->include);
  line.checking(app);
}

}  // namespace reckon::driver
