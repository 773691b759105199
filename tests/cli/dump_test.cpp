// reckon dump: what each form shows.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

class Dump : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("a.c",
               "int helper(int x);\n"
               "static int local(int x) { return helper(x); }\n"
               "int entry(int x) { return local(x) + 1; }\n"
               "struct ops { int (*run)(int); };\n"
               "const struct ops table = { entry };\n");
  }
  std::string dump(const std::string& what, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"dump", what, "a.c"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const RunResult r = run(box_, arguments);
    EXPECT_EQ(r.code, 0) << r.err;
    return r.out;
  }
  Sandbox box_;
};

TEST_F(Dump, Callgraph) {
  const std::string out = dump("callgraph");
  EXPECT_TRUE(contains(out, "entry -> local\n")) << out;
  EXPECT_TRUE(contains(out, "local -> helper\n")) << out;
  EXPECT_EQ(dump("callgraph", {"--function", "entry"}), "entry -> local\n");
}

TEST_F(Dump, Tables) {
  const std::string out = dump("tables");
  EXPECT_TRUE(contains(out, "table (")) << out;
  EXPECT_TRUE(contains(out, "  ops.run = entry\n")) << out;
}

TEST_F(Dump, Model) {
  const std::string all = dump("model");
  EXPECT_TRUE(contains(all, "local")) << all;
  const std::string one = dump("model", {"--function", "entry"});
  EXPECT_TRUE(contains(one, "entry")) << one;
  EXPECT_LT(one.size(), all.size());
}

TEST_F(Dump, Classes) {
  const std::string out = dump("classes");
  EXPECT_TRUE(contains(out, "2 functions: ")) << out;
}

TEST_F(Dump, UnknownFunction) {
  const RunResult r = run(box_, {"dump", "model", "--function", "nothing", "a.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no function nothing is defined")) << r.err;
}

}  // namespace
}  // namespace reckon::cli
