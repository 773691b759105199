#include "frontends/builds/compdb.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "host/files.h"

namespace reckon::frontends {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view extension(std::string_view file) {
  const std::string_view name = base_name(file);
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// The last -x in force for the input; empty if none.
std::string_view language_flag(const std::vector<std::string>& arguments) {
  std::string_view language;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view arg = arguments[i];
    if (arg == "-x" && i + 1 < arguments.size())
      language = arguments[++i];
    else if (arg.starts_with("-x") && arg.size() > 2)
      language = arg.substr(2);
    else if (arg.starts_with("--language="))
      language = arg.substr(11);
  }
  return language == "none" ? std::string_view() : language;
}

// `ccache gcc -c x.c` is `gcc -c x.c`.
void drop_launchers(std::vector<std::string>& arguments) {
  static constexpr std::array<std::string_view, 5> launchers = {"ccache", "distcc", "sccache", "icecc", "gomacc"};
  std::size_t compiler = 0;
  while (compiler + 1 < arguments.size() && contains(launchers, base_name(arguments[compiler])) &&
         !arguments[compiler + 1].starts_with("-"))
    ++compiler;
  arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(compiler));
}

std::pair<std::size_t, std::size_t> line_and_column(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t line = 1, start = 0;
  for (std::size_t i = 0; i < offset; ++i)
    if (text[i] == '\n') ++line, start = i + 1;
  return {line, offset - start + 1};
}

// nlohmann's text, without its own error number and position, which we give in our own way.
std::string parse_complaint(std::string_view what) {
  if (const auto colon = what.find(": "); colon != std::string_view::npos) what.remove_prefix(colon + 2);
  return std::string(what);
}

// Reads one entry. Returns why it cannot be used, or nothing.
std::optional<std::string> read_entry(const json& entry, const std::string& base, Command& command) {
  if (!entry.is_object()) return "is not an object";
  const auto file = entry.find("file");
  if (file == entry.end() || !file->is_string() || file->get_ref<const std::string&>().empty())
    return "has no \"file\"";
  command.file = file->get<std::string>();

  command.directory = base;
  if (const auto dir = entry.find("directory"); dir != entry.end()) {
    if (!dir->is_string()) return fmt::format("(\"{}\") has a \"directory\" that is not a string", command.file);
    command.directory = absolute_path(dir->get_ref<const std::string&>(), base);
  }

  const auto arguments = entry.find("arguments");
  const auto shell = entry.find("command");
  if (arguments != entry.end() && arguments->is_array()) {
    for (const json& argument : *arguments) {
      if (!argument.is_string()) return fmt::format("(\"{}\") has an argument that is not a string", command.file);
      command.arguments.push_back(argument.get<std::string>());
    }
  } else if (shell != entry.end() && shell->is_string()) {
    command.arguments = split_command(shell->get_ref<const std::string&>());
  }
  if (command.arguments.empty()) return fmt::format("(\"{}\") has no \"command\" and no \"arguments\"", command.file);

  drop_launchers(command.arguments);
  std::string problem;
  command.arguments = expand_response_files(std::move(command.arguments), command.directory, problem);
  if (!problem.empty()) return fmt::format("(\"{}\") cannot be expanded: {}", command.file, problem);
  command.path = absolute_path(command.file, command.directory);
  return std::nullopt;
}

}  // namespace

std::string absolute_path(std::string_view file, std::string_view directory) {
  const fs::path path(file);
  const fs::path joined = path.is_absolute() ? path : fs::path(directory) / path;
  std::string text = joined.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string real_path(const std::string& path) {
  std::error_code ec;
  const fs::path real = fs::weakly_canonical(path, ec);
  return ec ? path : real.string();
}

bool is_cxx_file(std::string_view file) {
  static constexpr std::array<std::string_view, 9> endings = {"cc", "cp", "cpp", "cxx", "c++", "C", "CC", "CPP", "ii"};
  return contains(endings, extension(file));
}

bool is_c_family(std::string_view file, const std::vector<std::string>& arguments) {
  static constexpr std::array<std::string_view, 4> languages = {"c", "c++", "cpp-output", "c++-cpp-output"};
  if (const std::string_view language = language_flag(arguments); !language.empty())
    return contains(languages, language);
  return extension(file) == "c" || extension(file) == "i" || is_cxx_file(file);
}

std::string identity(const Command& command) {
  static constexpr std::array<std::string_view, 5> outputs = {"-o", "-MF", "-MT", "-MQ", "-MJ"};
  static constexpr std::array<std::string_view, 5> dependency_flags = {"-MD", "-MMD", "-MP", "-MG", "-pipe"};
  std::string key = command.directory + '\0' + command.path;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string& argument = command.arguments[i];
    if (contains(outputs, argument)) {
      ++i;
      continue;
    }
    if (contains(dependency_flags, argument) || argument.starts_with("-Wp,-MD,") || argument.starts_with("-Wp,-MMD,"))
      continue;
    key += '\0';
    key += argument;
  }
  return key;
}

Compdb parse_compdb(std::string_view text, const std::string& path) {
  Compdb db;
  db.path = path;
  json root;
  try {
    root = json::parse(text);
  } catch (const json::parse_error& e) {
    const auto [line, column] = line_and_column(text, e.byte > 0 ? e.byte - 1 : 0);
    db.error = fmt::format("{}:{}:{}: malformed JSON: {}", path, line, column, parse_complaint(e.what()));
    return db;
  } catch (const json::exception& e) {  // a number beyond all measure; it comes without a place
    db.error = fmt::format("{}:1:1: malformed JSON: {}", path, parse_complaint(e.what()));
    return db;
  }
  if (!root.is_array()) {
    db.error = fmt::format("{}:1:1: not a compilation database: a list of entries was expected", path);
    return db;
  }
  const std::string base = fs::path(path).parent_path().string();
  std::unordered_set<std::string> seen;
  std::size_t number = 0;
  for (const json& entry : root) {
    ++number;
    Command command;
    if (const auto problem = read_entry(entry, base, command)) {
      db.problems.push_back(fmt::format("{}: entry {} {}; it is left out", path, number, *problem));
    } else if (!is_c_family(command.file, command.arguments)) {
      ++db.other_languages;
    } else if (!seen.insert(identity(command)).second) {
      ++db.duplicates;
    } else {
      db.commands.push_back(std::move(command));
    }
  }
  db.ok = true;
  return db;
}

Compdb load_compdb(const std::string& given) {
  std::error_code ec;
  std::string path = absolute_path(given, fs::current_path(ec).string());
  if (fs::is_directory(path, ec)) path = (fs::path(path) / "compile_commands.json").string();
  std::string text, error;
  if (!host::read_file(path, text, error)) {
    Compdb db;
    db.path = path;
    db.error = fmt::format("{}: {}", path, error);
    return db;
  }
  return parse_compdb(text, path);
}

}  // namespace reckon::frontends
