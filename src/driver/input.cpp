#include "driver/input.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <unordered_map>

#include "host/files.h"

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

// Does version control say that a project starts here?
bool is_project_root(const fs::path& folder) {
  std::error_code ec;
  for (const char* mark : {".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"})
    if (fs::exists(folder / mark, ec)) return true;
  return false;
}

// Compilation databases of the folders above a source file, each read once.
//
// A database says which files are read with which flags, so one that somebody else has put into a folder above is not
// taken: the search ends at the root of the project, at a folder everybody may write to, and at a folder or a database
// of another owner than the source (our own and root's are fine).
class ParentDatabases {
 public:
  // The commands for `path` from the nearest database above it; empty if there is none, or none for it.
  std::vector<frontends::Command> commands_for(const std::string& path, host::Console& console) {
    struct stat source{};
    if (stat(path.c_str(), &source) != 0) return {};
    for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
      struct stat info{};
      if (stat(folder.c_str(), &info) != 0 || !trusted(info, source)) return {};
      if (const frontends::Compdb* db = database_in(folder, source, console)) {
        std::vector<frontends::Command> found;
        for (const frontends::Command& command : db->commands)
          if (command.path == path || frontends::real_path(command.path) == frontends::real_path(path))
            found.push_back(command);
        return found;
      }
      if (folder == folder.parent_path() || is_project_root(folder)) return {};
    }
  }

 private:
  static bool trusted(const struct stat& info, const struct stat& source) {
    const bool anybody_writes = (info.st_mode & S_IWOTH) != 0;
    return !anybody_writes && (info.st_uid == source.st_uid || info.st_uid == geteuid() || info.st_uid == 0);
  }

  const frontends::Compdb* database_in(const fs::path& folder, const struct stat& source, host::Console& console) {
    const auto [it, is_new] = by_folder_.try_emplace(folder.string());
    if (is_new) {
      const fs::path file = folder / "compile_commands.json";
      struct stat info{};
      if (stat(file.c_str(), &info) == 0) {
        if (!trusted(info, source)) {
          console.warning(
              fmt::format("{}: belongs to somebody else, or "
                          "everybody may write it; it is not used",
                          file.string()));
          return nullptr;
        }
        it->second = frontends::load_compdb(file.string());
        if (it->second->ok)
          console.note(fmt::format("using the flags in {}", file.string()));
        else
          console.warning(fmt::format("{}; it is not used", it->second->error));
      }
    }
    return it->second && it->second->ok ? &*it->second : nullptr;
  }

  std::unordered_map<std::string, std::optional<frontends::Compdb>> by_folder_;
};

bool is_header(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  for (const char* known : {".h", ".hh", ".hpp", ".hxx", ".H", ".inc", ".inl", ".ipp", ".tcc"})
    if (ending == known) return true;
  return false;
}

frontends::Command plain_command(const std::string& file, const std::string& path,
                                 const std::vector<std::string>& flags) {
  frontends::Command command;
  command.directory = host::current_folder();
  command.file = file;
  command.path = path;
  command.arguments.push_back(frontends::is_cxx_file(file) ? "clang++" : "clang");
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments = frontends::expand_response_files(std::move(command.arguments), command.directory);
  command.arguments.push_back("-c");
  command.arguments.push_back(file);
  return command;
}

std::optional<frontends::Input> input_from_files(const Options& options, host::Console& console) {
  frontends::Input input;
  ParentDatabases databases;
  bool usable = true;
  std::size_t headers = 0;
  for (const std::string& file : options.input.files) {
    const std::string path = frontends::absolute_path(file, host::current_folder());
    if (const std::string complaint = complaint_about(path); !complaint.empty()) {
      console.error(fmt::format("{}: {}", file, complaint));
      usable = false;
      continue;
    }
    if (options.input.skip_headers && is_header(file)) {
      ++headers;
      continue;
    }
    if (!options.input.has_trailing) {
      if (auto found = databases.commands_for(path, console); !found.empty()) {
        input.commands.insert(input.commands.end(), found.begin(), found.end());
        continue;
      }
    }
    frontends::Command command = plain_command(file, path, options.input.trailing);
    if (!frontends::is_c_family(file, command.arguments)) {
      console.error(is_header(file) ? fmt::format("{}: a header alone is not analysed; name a source "
                                                  "that includes it (--skip-headers "
                                                  "passes headers over)",
                                                  file)
                                    : fmt::format("{}: not a C or C++ source file (say -x c or -x "
                                                  "c++ after -- if it is)",
                                                  file));
      usable = false;
      continue;
    }
    input.commands.push_back(std::move(command));
  }
  if (!usable) return std::nullopt;
  if (input.commands.empty() && headers > 0) input.empty_because = "all files named are headers (--skip-headers)";
  return input;
}

// Was the file written by a program whose output nobody maintains by hand? Its first line says so.
bool is_generated(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  return std::getline(in, line) && line.starts_with("/* Generated by Cython ");
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) &&
         (folder.back() == '/' || path[folder.size()] == '/');
}

}  // namespace

std::optional<frontends::Input> input_from_database(const frontends::Compdb& db, const std::vector<std::string>& named,
                                                    host::Console& console, bool skip_headers) {
  std::vector<std::string> files = named;
  if (skip_headers) std::erase_if(files, is_header);
  if (!db.ok) {
    console.error(db.error);
    std::error_code missing;
    if (!fs::exists(db.path, missing))
      console.result(
          "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson "
          "always does; for any other build: reckon "
          "run -- BUILD COMMAND, or bear -- BUILD COMMAND");
    return std::nullopt;
  }
  for (const std::string& problem : db.problems) console.warning(problem);
  if (db.other_languages > 0)
    console.detail(fmt::format("{}: {} entries are not C or C++ and are left out", db.path, db.other_languages));
  if (db.duplicates > 0) console.detail(fmt::format("{}: {} entries are repetitions", db.path, db.duplicates));

  frontends::Input input;
  if (!named.empty() && files.empty()) {
    input.empty_because = "all files named are headers (--skip-headers)";
    return input;
  }
  input.unusable = db.problems.size();
  input.other_languages = db.other_languages;
  if (files.empty()) {
    if (db.commands.empty()) {
      console.error(fmt::format("{}: no entry for a C or C++ file", db.path));
      return std::nullopt;
    }
    for (const frontends::Command& command : db.commands)
      if (!is_generated(command.path)) input.commands.push_back(command);
    if (const std::size_t left_out = db.commands.size() - input.commands.size(); left_out > 0)
      console.note(
          fmt::format("{} file{} generated by Cython left out; name a "
                      "file to check it all the same",
                      left_out, left_out == 1 ? "" : "s"));
    if (!input.commands.empty()) return input;
    console.error(fmt::format("{}: nothing to analyse: all files are generated; name those to check", db.path));
    return std::nullopt;
  }

  std::vector<std::string> wanted;
  for (const std::string& file : files)
    wanted.push_back(frontends::real_path(frontends::absolute_path(file, host::current_folder())));
  std::vector<bool> found(wanted.size());
  for (const frontends::Command& command : db.commands) {
    const std::string real = frontends::real_path(command.path);
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

std::optional<frontends::Input> gather_input(const Options& options, host::Console& console) {
  if (!options.input.database.empty()) {
    if (options.input.has_trailing) {
      console.error("-p and flags after -- exclude each other");
      return std::nullopt;
    }
    return input_from_database(frontends::load_compdb(options.input.database), options.input.files, console,
                               options.input.skip_headers);
  }
  if (options.input.files.empty()) {
    console.error("nothing to check: give source files, or -p with a folder that holds compile_commands.json");
    return std::nullopt;
  }
  return input_from_files(options, console);
}

}  // namespace reckon::driver
