// reckon list-checks and reckon explain CHECK: the pages of the checks, docs/checks/CHECK.md, are what both
// show, so that a check and its page cannot be apart.
#include <fmt/core.h>

#include <filesystem>
#include <iostream>

#include "driver/commands.h"
#include "driver/files.h"

namespace reckon::driver {

namespace {

std::string id_of(const std::string& page) { return std::filesystem::path(page).stem().string(); }

// The first heading without its mark and without the check's own name.
std::string title_of(const std::string& page) {
  std::string text, problem;
  if (!read_file(page, text, problem)) return "";
  std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  while (!line.empty() && (line[0] == '#' || line[0] == ' ')) line.remove_prefix(1);
  const std::string id = id_of(page);
  if (line.starts_with(id)) line.remove_prefix(id.size());
  while (!line.empty() && (line[0] == ':' || line[0] == ' ')) line.remove_prefix(1);
  return std::string(line);
}

std::vector<std::string> pages(Console& console) {
  const std::string folder = check_pages_folder();
  if (folder.empty()) console.error("the pages of the checks were not found beside this program");
  return folder.empty() ? std::vector<std::string>() : files_in(folder, ".md");
}

}  // namespace

int command_list_checks(const Options&, Console& console) {
  const std::vector<std::string> all = pages(console);
  std::size_t width = 0;
  for (const std::string& page : all) width = std::max(width, id_of(page).size());
  for (const std::string& page : all) std::cout << fmt::format("{:{}}  {}\n", id_of(page), width, title_of(page));
  return all.empty() ? kExitUsage : kExitClean;
}

int command_explain(const Options& options, Console& console) {
  for (const std::string& page : pages(console)) {
    if (id_of(page) != options.name) continue;
    std::string text, problem;
    if (!read_file(page, text, problem)) {
      console.error(fmt::format("{}: {}", page, problem));
      return kExitUsage;
    }
    std::cout << text;
    return kExitClean;
  }
  console.error(fmt::format("there is no check '{}'; reckon list-checks names them all", options.name));
  return kExitUsage;
}

}  // namespace reckon::driver
