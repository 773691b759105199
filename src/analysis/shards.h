// A program cut into shards: parts that processes of their own analyse, on as many machines as there are.
//
// The problem: functions are looked at when all that they call is known, so a program cannot be cut just anywhere. The
// method: the levels of the order of work are cut into a few bands of equal weight, callees first. Within a band,
// functions that wait for each other stay together; such groups are dealt out in the order of their units, so that a
// shard has to do with few units. A shard then waits for shards of earlier bands only, and of these only for those that
// hold something its functions call or name. Bodies that a spec describes are looked at last, in a band of their own.
//
// What a shard found out is a text of records by function number (ShardRecords). It means something only to processes
// that have linked the same units with the same specs: whoever keeps it says so in its name.
//
// Limits: a group is never cut, so that one large circle of functions makes one large shard. There may be fewer shards
// with work than were asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/context.h"
#include "analysis/function_record.h"
#include "analysis/order.h"

namespace reckon::analysis {

struct Shards {
  std::vector<std::uint32_t> of;                  // by function: its shard, kNone if it is not looked at
  std::vector<std::vector<std::uint32_t>> needs;  // by shard: those whose records it reads, all with lower numbers
  std::size_t largest_group = 0;                  // functions that had to stay together
  std::size_t largest_circle = 0;                 // functions that call each other
};

// Has a body that is to be judged although a spec says what it does?
bool described(const Context& ctx, FuncId f);

// `count` shards, of which some may be empty. `filter`: is this function looked at for its callers?
Shards cut(const Context& ctx, const Order& order, const std::function<bool(FuncId)>& filter, std::size_t count);

// Records by function, as shards leave them behind.
class ShardRecords {
 public:
  // Adds what a shard left. False: these bytes are damaged, and nothing is added.
  bool add(std::string bytes);
  bool has(FuncId f) const { return records_.contains(f); }
  // One record per member; false: not all of them are there and whole.
  bool find(const std::vector<FuncId>& members, std::vector<FunctionRecord>& records) const;

  static void write(std::string& out, FuncId f, FunctionRecord& record);

 private:
  std::vector<std::unique_ptr<const std::string>> texts_;
  std::unordered_map<std::uint32_t, std::string_view> records_;  // into `texts_`
};

// The part of a program that a process looks at.
struct Part {
  const ShardRecords* known = nullptr;  // what other processes found out; may be nullptr
  const Shards* shards = nullptr;       // nullptr: all functions
  std::uint32_t shard = 0;              // of `shards`

  bool mine(FuncId f) const { return shards == nullptr || shards->of[f] == shard; }
};

}  // namespace reckon::analysis
