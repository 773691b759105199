// What a finding takes to show: in every format, in the order, and as a filter.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/one_file.h"

namespace reckon::cli {
namespace {

class Triggers : public OneFile {
 protected:
  void SetUp() override {
    box_.write("thing.spec",
               "domain thing\nfailure null outside\ncheck leaks\nfn thing_new() -> new | NULL fails if-oom\n"
               "fn thing_free(t!) -> void t-1\nfn thing_use(t!) -> void\nfn talk() -> 0 | -1 fails\n");
    box_.write("a.c",
               "struct thing;\nstruct thing *thing_new(void);\nvoid thing_free(struct thing *);\n"
               "void thing_use(struct thing *);\nint talk(void);\n"
               "void unchecked(void) {\n  struct thing *t = thing_new();\n  thing_use(t);\n  thing_free(t);\n}\n"
               "int hang_up(void) {\n  struct thing *t = thing_new();\n  if (!t) return -1;\n"
               "  if (talk() < 0) return -1;\n  thing_free(t);\n  return 0;\n}\n"
               "int forget(void) {\n  struct thing *t = thing_new();\n  return t ? 0 : -1;\n}\n");
  }
  std::vector<std::string> triggers(const std::string& lines) {
    std::vector<std::string> out;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line)["trigger"]);
    return out;
  }
};

TEST_F(Triggers, ReportsBeginWithWhatNeedsNoFailure) {
  const RunResult r = check({"--format=json", "-q"});
  EXPECT_EQ(triggers(r.out), (std::vector<std::string>{"normal", "outside", "memory"})) << r.out;
  EXPECT_EQ(nlohmann::json::parse(r.out.substr(0, r.out.find('\n')))["place"], "run");
}

TEST_F(Triggers, TheFilterLeavesOutAndSaysSo) {
  RunResult r = check({"--trigger=normal,memory"});
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.out, "2 findings:")) << r.out;
  EXPECT_FALSE(contains(r.out, "talk() fails")) << r.out;
  EXPECT_TRUE(contains(r.out, "left out for what they take to show (--trigger, --place): 1")) << r.out;
  r = check({"--trigger", "memory", "--trigger", "outside", "--format=json", "-q"});
  EXPECT_EQ(triggers(r.out), (std::vector<std::string>{"outside", "memory"})) << r.out;
}

TEST_F(Triggers, ThePlaceIsAFilterToo) {
  box_.write("thing.spec",
             "domain thing\nfailure null outside\ncheck leaks\ncontract setup at-init\nslot void.setup_all setup\n"
             "fn thing_new() -> new | NULL fails if-oom\nfn thing_free(t!) -> void t-1\n");
  box_.write("a.c",
             "struct thing;\nstruct thing *thing_new(void);\n"
             "int setup_all(void) {\n  struct thing *t = thing_new();\n  return t ? 0 : -1;\n}\n"
             "int forget(void) {\n  struct thing *t = thing_new();\n  return t ? 0 : -1;\n}\n");
  RunResult r = check({"--place=init"});
  EXPECT_TRUE(contains(r.out, "1 finding:")) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "this shows when nothing fails, while things are set up")) << r.out;
  EXPECT_TRUE(contains(r.out, "left out for what they take to show (--trigger, --place): 1")) << r.out;
  EXPECT_EQ(check({"--place=run,init", "--trigger=memory"}).code, 0);
  EXPECT_EQ(check({"--place=teardown"}).code, 0);
  EXPECT_EQ(check({"--place=often"}).code, 2);
}

// A module is entered at one function: what that neither calls nor hands out never runs.
TEST_F(Triggers, FunctionsThatNothingCallsAreLeftOut) {
  box_.write("thing.spec",
             "domain thing\ncheck leaks\ncontract setup at-init only-entry\nslot void.setup_all setup\n"
             "fn thing_new() -> new | NULL\n");
  box_.write("a.c",
             "struct thing;\nstruct thing *thing_new(void);\nvoid at_events(int (*)(void));\nint passed(void);\n"
             "int listed(void) { return thing_new() ? 0 : -1; }\n"
             "int called(void) { return thing_new() ? 0 : -1; }\n"
             "int below(void) { return thing_new() ? 0 : -1; }\n"
             "int orphan(void) { return thing_new() && below() ? 0 : -1; }\n"
             "struct method { const char *name; int (*run)(void); };\n"
             "struct method methods[] = {{\"listed\", listed}, {0, 0}};\n"
             "int setup_all(void) {\n  at_events(passed);\n  return called();\n}\n");
  box_.write("b.c",
             "struct thing;\nstruct thing *thing_new(void);\nint passed(void) { return thing_new() ? 0 : -1; }\n");
  const auto functions = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--format=json", "-q", "b.c"});
    std::vector<std::string> out;
    std::istringstream in(check(options).out);
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line)["function"]);
    std::sort(out.begin(), out.end());
    return out;
  };
  EXPECT_EQ(functions({}), (std::vector<std::string>{"called", "listed", "passed"}));
  EXPECT_EQ(functions({"--confidence=low", "--place=uncalled"}), (std::vector<std::string>{"below", "orphan"}));
  // A file that the module does not lead to is another program.
  box_.write("other.c",
             "struct thing;\nstruct thing *thing_new(void);\nint apart(void) { return thing_new() ? 0 : -1; }\n");
  EXPECT_EQ(functions({"other.c"}), (std::vector<std::string>{"apart", "called", "listed", "passed"}));
  EXPECT_TRUE(contains(check({"--confidence=low", "b.c"}).out, ", in a function that nothing here calls"));
  box_.write("thing.spec", "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\n");
  EXPECT_EQ(functions({}).size(), 5u);
}

TEST_F(Triggers, OfTwoPathsTheOneWithoutAFailureIsShown) {
  box_.write("a.c",
             "struct thing;\nstruct thing *thing_new(void);\nvoid thing_free(struct thing *);\nint talk(void);\n"
             "int failure_first(int n) {\n  struct thing *t = thing_new();\n  if (!t) return -1;\n"
             "  if (talk() < 0) return -1;\n  if (n > 3) return 0;\n  thing_free(t);\n  return 0;\n}\n"
             "int success_first(int n) {\n  struct thing *t = thing_new();\n  if (!t) return -1;\n"
             "  if (n > 3) return 0;\n  if (talk() < 0) return -1;\n  thing_free(t);\n  return 0;\n}\n");
  const RunResult r = check({"--format=json", "-q"});
  EXPECT_EQ(triggers(r.out), (std::vector<std::string>{"normal", "normal"})) << r.out;
  std::vector<int> lines;
  std::istringstream in(r.out);
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line)["location"]["line"].get<int>());
  EXPECT_EQ(lines, (std::vector<int>{9, 16})) << r.out;
}

TEST_F(Triggers, TheExitCodeFollowsWhatIsShown) {
  EXPECT_EQ(check({"--trigger=race"}).code, 0);
  EXPECT_EQ(check({"--trigger=memory", "--fail-on=medium"}).code, 0);
  EXPECT_EQ(check({"--trigger=outside", "--fail-on=medium"}).code, 1);
}

TEST_F(Triggers, AnUnknownWordIsAnError) {
  const RunResult r = check({"--trigger=often"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "often")) << r.err;
}

TEST_F(Triggers, ABaselineDoesNotMissWhatTheFilterLeavesOut) {
  EXPECT_EQ(check({"--write-baseline", "b"}).code, 0);
  const RunResult r = check({"--baseline", "b", "--trigger=memory"});
  EXPECT_EQ(r.code, 0);
  EXPECT_FALSE(contains(r.out, "no longer found")) << r.out;
}

TEST_F(Triggers, EveryFormatSaysIt) {
  const RunResult r = check({"--format=text", "--format=sarif", "--output", "a.sarif", "--format=gitlab", "--output",
                             "a.gitlab", "--format=html", "--output", "pages", "--format=github", "--output",
                             "a.github", "--format=rchk", "--output", "a.rchk"});
  EXPECT_TRUE(contains(r.out, "note: this shows when memory runs out")) << r.out;
  EXPECT_TRUE(contains(r.out, "note: this shows when something outside fails")) << r.out;
  EXPECT_FALSE(contains(r.out, "when nothing fails")) << r.out;
  const auto results = nlohmann::json::parse(file("a.sarif"))["runs"][0]["results"];
  EXPECT_EQ(results[0]["properties"]["trigger"], "normal");
  EXPECT_EQ(results[2]["properties"]["trigger"], "memory");
  EXPECT_EQ(results[2]["properties"]["place"], "run");
  EXPECT_EQ(nlohmann::json::parse(file("a.gitlab"))[2]["content"]["body"], "This shows when memory runs out.");
  EXPECT_TRUE(contains(file("a.github"), "; this shows when memory runs out\n")) << file("a.github");
  EXPECT_TRUE(contains(file("a.github"), "; this shows when nothing fails\n")) << file("a.github");
  EXPECT_TRUE(contains(file("a.rchk"), "\nFunction unchecked\n")) << file("a.rchk");
  EXPECT_TRUE(contains(file("a.rchk"), "fails (when memory runs out) ")) << file("a.rchk");
  EXPECT_TRUE(contains(file("pages/findings/0003.html"), "when memory runs out"));
  EXPECT_TRUE(contains(file("pages/data/findings.js"), "when memory runs out"));
}

}  // namespace
}  // namespace reckon::cli
