// The order of work, recursions, and that neither threads nor kept results change an answer.
#include "analysis/schedule.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "analysis/analyse.h"
#include "analysis/order.h"
#include "analysis_program.h"

namespace reckon::analysis {
namespace {

class ScheduleTest : public AnalysisProgram {
 protected:
  // How often each function was done, and the context afterwards.
  std::map<std::string, int> run(Context& ctx, unsigned jobs) {
    std::map<std::string, int> done;
    std::mutex mutex;
    run_all(
        ctx, jobs, [&](FuncId f) { return ctx.worth_analysing(f); },
        [](const Executor&, const FunctionResult&, bool) { return std::vector<report::Finding>(); },
        [&](FuncId f, FunctionRecord) {
          const std::lock_guard lock(mutex);
          ++done[std::string(ctx.program.name(f))];
        },
        nullptr, nullptr);
    return done;
  }

  static std::vector<std::string> told(const Analysis& analysis) {
    std::vector<std::string> out;
    for (const report::Finding& f : analysis.findings)
      out.push_back(f.function + ": " + f.check + ": " + f.message + " at " + std::to_string(f.loc.line));
    for (const report::FunctionCoverage& c : analysis.coverage)
      out.push_back(c.name + ": " + std::to_string(static_cast<int>(c.depth)) + " " + c.reason);
    return out;
  }
};

constexpr std::string_view kMutual = R"(
static struct thing *odd(int n);
static struct thing *even(int n) { return n == 0 ? thing_new() : odd(n - 1); }
static struct thing *odd(int n) { return n == 0 ? thing_new() : even(n - 1); }
int leaks(void) {
  struct thing *t = even(4);
  if (!t) return -1;
  return thing_use(t);
}
int gives_back(void) {
  struct thing *t = odd(4);
  if (!t) return -1;
  int r = thing_use(t);
  thing_put(t);
  return r;
}
)";

TEST_F(ScheduleTest, CalleesComeBeforeCallers) {
  const program::Program program = link(R"(
int first(struct thing *t) { return thing_use(t); }
int second(struct thing *t) { return first(t); }
int third(struct thing *t) { return second(t) + first(t); }
)");
  const Context ctx = make_context(program, specs_, {});
  const Order order = order_of_work(ctx);
  const auto at = [&](const char* name) { return order.component_of[find(program, name)]; };
  EXPECT_LT(at("first"), at("second"));
  EXPECT_LT(at("second"), at("third"));
  // Nobody waits for a level above its own.
  std::vector<std::size_t> level(order.components.size());
  for (std::size_t l = 0; l < order.levels.size(); ++l)
    for (const std::uint32_t c : order.levels[l]) level[c] = l;
  for (FuncId f{}; f < program.num_functions(); ++f)
    for (const FuncId callee : order.callees[f])
      EXPECT_LT(level[order.component_of[callee]], level[order.component_of[f]]);
}

TEST_F(ScheduleTest, AFunctionThatIsHandedOnComesFirst) {
  const program::Program program = link(R"(
void on_each(void (*f)(struct thing *));
void hands_on(void);
static void given(struct thing *t) { thing_put(t); }
void hands_on(void) { on_each(given); }
)");
  const Context ctx = make_context(program, specs_, {});
  const Order order = order_of_work(ctx);
  EXPECT_LT(order.component_of[find(program, "given")], order.component_of[find(program, "hands_on")]);
}

TEST_F(ScheduleTest, FunctionsThatCallEachOtherAreOneComponent) {
  const program::Program program = link(kMutual);
  const Context ctx = make_context(program, specs_, {});
  const Order order = order_of_work(ctx);
  EXPECT_EQ(order.component_of[find(program, "even")], order.component_of[find(program, "odd")]);
  EXPECT_NE(order.component_of[find(program, "even")], order.component_of[find(program, "leaks")]);
}

TEST_F(ScheduleTest, WhatASpecDescribesTiesNobodyTogether) {
  const program::Program program = link(R"(
int called_back(struct thing *t);
int thing_use(struct thing *t) { return called_back(t); }
int called_back(struct thing *t) { return thing_use(t); }
)");
  const Context ctx = make_context(program, specs_, {});
  const Order order = order_of_work(ctx);
  EXPECT_NE(order.component_of[find(program, "thing_use")], order.component_of[find(program, "called_back")]);
}

TEST_F(ScheduleTest, ARecursionSettles) {
  const program::Program program = link(kMutual);
  Context ctx = make_context(program, specs_, {});
  const std::map<std::string, int> done = run(ctx, 1);
  for (const char* name : {"even", "odd", "leaks", "gives_back"}) {
    EXPECT_EQ(done.at(name), 1) << name;
    EXPECT_TRUE(ctx.summaries[find(program, name)].known) << name;
  }
  const auto& outcomes = ctx.summaries[find(program, "even")].outcomes;
  EXPECT_TRUE(std::any_of(outcomes.begin(), outcomes.end(), [](const specs::Outcome& o) {
    return o.result.kind == specs::Value::Kind::Object && o.objects[o.result.object].owned;
  })) << "callers must know that it gives a new reference";
}

TEST_F(ScheduleTest, WhatARecursionGivesIsJudgedInItsCallers) {
  const Analysis analysis = analyse(link(kMutual), specs_, {});
  ASSERT_EQ(analysis.findings.size(), 1u);
  EXPECT_EQ(analysis.findings[0].check, "thing-leak");
  EXPECT_EQ(analysis.findings[0].function, "leaks");
}

TEST_F(ScheduleTest, TheResultDoesNotDependOnJobs) {
  std::string text(kMutual);
  for (int n = 0; n < 30; ++n) {
    const std::string i = std::to_string(n);
    text += "int f" + i + "(int x) { struct thing *t = x > " + i + " ? even(x) : odd(x); if (!t) return -1; " +
            (n % 3 == 0 ? "" : "thing_put(t); ") + "return " + (n == 0 ? "0" : "f" + std::to_string(n / 2) + "(x)") +
            "; }\n";
  }
  const program::Program program = link(text);
  Options options;
  options.jobs = 1;
  const std::vector<std::string> alone = told(analyse(program, specs_, options));
  options.jobs = 4;
  EXPECT_GT(alone.size(), 40u);
  for (int n = 0; n < 3; ++n) EXPECT_EQ(told(analyse(program, specs_, options)), alone);
}

TEST_F(ScheduleTest, AFunctionWithTooManyPathsIsJudgedByJoins) {
  // 2^40 paths, all of which leak: the look by paths does not end, the one by property does.
  std::string text = "int sink;\nint many(int *a) {\n  struct thing *t = thing_new();\n  if (!t) return -1;\n";
  for (int n = 0; n < 40; ++n) text += "  if (a[" + std::to_string(n) + "]) sink += " + std::to_string(n) + ";\n";
  text += "  return sink;\n}\n";
  const Analysis analysis = analyse(link(text), specs_, {});
  ASSERT_EQ(analysis.findings.size(), 1u);
  EXPECT_EQ(analysis.findings[0].check, "thing-leak");
  ASSERT_EQ(analysis.coverage.size(), 1u);
  EXPECT_EQ(analysis.coverage[0].depth, report::Depth::Full) << analysis.coverage[0].reason;
}

}  // namespace
}  // namespace reckon::analysis
