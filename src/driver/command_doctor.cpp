// reckon doctor: what is missing for a first run, and how to mend it.
//
// Looks at the program's own data, the cache, the project of this folder (project.h), the programs and headers that its
// command needs, its compilation database, and settings of the environment that are known to break builds or recording.
// Nothing is run and nothing is written. Settings with errors were told before this command began.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/project.h"
#include "driver/version.h"
#include "frontends/builds/compdb.h"
#include "host/files.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

// The Debian package that has a program, where it is not called the same.
std::string package_of(const std::string& program) {
  if (program == "cc") return "gcc";
  if (program == "ninja") return "ninja-build";
  return program == "pip3" ? "python3-pip" : program;
}

class Doctor {
 public:
  void good(const std::string& text) { say("  ok       ", text); }
  void bad(const std::string& text, const std::string& remedy) {
    say("  missing  ", text);
    say(kIndent, remedy);
    ++problems_;
  }
  void odd(const std::string& text, const std::string& remedy) {
    say("  note     ", text);
    say(kIndent, remedy);
  }
  std::size_t problems() const { return problems_; }

  void program_itself() {
    if (host::specs_folder().empty())
      bad("the spec files that come with reckon", "unpack or install it again: share/reckon/specs belongs beside it");
    else
      good(fmt::format("reckon {}, specs in {}", version(), host::specs_folder()));
    const std::string cache = host::default_cache_folder();
    std::error_code ec;
    std::string place = cache;
    while (!place.empty() && !fs::exists(place, ec)) place = fs::path(place).parent_path().string();
    if (cache.empty())
      odd("there is no place for a cache: neither XDG_CACHE_HOME nor HOME is set", "give one with --cache DIR");
    else if (access(place.c_str(), W_OK) != 0)
      odd(fmt::format("the cache {} cannot be written, so that every run captures all anew", cache),
          "make it writable, or give another with --cache DIR");
    else
      good(fmt::format("cache in {}", cache));
  }

  void tools(const Project& project) {
    for (const std::string& name : project.programs) {
      if (!host::find_program(name).empty())
        good(fmt::format("{} is installed", name));
      else if (name == "bear")
        bad("bear, which records the compiler calls of a build (for reckon run)", "on Debian: apt-get install bear");
      else
        bad(fmt::format("the program {}", name), fmt::format("on Debian: apt-get install {}", package_of(name)));
    }
  }

  void headers(const Project& project) {
    std::error_code ec;
    if (!fs::exists("/usr/include/stdio.h", ec))
      bad("the C library's headers (stdio.h)", "on Debian: apt-get install libc6-dev");
    if (project.headers.empty()) return;
    const auto found = std::find_if(project.headers.begin(), project.headers.end(),
                                    [&](const std::string& header) { return fs::exists(header, ec); });
    if (found != project.headers.end())
      good(*found);
    else
      bad(fmt::format("{}, which the build needs", project.headers.size() == 1
                                                       ? project.headers.front()
                                                       : fs::path(project.headers.front()).filename().string()),
          fmt::format("on Debian: apt-get install {}", project.header_package));
  }

  void database(const Project& project, const Options& options) {
    std::vector<std::string> places = options.input.usual_databases;
    if (places.empty() && !project.database.empty()) places.push_back(project.database);
    for (const std::string& place : places) {
      const frontends::Compdb db = frontends::load_compdb(place);
      if (!db.ok) {
        std::string first;
        for (const std::string& command : project.first) first += (first.empty() ? "" : " && ") + command;
        bad(fmt::format("a compilation database in {}", place),
            first.empty() ? "build the project first" : "run: " + first);
        continue;
      }
      std::error_code ec;
      const auto gone = std::count_if(db.commands.begin(), db.commands.end(),
                                      [&](const frontends::Command& c) { return !fs::exists(c.path, ec); });
      if (db.commands.empty())
        bad(fmt::format("C or C++ files in {}", db.path),
            "it lists none; build with the compiler's language switched on");
      else if (gone > 0)
        bad(fmt::format("{} of the {} files that {} lists", gone, db.commands.size(), db.path),
            "it is old: configure or build the project again");
      else
        good(fmt::format("{}: {} files", db.path, db.commands.size()));
    }
  }

  void environment() {
    for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
      if (const char* value = std::getenv(name); value && *value)
        odd(fmt::format("{} is set to {}", name, value),
            "the compiler of your build reads it, and reckon does not: put the folders into the flags");
    if (const char* value = std::getenv("LD_PRELOAD"); value && *value)
      odd(fmt::format("LD_PRELOAD is set to {}", value),
          "reckon run records by the same variable; if it records nothing, unset yours");
    if (const char* value = std::getenv("CCACHE_PREFIX"); value && *value)
      odd("CCACHE_PREFIX is set",
          "what ccache serves is not compiled, and then not recorded: CCACHE_DISABLE=1 reckon run ...");
    if (host::find_program("git").empty()) odd("git is not installed", "--new-since and --changed-since need it");
  }

 private:
  static constexpr const char* kIndent = "           ";

  // Names of databases and variables are somebody's: they forge no line.
  static void say(const char* lead, const std::string& text) {
    std::cout << fmt::format("{}{}\n", lead, support::printable(text));
  }

  std::size_t problems_ = 0;
};

int work(const Options& options, host::Console& console) {
  Doctor doctor;
  const Project project = look_at(host::current_folder());
  doctor.program_itself();
  if (project.kind.empty())
    doctor.odd("nothing here tells how the project is built", "start reckon doctor at the root of your project");
  else
    doctor.good(fmt::format("this is {} ({})", project.kind, project.mark));
  doctor.tools(project);
  doctor.headers(project);
  doctor.database(project, options);
  doctor.environment();
  if (doctor.problems() > 0) {
    std::cout << fmt::format("{} thing{} missing\n", doctor.problems(), doctor.problems() == 1 ? " is" : "s are");
    return kExitIncomplete;
  }
  const std::string next = project.kind.empty() ? "" : "; to check this project: " + project.command;
  std::cout << fmt::format("nothing is missing{}\n", next);
  return kExitClean;
}

}  // namespace

void define_doctor(CommandLine& line) {
  CommandArguments app =
      line.command({"doctor", "Say what is missing for a run here, and how to mend it", "reckon doctor"}, work);
  app.footer("Exit codes: 0 nothing is missing, 2 wrong settings, 3 something is missing");
}

}  // namespace reckon::driver
