#include "driver/version.h"

#include <fmt/core.h>

#include "analysis_id.h"
#include "capture/capture.h"
#include "capture_id.h"
#include "host/files.h"
#include "support/hash.h"

namespace reckon::driver {

std::string version() { return RECKON_VERSION; }

std::string version_text() {
  std::string text = fmt::format("reckon {} (Clang {})\n", version(), capture::clang_version());
  const std::string folder = host::specs_folder();
  if (folder.empty()) return text + "specs: none were found beside the program";
  support::Hasher hasher;
  const std::vector<std::string> files = host::files_in(folder, ".spec");
  for (const std::string& path : files) {
    std::string content, problem;
    if (!host::read_file(path, content, problem)) return text + fmt::format("specs: {}: {}", path, problem);
    hasher.text(content);
  }
  constexpr std::size_t kShown = 12;
  return text + fmt::format("specs {}: {} files in {}", hasher.finish().hex().substr(0, kShown), files.size(), folder);
}

std::string cache_version() { return fmt::format("{} {} {}", version(), capture::clang_version(), RECKON_CAPTURE_ID); }

std::string analysis_version() { return fmt::format("{} {}", version(), RECKON_ANALYSIS_ID); }

}  // namespace reckon::driver
