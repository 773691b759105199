#include "report/suppress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace reckon::report {
namespace {

std::uint32_t line_at(const std::string& text, std::size_t at) {
  return 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

class Suppress : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() / ("reckon-suppress-" + std::to_string(getpid()) + ".c")).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // A file of one function from `int f` to the last brace, with a finding on each line that holds "BUG".
  report::Run& run(const std::string& text, bool all_checked = true, Depth depth = Depth::Full) {
    std::ofstream(path_) << text;
    run_ = {};
    const std::uint32_t last = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    run_.coverage.functions.push_back({"f", path_, line_at(text, text.find("int f")), last, depth, ""});
    for (std::size_t at = 0; (at = text.find("BUG", at)) != std::string::npos; ++at) {
      Finding f;
      f.check = "some-leak";
      f.loc = {path_, line_at(text, at), 1, ""};
      run_.findings.push_back(f);
    }
    Sources sources;
    apply_suppressions(run_, sources, all_checked);
    return run_;
  }
  std::size_t suppressed() const {
    return static_cast<std::size_t>(
        std::count_if(run_.findings.begin(), run_.findings.end(), [](auto& f) { return f.suppression.has_value(); }));
  }

  std::string path_;
  report::Run run_;
};

TEST_F(Suppress, OnTheLine) {
  run("int f(void) {\n  BUG();  // reckon: ignore[some-leak] it ends here\n  BUG();\n}\n");
  EXPECT_TRUE(run_.findings[0].suppression);
  EXPECT_FALSE(run_.findings[1].suppression);
  EXPECT_EQ(run_.findings[0].suppression->reason, "it ends here");
  EXPECT_EQ(run_.findings[0].suppression->loc.line, 2u);
  EXPECT_TRUE(run_.suppression_problems.empty());
}

TEST_F(Suppress, OnTheStatement) {
  run("int f(void) {\n  a = g(1,\n        BUG,\n        2);  /* reckon: ignore[leak] known */\n  BUG;\n}\n");
  EXPECT_EQ(suppressed(), 1u);
  EXPECT_TRUE(run_.findings[0].suppression);
  run("int f(void) {\n  a = g(1,  // reckon: ignore[leak] known\n        BUG);\n  BUG;\n}\n");
  EXPECT_EQ(suppressed(), 1u);
  EXPECT_TRUE(run_.findings[0].suppression);
}

TEST_F(Suppress, OnTheStatementBelow) {
  run("int f(void) {\n  // reckon: ignore[some-*] known\n  // more words\n  a = g(\n     BUG);\n  BUG;\n}\n");
  EXPECT_EQ(suppressed(), 1u);
  EXPECT_TRUE(run_.findings[0].suppression);
}

TEST_F(Suppress, OnTheFunction) {
  run("int x;\n// reckon: ignore[some-leak] runs once\nint f(void)\n{\n  BUG;\n  BUG;\n}\n");
  EXPECT_EQ(suppressed(), 2u);
  run("int x;\nint f(void) {  // reckon: ignore[some-leak] runs once\n  BUG;\n  BUG;\n}\n");
  EXPECT_EQ(suppressed(), 2u);
  run("// reckon: ignore[some-leak] runs once\nstatic\nint f(void)\n{\n  BUG;\n  BUG;\n}\n");
  EXPECT_EQ(suppressed(), 2u);
}

TEST_F(Suppress, AnIfDoesNotSpeakForItsBody) {
  run("int f(void) {\n  if (a) {  // reckon: ignore[leak] known\n    BUG;\n  }\n}\n");
  EXPECT_EQ(suppressed(), 0u);
}

TEST_F(Suppress, AReasonIsRequired) {
  run("int f(void) {\n  BUG;  // reckon: ignore[some-leak]\n}\n");
  EXPECT_EQ(suppressed(), 0u);
  ASSERT_EQ(run_.suppression_problems.size(), 1u);
  EXPECT_EQ(run_.suppression_problems[0].text, "this comment gives no reason; write reckon: ignore[CHECK] REASON");
}

TEST_F(Suppress, OtherMistakes) {
  run("int f(void) {\n  BUG;  // reckon: ignroe[some-leak] typing\n  BUG;  // reckon: ignore[] nothing\n}\n");
  EXPECT_EQ(suppressed(), 0u);
  EXPECT_EQ(run_.suppression_problems.size(), 2u);
}

TEST_F(Suppress, UnusedIsReported) {
  const std::string text = "int f(void) {\n  g();  // reckon: ignore[some-leak] was mended\n}\n";
  run(text);
  ASSERT_EQ(run_.suppression_problems.size(), 1u);
  EXPECT_EQ(run_.suppression_problems[0].text, "this comment suppresses nothing");
  EXPECT_EQ(run_.suppression_problems[0].loc.line, 2u);
  EXPECT_TRUE(run(text, false).suppression_problems.empty());
  EXPECT_TRUE(run(text, true, Depth::CutShort).suppression_problems.empty());
}

TEST_F(Suppress, ATextIsNoComment) {
  run("int f(void) {\n  BUG(\"// reckon: ignore[some-leak] no\");\n}\n");
  EXPECT_EQ(suppressed(), 0u);
  EXPECT_TRUE(run_.suppression_problems.empty());
}

TEST_F(Suppress, OtherChecksStay) {
  run("int f(void) {\n  BUG;  // reckon: ignore[other, some-over-release] reason\n}\n");
  EXPECT_EQ(suppressed(), 0u);
}

}  // namespace
}  // namespace reckon::report
