// Fingerprints: the same finding must be known again after the code around it was edited.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

const char* const kSpec =
    "domain thing\n"
    "check leaks pairs\n"
    "fn thing_new(n)   -> new | NULL\n"
    "fn thing_unref(t) -> void t-1\n";

const char* const kHead =
    "struct thing;\n"
    "struct thing *thing_new(int n);\n"
    "void thing_unref(struct thing *t);\n"
    "int work(struct thing *t);\n";

const char* const kFunction =
    "int forget(int n) {\n"
    "  int other = n + 1;\n"
    "  struct thing *t = thing_new(n);\n"
    "  if (!t) return -1;\n"
    "  if (n) return other;\n"
    "  thing_unref(t);\n"
    "  return 0;\n"
    "}\n";

class Identity : public testing::Test {
 protected:
  void SetUp() override { box_.write("thing.spec", kSpec); }

  // Fingerprints of all findings in `text`, in order of place.
  std::vector<std::string> of(const std::string& text, const std::string& name = "a.c") {
    box_.write(name, text);
    const RunResult r = run(box_, {"check", "-q", "--no-cache", "--format=json", "--specs", "thing.spec", name});
    std::vector<std::string> out;
    std::istringstream lines(r.out);
    for (std::string line; std::getline(lines, line);) out.push_back(nlohmann::json::parse(line)["fingerprint"]);
    EXPECT_FALSE(out.empty()) << r.err;
    return out;
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }

  Sandbox box_;
  std::string plain_ = std::string(kHead) + kFunction;
};

TEST_F(Identity, SurvivesMovedLines) {
  EXPECT_EQ(of(plain_), of("/* a\n   licence */\n\n" + plain_));
  EXPECT_EQ(of(plain_), of(replaced(plain_, "  if (n) return", "  work(0);\n  work(0);\n\n  if (n) return")));
}

TEST_F(Identity, SurvivesReformatting) {
  EXPECT_EQ(of(plain_), of(replaced(plain_, "thing_new(n);", "thing_new( /* how many */\n      n );")));
  EXPECT_EQ(of(plain_), of(replaced(plain_, "\n  ", " ")));
  EXPECT_EQ(of(plain_), of(replaced(plain_, "\n  ", "\n\t\t")));
}

TEST_F(Identity, SurvivesRenamedLocalsAndTheObjectsName) {
  EXPECT_EQ(of(plain_), of(replaced(plain_, "other", "result")));
  EXPECT_EQ(of(plain_), of(replaced(replaced(replaced(plain_, "*t = ", "*thing = "), "(!t)", "(!thing)"),
                                    "unref(t);\n  ", "unref(thing);\n  ")));
}

TEST_F(Identity, SurvivesOtherFunctionsAndFolders) {
  const std::string more = "int more(int k) {\n  struct thing *u = thing_new(k);\n  return u ? k : -1;\n}\n";
  const auto alone = of(plain_), before = of(kHead + more + kFunction), after = of(plain_ + more);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before[1], alone[0]);
  EXPECT_EQ(after[0], alone[0]);
  EXPECT_NE(before[0], before[1]);
  EXPECT_EQ(of(plain_, "deep/er/a.c"), alone);
}

TEST_F(Identity, TellsFindingsApart) {
  const std::string two = replaced(plain_, "  if (n) return", "  struct thing *u = thing_new(n);\n  if (n) return");
  const auto both = of(two);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NE(both[0], both[1]);
  EXPECT_NE(of(plain_), of(replaced(plain_, "forget", "lose")));
  EXPECT_NE(of(plain_), of(replaced(plain_, "thing_new(n)", "thing_new(n + 1)")));
  EXPECT_NE(of(plain_), of(plain_, "b.c"));
}

}  // namespace
}  // namespace reckon::cli
