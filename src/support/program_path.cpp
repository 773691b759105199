#include "support/program_path.h"

#include <sys/auxv.h>

#include <filesystem>
#include <system_error>

namespace reckon::support {

namespace {

std::string find_program_folder() {
  namespace fs = std::filesystem;
  std::error_code ec;
  const fs::path link = fs::read_symlink("/proc/self/exe", ec);
  if (!ec) return link.parent_path().string();
  // Without /proc: the path that the kernel was given to execute. It may be relative to where the program was started,
  // so the first to ask should do so before the folder changes.
  const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (name == nullptr) return "";
  const fs::path path = fs::canonical(name, ec);
  return ec ? "" : path.parent_path().string();
}

}  // namespace

std::string program_folder() {
  static const std::string found = find_program_folder();
  return found;
}

}  // namespace reckon::support
