// What the engine computed, as a user can see it: summaries, states, the solver, and specs against prototypes.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

// RID, figure 9: the wrapper leaves the count alone when it fails, though pm_runtime_get_sync() does not.
TEST(Summary, IsTheOneThePaperDescribes) {
  Sandbox box;
  box.write("usb.c",
            "struct device { int power; };\n"
            "struct usb_interface { int number; struct device dev; };\n"
            "int pm_runtime_get_sync(struct device *dev);\n"
            "int pm_runtime_put_sync(struct device *dev);\n"
            "int autopm_get_interface(struct usb_interface *intf) {\n"
            "  int status = pm_runtime_get_sync(&intf->dev);\n"
            "  if (status < 0) pm_runtime_put_sync(&intf->dev);\n"
            "  if (status > 0) status = 0;\n"
            "  return status;\n"
            "}\n");
  const RunResult r = run(box, {"check", "--no-cache", "-q", "--domain", "linux", "--dump", "summary", "usb.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  // Two outcomes: 0 with the count one higher, and a negative result with nothing changed.
  EXPECT_TRUE(contains(r.out, "autopm_get_interface\n")) << r.out;
  std::size_t raised = 0, failed = 0, other = 0;
  std::string rest = r.out.substr(r.out.find('\n') + 1);
  while (!rest.empty()) {
    const std::string line = rest.substr(0, rest.find('\n'));
    rest.erase(0, line.size() + 1);
    const bool changes = contains(line, ".pm+1");
    if (line.starts_with("  0 ") && changes)
      ++raised;
    else if (line.starts_with("  <0") && !contains(line, ".pm"))
      ++failed;
    else
      ++other;
  }
  EXPECT_EQ(raised, 1u) << r.out;
  EXPECT_EQ(failed, 1u) << r.out;
  EXPECT_EQ(other, 0u) << r.out;
}

class Things : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\n"
               "check leaks pairs\n"
               "fn thing_new()    -> new | NULL\n"
               "fn thing_put(t)   -> void t-1\n");
    box_.write("thing.h", "struct thing;\nstruct thing *thing_new(void);\nvoid thing_put(struct thing *t);\n");
    box_.write("a.c",
               "#include \"thing.h\"\n"
               "void odd(unsigned n) {\n"
               "  struct thing *t = 0;\n"
               "  if (n & 1) t = thing_new();\n"
               "  if (n % 2 == 1 && t) thing_put(t);\n"
               "}\n");
  }
  Sandbox box_;
};

TEST_F(Things, TheSolverIsAskedBeforeAFindingIsReported) {
  const RunResult with = run(box_, {"check", "--no-cache", "-v", "--specs", "thing.spec", "a.c"});
  EXPECT_EQ(with.code, 0) << with.out;
  EXPECT_TRUE(contains(with.err, "solver: ")) << with.err;
  EXPECT_FALSE(contains(with.err, "solver: 0 queries")) << with.err;
  const RunResult without = run(box_, {"check", "--no-cache", "-v", "--no-smt", "--specs", "thing.spec", "a.c"});
  EXPECT_EQ(without.code, 1) << without.out;
  EXPECT_TRUE(contains(without.err, "solver: 0 queries")) << without.err;
}

TEST_F(Things, StatesAtTheEndsCanBeSeen) {
  box_.write("b.c",
             "#include \"thing.h\"\n"
             "struct thing *make(int n) {\n"
             "  if (n < 3) return 0;\n"
             "  return thing_new();\n"
             "}\n");
  const RunResult r = run(box_, {"check", "--no-cache", "-q", "--dump", "states", "--specs", "thing.spec", "b.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "make\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "returns 0\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "owned 1")) << r.out;
  EXPECT_TRUE(contains(r.out, "fact n in [-inf, 2]")) << r.out;
}

TEST_F(Things, SpecsAreComparedWithPrototypes) {
  box_.write("wrong.spec",
             "domain thing\n"
             "fn thing_new(n)   -> new | NULL\n"
             "fn thing_put(t)   -> new\n");
  const RunResult r = run(box_, {"spec", "check", "--no-cache", "wrong.spec", "--", "a.c"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.err, "wrong.spec:2:")) << r.err;
  EXPECT_TRUE(contains(r.err, "wrong.spec:3:")) << r.err;
  EXPECT_TRUE(contains(r.err, "thing.h:2)")) << r.err;
  const RunResult good = run(box_, {"spec", "check", "--no-cache", "thing.spec", "--", "a.c", "-O2"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(contains(good.err, "0 contradictions")) << good.err;
  box_.write_database({"a.c"});
  const RunResult database = run(box_, {"spec", "check", "--no-cache", "wrong.spec", "-p", "."});
  EXPECT_EQ(database.code, 1);
  EXPECT_TRUE(contains(database.err, "2 contradictions")) << database.err;
}

}  // namespace
}  // namespace reckon::cli
