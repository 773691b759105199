// reckon init: looks at the folder, writes a reckon.toml to begin with, and says which command to run.
#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/project.h"
#include "host/files.h"
#include "support/output_file.h"

namespace reckon::driver {

namespace {

constexpr const char* kFile = "reckon.toml";

struct InitOptions {
  bool print = false;  // to standard output, and no file
};

std::string settings_text(const Project& project) {
  std::string text = "# Settings of Reckon; docs/config.md describes them all. What the command line says wins.\n";
  text +=
      project.database.empty()
          ? "# database = [\"build\"]             # folders with a compile_commands.json\n"
          : fmt::format("database = [\"{}\"]               # folders with a compile_commands.json\n", project.database);
  text += project.domain.empty() ? "# domains = [\"python\"]             # what each file includes decides\n"
                                 : fmt::format("domains = [\"{}\"]\n", project.domain);
  text +=
      "# exclude = [\"third_party\"]        # paths not to report on\n"
      "# fail-on = \"medium\"               # exit status 1 from this severity on\n"
      "# baseline = \".reckon-baseline\"    # report only what is not in this file (--write-baseline makes it)\n";
  return text;
}

int work(const InitOptions& own, host::Console& console) {
  const Project project = look_at(host::current_folder());
  if (project.kind.empty()) {
    console.error(
        "no file here tells how this project is built (setup.py, pyproject.toml, meson.build, CMakeLists.txt, "
        "DESCRIPTION, Kbuild, Makefile, configure, compile_commands.json)");
    console.result("for any build: reckon run -- BUILD COMMAND; for one file: reckon check FILE -- FLAGS");
    return kExitUsage;
  }
  const std::string text = settings_text(project);
  std::error_code ec;
  if (own.print) {
    std::cout << text;
  } else if (std::filesystem::exists(kFile, ec)) {
    std::cout << fmt::format("{} is there already, and stays as it is\n", kFile);
  } else {
    std::string problem;
    if (!support::write_output(kFile, text, problem)) {
      console.error(problem);
      return kExitUsage;
    }
    std::cout << fmt::format("{} is written\n", kFile);
  }
  if (own.print) return kExitClean;
  std::cout << fmt::format("this is {} ({}); to check it:\n", project.kind, project.mark);
  for (const std::string& command : project.first) std::cout << fmt::format("    {}\n", command);
  std::cout << fmt::format("    {}\n", project.command);
  std::cout << "reckon doctor says what is missing for that\n";
  return kExitClean;
}

}  // namespace

void define_init(CommandLine& line) {
  auto own = std::make_shared<InitOptions>();
  CommandArguments app =
      line.command({"init", "Look at this folder, write reckon.toml, say what to run", "reckon init [--print]"},
                   [own](const Options&, host::Console& console) { return work(*own, console); });
  app.flag("--print", "Print the settings instead of writing them", own->print);
  app.footer("Exit codes: 0 done, 2 the folder is not known, or the file cannot be written");
}

}  // namespace reckon::driver
