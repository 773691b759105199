// reckon run: recording a build.
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

class RunBuild : public testing::Test {
 protected:
  void SetUp() override {
    if (access("/usr/bin/bear", X_OK) != 0) GTEST_SKIP() << "bear is not installed";
    box_.write("a.c", "int a(void) { return 1; }\n");
    box_.write("b.c", "int b(void) { return 2; }\n");
  }
  Sandbox box_;
};

TEST_F(RunBuild, RecordsAndChecks) {
  const RunResult r = run(box_, {"run", "--strict", "--", "sh", "-c", "echo building && gcc -c a.c && gcc -c -O2 b.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "2 units: 2 captured")) << r.out;
  EXPECT_FALSE(contains(r.out, "building")) << "the build's output goes to stderr";
  EXPECT_TRUE(contains(r.err, "building")) << r.err;
}

TEST_F(RunBuild, FailingBuildFailsTheRunAndTheRestIsChecked) {
  const RunResult r = run(box_, {"run", "--", "sh", "-c", "gcc -c a.c; exit 7"});
  EXPECT_EQ(r.code, 3) << r.err;
  EXPECT_TRUE(contains(r.err, "the build failed with exit status 7; what it compiled is checked (1 files)")) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out;
}

TEST_F(RunBuild, NothingCompiled) {
  const RunResult good = run(box_, {"run", "--", "true"});
  EXPECT_EQ(good.code, 2);
  EXPECT_TRUE(contains(good.err, "the build compiled no C or C++ file")) << good.err;
  const RunResult bad = run(box_, {"run", "--", "sh", "-c", "exit 3"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(contains(bad.err, "failed with exit status 3, and no compiler call was recorded")) << bad.err;
}

TEST_F(RunBuild, TemporarySourcesAreLeftOut) {
  const RunResult r = run(
      box_, {"run", "--strict", "--", "sh", "-c", "cp a.c conftest.c; gcc -c conftest.c; rm conftest.c; gcc -c b.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out;
}

TEST(RunWithoutBear, NamesThePackage) {
  Sandbox box;
  const RunResult r = run(box, Launch{{"run", "--", "true"}, {{"PATH", box.path("home")}}, {}, false});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "install the package bear")) << r.err;
}

}  // namespace
}  // namespace reckon::cli
