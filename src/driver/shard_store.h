// What the shards of a plan found out, in the cache.
//
// The problem: shards are jobs on several machines, which know each other by a folder only. The method: a shard's
// records are a blob under a name that stands for all that they depend on: the content of every unit, the specs in
// force, the wishes, the version of the analysis, how many shards there are. Whoever has the same program finds them,
// and nobody else does. So a job may be killed, run twice or on two machines at once: it leaves nothing, or the same.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/shards.h"
#include "cache/cache.h"
#include "driver/capture_stage.h"
#include "driver/options.h"
#include "host/console.h"

namespace reckon::driver {

class ShardStore {
 public:
  // `options.analysis.shards`: how many shards there are. `specs`: stands for the specs in force.
  ShardStore(const Captured& captured, const Options& options, const std::string& specs);

  // Why jobs of a plan cannot meet here; "" if they can.
  const std::string& problem() const { return problem_; }
  const std::string& program() const { return program_; }  // stands for all that records depend on

  // False: the shard has left nothing, or what it left is damaged.
  bool load(std::uint32_t shard, std::string& bytes);
  bool store(std::uint32_t shard, const std::string& bytes);  // false: problem() says why
  // What all shards left. The console is told of those that left nothing.
  void load_all(analysis::ShardRecords& records, host::Console& console);

 private:
  std::string key_of(std::uint32_t shard) const;

  cache::Cache cache_;
  std::uint32_t shards_;
  std::string problem_, program_;
};

}  // namespace reckon::driver
