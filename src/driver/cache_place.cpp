#include "driver/cache_place.h"

#include <fmt/core.h>

#include "frontends/builds/compdb.h"
#include "host/files.h"

namespace reckon::driver {

std::string read_cache_key(const std::string& path, support::Secret& secret) {
  constexpr std::size_t kLeast = 16;
  std::string text, problem;
  if (!host::read_file(path, text, problem)) return fmt::format("{}: {}", path, problem);
  if (text.size() < kLeast)
    return fmt::format("{}: a key has at least {} bytes, as 'head -c 32 /dev/urandom' writes them", path, kLeast);
  secret = support::strong_hash(text);
  return "";
}

cache::Place cache_place(const CaptureOptions& options) {
  cache::Place place{"", options.cache_size, options.cache_secret};
  if (options.no_cache) return place;
  place.folder = options.cache_dir.empty() ? host::default_cache_folder()
                                           : frontends::absolute_path(options.cache_dir, host::current_folder());
  return place;
}

}  // namespace reckon::driver
