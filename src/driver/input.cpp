#include "driver/input.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <unordered_map>

#include "host/files.h"
#include "support/file.h"
#include "support/project_folders.h"

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
  return support::complaint_about_input(path);
}

// Compilation databases of the folders above a source file that belong to its project and of their build/ folders, as
// clangd looks for them, each read once.
class ParentDatabases {
 public:
  // The commands for `path` from the nearest database above it that has any; empty if there is none.
  std::vector<frontends::Command> commands_for(const std::string& path, host::Console& console) {
    struct stat source{};
    if (stat(path.c_str(), &source) != 0) return {};
    for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
      struct stat info{};
      if (stat(folder.c_str(), &info) != 0 || !support::is_trusted(info, source)) return {};
      for (const fs::path& place : {folder, folder / "build"})
        if (const Database* db = database_in(place, source, console))
          if (auto found = commands_of(*db, path); !found.empty()) return found;
      if (folder == folder.parent_path() || support::starts_project(folder)) return {};
    }
  }

 private:
  struct Database {
    std::vector<frontends::Command> commands;
    std::unordered_multimap<std::string, std::size_t> by_path;  // of real paths
  };

  static std::vector<frontends::Command> commands_of(const Database& database, const std::string& path) {
    const auto [first, last] = database.by_path.equal_range(frontends::real_path(path));
    std::vector<std::size_t> indices;
    for (auto it = first; it != last; ++it) indices.push_back(it->second);
    std::sort(indices.begin(), indices.end());
    std::vector<frontends::Command> found;
    for (const std::size_t i : indices) found.push_back(database.commands[i]);
    return found;
  }

  const Database* database_in(const fs::path& folder, const struct stat& source, host::Console& console) {
    const auto [it, is_new] = by_folder_.try_emplace(folder.string());
    std::optional<Database>& database = it->second;
    const std::string file = (folder / "compile_commands.json").string();
    struct stat info{};
    if (!is_new || stat(file.c_str(), &info) != 0) return database ? &*database : nullptr;
    if (!support::is_trusted(info, source)) {
      console.warning(fmt::format("{}: belongs to somebody else, or everybody may write it; it is not used", file));
      return nullptr;
    }
    struct stat holder{};
    if (stat(folder.c_str(), &holder) != 0 || !support::is_trusted(holder, source)) return nullptr;
    frontends::Compdb loaded = frontends::load_compdb(file);
    if (!loaded.ok) {
      console.warning(fmt::format("{}; it is not used", loaded.error));
      return nullptr;
    }
    console.note(fmt::format("using the flags in {}", file));
    database.emplace();
    database->commands = std::move(loaded.commands);
    for (std::size_t i = 0; i < database->commands.size(); ++i)
      database->by_path.emplace(frontends::real_path(database->commands[i].path), i);
    return &*database;
  }

  std::unordered_map<std::string, std::optional<Database>> by_folder_;
};

}  // namespace

frontends::Command plain_command(const std::string& file, const std::string& path,
                                 const std::vector<std::string>& flags, std::string& problem) {
  frontends::Command command;
  command.directory = host::current_folder();
  command.file = file;
  command.path = path;
  command.arguments.push_back(frontends::is_cxx_file(file) ? "clang++" : "clang");
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments = frontends::expand_response_files(std::move(command.arguments), command.directory, problem);
  command.arguments.push_back("-c");
  command.arguments.push_back(file);
  return command;
}

namespace {

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
    std::string problem;
    frontends::Command command = plain_command(file, path, options.input.trailing, problem);
    if (!problem.empty()) {
      console.error(problem);
      return std::nullopt;
    }
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
  constexpr std::string_view mark = "/* Generated by Cython ";
  return support::first_bytes(path, mark.size()) == mark;
}

// "/a/b" of "/a/b/c", "/" of "/a", "" of "a".
std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : std::max<std::size_t>(slash, 1));
}

}  // namespace

bool is_header(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  for (const char* known : {".h", ".hh", ".hpp", ".hxx", ".H", ".inc", ".inl", ".ipp", ".tcc"})
    if (ending == known) return true;
  return false;
}

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
    input.folders = {"/"};
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
  std::unordered_map<std::string, bool> found;  // files and folders: does a command belong to it?
  for (const std::string& file : files) {
    wanted.push_back(frontends::real_path(frontends::absolute_path(file, host::current_folder())));
    found.emplace(wanted.back(), false);
    std::error_code ec;
    if (fs::is_directory(wanted.back(), ec)) input.folders.push_back(wanted.back());
  }
  for (const frontends::Command& command : db.commands) {
    bool take = false;
    const std::string real = frontends::real_path(command.path);
    for (std::string_view path_or_above = real;; path_or_above = folder_of(path_or_above)) {
      if (const auto it = found.find(std::string(path_or_above)); it != found.end()) it->second = take = true;
      if (path_or_above.size() <= 1) break;
    }
    if (take) input.commands.push_back(command);
  }
  bool all = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found[wanted[i]]) continue;
    all = false;
    std::error_code ec;
    console.error(fs::exists(wanted[i], ec) ? fmt::format("{}: no entry for it in {}", files[i], db.path)
                                            : fmt::format("{}: no such file", files[i]));
  }
  if (!all) return std::nullopt;
  return input;
}

namespace {

// Several databases as one: each compiler call once.
frontends::Compdb load_databases(const std::vector<std::string>& places) {
  frontends::Compdb all = frontends::load_compdb(places.front());
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> seen;
  for (const frontends::Command& c : all.commands) seen.emplace(c.directory, c.file, c.arguments);
  for (std::size_t i = 1; i < places.size() && all.ok; ++i) {
    frontends::Compdb more = frontends::load_compdb(places[i]);
    if (!more.ok) return more;
    all.path += ", " + more.path;
    for (frontends::Command& c : more.commands) {
      if (seen.emplace(c.directory, c.file, c.arguments).second)
        all.commands.push_back(std::move(c));
      else
        ++all.duplicates;
    }
    all.problems.insert(all.problems.end(), more.problems.begin(), more.problems.end());
    all.other_languages += more.other_languages;
    all.duplicates += more.duplicates;
  }
  return all;
}

// The database of this folder or its build/, for whoever names neither a file nor a database; "" if there is none.
std::string database_here() {
  std::error_code ec;
  for (const char* place : {"compile_commands.json", "build/compile_commands.json"})
    if (fs::is_regular_file(place, ec)) return place;
  return "";
}

}  // namespace

std::optional<frontends::Input> gather_input(const Options& options, host::Console& console) {
  const InputOptions& wanted = options.input;
  if (!wanted.databases.empty() && wanted.has_trailing) {
    console.error("-p and flags after -- exclude each other");
    return std::nullopt;
  }
  std::vector<std::string> places = wanted.databases;
  if (places.empty() && !wanted.has_trailing) places = wanted.usual_databases;
  if (places.empty() && wanted.files.empty() && !wanted.has_trailing) {
    if (const std::string here = database_here(); !here.empty()) {
      console.note(fmt::format("checking what {} lists", here));
      places.push_back(here);
    }
  }
  // As checkers are called by kbuild (make C=1 CHECK="reckon check --"): flags first, the source last.
  if (places.empty() && wanted.files.empty() && wanted.has_trailing && !wanted.trailing.empty()) {
    Options named = options;
    std::error_code ec;
    if (const std::string last = wanted.trailing.back(); !last.starts_with("-") && fs::is_regular_file(last, ec)) {
      named.input.files.push_back(last);
      named.input.trailing.pop_back();
      return input_from_files(named, console);
    }
  }
  if (!places.empty()) return input_from_database(load_databases(places), wanted.files, console, wanted.skip_headers);
  if (wanted.files.empty()) {
    console.error(
        "nothing to check: give source files, or -p with a folder that holds compile_commands.json (reckon init says "
        "how to get one here)");
    return std::nullopt;
  }
  return input_from_files(options, console);
}

}  // namespace reckon::driver
