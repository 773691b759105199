// What earlier runs found out about functions, so that only what changed is analysed again.
//
// Each unit has a piece of bytes, which the caller keeps somewhere between runs: entries, one per component of the call
// graph, under the key of its functions (function_key.h). An entry holds what the analysis gives: outcomes, findings,
// members that own references, how far it got. Bytes that cannot be read are as good as none; the analysis is then
// simply done.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/context.h"
#include "analysis/function_key.h"
#include "analysis/function_record.h"

namespace reckon::analysis {

class KeptResults {
 public:
  // `kept`: the bytes of each unit, "" if there are none.
  KeptResults(const Context& context, std::string_view environment, std::vector<std::string> kept, unsigned jobs);

  FunctionKey key(const std::vector<FuncId>& members) const { return keys_.of(members); }
  // Fills `records`, one per member; false: nothing is known. Entries that are found go into the next bytes() as well.
  bool find(const FunctionKey& key, const std::vector<FuncId>& members, std::vector<FunctionRecord>& records);
  void add(const FunctionKey& key, const std::vector<FuncId>& members, std::vector<FunctionRecord>& records);
  // The summaries in the context are final.
  void settle(const std::vector<FuncId>& members) {
    for (const FuncId f : members) keys_.settle(f);
  }

  // What to keep for the next run. False: the same as before.
  bool bytes(program::UnitId unit, std::string& out);
  // Units whose bytes could not be read.
  const std::vector<program::UnitId>& damaged() const { return damaged_; }

 private:
  struct HashOf {
    std::size_t operator()(const support::Hash128& h) const { return h.low; }
  };
  using Entries = std::unordered_map<support::Hash128, std::string_view, HashOf>;
  struct Unit {
    std::string kept;
    Entries old;  // into `kept`
    std::unordered_map<support::Hash128, std::string, HashOf> fresh;
    std::vector<support::Hash128> used;  // of `old`
    std::mutex mutex;
  };
  static bool index(Unit& unit);

  const Context& ctx_;
  FunctionKeys keys_;
  std::vector<Unit> units_;
  std::vector<program::UnitId> damaged_;
};

}  // namespace reckon::analysis
