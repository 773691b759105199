#include "frontends/r/r_build.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "frontends/builds/compdb.h"
#include "frontends/r/make_variables.h"
#include "frontends/r/r_sandbox.h"
#include "host/process.h"
#include "support/file.h"
#include "support/strings.h"

namespace reckon::frontends {

namespace fs = std::filesystem;

namespace {

constexpr std::array kSourceEndings = {".c", ".cc", ".cpp", ".m", ".mm", ".M", ".f", ".f90", ".f95"};
constexpr unsigned kMakeSeconds = 120;

bool is_source(const fs::path& path) {
  return std::find(kSourceEndings.begin(), kSourceEndings.end(), path.extension().string()) != kSourceEndings.end();
}

bool has_file(const std::string& path) {
  std::error_code ec;
  return fs::exists(path, ec);
}

// Files of src/ in order, without folders below.
std::vector<std::string> sources_in(const std::string& src) {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(src, ec))
    if (is_source(entry.path())) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// "CXX17", from Makevars or the requirements of the package; "": R's default.
std::string standard_of(const std::string& in_makevars, const RBuild& build) {
  static constexpr std::array kYears = {"11", "14", "17", "20", "23"};
  std::string standard = in_makevars;
  if (standard.empty())
    for (const char* year : kYears)
      if (build.requirements.find(std::string("C++") + year) != std::string::npos) standard = std::string("CXX") + year;
  const bool known = std::any_of(kYears.begin(), kYears.end(),
                                 [&](const char* year) { return standard == std::string("CXX") + year; });
  return known ? standard : "";
}

// Sorts commands into those for C and C++ and others, each once.
class Collector {
 public:
  explicit Collector(host::Console& console) : console_(console) {}

  void add(const std::string& directory, const std::string& file, std::vector<std::string> arguments) {
    Command command;
    command.directory = directory;
    command.file = file;
    command.arguments = std::move(arguments);
    command.path = absolute_path(file, directory);
    if (!is_c_family(file, command.arguments))
      ++input_.other_languages;
    else if (!has_file(command.path))
      console_.detail(fmt::format("{} is made by the build and not checked", command.path));
    else if (seen_.insert(identity(command)).second)
      input_.commands.push_back(std::move(command));
  }

  std::optional<Input> result() {
    if (!input_.commands.empty()) return std::move(input_);
    console_.error("the package compiles no C or C++ file");
    return std::nullopt;
  }

 private:
  host::Console& console_;
  Input input_;
  std::set<std::string> seen_;
};

// ------------------------------------------------------------ reading Makevars

// Removes what a shell would take from the output of a program: `...` and $(...).
std::string without_shell(std::string_view text, const std::string& what, MakeVariables& variables) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = std::string_view::npos;
    if (text[i] == '`') end = text.find('`', i + 1);
    if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '(') end = text.find(')', i + 1);
    if (end == std::string_view::npos) {
      if (text[i] != '`') out += text[i];
      continue;
    }
    variables.add_unknown(what + ": " + std::string(text.substr(i, end - i + 1)));
    i = end;
  }
  return out;
}

// @NAME@ in a template of configure.
std::string without_placeholders(std::string_view text, MakeVariables& variables) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    if (text[i] != '@' || end == i + 1 || end >= text.size() || text[end] != '@') {
      out += text[i];
      continue;
    }
    variables.add_unknown(std::string(text.substr(i, end - i + 1)) + ", which configure would set");
    i = end;
  }
  return out;
}

// Makevars, or the template that configure would make it of.
void read_makevars(const std::string& src, MakeVariables& variables, host::Console& console) {
  const bool is_template = !has_file(src + "/Makevars") && has_file(src + "/Makevars.in");
  const std::string path = src + (is_template ? "/Makevars.in" : "/Makevars");
  if (!has_file(path)) return;
  std::string text, reason;
  if (!support::read_input(path, text, reason)) {
    console.warning(fmt::format("{}: {}", path, reason));
    return;
  }
  variables.read_text(is_template ? without_placeholders(text, variables) : text, path);
}

// The source that an object of OBJECTS is made of; "" if none is there.
std::string source_of(const std::string& object, const std::string& src) {
  if (!object.ends_with(".o")) return "";
  const std::string stem = object.substr(0, object.size() - 2);
  for (const char* ending : kSourceEndings)
    if (has_file(src + "/" + stem + ending)) return stem + ending;
  return "";
}

std::vector<std::string> sources_of_package(const std::string& src, MakeVariables& variables) {
  if (!variables.defines("OBJECTS")) return sources_in(src);
  std::vector<std::string> names;
  for (const std::string& object : split_command(without_shell(variables.value("OBJECTS"), "OBJECTS", variables))) {
    if (const std::string source = source_of(object, src); !source.empty())
      names.push_back(source);
    else
      variables.add_unknown("the source of " + object);
  }
  return names;
}

void set_r_variables(const RBuild& build, MakeVariables& variables) {
  for (const auto& [name, value] : build_environment(build)) variables.set(name, value);
  variables.set("SHLIB", build.package + ".so");
}

// R's configuration, and what it mostly says where it does not.
void read_configuration(const RBuild& build, const std::string& standard, MakeVariables& variables,
                        host::Console& console) {
  std::string error;
  const std::string makeconf = build.r.home + "/etc" + build.r.arch + "/Makeconf";
  if (!variables.read_trusted(makeconf, error)) console.warning(fmt::format("{}: {}", makeconf, error));
  variables.set_default("CC", "gcc");
  variables.set_default("CXX", "g++");
  variables.set_default("ALL_CPPFLAGS",
                        "-I\"$(R_INCLUDE_DIR)\" -DNDEBUG $(PKG_CPPFLAGS) $(CLINK_CPPFLAGS) $(CPPFLAGS)");
  variables.set_default("ALL_CFLAGS", "$(PKG_CFLAGS) $(CPICFLAGS) $(SHLIB_CFLAGS) $(CFLAGS)");
  variables.set_default("ALL_CXXFLAGS", "$(PKG_CXXFLAGS) $(CXXPICFLAGS) $(SHLIB_CXXFLAGS) $(CXXFLAGS)");
  if (standard.empty()) return;
  variables.set_expression("CXX", fmt::format("$({0}) $({0}STD)", standard));
  variables.set_expression("CXXFLAGS", fmt::format("$({}FLAGS)", standard));
  variables.set_expression("CXXPICFLAGS", fmt::format("$({}PICFLAGS)", standard));
}

// What only a build would tell.
std::vector<std::string> unknown_of(const RBuild& build, const MakeVariables& variables) {
  std::vector<std::string> unknown;
  if (has_file(build.root + "/configure")) unknown.push_back("what configure would write");
  for (const char* own : {"Makefile", "makefile"})
    if (has_file(build.root + "/src/" + own)) unknown.push_back(fmt::format("the rules of src/{}", own));
  unknown.insert(unknown.end(), variables.unknown().begin(), variables.unknown().end());
  return unknown;
}

// ------------------------------------------------------------ asking make

// Names that make takes for nothing else.
bool is_plain_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '+'; }) &&
         !name.starts_with('-');
}

// The call that R's installer makes, as a dry run.
std::vector<std::string> make_command(const RBuild& build, host::Console& console) {
  const std::string src = build.root + "/src";
  const std::string makeconf = build.r.home + "/etc" + build.r.arch + "/Makeconf";
  std::vector<std::string> command{"make", "-n", "-w", "-B", "-k"};
  for (const char* own : {"Makefile", "makefile"})
    if (has_file(src + "/" + own)) {
      command.insert(command.end(), {"-f", makeconf, "-f", own});
      return command;
    }
  if (has_file(src + "/Makevars")) command.insert(command.end(), {"-f", "Makevars"});
  command.insert(command.end(), {"-f", makeconf, "-f", build.r.share + "/make/shlib.mk"});
  command.push_back("SHLIB=" + build.package + ".so");

  MakeVariables variables(build.root, src);
  read_makevars(src, variables, console);
  const std::string standard = standard_of(variables.value("CXX_STD"), build);
  if (!standard.empty()) {
    command.push_back(fmt::format("CXX=$({0}) $({0}STD)", standard));
    command.push_back(fmt::format("CXXFLAGS=$({}FLAGS)", standard));
    command.push_back(fmt::format("CXXPICFLAGS=$({}PICFLAGS)", standard));
  }
  if (variables.defines("OBJECTS")) return command;
  std::string list;
  for (const std::string& source : sources_in(src)) {
    if (is_plain_name(source))
      list += (list.empty() ? "" : " ") + fs::path(source).stem().string() + ".o";
    else
      console.warning(fmt::format("{}: a name that make cannot take; it is left out", source));
  }
  command.push_back("OBJECTS=" + list);
  return command;
}

}  // namespace

bool is_package_name(std::string_view name) {
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '.'; });
}

std::vector<std::pair<std::string, std::string>> build_environment(const RBuild& build) {
  return {{"R_HOME", build.r.home},
          {"R_INCLUDE_DIR", build.r.include},
          {"R_SHARE_DIR", build.r.share},
          {"R_ARCH", build.r.arch},
          {"CLINK_CPPFLAGS", build.include_flags},
          {"R_PACKAGE_NAME", build.package},
          {"R_PACKAGE_DIR", build.root},
          {"R_OSTYPE", "unix"}};
}

std::optional<Input> commands_by_reading(const RBuild& build, host::Console& console) {
  const std::string src = build.root + "/src";
  MakeVariables variables(build.root, src);
  set_r_variables(build, variables);
  read_makevars(src, variables, console);
  const std::vector<std::string> sources = sources_of_package(src, variables);
  const std::string standard = standard_of(variables.value("CXX_STD"), build);
  read_configuration(build, standard, variables, console);

  const auto words = [&](const char* expression) {
    return split_command(without_shell(variables.expand(expression), "flags", variables));
  };
  const std::vector<std::string> c = words("$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)");
  const std::vector<std::string> cxx = words("$(CXX) $(ALL_CPPFLAGS) $(ALL_CXXFLAGS)");
  Collector collector(console);
  for (const std::string& source : sources) {
    std::vector<std::string> arguments = is_cxx_file(source) ? cxx : c;
    arguments.insert(arguments.end(), {"-c", source, "-o", fs::path(source).replace_extension(".o").string()});
    collector.add(src, source, std::move(arguments));
  }
  std::optional<Input> input = collector.result();
  if (input) input->not_known = unknown_of(build, variables);
  return input;
}

std::optional<Input> commands_by_make(const RBuild& build, host::Console& console) {
  ConfinedProgram program;
  program.command = make_command(build, console);
  program.directory = build.root + "/src";
  program.writable = build.writable;
  program.readable = build.r.libraries;
  program.readable.push_back(build.root);
  program.readable.push_back(build.r.home);
  program.environment = build_environment(build);
  program.seconds = kMakeSeconds;
  const host::ProcessResult make = host::run_process({confined(program, have_sandbox()), program.directory});
  if (!make.error.empty()) {
    console.error(fmt::format("make: {}", make.error));
    return std::nullopt;
  }
  if (make.status != 0)
    console.warning(fmt::format("make, asked how to compile the package, {}", host::describe_status(make.status)));

  Collector collector(console);
  std::vector<std::string> folders{program.directory};
  std::string line;
  for (const std::string& part : support::lines_of(make.output)) {
    line += part;
    if (!line.empty() && line.back() == '\\') {
      line.back() = ' ';
      continue;
    }
    const std::string text = std::exchange(line, "");
    if (const std::size_t at = text.find(": Entering directory '"); at != std::string::npos) {
      const std::size_t from = at + 22;
      folders.push_back(text.substr(from, text.rfind('\'') - from));
      continue;
    }
    if (text.find(": Leaving directory '") != std::string::npos) {
      if (folders.size() > 1) folders.pop_back();
      continue;
    }
    std::vector<std::string> arguments = split_command(text);
    if (std::find(arguments.begin(), arguments.end(), "-c") == arguments.end()) continue;
    const auto source = std::find_if(arguments.begin(), arguments.end(), [](const std::string& argument) {
      return !argument.starts_with("-") && is_source(argument);
    });
    if (source != arguments.end()) collector.add(folders.back(), std::string(*source), arguments);
  }
  return collector.result();
}

}  // namespace reckon::frontends
