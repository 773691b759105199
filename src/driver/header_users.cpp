#include "driver/header_users.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "host/files.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

// What a text includes: names between quotes or angle brackets behind #include.
std::vector<std::string> included_names(const std::string& path) {
  std::vector<std::string> out;
  std::string text, problem;
  if (!host::read_file(path, text, problem)) return out;
  for (std::size_t at = text.find("include"); at != std::string::npos; at = text.find("include", at + 1)) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t mark = text.find_first_not_of(" \t", line);
    if (mark == std::string::npos || text[mark] != '#' || text.find_first_not_of("# \t", mark) != at) continue;
    const std::string_view rest = std::string_view(text).substr(at, text.find('\n', at) - at);
    const std::size_t first = rest.find_first_of("\"<");
    const std::size_t last = first == std::string_view::npos ? first : rest.find_first_of("\">", first + 1);
    if (last != std::string_view::npos) out.emplace_back(rest.substr(first + 1, last - first - 1));
  }
  return out;
}

// Folders that a call names for headers, absolute.
std::vector<std::string> folders_of(const frontends::Command& command) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    for (const std::string_view flag : {"-I", "-iquote", "-isystem", "-idirafter"}) {
      const std::string& word = command.arguments[i];
      if (!word.starts_with(flag)) continue;
      const bool apart = word.size() == flag.size();
      if (apart && i + 1 >= command.arguments.size()) break;
      out.push_back(
          frontends::absolute_path(apart ? command.arguments[i + 1] : word.substr(flag.size()), command.directory));
      break;
    }
  return out;
}

}  // namespace

std::string HeaderUsers::found(const std::string& name, const std::string& from, const Folders& folders) {
  const auto real = [&](const std::string& path) -> const std::string& {
    const auto [known, fresh] = real_.try_emplace(path);
    std::error_code ec;
    if (fresh && fs::is_regular_file(path, ec)) known->second = frontends::real_path(path);
    return known->second;
  };
  const std::string& beside = real(frontends::absolute_path(name, fs::path(from).parent_path().string()));
  if (!beside.empty()) return beside;
  for (const std::string& folder : folders)
    if (const std::string& there = real(frontends::absolute_path(name, folder)); !there.empty()) return there;
  return "";
}

bool HeaderUsers::reaches(const std::string& file, const Folders& folders, std::map<std::string, bool>& known) {
  std::vector<std::string> open = {file}, seen;
  while (!open.empty()) {
    const std::string here = std::move(open.back());
    open.pop_back();
    if (here == header_) return known[file] = true;
    if (const auto before = known.find(here); before != known.end()) {
      if (!before->second) continue;
      return known[file] = true;
    }
    if (std::find(seen.begin(), seen.end(), here) != seen.end()) continue;
    seen.push_back(here);
    const auto [names, fresh] = names_.try_emplace(here);
    if (fresh) names->second = included_names(here);
    for (const std::string& name : names->second)
      if (std::string next = found(name, here, folders); !next.empty()) open.push_back(std::move(next));
  }
  for (const std::string& none : seen) known[none] = false;  // all that they reach was looked at
  return false;
}

bool HeaderUsers::includes(const frontends::Command& command) {
  const Folders folders = folders_of(command);
  return reaches(frontends::real_path(command.path), folders, known_[folders]);
}

}  // namespace reckon::driver
