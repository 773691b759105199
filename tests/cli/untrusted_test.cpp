// Inputs of a stranger: files that are none, that never end, that name each other, or that belong to somebody else.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kGood = "int good(int x) { return x + 1; }\n";

class Untrusted : public testing::Test {
 protected:
  void fifo(const std::string& name) { ASSERT_EQ(mkfifo(box_.path(name).c_str(), 0644), 0); }
  // A run that must neither hang nor take much memory.
  RunResult quick(std::vector<std::string> arguments) {
    Process reckon(box_, {std::move(arguments), {}, {}, false});
    return reckon.wait(60);
  }
  void write_leak(const std::string& line_directive) {
    box_.write("thing.spec", "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\n");
    box_.write("a.c", "struct thing;\nstruct thing *thing_new(void);\n" + line_directive +
                          "int f(void) {\n  struct thing *t = thing_new();\n  return t ? 0 : -1;\n}\n");
  }
  Sandbox box_;
};

TEST_F(Untrusted, ALineDirectiveToADeviceIsNoSource) {
  write_leak("#line 1 \"/dev/zero\"\n");
  for (const char* format : {"text", "sarif", "html"}) {
    const RunResult r = quick({"check", "--no-cache", "--memory-limit", "1000", "--specs", "thing.spec", "--format",
                               format, "--output", std::string("out.") + format, "a.c"});
    EXPECT_EQ(r.code, 1) << format << r.err;
  }
}

TEST_F(Untrusted, ALineDirectiveToAPipeIsNoSource) {
  fifo("pipe.c");
  write_leak("#line 1 \"pipe.c\"\n");
  const RunResult r = quick({"check", "--no-cache", "--specs", "thing.spec", "a.c"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "pipe.c")) << r.out;
}

TEST_F(Untrusted, PipesInsteadOfFilesAreRefused) {
  fifo("pipe.c");
  fifo("compile_commands.json");
  box_.write("a.c", kGood);
  EXPECT_EQ(quick({"check", "-p", "."}).code, 2);
  EXPECT_EQ(quick({"check", "pipe.c"}).code, 2);
  fs::remove(box_.path("compile_commands.json"));
  for (const auto& arguments : {std::vector<std::string>{"check", "--specs", "pipe.c", "a.c"},
                                {"check", "--baseline", "pipe.c", "a.c"},
                                {"check", "-p", "/dev/zero"},
                                {"check", "a.c", "--", "@pipe.c"}}) {
    const RunResult r = quick(arguments);
    EXPECT_EQ(r.code, 2) << r.out << r.err;
    EXPECT_TRUE(contains(r.err, "not a regular file")) << r.err;
  }
}

TEST_F(Untrusted, ASettingsFileThatIsAPipeIsRefused) {
  box_.write("a.c", kGood);
  fifo("reckon.toml");
  const RunResult r = quick({"check", "a.c"});
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "not a regular file")) << r.err;
}

TEST_F(Untrusted, AnIncludeOfAPipeFailsAtOnce) {
  fifo("pipe.h");
  box_.write("a.c", "#include \"pipe.h\"\n");
  const RunResult r = quick({"check", "a.c"});
  EXPECT_TRUE(contains(r.err, "pipe.h")) << r.err;
  EXPECT_FALSE(contains(r.err, "--timeout")) << r.err;
}

TEST_F(Untrusted, AMissingResponseFileIsNamed) {
  box_.write("a.c", kGood);
  const RunResult r = quick({"check", "a.c", "--", "@gone"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "/gone: No such file or directory")) << r.err;
}

TEST_F(Untrusted, AResponseFileThatNamesItselfIsNamed) {
  box_.write("a.c", kGood);
  box_.write("self", "@self @self @self @self @self @self @self @self @self @self");
  const RunResult r = quick({"check", "a.c", "--", "@self"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "it names itself")) << r.err;
}

// Not by time: the work must not grow with the square, and nobody calls a compiler for a file that is gone.
TEST_F(Untrusted, AHundredThousandFlagsAndMissingFiles) {
  box_.write("a.c", "int f(void) { return X99999; }\n");
  std::string flags, entries;
  for (int i = 0; i < 100'000; ++i) {
    flags += ", \"-DX" + std::to_string(i) + "=1\", \"-fnonsense" + std::to_string(i) + "\"";
    entries += ", {\"file\": \"gone" + std::to_string(i) + ".c\", \"command\": \"cc -c gone.c\"}";
  }
  std::string launchers;  // each was taken off by a move of all the others
  for (int i = 0; i < 100'000; ++i) launchers += "\"ccache\", ";
  box_.write("compile_commands.json", R"([{"file": "a.c", "arguments": [)" + launchers + R"("cc")" + flags +
                                          R"(, "-c", "a.c"]})" + entries + "]");
  Process reckon(box_, {{"check", "--no-cache", "-p", "."}, {}, {}, false});
  const RunResult r = reckon.wait(280);
  EXPECT_TRUE(contains(r.out, "100001 units: 1 captured, 0 from the cache, 100000 failed")) << r.out.substr(0, 1000);
}

TEST_F(Untrusted, ADatabaseAboveTheProjectIsNotUsed) {
  fs::create_directories(box_.path("project/.git"));
  fs::create_directories(box_.path("project/src"));
  box_.write("project/src/a.c", "#ifdef WRONG\n#error somebody else's flags\n#endif\n" + std::string(kGood));
  const std::string entry =
      R"([{"directory": ")" + box_.path("project/src") + R"(", "file": "a.c", "command": "cc -DWRONG -c a.c"}])";
  box_.write("compile_commands.json", entry);
  RunResult r = quick({"check", "project/src/a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_FALSE(contains(r.err, "using the flags")) << r.err;
  box_.write("project/compile_commands.json", entry);
  r = quick({"check", "project/src/a.c"});
  EXPECT_TRUE(contains(r.err, "using the flags in " + box_.path("project/compile_commands.json"))) << r.err;
  EXPECT_TRUE(contains(r.err, "somebody else's flags")) << r.err;
}

TEST_F(Untrusted, ADatabaseOfAnotherUserIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  fs::create_directories(box_.path("work"));
  box_.write("work/a.c", kGood);
  box_.write("compile_commands.json",
             R"([{"directory": ")" + box_.path("work") + R"(", "file": "a.c", "command": "cc -DWRONG -c a.c"}])");
  ASSERT_EQ(chown(box_.path("compile_commands.json").c_str(), 65534, 65534), 0);
  const RunResult r = quick({"check", "work/a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "compile_commands.json: belongs to somebody else")) << r.err;
  EXPECT_FALSE(contains(r.err, "using the flags")) << r.err;
}

}  // namespace
}  // namespace reckon::cli
