#include "driver/check_pages.h"

#include <fmt/core.h>

#include "host/files.h"

namespace reckon::driver {

std::string check_page(std::string_view check) {
  const std::string folder = host::check_pages_folder();
  if (folder.empty() || check.find('/') != std::string_view::npos) return "";
  for (;;) {
    std::string text, problem;
    if (host::read_file(fmt::format("{}/{}.md", folder, check), text, problem)) return text;
    const auto dash = check.find('-');
    if (dash == std::string_view::npos) return "";
    check.remove_prefix(dash + 1);
  }
}

}  // namespace reckon::driver
