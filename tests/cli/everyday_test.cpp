// What people use every day: baselines, changes since a revision, reckon.toml.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

std::string leak(const std::string& name, const std::string& callee = "thing_new") {
  return "int " + name + "(void) {\n  struct thing *t = " + callee + "();\n  return t ? 0 : -1;\n}\n";
}

class Everyday : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t) -> void t-1\n");
    box_.write("thing.h", "struct thing;\nstruct thing *thing_new(void);\nvoid thing_unref(struct thing *t);\n");
    box_.write("a.c", "#include \"thing.h\"\n" + leak("one"));
  }
  RunResult check(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "--no-cache"});
    return run(box_, options);
  }
  RunResult with_spec(std::vector<std::string> options) {
    options.insert(options.begin(), {"--specs", "thing.spec"});
    return check(std::move(options));
  }
  void git(const std::string& arguments) {
    const std::string command =
        "cd " + box_.root().string() + " && git -c user.name=t -c user.email=t@t " + arguments + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  Sandbox box_;
};

TEST_F(Everyday, BaselineHidesWhatIsKnown) {
  RunResult r = with_spec({"--write-baseline", "base", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  r = with_spec({"--baseline", "base", "a.c"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(contains(r.out, "nothing new found\nknown from the baseline: 1\n")) << r.out;

  box_.write("a.c", "\n\n#include \"thing.h\"\n" + leak("two") + leak("one"));
  r = with_spec({"--baseline", "base", "a.c"});
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.out, "1 new finding:")) << r.out;
  EXPECT_TRUE(contains(r.out, "a.c:6:")) << r.out;

  box_.write("a.c", "#include \"thing.h\"\nint one(void) { return 0; }\nvoid f(struct thing *t) { thing_unref(t); }\n");
  r = with_spec({"--baseline", "base", "a.c"});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.out, "still in the baseline: 1\n  a.c: one: thing-leak\n")) << r.out;
}

// What a library's inline functions do wrong is told its own developers; what the project's headers do, the project's.
TEST_F(Everyday, HeadersOfTheSystem) {
  box_.write("lib/inner.h", "#include \"thing.h\"\nstatic inline " + leak("inner"));
  box_.write("project/src/b.c", "#include <inner.h>\nint use(void) { return inner(); }\n");
  const std::string hidden = "left out in headers of the system (--system-headers shows them): 1\n";
  RunResult r = with_spec({"--root", "project", "project/src/b.c", "--", "-I.", "-Ilib"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(contains(r.out, "nothing found\n" + hidden)) << r.out;
  r = with_spec({"--system-headers", "--root", "project", "project/src/b.c", "--", "-I.", "-Ilib"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_TRUE(contains(r.out, "inner.h:4:")) << r.out;
  // Below the current folder it is the project's, unless the compiler was told otherwise.
  EXPECT_EQ(with_spec({"project/src/b.c", "--", "-I.", "-Ilib"}).code, 1);
  EXPECT_EQ(with_spec({"project/src/b.c", "--", "-I.", "-isystem", "lib"}).code, 0);
  EXPECT_EQ(with_spec({"project/src/b.c", "--", "-I.", "-isystemlib"}).code, 0);
  // A header beside src/ is the project's.
  box_.write("project/include/inner.h", "#include \"thing.h\"\nstatic inline " + leak("inner"));
  EXPECT_EQ(with_spec({"--root", "lib", "project/src/b.c", "--", "-I.", "-Iproject/include"}).code, 1);
}

TEST_F(Everyday, GeneratedCodeIsNoHeader) {
  box_.write("project/src/b.c", "#include \"thing.h\"\n#line 1 \"/usr/share/skeleton.y\"\n" + leak("generated"));
  const RunResult r = with_spec({"--root", "project", "project/src/b.c", "--", "-I."});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_TRUE(contains(r.out, "/usr/share/skeleton.y:")) << r.out;
}

// Directives of OpenMP are comments to the analysis, and its header is there even if the compiler has none.
TEST_F(Everyday, OpenMp) {
  box_.write(
      "b.c",
      "#include \"thing.h\"\n#ifdef _OPENMP\n#include <omp.h>\n#endif\nint f(int n) {\n  int sum = "
      "omp_get_max_threads();\n#pragma omp parallel for reduction(+ : sum)\n  for (int i = 0; i < n; i++) {\n    "
      "struct thing *t = thing_new();\n    sum += t != 0;\n  }\n  return sum;\n}\n");
  const RunResult r = with_spec({"b.c", "--", "-fopenmp"});
  EXPECT_EQ(r.code, 1) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "reference to the result of thing_new() is leaked")) << r.out;
}

TEST_F(Everyday, BadBaselines) {
  EXPECT_EQ(with_spec({"--baseline", "nothing", "a.c"}).code, 2);
  box_.write("base", "words\n");
  const RunResult r = with_spec({"--baseline", "base", "a.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "base: line 1: expected")) << r.err;
}

TEST_F(Everyday, ChangedSince) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  const std::string helper = "struct thing *make(void) {\n  return thing_new();\n}\n";
  const std::string rest = leak("direct") + leak("caller", "make");
  box_.write("a.c", "#include \"thing.h\"\n" + helper + rest);
  git("init -q");
  git("add .");
  git("commit -qm first");
  RunResult r = with_spec({"--changed-since", "HEAD", "a.c"});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "nothing found")) << r.out;

  // A changed function concerns its callers, too, and nobody else.
  box_.write(
      "a.c",
      "#include \"thing.h\"\nstruct thing *make(void) {\n  struct thing *t = thing_new();\n  return t;\n}\n" + rest);
  r = with_spec({"--changed-since", "HEAD", "a.c"});
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.out, "a.c:12:")) << r.out;
  EXPECT_FALSE(contains(r.out, "a.c:8:")) << r.out;

  // A line outside of functions concerns all who read the file.
  git("commit -qam second");
  box_.write("thing.h",
             "struct thing;\nstruct thing *thing_new(void);\nvoid thing_unref(struct thing *t);\nextern int x;\n");
  r = with_spec({"--changed-since", "HEAD", "a.c"});
  EXPECT_TRUE(contains(r.out, "a.c:12:")) << r.out;
  EXPECT_TRUE(contains(r.out, "a.c:8:")) << r.out;

  r = with_spec({"--changed-since", "nonsense", "a.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "--changed-since:")) << r.err;
}

TEST_F(Everyday, ConfigGivesSpecsAndIsFoundFromBelow) {
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\n");
  EXPECT_EQ(check({"a.c"}).code, 1);
  EXPECT_EQ(check({"--config", "reckon.toml", "a.c"}).code, 1);
  std::filesystem::remove(box_.root() / "reckon.toml");
  EXPECT_EQ(check({"a.c"}).code, 0);
}

TEST_F(Everyday, ConfigErrorsHaveTheirLine) {
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\nexlude = [\"x\"]\n");
  const RunResult r = check({"a.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "reckon.toml:2:1: error: unknown key `exlude`")) << r.err;
  EXPECT_EQ(check({"--config", "no.toml", "a.c"}).code, 2);
}

TEST_F(Everyday, ConfigChoosesChecks) {
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\n[checks]\ndisable = [\"thing-leak\"]\n");
  EXPECT_EQ(check({"a.c"}).code, 0);
  EXPECT_EQ(check({"--checks", "thing-*", "a.c"}).code, 1);
}

TEST_F(Everyday, ConfigFiltersPaths) {
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\nexclude = [\"old/**\"]\n");
  box_.write("old/b.c", "#include \"../thing.h\"\n" + leak("two"));
  EXPECT_EQ(check({"old/b.c"}).code, 0);
  EXPECT_EQ(check({"a.c"}).code, 1);
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\ninclude = [\"old\"]\n");
  EXPECT_EQ(check({"old/b.c"}).code, 1);
  EXPECT_EQ(check({"a.c"}).code, 0);
}

TEST_F(Everyday, ConfigOfFolders) {
  box_.write("old/b.c", "#include \"../thing.h\"\n" + leak("two"));
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\n[folders]\n\"old\" = { disable = [\"*-leak\"] }\n");
  EXPECT_EQ(check({"old/b.c"}).code, 0);
  EXPECT_EQ(check({"a.c"}).code, 1);
  box_.write("reckon.toml", "specs = [\"thing.spec\"]\n[folders]\nold = { fail-on = \"never\" }\n");
  const RunResult r = check({"old/b.c"});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.out, "[thing-leak]")) << r.out;
}

TEST_F(Everyday, FailOn) {
  EXPECT_EQ(with_spec({"--fail-on", "medium", "a.c"}).code, 1);
  EXPECT_EQ(with_spec({"--fail-on", "high", "a.c"}).code, 0);
  EXPECT_EQ(with_spec({"--fail-on", "never", "a.c"}).code, 0);
  EXPECT_EQ(with_spec({"--fail-on", "sometimes", "a.c"}).code, 2);
  box_.write("reckon.toml", "fail-on = \"high\"\n");
  EXPECT_EQ(with_spec({"a.c"}).code, 0);
  EXPECT_EQ(with_spec({"--fail-on", "low", "a.c"}).code, 1);
}

}  // namespace
}  // namespace reckon::cli
