// Kept results: whatever the analysis of a function may look at changes its key.
#include "analysis/function_key.h"

#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <set>

#include "analysis/analyse.h"
#include "analysis/order.h"
#include "analysis_program.h"
#include "support/limits.h"

namespace reckon::analysis {
namespace {

class FunctionKeyTest : public AnalysisProgram {
 protected:
  static constexpr std::string_view kText = R"(
struct thing *shared;
static struct thing *make(void) { return thing_new(); }
int work(struct box *b, struct thing *t) {
  struct thing *n = make();
  if (!n) return -1;
  b->kept = n;
  return thing_use(shared) + thing_use(t);
}
)";
  void SetUp() override {
    AnalysisProgram::SetUp();
    program_.emplace(link(kText));
    work_ = find(*program_, "work");
    make_ = find(*program_, "make");
  }

  // The key of `work` in a context that was changed like this.
  std::string key(const std::function<void(Context&)>& change, const std::string& environment = "e") {
    Context ctx = make_context(*program_, specs_, {});
    ctx.component_of = order_of_work(ctx).component_of;
    change(ctx);
    FunctionKeys keys(ctx, environment, 2);
    keys.settle(make_);
    return keys.of({work_}).content.hex();
  }
  std::string key() {
    return key([](Context&) {});
  }

  std::optional<program::Program> program_;
  FuncId work_{}, make_{};
};

TEST_F(FunctionKeyTest, TheSameProgramHasTheSameKey) { EXPECT_EQ(key(), key()); }

TEST_F(FunctionKeyTest, TheEnvironmentIsPartOfIt) {
  EXPECT_NE(key([](Context&) {}, "another version"), key());
  EXPECT_NE(key([](Context& c) { c.free_threaded = true; }), key());
}

// One edit a table of the context that an analysis of `work` may look at. A new table belongs here.
TEST_F(FunctionKeyTest, EveryTopicOfTheContextIsPartOfIt) {
  const program::UnitId u = program_->unit_id(work_);
  const model::Unit& unit = program_->unit(work_);
  const model::SymId api = [&]() -> model::SymId {
    for (model::SymId s{}; s < unit.symbols.size(); ++s)
      if (unit.name(s) == "thing_use") return s;
    return model::kNone;
  }();
  ASSERT_NE(api, model::kNone);
  const model::TypeId parameter = program_->function(work_).params[1].type;
  const std::vector<std::pair<std::string, std::function<void(Context&)>>> edits = {
      // SpecKnowledge
      {"spec_of", [&](Context& c) { c.spec_of[u][api] = nullptr; }},
      // DomainKnowledge
      {"unit_domain", [&](Context& c) { c.unit_domain[u] = specs::DomainId(1); }},
      {"unit_version", [&](Context& c) { c.unit_version[u] = "3.1"; }},
      {"unit_implements", [&](Context& c) { c.unit_implements[u] = 1; }},
      {"counted_domain", [&](Context& c) { c.counted_domain[u][parameter] = model::kNone; }},
      // ContractKnowledge
      {"contracts", [&](Context& c) { c.contracts[work_].fails_by_minus_one = true; }},
      {"contracts of a callee", [&](Context& c) { c.contracts[make_].gives_new = true; }},
      {"null_params", [&](Context& c) { c.null_params[work_] = 2; }},
      {"private_params", [&](Context& c) { c.private_params[work_] = 1; }},
      {"lent_params", [&](Context& c) { c.borrowed_params[work_] = 2; }},
      // TypeKnowledge
      {"ends_objects", [&](Context& c) { c.ends_objects[work_] = 1; }},
      {"of_both_types", [&](Context& c) { c.of_both_types[work_] = 1; }},
      {"released_members", [&](Context& c) { c.released_members["shared"] = {8}; }},
      {"released_fields", [&](Context& c) { c.released_fields.insert("box.kept"); }},
      {"lasting_fields", [&](Context& c) { c.lasting_fields.insert("box.kept"); }},
      {"interned", [&](Context& c) { c.interned["shared"] = "name"; }},
      // CountKnowledge
      {"without_counts", [&](Context& c) { c.without_counts[work_] = 1; }},
      // SummaryKnowledge
      {"summaries", [&](Context& c) { c.summaries[make_].known = true; }},
      {"dereferences", [&](Context& c) { c.summaries[make_].dereferences = 1; }},
      {"component_of", [&](Context& c) { c.component_of[make_] = c.component_of[work_] + 1; }},
  };
  std::set<std::string> keys{key()};
  for (const auto& [what, edit] : edits) EXPECT_TRUE(keys.insert(key(edit)).second) << what << " is not in the key";
}

TEST_F(FunctionKeyTest, AnEditElsewhereDoesNotMatter) {
  const std::string before = key();
  program_.emplace(link("int other(void) { return 1; }\n\n\n" + std::string(kText)));
  work_ = find(*program_, "work");
  make_ = find(*program_, "make");
  EXPECT_EQ(key(), before);
}

TEST_F(FunctionKeyTest, KeptResultsAreTheSameAsFreshOnes) {
  Earlier earlier;
  earlier.environment = "e";
  earlier.kept.resize(program_->num_units());
  Options options;
  options.earlier = &earlier;
  const Analysis fresh = analyse(*program_, specs_, options);
  EXPECT_EQ(fresh.reused, 0u);
  ASSERT_EQ(earlier.fresh.size(), 1u);
  Earlier later;
  later.environment = "e";
  later.kept = {earlier.fresh[0].second};
  options.earlier = &later;
  const Analysis reused = analyse(*program_, specs_, options);
  EXPECT_EQ(reused.reused, 2u);
  EXPECT_EQ(reused.findings.size(), fresh.findings.size());
  EXPECT_TRUE(later.fresh.empty()) << "nothing is new";
}

TEST(Limits, EveryOneIsPartOfTheKey) {
  using Numbers = std::array<int, sizeof(support::Limits) / sizeof(int)>;
  Numbers numbers = std::bit_cast<Numbers>(support::kLimits);
  std::set<std::string> seen{hash_of(support::kLimits).hex()};
  for (int& number : numbers) {
    ++number;
    EXPECT_TRUE(seen.insert(hash_of(std::bit_cast<support::Limits>(numbers)).hex()).second);
    --number;
  }
}

}  // namespace
}  // namespace reckon::analysis
