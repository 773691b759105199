// Nothing lost: reports, baselines and sources survive a full disk, a bad name, a hostile environment.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLeak =
    "#include \"thing.h\"\nint forget(void) {\n  struct thing *t = thing_new();\n  if (!t)\n    return -1;\n"
    "  if (work())\n    return -2;\n  thing_unref(t);\n  return 0;\n}\n";

class Output : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t) -> void t-1\n");
    box_.write("thing.h",
               "struct thing;\nstruct thing *thing_new(void);\nvoid thing_unref(struct thing *t);\nint work(void);\n");
    box_.write("a.c", kLeak);
  }
  RunResult check(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "--no-cache", "--specs", "thing.spec"});
    options.push_back("a.c");
    return run(box_, options);
  }
  std::string file(const std::string& name) {
    std::ifstream in(box_.path(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  // Files in the sandbox that a run has left behind under a name of its own.
  std::vector<std::string> leftovers() {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(box_.root()))
      if (contains(entry.path().filename().string(), ".reckon-")) out.push_back(entry.path().string());
    return out;
  }
  // With a limit on the size of files of so many blocks of 512 bytes.
  RunResult with_small_files(int blocks, const std::string& options) {
    return shell(box_, "(ulimit -f " + std::to_string(blocks) +
                           "; exec \"$RECKON\" check --no-cache --specs thing.spec " + options +
                           " a.c 2>&1) | cat >&2");
  }
  Sandbox box_;
};

TEST_F(Output, OldReportSurvivesAFailedRun) {
  for (const std::string format : {"text", "json", "sarif", "gitlab"}) {
    box_.write("report", "old\n");
    EXPECT_EQ(check({"--format", format, "--output", "report", "--checks", "nonsense"}).code, 2);
    EXPECT_EQ(file("report"), "old\n") << format;
  }
  // The disk is full, or a file may not grow that long.
  const std::string long_one(2000, 'x');
  box_.write("report", long_one);
  const RunResult r = with_small_files(1, "--format sarif --output report");
  EXPECT_TRUE(contains(r.err, "report: cannot be written: File too large")) << r.err;
  EXPECT_EQ(file("report"), long_one);
  EXPECT_TRUE(leftovers().empty()) << leftovers().front();
}

TEST_F(Output, OldPagesSurviveAFailedRun) {
  ASSERT_EQ(check({"--format=html", "--output", "report"}).code, 1);
  const std::string before = file("report/index.html");
  box_.write("a.c", std::string(kLeak) + "int other(void) { struct thing *t = thing_new(); return t ? 0 : -1; }\n");
  const RunResult r = with_small_files(4, "--format=html --output report");
  EXPECT_TRUE(contains(r.err, "cannot be written: File too large")) << r.err;
  EXPECT_EQ(file("report/index.html"), before);
  EXPECT_TRUE(leftovers().empty()) << leftovers().front();
}

TEST_F(Output, OldBaselineSurvivesAFailedRun) {
  std::string many = "#include \"thing.h\"\n";
  for (int i = 0; i < 20; ++i)
    many += "int f" + std::to_string(i) + "(void) { struct thing *t = thing_new(); return t ? 0 : -1; }\n";
  box_.write("a.c", many);
  box_.write("base", "old\n");
  const RunResult r = with_small_files(1, "--write-baseline base -q");
  EXPECT_TRUE(contains(r.err, "base: cannot be written: File too large")) << r.err;
  EXPECT_EQ(file("base"), "old\n");
}

TEST_F(Output, SourceSurvivesARepairThatCannotBeWritten) {
  const std::string padded = std::string(kLeak) + "/* " + std::string(3000, 'x') + " */\n";
  box_.write("a.c", padded);
  // The copies that are tried are as long as the source, so the limit holds for the last step alone: the folder.
  fs::permissions(box_.root(), fs::perms::all);
  if (run(box_, Launch{{"--version"}, {}, {}, true}).code != 0) GTEST_SKIP() << "nobody cannot run the program here";
  fs::permissions(box_.path("a.c"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const RunResult r = run(box_, Launch{{"check", "--no-cache", "--specs", "thing.spec", "--fix", "a.c"}, {}, {}, true});
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "a.c: cannot be written: Permission denied")) << r.err;
  EXPECT_EQ(file("a.c"), padded);
  EXPECT_TRUE(leftovers().empty());
}

TEST_F(Output, RepairKeepsTheModeAndReportsTheSourceAsItWas) {
  fs::permissions(box_.path("a.c"), fs::perms(0640));
  const RunResult r = check({"--fix"});
  EXPECT_EQ(r.code, 0) << "what was repaired does not count\n" << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "    7 |     return -2;\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "repaired: 1\n")) << r.out;
  EXPECT_TRUE(contains(r.err, "repaired: 1 findings in 1 files")) << r.err;
  EXPECT_TRUE(contains(file("a.c"), "thing_unref(t);\n    return -2;")) << file("a.c");
  struct stat info{};
  ASSERT_EQ(stat(box_.path("a.c").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_F(Output, RepairedFindingsInOtherFormats) {
  const RunResult r = check({"--fix", "--format=json", "--output", "a.json", "--format=sarif", "--output", "a.sarif",
                             "--format=gitlab", "--output", "q.json"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(nlohmann::json::parse(file("a.json"))["repaired"], true);
  EXPECT_EQ(nlohmann::json::parse(file("a.sarif"))["runs"][0]["results"][0]["baselineState"], "absent");
  EXPECT_TRUE(nlohmann::json::parse(file("q.json")).empty());
}

TEST_F(Output, SourcesAreNotOverwritten) {
  box_.write("other.c", "int other;\n");
  box_.write_database({"a.c"});
  for (const std::string name : {"a.c", "./a.c", "other.c", "thing.h", "thing.spec", "compile_commands.json"}) {
    const std::string before = file(name);
    for (const std::string option : {"--output", "--write-baseline"}) {
      const RunResult r = check({option, name});
      EXPECT_EQ(r.code, 2) << name << r.err;
      EXPECT_TRUE(contains(r.err, name + ": ") && contains(r.err, "give another name")) << r.err;
      EXPECT_EQ(file(name), before);
    }
  }
}

// Whatever the run reads, by whatever name.
TEST_F(Output, InputsAreNotOverwritten) {
  fs::copy(box_.path("thing.spec"), box_.path("rules"));
  fs::copy(box_.path("thing.h"), box_.path("things"));
  box_.write("a.c", std::string("#include \"things\"\n") + std::string(kLeak).substr(19));
  box_.write("settings", "confidence = \"low\"\n");
  box_.write_database({"a.c"});
  fs::rename(box_.path("compile_commands.json"), box_.path("calls"));
  fs::create_directory(box_.path("DESCRIPTIONS"));
  box_.write("Makefile", "all:\n");
  for (const std::string name : {"a.c", "rules", "things", "settings", "calls", "Makefile"}) {
    const std::string before = file(name);
    for (const std::string option : {"--output", "--write-baseline"}) {
      const RunResult r =
          run(box_, {"check", "--no-cache", "--specs", "rules", "--config", "settings", "-p", "calls", option, name});
      EXPECT_EQ(r.code, 2) << name << r.err;
      EXPECT_TRUE(contains(r.err, name + ": ") && contains(r.err, "give another name")) << r.err;
      EXPECT_EQ(file(name), before);
    }
  }
}

TEST_F(Output, OtherCommandsDoNotOverwriteInputs) {
  box_.write("mine.spec", "# by hand\n");
  box_.write(".config", "");
  box_.write("init/main.c", "int x;\n");
  box_.write("init/.main.o.cmd", "cmd_init/main.o := gcc -c -o init/main.o init/main.c\n");
  const std::string gir =
      "<repository><include name='Other' version='1.0'/><namespace name='Thing' "
      "version='1.0'></namespace></repository>";
  box_.write("Thing-1.0.gir", gir);
  box_.write("Other-1.0.gir", "<repository><namespace name='Other' version='1.0'></namespace></repository>");
  const std::vector<std::vector<std::string>> commands = {
      {"pack", "--no-cache", "--specs", "thing.spec", "-o", "a.c", "a.c"},
      {"pack", "--no-cache", "--specs", "thing.spec", "-o", "thing.spec", "a.c"},
      {"pack", "--no-cache", "--specs", "thing.spec", "-o", "mine.spec", "a.c"},
      {"mine", "--no-cache", "-o", "a.c", "a.c"},
      {"mine", "--no-cache", "-o", "mine.spec", "a.c"},
      {"mine", "--no-cache", "--specs", "thing.spec", "-o", "thing.spec", "a.c"},
      {"import", "gir", "-o", "a.c", "Thing-1.0.gir"},
      {"import", "gir", "-o", "mine.spec", "Thing-1.0.gir"},
      {"import", "gir", "-o", "Thing-1.0.gir", "Thing-1.0.gir"},
      {"import", "gir", "-o", "Other-1.0.gir", "Thing-1.0.gir"},  // which the first one refers to
      {"annotate", "--no-cache", "--domain", "r", "--copy", ".", "a.c"},
      {"compdb", "linux", "-o", "a.c", "."},
      {"compdb", "linux", "-o", ".config", "."}};
  box_.write("a.c", "void *Rf_allocVector(unsigned, long);\nvoid *f(void) { return Rf_allocVector(1, 1); }\n");
  const std::string before = file("a.c");
  for (const auto& command : commands) {
    const RunResult r = run(box_, command);
    EXPECT_EQ(r.code, 2) << command[0] << r.err;
    EXPECT_TRUE(contains(r.err, "give")) << r.err;
  }
  EXPECT_EQ(file("a.c"), before);
  EXPECT_EQ(file("mine.spec"), "# by hand\n");
  EXPECT_EQ(file(".config"), "");
  EXPECT_EQ(file("Thing-1.0.gir"), gir);
  EXPECT_TRUE(contains(file("Other-1.0.gir"), "<repository>"));
  box_.write("pair.c",
             "struct obj;\nstruct obj *obj_new(void);\nvoid obj_free(struct obj *o);\n"
             "int use(void) { struct obj *o = obj_new(); obj_free(o); return 0; }\n");
  // What the command itself has made may be made again.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run(box_, {"pack", "--no-cache", "--specs", "thing.spec", "-o", "pack.spec", "a.c"}).code, 0);
    EXPECT_EQ(run(box_, {"annotate", "--no-cache", "--domain", "r", "--copy", "copies", "a.c"}).code, 0);
    EXPECT_EQ(run(box_, {"compdb", "linux", "."}).code, 0);
    EXPECT_EQ(run(box_, {"import", "gir", "-o", "imported.spec", "Thing-1.0.gir"}).code, 0);
  }
  EXPECT_TRUE(contains(file("copies/a.c"), "GC | ")) << file("copies/a.c");
  // A mined spec is there to be mended, so it is made once.
  EXPECT_EQ(run(box_, {"mine", "--no-cache", "-o", "pairs.spec", "pair.c"}).code, 0);
  box_.write("pairs.spec", file("pairs.spec") + "# mended\n");
  const RunResult again = run(box_, {"mine", "--no-cache", "-o", "pairs.spec", "pair.c"});
  EXPECT_EQ(again.code, 2) << again.err;
  EXPECT_TRUE(contains(again.err, "pairs.spec: exists") && contains(again.err, "remove it first")) << again.err;
  EXPECT_TRUE(file("pairs.spec").ends_with("# mended\n"));
}

TEST_F(Output, PagesOfOthersAreNotOverwritten) {
  box_.write("site/index.html", "<h1>Ours</h1>\n");
  RunResult r = check({"--format=html", "--output", "site"});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_TRUE(contains(r.err, "site: holds index.html, which is no page of a report")) << r.err;
  EXPECT_EQ(file("site/index.html"), "<h1>Ours</h1>\n");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(check({"--format=html", "--output", "pages"}).code, 1);
}

TEST_F(Output, OnePathForTwoReports) {
  RunResult r = check({"--format=json", "--output", "x", "--format=sarif", "--output", "./x"});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_TRUE(contains(r.err, "./x: is written by --format=json, too")) << r.err;
  EXPECT_FALSE(fs::exists(box_.path("x")));
  EXPECT_EQ(check({"--output", "x", "--write-baseline", "x"}).code, 2);
  EXPECT_EQ(check({"--format=html", "--output", "x", "--format=json", "--output", "x/index.html"}).code, 2);
  EXPECT_EQ(check({"--format=json", "--output", "x/index.html", "--format=html", "--output", "x"}).code, 2);
  box_.write("base", "# reckon baseline 1\n");
  EXPECT_EQ(check({"--baseline", "base", "--output", "base"}).code, 2);
  EXPECT_EQ(check({"--baseline", "base", "--write-baseline", "base"}).code, 0)
      << "a baseline may be brought up to date";
}

TEST_F(Output, LinksOutOfTheTree) {
  Sandbox elsewhere;
  elsewhere.write("precious", "precious\n");
  fs::create_symlink(elsewhere.path("precious"), box_.path("report"));
  fs::create_directory_symlink(elsewhere.root(), box_.path("out"));
  auto refused = [&](const std::vector<std::string>& options) {
    const RunResult r = check(options);
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_TRUE(contains(r.err, "link")) << r.err;
  };
  refused({"--output", "report"});
  refused({"--output", "out/report"});
  refused({"--write-baseline", "report"});
  refused({"--format=html", "--output", "out"});
  fs::create_directory(box_.path("pages"));
  fs::create_directory_symlink(elsewhere.root(), box_.path("pages/findings"));
  refused({"--format=html", "--output", "pages"});
  std::ifstream in(elsewhere.path("precious"));
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "precious");
  // A link inside of the tree is followed, and stays a link.
  box_.write("real", "old\n");
  fs::create_symlink("real", box_.path("inside"));
  EXPECT_EQ(check({"--output", "inside"}).code, 1);
  EXPECT_TRUE(fs::is_symlink(box_.path("inside")));
  EXPECT_TRUE(contains(file("real"), "[thing-leak]")) << file("real");
}

// The user stands above the checkout, so that what lies beside it is below the current folder, too.
TEST_F(Output, LinksOutOfACheckoutBelow) {
  box_.write("precious", "precious\n");
  fs::create_directories(box_.path("checkout/.git"));
  fs::create_symlink("../precious", box_.path("checkout/report"));
  const RunResult r = check({"--output", "checkout/report"});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_TRUE(contains(r.err, "checkout/report: a link leads out of ")) << r.err;
  EXPECT_EQ(check({"--output", box_.path("checkout/report")}).code, 2);
  EXPECT_EQ(file("precious"), "precious\n");
  box_.write("tree/.config", "");
  box_.write("tree/init/main.c", "int x;\n");
  box_.write("tree/init/.main.o.cmd", "cmd_init/main.o := gcc -c -o init/main.o init/main.c\n");
  fs::create_symlink("../precious", box_.path("tree/compile_commands.json"));
  EXPECT_EQ(run(box_, {"compdb", "linux", "tree"}).code, 2);
  EXPECT_EQ(file("precious"), "precious\n");
}

TEST_F(Output, RepairDoesNotFollowALinkOutOfTheTree) {
  Sandbox elsewhere;
  elsewhere.write("a.c", kLeak);
  elsewhere.write("thing.h", file("thing.h"));
  fs::remove(box_.path("a.c"));
  fs::create_symlink(elsewhere.path("a.c"), box_.path("a.c"));
  const RunResult r = check({"--fix"});
  std::ifstream in(elsewhere.path("a.c"), std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), kLeak) << r.err;
}

TEST_F(Output, PipesAndDevicesAreWrittenInPlace) {
  const RunResult r =
      shell(box_, "\"$RECKON\" check -q --no-cache --specs thing.spec --format=json --output /dev/stdout a.c | cat");
  EXPECT_TRUE(contains(r.out, "thing-leak")) << r.out << r.err;
  const RunResult full = check({"--output", "/dev/full"});
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(contains(full.err, "/dev/full: cannot be written: No space left on device")) << full.err;
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Output, ClosedDescriptors) {
  for (const std::string closed : {"<&-", "2>&-", "<&- 2>&-", "<&- >&- 2>&-"}) {
    const RunResult r =
        shell(box_, "\"$RECKON\" check --no-cache --specs thing.spec --format=json --output r.json a.c " + closed);
    EXPECT_EQ(r.code, 1) << closed << r.err;
    const std::string report = file("r.json");
    EXPECT_EQ(nlohmann::json::parse(report, nullptr, false)["check"], "thing-leak") << closed << report;
    fs::remove(box_.path("r.json"));
  }
}

TEST_F(Output, ReadOnlyCacheIsRead) {
  fs::permissions(box_.root(), fs::perms::all);
  if (run(box_, Launch{{"--version"}, {}, {}, true}).code != 0) GTEST_SKIP() << "nobody cannot run the program here";
  const std::vector<std::string> arguments = {"check", "--cache", "cache", "--specs", "thing.spec", "a.c"};
  ASSERT_EQ(run(box_, arguments).code, 1);
  ASSERT_EQ(std::system(("chmod -R a-w,a+rX " + box_.path("cache")).c_str()), 0);
  const RunResult r = run(box_, Launch{arguments, {}, {}, true});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.err, "the cache is only read: ")) << r.err;
  EXPECT_TRUE(contains(r.out, "0 captured, 1 from the cache")) << r.out;
  ASSERT_EQ(std::system(("chmod -R u+w " + box_.path("cache")).c_str()), 0);
}

TEST_F(Output, FileSizeLimitCostsTheCacheOnly) {
  const RunResult r =
      shell(box_, "(ulimit -f 0; exec \"$RECKON\" check --cache cache --specs thing.spec a.c 2>&1) | cat");
  EXPECT_TRUE(contains(r.out, "[thing-leak]")) << r.out;
  EXPECT_TRUE(contains(r.out, "the cache cannot be written: ")) << r.out;
}

TEST_F(Output, NoHomeNoTemporaryFolder) {
  const RunResult r = run(box_, Launch{{"check", "--specs", "thing.spec", "--fix", "a.c"},
                                       {{"TMPDIR", "/nowhere"}},
                                       {"HOME", "XDG_CACHE_HOME"},
                                       false});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "[thing-leak]")) << r.out << r.err;
}

TEST_F(Output, NoMoreProcessesOrThreads) {
  fs::permissions(box_.root(), fs::perms::all);
  if (run(box_, Launch{{"--version"}, {}, {}, true}).code != 0) GTEST_SKIP() << "nobody cannot run the program here";
  box_.write("b.c", kLeak);
  box_.write_database({"a.c", "b.c"});
  // No new process or thread at all: no worker can be started, and the run says so. Nor can the leak sanitizer look.
  const RunResult r = shell(
      box_,
      "export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0; "
      "ulimit -p 1 2>/dev/null || ulimit -u 1; exec \"$RECKON\" check -j4 --no-cache --specs thing.spec -p . 2>&1",
      true);
  EXPECT_EQ(r.code, 3) << r.out;
  EXPECT_TRUE(contains(r.out, "no worker process could be started")) << r.out;
}

TEST_F(Output, WorkerKilledOnceIsTriedAgain) {
  write_endless_header(box_.path("endless.h"));
  box_.write("slow.c", "#include \"endless.h\"\nint slow;\n");
  Process reckon(box_, {{"check", "--no-cache", "-j1", "slow.c"}, {}, {}, false});
  ASSERT_TRUE(wait_for_busy_worker(reckon));
  const auto workers = reckon.children();
  ASSERT_EQ(workers.size(), 1u);
  // The next one finds a short header in its place.
  box_.write("short.h", "int brief;\n");
  fs::rename(box_.path("short.h"), box_.path("endless.h"));
  kill(workers[0], SIGKILL);
  const RunResult r = reckon.wait();
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured, 0 from the cache, 0 failed")) << r.out << r.err;
}

}  // namespace
}  // namespace reckon::cli
