// Workers that are killed or hang, interrupted runs, caches that cannot be used.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kGood = "int good(int x) { return x + 1; }\n";

class Robust : public testing::Test {
 protected:
  // slow.c does not come to the end of its include, good.c comes after it.
  void write_slow_program() {
    write_endless_header(box_.path("endless.h"));
    box_.write("slow.c", "#include \"endless.h\"\n");
    box_.write("good.c", kGood);
    box_.write_database({"slow.c", "good.c"});
  }
  Sandbox box_;
};

TEST_F(Robust, HangingUnitIsGivenUp) {
  write_slow_program();
  const RunResult r = run(box_, {"check", "--timeout", "1", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "slow.c: not analysed: gave no result within 1 s (--timeout)")) << r.err;
  EXPECT_TRUE(contains(r.out, "2 units: 1 captured, 0 from the cache, 1 failed")) << r.out;
  EXPECT_EQ(run(box_, {"check", "--strict", "--timeout", "1", "-p", "."}).code, 3);
}

TEST_F(Robust, KilledWorkerCostsItsUnitOnly) {
  write_slow_program();
  Process reckon(box_, {{"check", "-j1", "-p", "."}, {}, {}, false});
  // The first one that is killed may be bad luck, and its unit is tried once more.
  ASSERT_TRUE(wait_for_busy_worker(reckon));
  const auto first = reckon.children();
  ASSERT_EQ(first.size(), 1u);
  kill(first[0], SIGKILL);
  std::vector<pid_t> second;
  ASSERT_TRUE(wait_until([&] {
    second = reckon.children();
    return second.size() == 1 && second[0] != first[0];
  })) << "no second worker";
  kill(second[0], SIGKILL);
  const RunResult r = reckon.wait();
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "slow.c: not analysed: the worker process was killed (signal 9)")) << r.err;
  EXPECT_TRUE(contains(r.out, "2 units: 1 captured, 0 from the cache, 1 failed")) << r.out;
}

TEST_F(Robust, InterruptEndsEverything) {
  write_slow_program();
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::create_directory(box_.path("tmp"));
    Process reckon(box_, {{"check", "-j2", "-p", "."}, {{"TMPDIR", box_.path("tmp")}}, {}, false});
    ASSERT_TRUE(wait_for_busy_worker(reckon));
    const auto workers = reckon.children();
    ASSERT_FALSE(workers.empty());
    kill(reckon.pid(), signal);
    const RunResult r = reckon.wait(20);
    EXPECT_EQ(r.code, 130) << r.err;
    EXPECT_TRUE(contains(r.err, "interrupted")) << r.err;
    for (const pid_t worker : workers) EXPECT_NE(kill(worker, 0), 0) << "a worker is left";
    EXPECT_TRUE(fs::is_empty(box_.path("tmp"))) << "temporary files are left";
    fs::remove(box_.path("tmp"));
  }
}

TEST_F(Robust, WorkersEndWithAKilledParent) {
  write_slow_program();
  std::vector<pid_t> workers;
  {
    Process reckon(box_, {{"check", "-j1", "-p", "."}, {}, {}, false});
    ASSERT_TRUE(wait_for_busy_worker(reckon));
    workers = reckon.children();
  }  // SIGKILL
  ASSERT_EQ(workers.size(), 1u);
  const auto gone = [&] {
    std::ifstream status("/proc/" + std::to_string(workers[0]) + "/stat");
    std::string text;
    std::getline(status, text);
    return text.empty() || contains(text, ") Z ");
  };
  EXPECT_TRUE(wait_until(gone, 10));
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_F(Robust, MemoryLimit) {
  // Each line makes the initialiser ten times longer.
  std::string text = "#define A0 1,1,1,1,1,1,1,1,1,1,\n";
  for (int i = 1; i < 8; ++i) {
    const std::string inner = "A" + std::to_string(i - 1) + " ";
    text += "#define A" + std::to_string(i) + " ";
    for (int k = 0; k < 10; ++k) text += inner;
    text += "\n";
  }
  box_.write("hungry.c", text + "int table[] = { A7 };\n");
  box_.write("good.c", kGood);
  box_.write_database({"hungry.c", "good.c"});
  const RunResult r = run(box_, {"check", "--memory-limit", "300", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "hungry.c: not analysed: needed more than 300 MiB of memory (--memory-limit)")) << r.err;
  EXPECT_TRUE(contains(r.out, "1 captured, 0 from the cache, 1 failed")) << r.out;
}
#endif

TEST_F(Robust, CacheThatCannotBeMade) {
  box_.write("a.c", kGood);
  box_.write("file", "");
  for (const std::string folder : {"/proc/reckon-cache", "file", "file/below"}) {
    const RunResult r = run(box_, {"check", "--strict", "--cache", folder, "a.c"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(contains(r.err, "the cache is not used: ")) << r.err;
    EXPECT_TRUE(contains(r.out, "1 captured")) << r.out;
  }
}

TEST_F(Robust, CacheWithoutPermission) {
  box_.write("a.c", kGood);
  fs::permissions(box_.root(), fs::perms::all);
  fs::create_directory(box_.path("cache"));
  Launch launch{{"check", "--strict", "--cache", "cache", "a.c"}, {}, {}, true};
  if (run(box_, Launch{{"--version"}, {}, {}, true}).code != 0) GTEST_SKIP() << "nobody cannot run the program here";
  for (const mode_t mode : {0000, 0444, 0555}) {
    chmod(box_.path("cache").c_str(), mode);
    const RunResult r = run(box_, launch);
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(contains(r.err, "the cache ")) << "mode " << mode << ": " << r.err;
    EXPECT_TRUE(contains(r.out, "1 captured")) << r.out;
  }
  chmod(box_.path("cache").c_str(), 0755);
}

TEST_F(Robust, DamagedCacheEntryIsMadeAgain) {
  box_.write("a.c", kGood);
  ASSERT_EQ(run(box_, {"check", "--cache", "cache", "a.c"}).code, 0);
  std::size_t damaged = 0;
  for (const auto& file : fs::recursive_directory_iterator(box_.path("cache"))) {
    if (!file.is_regular_file() || file.file_size() < 16) continue;
    std::fstream stream(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(file.file_size() / 2));
    stream << "garbage";
    ++damaged;
  }
  ASSERT_GT(damaged, 0u);
  const RunResult r = run(box_, {"check", "--strict", "--cache", "cache", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "1 captured, 0 from the cache")) << r.out;
  EXPECT_TRUE(contains(run(box_, {"check", "--cache", "cache", "a.c"}).out, "1 from the cache"));
}

TEST_F(Robust, ChangedHeaderRecompilesItsUsersOnly) {
  box_.write("h.h", "int h(void);\n");
  box_.write("a.c", "#include \"h.h\"\nint a(void) { return h(); }\n");
  box_.write("b.c", kGood);
  box_.write_database({"a.c", "b.c"});
  ASSERT_EQ(run(box_, {"check", "-p", "."}).code, 0);
  box_.write("h.h", "int h(void); int k(void);\n");
  EXPECT_TRUE(contains(run(box_, {"check", "-p", "."}).out, "2 units: 1 captured, 1 from the cache"));
}

TEST_F(Robust, NoHomeMeansNoCache) {
  box_.write("a.c", kGood);
  const RunResult r = run(box_, Launch{{"check", "-v", "a.c"}, {}, {"HOME"}, false});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "no cache: ")) << r.err;
}

TEST_F(Robust, QuietAndVerbose) {
  box_.write("a.c", kGood);
  const RunResult quiet = run(box_, {"check", "-q", "a.c"});
  EXPECT_EQ(quiet.out, "");
  EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace reckon::cli
