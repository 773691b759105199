// Exit codes and words: nothing analysed is never green, and wrong values are refused.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

constexpr const char* kGood = "int good(int x) { return x + 1; }\n";
constexpr const char* kLeak =
    "struct thing;\nstruct thing *thing_new(void);\nint forget(void) {\n  struct thing *t = thing_new();\n"
    "  return t ? 0 : -1;\n}\n";

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

class Exit : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("good.c", kGood);
    box_.write("bad.c", "#include \"nowhere.h\"\n");
    box_.write("leak.c", kLeak);
    box_.write("thing.spec", "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\n");
  }
  std::string file(const std::string& name) {
    std::ifstream in(box_.path(name));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  Sandbox box_;
};

TEST_F(Exit, NothingCapturedIsNotGreen) {
  const RunResult r = run(box_, {"check", "bad.c"});
  EXPECT_EQ(r.code, 3) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "nothing was analysed\n")) << r.out;
  EXPECT_FALSE(contains(r.out, "nothing found")) << r.out;
  EXPECT_EQ(last_line(r.out), "nothing was analysed: 1 of 1 units failed") << r.out;
}

TEST_F(Exit, NothingCapturedInEveryFormat) {
  for (const std::string format : {"json", "sarif", "gitlab"}) {
    const RunResult r = run(box_, {"check", "-q", "--format", format, "bad.c"});
    EXPECT_EQ(r.code, 3) << format << r.err;
    EXPECT_EQ(last_line(r.err), "reckon: nothing was analysed: 1 of 1 units failed") << format << r.err;
  }
  const auto sarif = nlohmann::json::parse(run(box_, {"check", "-q", "--format", "sarif", "bad.c"}).out);
  EXPECT_EQ(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false) << sarif.dump(1);
  EXPECT_EQ(run(box_, {"check", "--format", "html", "--output", "report", "bad.c"}).code, 3);
  EXPECT_TRUE(contains(file("report/index.html"), "Nothing was analysed.")) << file("report/index.html");
}

TEST_F(Exit, ReportsOfRunsThatFailedAreNotTakenForAnAnswer) {
  const std::vector<std::string> json = {"check", "-q", "--specs", "thing.spec", "--format", "json", "--output"};
  auto report = [&](const std::string& name, const std::vector<std::string>& files) {
    std::vector<std::string> words = json;
    words.push_back(name);
    words.insert(words.end(), files.begin(), files.end());
    (void)run(box_, words);
    return last_line(file(name));
  };
  EXPECT_FALSE(contains(report("before", {"leak.c"}), "analysed"));
  EXPECT_EQ(report("nothing", {"bad.c"}),
            "{\"analysed\":\"nothing\",\"message\":\"nothing was analysed: 1 of 1 units failed\"}");
  EXPECT_EQ(report("part", {"good.c", "bad.c"}),
            "{\"analysed\":\"part\",\"message\":\"not all was analysed: 1 of 2 units failed\"}");
  RunResult r = run(box_, {"diff", "before", "nothing"});
  EXPECT_EQ(r.code, 3) << r.out << r.err;
  EXPECT_TRUE(contains(last_line(r.err), "nothing was analysed")) << r.err;
  r = run(box_, {"diff", "before", "part"});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(last_line(r.err), "not all was analysed")) << r.err;
}

TEST_F(Exit, AllOverTheLimitIsNotGreen) {
  write_endless_header(box_.path("endless.h"));
  box_.write("slow.c", "#include \"endless.h\"\n");
  const RunResult r = run(box_, {"check", "--timeout", "1", "slow.c"});
  EXPECT_EQ(r.code, 3) << r.out << r.err;
}

TEST_F(Exit, PartThatFailedIsToldLast) {
  box_.write_database({"good.c", "bad.c"});
  RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(last_line(r.out), "not all was analysed: 1 of 2 units failed") << r.out;
  for (const std::string format : {"json", "sarif", "gitlab"}) {
    r = run(box_, {"check", "--format", format, "-p", "."});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(last_line(r.err), "not all was analysed: 1 of 2 units failed") << r.err;
  }
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-q"}, {"--format", "text", "--output", "report.txt"}}) {
    std::vector<std::string> arguments = {"check", "-p", "."};
    arguments.insert(arguments.end(), options.begin(), options.end());
    r = run(box_, arguments);
    EXPECT_EQ(last_line(r.err), "reckon: not all was analysed: 1 of 2 units failed") << options[0] << r.err;
  }
}

TEST_F(Exit, IncompleteWinsOverFindings) {
  box_.write_database({"leak.c", "bad.c"});
  EXPECT_EQ(run(box_, {"check", "--specs", "thing.spec", "-p", "."}).code, 1);
  EXPECT_EQ(run(box_, {"check", "--strict", "--specs", "thing.spec", "-p", "."}).code, 3);
}

TEST_F(Exit, FailedBuildFailsTheRun) {
  if (std::system("command -v bear >/dev/null 2>&1") != 0) GTEST_SKIP() << "no bear";
  RunResult r = run(box_, {"run", "--", "sh", "-c", "gcc -c good.c; exit 7"});
  EXPECT_EQ(r.code, 3) << r.err;
  EXPECT_EQ(last_line(r.out), "not all was analysed: the build failed with exit status 7") << r.out;
  r = run(box_, {"run", "--format", "sarif", "--", "sh", "-c", "exit 7"});
  EXPECT_EQ(r.code, 3) << r.err;
  EXPECT_EQ(nlohmann::json::parse(r.out)["runs"][0]["invocations"][0]["executionSuccessful"], false) << r.out;
}

TEST_F(Exit, OtherCommandsWithNothingCaptured) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"dump", "model", "bad.c"},
                                                    {"mine", "bad.c"},
                                                    {"annotate", "bad.c"},
                                                    {"pack", "-o", "out.spec", "bad.c"}}) {
    box_.write("out.spec", "# Computed by reckon 0\n");
    const RunResult r = run(box_, arguments);
    EXPECT_EQ(r.code, 3) << arguments[0] << r.err;
    EXPECT_TRUE(contains(r.err, "nothing was analysed")) << r.err;
    EXPECT_EQ(file("out.spec"), "# Computed by reckon 0\n");
  }
}

TEST_F(Exit, NothingAnalysedWritesNoBaseline) {
  box_.write("base", "old\n");
  const RunResult r = run(box_, {"check", "--write-baseline", "base", "bad.c"});
  EXPECT_EQ(r.code, 3) << r.err;
  EXPECT_EQ(file("base"), "old\n");
}

TEST_F(Exit, AHeaderAloneIsARequestForNothing) {
  box_.write("a.h", "int x;\n");
  RunResult r = run(box_, {"check", "a.h"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "a.h: a header alone is not analysed")) << r.err;
  // A hook names every file of a commit: there headers are passed over, and the text says so.
  r = run(box_, {"check", "-q", "--skip-headers", "a.h"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "nothing was analysed: all files named are headers")) << r.err;
  EXPECT_EQ(run(box_, {"check", "--strict", "--skip-headers", "a.h", "good.c"}).code, 0);
  box_.write_database({"good.c"});
  EXPECT_EQ(run(box_, {"check", "-p", ".", "--skip-headers", "a.h"}).code, 0);
  EXPECT_EQ(run(box_, {"check", "-p", ".", "a.h"}).code, 2);
}

TEST_F(Exit, GeneratedFilesAloneAreARequestForNothing) {
  box_.write("g.c", std::string("/* Generated by Cython 3.0.8 */\n") + kGood);
  box_.write_database({"g.c"});
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 2) << r.out;
  EXPECT_TRUE(contains(r.err, "nothing to analyse: all files are generated")) << r.err;
}

TEST_F(Exit, FiltersThatLeaveNothingAreTold) {
  box_.write("reckon.toml", "exclude = [\"*.c\"]\n");
  const RunResult r = run(box_, {"check", "--specs", "thing.spec", "leak.c"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(contains(r.err, "leave out all files that were analysed")) << r.err;
}

// Captured, but of no domain: nobody looked.
TEST_F(Exit, FilesOfNoDomainAreTold) {
  const std::string said = "so nothing was checked (--domain NAME, specs)";
  const RunResult r = run(box_, {"check", "good.c"});
  EXPECT_TRUE(contains(r.err, said)) << r.err;
  EXPECT_TRUE(contains(r.out, "nothing was checked\n") && !contains(r.out, "nothing found")) << r.out;
  EXPECT_FALSE(contains(run(box_, {"check", "--domain", "python", "good.c"}).err, said));
  EXPECT_FALSE(contains(run(box_, {"check", "--specs", "thing.spec", "leak.c"}).err, said));
}

TEST_F(Exit, IncludeThatMatchesNothing) {
  box_.write("reckon.toml", "include = [\"scr/**\"]\n");
  box_.write_database({"good.c"});
  RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 2) << r.out;
  EXPECT_TRUE(contains(r.err, "include: 'scr/**' matches no file of the program")) << r.err;
  r = run(box_, {"check", "-p", ".", "good.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "include: 'scr/**' matches no file of those on the command line")) << r.err;
}

TEST_F(Exit, WrongValuesAreRefused) {
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--timeout", "nan"},
                                                {"--timeout", "inf"},
                                                {"--timeout=-1"},
                                                {"--timeout", "1e300"},
                                                {"--memory-limit", "18446744073709551615"},
                                                {"--memory-limit=-1"},
                                                {"--memory-limit", "nan"},
                                                {"--memory-limit", "1.5"},
                                                {"--cache-size=-5"},
                                                {"--cache-size", "nan"},
                                                {"--jobs=-1"},
                                                {"--only-function", "nosuch"},
                                                {"--checks", "-*"},
                                                {"--root", "nowhere"},
                                                {"--domain", "pyhton"}}) {
    std::vector<std::string> arguments = {"check", "good.c"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(run(box_, arguments).code, 2) << wrong[0] << ' ' << wrong.back();
  }
  for (const std::string seconds : {"0", "-1", "nan", "1.5", "99999999999999999999", "x"})
    EXPECT_EQ(run(box_, {"confirm", "--no-cache", "--seconds=" + seconds, "good.c"}).code, 2) << seconds;
  for (const std::string settings :
       {"domains = [\"pyhton\"]\n", "pyhton-version = \"3.11\"\n", "python-version = \"new\"\n",
        "python-version = \"9.9\"\n", "python-version = \"1\"\n", "python-version = \"3..1\"\n",
        "python-version = \"-3\"\n"}) {
    box_.write("reckon.toml", settings);
    EXPECT_EQ(run(box_, {"check", "good.c"}).code, 2) << settings;
  }
  box_.write("reckon.toml", "python-version = \"3.11\"\n");
  EXPECT_EQ(run(box_, {"check", "good.c"}).code, 0);
}

// A script whose variable is not set.
TEST_F(Exit, EmptyValuesAreRefused) {
  for (const std::string option :
       {"--output",        "--format",         "--checks",    "--domain",        "--specs",   "--config",
        "--baseline",      "--write-baseline", "--new-since", "--changed-since", "--root",    "--cache",
        "--only-function", "--why-not",        "--severity",  "--trigger",       "--fail-on", "--timeout",
        "--memory-limit",  "--cache-size",     "--jobs",      "--place",         "-p",        "--cache-key"}) {
    const bool is_short = !option.starts_with("--");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{is_short ? option : option + "="}, std::vector<std::string>{option, ""}}) {
      if (is_short && words.size() == 1) continue;
      std::vector<std::string> arguments = {"check", "--no-cache", "good.c"};
      arguments.insert(arguments.end(), words.begin(), words.end());
      const RunResult r = run(box_, arguments);
      EXPECT_EQ(r.code, 2) << option << r.out << r.err;
      EXPECT_TRUE(contains(r.err, "error: ")) << option << r.err;
    }
  }
  EXPECT_TRUE(contains(run(box_, {"check", "--output=", "good.c"}).err, "--output: the value is empty"));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"check", ""},
                                                    {"pack", "-o", "", "good.c"},
                                                    {"annotate", "--copy=", "good.c"},
                                                    {"compdb", "linux", ""},
                                                    {"compdb", "linux", "-o", "", "."},
                                                    {"diff", "", ""},
                                                    {"explain", ""},
                                                    {"dump", "model", "--function=", "good.c"},
                                                    {"r", ""},
                                                    {"spec", "check", ""},
                                                    {"spec", "show", ""}})
    EXPECT_EQ(run(box_, arguments).code, 2) << arguments[0];
  for (const std::string settings :
       {"include = [\"\"]\n", "exclude = [\"\"]\n", "domains = [\"\"]\n", "specs = [\"\"]\n", "baseline = \"\"\n",
        "database = [\"\"]\n", "fail-on = \"\"\n", "[checks]\nenable = [\"\"]\n", "[checks]\ndisable = [\"\"]\n"}) {
    box_.write("reckon.toml", settings);
    EXPECT_EQ(run(box_, {"check", "--no-cache", "good.c"}).code, 2) << settings;
  }
}

TEST_F(Exit, SuggestionsForMisspeltWords) {
  auto says = [&](const std::vector<std::string>& arguments, const std::string& text) {
    const RunResult r = run(box_, arguments);
    EXPECT_EQ(r.code, 2) << arguments[0];
    EXPECT_TRUE(contains(r.err, text)) << r.err;
  };
  says({"chekc", "good.c"}, "there is no command 'chekc' (did you mean `check`?)");
  says({"spec", "chek", "thing.spec"}, "there is no command 'chek' (did you mean `check`?)");
  says({"check", "--fromat=json", "good.c"}, "reckon check has no option '--fromat' (did you mean `--format`?)");
  says({"check", "--checks", "python-laek", "good.c"},
       "no check is called 'python-laek' (did you mean `python-leak`?)");
  says({"check", "--domain", "pyhton", "good.c"}, "no spec names a domain `pyhton` (did you mean `python`?)");
  says({"check", "--only-function", "godo", "good.c"}, "no function is called 'godo' (did you mean `good`?)");
  says({"compdb", "linux"}, "reckon compdb linux --help says more");
  says({"explain", "laek"}, "did you mean `leak`?");
  says({"explain", "python-laek"}, "did you mean `python-leak`?");
  says({"check", "--jobs", "none", "good.c"}, "reckon: error: ");
}

TEST_F(Exit, FlagsWithoutTheDashes) {
  const RunResult r = run(box_, {"check", "good.c", "-Iinclude"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "flags of the compiler stand after --: reckon check FILE... -- -Iinclude")) << r.err;
}

TEST_F(Exit, MissingDatabaseSaysHowToGetOne) {
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "CMAKE_EXPORT_COMPILE_COMMANDS") && contains(r.err, "reckon run -- ")) << r.err;
}

TEST_F(Exit, FullAndClosedOutput) {
  // More than one buffer holds: some functions that print throw when they have to write.
  std::string many, databases;
  for (int i = 0; i < 500; ++i) {
    many += "{\"check\":\"c\",\"fingerprint\":\"" + std::to_string(i) + "\",\"message\":\"m\"}\n";
    databases += "\"d" + std::to_string(i) + "\",";
  }
  box_.write("none.json", "");
  box_.write("many.json", many);
  box_.write("start/setup.py", "");
  box_.write("start/reckon.toml", "database = [" + databases + "]\n");
  for (const std::string command :
       {"check --specs thing.spec leak.c", "check --format json --specs thing.spec leak.c", "check good.c",
        "dump model good.c", "list-checks", "explain leak", "spec show PyList_New", "--help", "--version",
        "check --help", "spec words", "diff none.json many.json", "doctor", "init --print"}) {
    for (const std::string stream : {">/dev/full", ">&-"}) {
      const std::string folder = command == "doctor" || command == "init --print" ? "cd start; " : "";
      const RunResult r = shell(box_, folder + "\"$RECKON\" " + command + " " + stream);
      EXPECT_EQ(r.code, 2) << command << stream << r.err;
      EXPECT_TRUE(contains(r.err, "standard output")) << command << stream << r.err;
      EXPECT_FALSE(contains(r.err, "ioctl")) << "the reason is that of another call: " << r.err;
    }
  }
}

}  // namespace
}  // namespace reckon::cli
