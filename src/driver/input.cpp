#include "driver/input.h"

#include <fmt/core.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "driver/files.h"

namespace reckon::driver {

namespace fs = std::filesystem;

namespace {

// Why `path` cannot be read as a source file, or "".
std::string complaint_about(const std::string& path) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (status.type() == fs::file_type::not_found) return "no such file";
  if (ec) return ec.message();
  if (fs::is_directory(status)) return "is a folder (give -p to check the files of a build below it)";
  return "";
}

// Compilation databases of the folders above a source file, each read once.
class ParentDatabases {
 public:
  // The commands for `path` from the nearest database above it; empty if there is none, or none for it.
  std::vector<Command> commands_for(const std::string& path, Console& console) {
    for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
      if (const Compdb* db = database_in(folder, console)) {
        std::vector<Command> found;
        for (const Command& command : db->commands)
          if (command.path == path || real_path(command.path) == real_path(path)) found.push_back(command);
        return found;
      }
      if (folder == folder.parent_path()) return {};
    }
  }

 private:
  const Compdb* database_in(const fs::path& folder, Console& console) {
    const auto [it, is_new] = by_folder_.try_emplace(folder.string());
    if (is_new) {
      const fs::path file = folder / "compile_commands.json";
      std::error_code ec;
      if (fs::exists(file, ec)) {
        it->second = load_compdb(file.string());
        if (it->second->ok)
          console.detail(fmt::format("using the flags in {}", file.string()));
        else
          console.warning(fmt::format("{}; it is not used", it->second->error));
      }
    }
    return it->second && it->second->ok ? &*it->second : nullptr;
  }

  std::unordered_map<std::string, std::optional<Compdb>> by_folder_;
};

Command plain_command(const std::string& file, const std::string& path, const std::vector<std::string>& flags) {
  Command command;
  command.directory = current_folder();
  command.file = file;
  command.path = path;
  command.arguments.push_back(is_cxx_file(file) ? "clang++" : "clang");
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments = expand_response_files(std::move(command.arguments), command.directory);
  command.arguments.push_back("-c");
  command.arguments.push_back(file);
  return command;
}

std::optional<Input> input_from_files(const Options& options, Console& console) {
  Input input;
  ParentDatabases databases;
  bool usable = true;
  for (const std::string& file : options.files) {
    const std::string path = absolute_path(file, current_folder());
    if (const std::string complaint = complaint_about(path); !complaint.empty()) {
      console.error(fmt::format("{}: {}", file, complaint));
      usable = false;
      continue;
    }
    if (!options.has_trailing) {
      if (auto found = databases.commands_for(path, console); !found.empty()) {
        input.commands.insert(input.commands.end(), found.begin(), found.end());
        continue;
      }
    }
    Command command = plain_command(file, path, options.trailing);
    if (!is_c_family(file, command.arguments)) {
      console.error(fmt::format("{}: not a C or C++ source file (say -x c or -x c++ after -- if it is)", file));
      usable = false;
      continue;
    }
    input.commands.push_back(std::move(command));
  }
  if (!usable) return std::nullopt;
  return input;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) &&
         (folder.back() == '/' || path[folder.size()] == '/');
}

}  // namespace

std::optional<Input> input_from_database(const Compdb& db, const std::vector<std::string>& files, Console& console) {
  if (!db.ok) {
    console.error(db.error);
    return std::nullopt;
  }
  for (const std::string& problem : db.problems) console.warning(problem);
  if (db.other_languages > 0)
    console.detail(fmt::format("{}: {} entries are not C or C++ and are left out", db.path, db.other_languages));
  if (db.duplicates > 0) console.detail(fmt::format("{}: {} entries are repetitions", db.path, db.duplicates));

  Input input;
  input.unusable = db.problems.size();
  input.other_languages = db.other_languages;
  if (files.empty()) {
    input.commands = db.commands;
    if (input.commands.empty()) {
      console.error(fmt::format("{}: no entry for a C or C++ file", db.path));
      return std::nullopt;
    }
    return input;
  }

  std::vector<std::string> wanted;
  for (const std::string& file : files) wanted.push_back(real_path(absolute_path(file, current_folder())));
  std::vector<bool> found(wanted.size());
  for (const Command& command : db.commands) {
    const std::string real = real_path(command.path);
    bool take = false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (real != wanted[i] && !is_below(real, wanted[i])) continue;
      take = true;
      found[i] = true;
    }
    if (take) input.commands.push_back(command);
  }
  bool all = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found[i]) continue;
    all = false;
    std::error_code ec;
    console.error(fs::exists(wanted[i], ec) ? fmt::format("{}: no entry for it in {}", files[i], db.path)
                                            : fmt::format("{}: no such file", files[i]));
  }
  if (!all) return std::nullopt;
  return input;
}

std::optional<Input> gather_input(const Options& options, Console& console) {
  if (!options.database.empty()) {
    if (options.has_trailing) {
      console.error("-p and flags after -- exclude each other");
      return std::nullopt;
    }
    return input_from_database(load_compdb(options.database), options.files, console);
  }
  if (options.files.empty()) {
    console.error("nothing to check: give source files, or -p with a folder that holds compile_commands.json");
    return std::nullopt;
  }
  return input_from_files(options, console);
}

}  // namespace reckon::driver
