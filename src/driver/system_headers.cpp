#include "driver/system_headers.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "support/project_folders.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

bool is_below(std::string_view file, std::string_view folder) {
  return file.size() > folder.size() && file.starts_with(folder) &&
         (folder.ends_with("/") || file[folder.size()] == '/');
}

// The folders that a compiler call names as the system's.
void add_system_folders(const frontends::Command& command, std::set<std::string>& folders) {
  static constexpr std::string_view kFlags[] = {"-isystem-after", "-isystem", "-idirafter", "-cxx-isystem"};
  const std::vector<std::string>& words = command.arguments;
  for (std::size_t n = 0; n < words.size(); ++n)
    for (const std::string_view flag : kFlags) {
      if (!std::string_view(words[n]).starts_with(flag)) continue;
      std::string folder = words[n].substr(flag.size());
      if (folder.empty() && n + 1 < words.size()) folder = words[n + 1];
      if (!folder.empty()) folders.insert(frontends::absolute_path(folder, command.directory));
      break;
    }
}

// The folder that all of these files lie in.
fs::path common_folder(const std::vector<frontends::Command>& commands) {
  fs::path common;
  for (const frontends::Command& command : commands) {
    const fs::path folder = fs::path(command.path).parent_path();
    if (common.empty()) common = folder;
    while (common.has_relative_path() && folder != common && !is_below(folder.native(), common.native()))
      common = common.parent_path();
  }
  return common;
}

// The folders that belong to the project. The root of the file system is none.
std::set<std::string> project_roots(const std::vector<frontends::Command>& commands, const std::string& base) {
  std::set<std::string> roots;
  auto add = [&](const fs::path& folder) {
    if (folder.has_relative_path()) roots.insert(folder.native());
  };
  add(base);
  const fs::path sources = common_folder(commands);
  add(sources);
  // The one above, unless that is a folder for everything, such as /home or /usr.
  if (const fs::path above = sources.parent_path(); above.parent_path().has_relative_path()) add(above);
  std::set<fs::path> folders;
  for (const frontends::Command& command : commands) folders.insert(fs::path(command.path).parent_path());
  for (fs::path folder : folders)
    for (; folder.has_relative_path(); folder = folder.parent_path())
      if (support::starts_project(folder)) {
        add(folder);
        break;
      }
  return roots;
}

bool is_below_any(const std::string& file, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) { return is_below(file, folder); });
}

}  // namespace

SystemHeaders::SystemHeaders(const std::vector<frontends::Command>& commands, const Captured& captured,
                             const std::string& base) {
  headers_.insert(captured.headers.begin(), captured.headers.end());
  for (const frontends::Command& command : commands) headers_.erase(command.path);
  std::set<std::string> system;
  for (const frontends::Command& command : commands) add_system_folders(command, system);
  system_.assign(system.begin(), system.end());
  const std::set<std::string> roots = project_roots(commands, base);
  roots_.assign(roots.begin(), roots.end());
}

bool SystemHeaders::contains(const std::string& file) const {
  return headers_.contains(file) && (is_below_any(file, system_) || !is_below_any(file, roots_));
}

}  // namespace reckon::driver
