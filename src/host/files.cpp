#include "host/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "support/file.h"
#include "support/program_path.h"

namespace reckon::host {

namespace fs = std::filesystem;

namespace {

// The first of the places a data folder can be in that exists.
std::string data_folder(std::string_view installed, std::string_view in_source) {
  static const fs::path program = support::program_folder();
  if (program.empty()) return "";
  std::error_code ec;
  // Of bin/reckon, of lib/reckon/reckon with its libraries beside it, of the build folder in the source tree.
  for (const fs::path& place :
       {program / ".." / "share" / "reckon" / installed, program / ".." / ".." / "share" / "reckon" / installed,
        program / ".." / ".." / in_source})
    if (fs::is_directory(place, ec)) return place.lexically_normal().string();
  return "";
}

}  // namespace

bool read_file(const std::string& path, std::string& text, std::string& error) {
  return support::read_input(path, text, error);
}

TempFolder::TempFolder() {
  std::error_code ec;
  fs::path base = fs::temp_directory_path(ec);
  if (ec) base = "/tmp";
  std::string name = (base / "reckon-XXXXXX").string();
  if (mkdtemp(name.data()))
    path_ = name;
  else
    error_ = base.string() + ": " + std::strerror(errno);
}

void TempFolder::settle(const std::string& name) {
  if (!ok()) return;
  const std::string wanted =
      (fs::path(path_).parent_path() / ("reckon-" + std::to_string(getuid()) + "-" + name)).string();
  if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, wanted.c_str(), RENAME_NOREPLACE) == 0) path_ = wanted;
}

TempFolder::~TempFolder() {
  std::error_code ec;  // a leftover temporary folder is no reason to fail
  if (ok()) fs::remove_all(path_, ec);
}

std::string specs_folder() { return data_folder("specs", "specs"); }

std::string check_pages_folder() { return data_folder("checks", "docs/checks"); }

std::vector<std::string> files_in(const std::string& folder, std::string_view ending) {
  std::vector<std::string> files;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    const std::string path = it->path().string();
    std::error_code type_error;
    if (path.ends_with(ending) && it->is_regular_file(type_error)) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string default_cache_folder() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && xdg[0] == '/') return std::string(xdg) + "/reckon";
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string(home) + "/.cache/reckon";
  return "";
}

std::string current_folder() {
  std::error_code ec;
  const fs::path path = fs::current_path(ec);
  return ec ? "/" : path.string();
}

std::string find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, colon)) + "/" + std::string(name);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return "";
}

}  // namespace reckon::host
