#include "driver/shard_store.h"

#include <fmt/core.h>

#include <algorithm>

#include "driver/version.h"
#include "support/strong_hash.h"

namespace reckon::driver {

ShardStore::ShardStore(const Captured& captured, const Options& options, const std::string& specs)
    : cache_(captured.cache), shards_(options.analysis.shards) {
  if (!cache_.writable())
    problem_ = "the jobs of a plan need a cache that they can write: " +
               (cache_.problem().empty() ? "there is none" : cache_.problem());
  else if (std::any_of(captured.content_keys.begin(), captured.content_keys.end(),
                       [](const std::string& key) { return key.empty(); }))
    problem_ = "a unit could not be kept in the cache, where the other jobs of a plan look for it";
  support::StrongHasher h;
  h.text(analysis_version());
  h.text(specs);
  h.number(shards_);
  h.number((options.analysis.no_smt ? 1 : 0) | (options.analysis.free_threaded ? 2 : 0));
  for (const std::string& domain : options.analysis.domains) h.text(domain);
  h.number(captured.units.size());
  for (const std::string& key : captured.content_keys) h.text(key);
  program_ = h.finish().hex();
}

std::string ShardStore::key_of(std::uint32_t shard) const { return fmt::format("shard {} of {}", shard, program_); }

bool ShardStore::load(std::uint32_t shard, std::string& bytes) { return cache_.load_blob(key_of(shard), bytes); }

bool ShardStore::store(std::uint32_t shard, const std::string& bytes) {
  if (!cache_.store_blob(key_of(shard), bytes)) {
    problem_ = cache_.problem();
    return false;
  }
  cache_.evict();
  return true;
}

void ShardStore::load_all(analysis::ShardRecords& records, host::Console& console) {
  std::uint32_t missing = 0;
  for (std::uint32_t s = 0; s < shards_; ++s)
    if (std::string bytes; !load(s, bytes) || !records.add(std::move(bytes))) ++missing;
  if (missing > 0)
    console.warning(fmt::format("{} of {} shards left nothing that can be read; their functions are analysed here",
                                missing, shards_));
}

}  // namespace reckon::driver
