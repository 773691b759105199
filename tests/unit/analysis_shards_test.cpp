// How a program is cut into shards, and that what they leave is the answer of one process.
#include "analysis/shards.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/analyse.h"
#include "analysis_program.h"

namespace reckon::analysis {
namespace {

constexpr std::string_view kProgram = R"(
static struct thing *odd(int n);
static struct thing *even(int n) { return n == 0 ? thing_new() : odd(n - 1); }
static struct thing *odd(int n) { return n == 0 ? thing_new() : even(n - 1); }
int use(struct thing *t) { return thing_use(t); }
int spend(struct thing *t) { int r = use(t); thing_put(t); return r; }
int alone(struct thing *t) { return thing_use(t); }
int leaks(void) {
  struct thing *t = even(4);
  if (!t) return -1;
  return use(t);
}
int twice(void) {
  struct thing *t = odd(4);
  if (!t) return -1;
  spend(t);
  return spend(t);
}
)";

class ShardsTest : public AnalysisProgram {
 protected:
  static std::vector<std::string> told(const Analysis& analysis) {
    std::vector<std::string> out;
    for (const report::Finding& f : analysis.findings)
      out.push_back(f.function + ": " + f.check + ": " + f.message + " at " + std::to_string(f.loc.line));
    for (const report::FunctionCoverage& c : analysis.coverage)
      out.push_back(c.name + ": " + std::to_string(static_cast<int>(c.depth)) + " " + c.reason);
    return out;
  }

  // What each shard leaves, in order. `lost`: shards that others find nothing of.
  std::map<std::uint32_t, std::string> run(const program::Program& program, std::size_t count,
                                           const std::set<std::uint32_t>& lost = {}) {
    std::map<std::uint32_t, std::string> left;
    for (std::uint32_t s = 0; s < count; ++s)
      left[s] = analyse_shard(program, specs_, {}, count, s, [&](std::uint32_t other, std::string& bytes) {
        EXPECT_LT(other, s);
        if (lost.contains(other)) return false;
        bytes = left[other];
        return true;
      });
    return left;
  }
};

TEST_F(ShardsTest, EveryFunctionHasOneAndWaitsForEarlierOnes) {
  const program::Program program = link(kProgram);
  for (const std::size_t count : {1, 2, 3, 5, 8, 100}) {
    const Shards shards = shards_of(program, specs_, {}, count);
    ASSERT_EQ(shards.needs.size(), count);
    for (FuncId f{}; f < program.num_functions(); ++f) {
      ASSERT_LT(shards.of[f], count) << program.name(f);
      for (const FuncId g : program.callees(f)) {
        if (shards.of[g] == shards.of[f]) continue;
        const auto& needs = shards.needs[shards.of[f]];
        EXPECT_TRUE(std::find(needs.begin(), needs.end(), shards.of[g]) != needs.end()) << program.name(f);
      }
    }
    for (std::uint32_t s = 0; s < count; ++s)
      for (const std::uint32_t other : shards.needs[s]) EXPECT_LT(other, s);
    EXPECT_EQ(shards.of[find(program, "odd")], shards.of[find(program, "even")]) << "a circle is not cut";
    EXPECT_EQ(shards.largest_circle, 2u);
  }
  const Shards many = shards_of(program, specs_, {}, 8);
  EXPECT_GT(std::set<std::uint32_t>(many.of.begin(), many.of.end()).size(), 2u) << "the work is spread";
}

TEST_F(ShardsTest, RecordsGiveTheAnswerOfOneProcess) {
  const program::Program program = link(kProgram);
  const std::vector<std::string> alone = told(analyse(program, specs_, {}));
  EXPECT_TRUE(
      std::any_of(alone.begin(), alone.end(), [](const auto& t) { return t.starts_with("leaks: thing-leak"); }));
  for (const std::size_t count : {1, 3, 8}) {
    ShardRecords known;
    for (auto& [s, bytes] : run(program, count)) EXPECT_TRUE(known.add(bytes));
    for (FuncId f{}; f < program.num_functions(); ++f) EXPECT_TRUE(known.has(f)) << program.name(f);
    Options options;
    options.known = &known;
    EXPECT_EQ(told(analyse(program, specs_, options)), alone) << count;
  }
}

TEST_F(ShardsTest, WhatIsLostIsComputedAgain) {
  const program::Program program = link(kProgram);
  const auto whole = run(program, 5), half = run(program, 5, {0, 2});
  EXPECT_EQ(whole, half) << "a shard leaves the same, whether or not it finds what it waits for";
  ShardRecords known;
  EXPECT_TRUE(known.add(whole.at(1)));
  Options options;
  options.known = &known;
  EXPECT_EQ(told(analyse(program, specs_, options)), told(analyse(program, specs_, {})));
}

TEST_F(ShardsTest, DamagedBytesAreNoRecords) {
  const program::Program program = link(kProgram);
  const std::string bytes = analyse_shard(program, specs_, {}, 1, 0, [](std::uint32_t, std::string&) { return false; });
  ASSERT_GT(bytes.size(), 10u);
  for (std::size_t size = 1; size < bytes.size(); size += 7) {
    ShardRecords known;
    const bool added = known.add(bytes.substr(0, size));
    EXPECT_EQ(added, known.has(FuncId{})) << "all of it or nothing";
    std::vector<FunctionRecord> records;
    for (FuncId f{}; f < program.num_functions(); ++f)
      EXPECT_EQ(known.find({f}, records), known.has(f)) << "a record that is there is whole";
  }
  ShardRecords known;
  std::string garbage(200, '\xff');
  EXPECT_FALSE(known.add(garbage));
}

}  // namespace
}  // namespace reckon::analysis
