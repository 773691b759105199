#include "report/text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/text_source.h"

namespace reckon::report {
namespace {

class TextReport : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reckon-text-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "a.c") << "int f(void)\n{\n\treturn g(x);\n}\n";
    base_ = folder_.string();
    options_.quiet = true;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  SourceLoc at(std::uint32_t line, std::uint32_t col) { return {(folder_ / "a.c").string(), line, col, ""}; }
  Finding finding() {
    Finding f;
    f.check = "some-leak";
    f.message = "reference to `x` is leaked";
    f.loc = at(3, 9);
    return f;
  }
  report::Run run_of(const std::vector<Finding>& findings) {
    report::Run run;
    run.findings = findings;
    run.base = base_;
    run.coverage.units_compiled = 1;
    return run;
  }
  std::string text(const std::vector<Finding>& findings) {
    std::ostringstream out;
    write_text(out, run_of(findings), options_);
    return out.str();
  }
  std::string summary(const report::Run& run) {
    std::ostringstream out;
    write_summary(out, run, options_);
    return out.str();
  }

  std::filesystem::path folder_;
  std::string base_;
  WriterOptions options_;
};

TEST_F(TextReport, MessageSourceAndCaret) {
  EXPECT_EQ(text({finding()}),
            "a.c:3:9: warning: reference to `x` is leaked [some-leak] (medium)\n"
            "    3 |         return g(x);\n"
            "      |                ^\n");
}

TEST_F(TextReport, ASmallOneIsARemark) {
  Finding f = finding();
  f.severity = Severity::Note;
  EXPECT_TRUE(text({f}).starts_with("a.c:3:9: remark: reference to `x` is leaked [some-leak] (note)\n")) << text({f});
}

TEST_F(TextReport, WhatNeedsNoFailureComesFirst) {
  Finding sure = finding(), every_time = finding();
  sure.message = "when memory runs out";
  sure.trigger = Trigger::Memory;
  sure.confidence = Confidence::High;
  every_time.message = "every time";
  every_time.confidence = Confidence::Medium;
  const std::string shown = text({sure, every_time});
  EXPECT_LT(shown.find("every time"), shown.find("when memory runs out")) << shown;
}

TEST_F(TextReport, StepsAreNotes) {
  Finding f = finding();
  f.path = {{at(1, 5), "when make() succeeds", "owned references of `x`: 1", 0, true},
            {at(2, 1), "assuming `n > 0`", "", 0, false},
            {at(3, 2), "inside g()", "", 1, true}};
  const std::string shown = text({f});
  EXPECT_NE(shown.find("a.c:1:5: note: when make() succeeds; owned references of `x`: 1\n"), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("a.c:3:2: note:   inside g()\n"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("assuming"), std::string::npos);
  options_.full_path = true;
  EXPECT_NE(text({f}).find("a.c:2:1: note: assuming `n > 0`\n"), std::string::npos);
}

TEST_F(TextReport, MacroOtherPathAndFurtherPlaces) {
  Finding f = finding();
  f.loc.macro = "CLEAR";
  f.other_path = {{at(2, 1), "nothing is released", "", 0, true}};
  f.further_places = {at(4, 1)};
  const std::string shown = text({f});
  EXPECT_NE(shown.find("leaked (in macro CLEAR) [some-leak] (medium)\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("a.c:2:1: note: the other path:\na.c:2:1: note: nothing is released\n"), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("a.c:4:1: note: the same cause"), std::string::npos) << shown;
}

TEST_F(TextReport, MissingSourceIsNoProblem) {
  Finding f = finding();
  f.loc.file = "/nowhere/b.c";
  EXPECT_EQ(text({f}), "/nowhere/b.c:3:9: warning: reference to `x` is leaked [some-leak] (medium)\n");
  f.loc = at(99, 1);
  EXPECT_EQ(text({f}), "a.c:99:1: warning: reference to `x` is leaked [some-leak] (medium)\n");
  f.loc = {};
  EXPECT_EQ(text({f}), "<unknown>: warning: reference to `x` is leaked [some-leak] (medium)\n");
}

TEST_F(TextReport, ColoursOnlyWhenAsked) {
  EXPECT_EQ(text({finding()}).find('\033'), std::string::npos);
  options_.colour = true;
  EXPECT_NE(text({finding()}).find("\033[1;35mwarning: \033[0m"), std::string::npos);
}

TEST_F(TextReport, Order) {
  std::vector<Finding> findings(4, finding());
  findings[0].loc.line = 10;
  findings[1].check = "z";
  findings[2].check = "b";
  findings[3].loc.file = "/0.c";
  sort_findings(findings);
  EXPECT_EQ(findings[0].loc.file, "/0.c");
  EXPECT_EQ(findings[1].check, "b");
  EXPECT_EQ(findings[2].check, "z");
  EXPECT_EQ(findings[3].loc.line, 10u);
}

TEST_F(TextReport, Summary) {
  report::Run run = run_of({finding(), finding()});
  run.coverage.units_compiled = 2;
  run.coverage.units_from_cache = 3;
  run.coverage.units_failed = {{(folder_ / "b.c").string(), "does not compile"}};
  for (int i = 0; i < 7; ++i) run.coverage.functions.push_back({"full", "", 0, 0, Depth::Full, ""});
  for (int i = 0; i < 12; ++i) run.coverage.functions.push_back({"f", "", 0, 0, Depth::CutShort, "too many states"});
  run.coverage.functions.push_back({"known", "", 0, 0, Depth::BySpec, ""});
  const std::string head =
      "2 findings:\n"
      "      2  some-leak: 2 medium\n"
      "6 units: 2 captured, 3 from the cache, 1 failed\n"
      "  b.c: does not compile\n"
      "19 functions: 7 analysed in full, 12 cut short, 0 not analysed\n";
  std::string ten, twelve;
  for (int i = 0; i < 12; ++i) (i < 10 ? ten : twelve) += "  f: too many states\n";
  const std::string last = "not all was analysed: 1 of 6 units failed, 12 functions were cut short\n";
  EXPECT_EQ(summary(run), head + ten + "  and 2 more (-v lists all)\n" + last);
  options_.verbose = true;
  EXPECT_EQ(summary(run), head + ten + twelve + last);
}

TEST_F(TextReport, SummaryOfARunThatLookedAtNothing) {
  report::Run run = run_of({});
  run.coverage.units_compiled = 0;
  EXPECT_TRUE(summary(run).starts_with("nothing was analysed\n")) << summary(run);
  run.coverage.empty_because = "all files are headers";
  EXPECT_TRUE(summary(run).ends_with("nothing was analysed: all files are headers\n")) << summary(run);
  EXPECT_FALSE(run.coverage.failed());
  run.coverage.empty_because = "";
  EXPECT_TRUE(run.coverage.failed());
}

TEST_F(TextReport, NamesForgeNoLines) {
  Finding f = finding();
  f.message = "reference to `x\n\033[2J` is leaked";
  f.check = "some\nleak";
  EXPECT_EQ(
      text({f}),
      "a.c:3:9: warning: reference to `x\\n\\x1b[2J` is leaked [some\\nleak] (medium)\n    3 |         return g(x);\n"
      "      |                ^\n");
}

TEST_F(TextReport, WhatWasRepairedIsShownAndDoesNotCount) {
  Finding f = finding();
  f.fingerprint = "0123";
  report::Run run = run_of({f});
  run.repaired = {"0123"};
  run.originals[f.loc.file] = "\n\nold text\n";
  std::ostringstream out;
  options_.quiet = false;
  write_text(out, run, options_);
  EXPECT_NE(out.str().find("    3 | old text\n"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("nothing else found\nrepaired: 1\n"), std::string::npos) << out.str();
}

TEST_F(TextReport, SummaryOfNothing) { EXPECT_TRUE(summary(run_of({})).starts_with("nothing found\n")); }

TEST_F(TextReport, WhatIsSuppressedOrKnownIsCountedOnly) {
  Finding suppressed = finding(), known = finding();
  suppressed.suppression = Suppression{"says so", at(1, 1)};
  known.in_baseline = true;
  EXPECT_EQ(text({suppressed, known}), "");
  report::Run run = run_of({suppressed, known});
  run.has_baseline = true;
  run.disappeared = {"a.c: f: some-leak"};
  EXPECT_TRUE(
      summary(run).starts_with("nothing new found\n"
                               "suppressed in the source: 1\n"
                               "known from the baseline: 1\n"
                               "no longer found, and still in the baseline: 1\n"
                               "  a.c: f: some-leak\n"))
      << summary(run);
}

TEST(Excerpts, WideLinesAreCutAroundTheCaret) {
  const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
  const Excerpt excerpt = make_excerpt(line, 501, 40);
  EXPECT_EQ(excerpt.line.size(), 40u);
  EXPECT_EQ(excerpt.line[excerpt.caret], 'X');
  const Excerpt start = make_excerpt(line, 1, 40);
  EXPECT_EQ(start.caret, 0u);
  EXPECT_EQ(start.line, std::string(40, 'a'));
}

// A line of 50 MB took 2 GB to cut.
TEST(Excerpts, HugeLinesAreCutFirst) {
  std::string line;
  for (int i = 0; i < 2'000'000; ++i) line += "\xc3\xa4";
  line[2'000'001] = 'x';
  line[2'000'000] = 'x';
  const Excerpt excerpt = make_excerpt(line, 2'000'001, 40);
  EXPECT_EQ(excerpt.line.find("xx"), 2 * excerpt.caret);
  EXPECT_EQ(excerpt.line.size(), 78u);  // 40 columns: two of one byte, the others of two
}

TEST(Excerpts, Utf8ColumnsCountBytes) {
  const Excerpt excerpt = make_excerpt("\xc3\xa4\xc3\xb6x", 5, 0);  // two letters of two bytes, then x
  EXPECT_EQ(excerpt.line, "\xc3\xa4\xc3\xb6x");
  EXPECT_EQ(excerpt.caret, 2u);
}

TEST(Excerpts, OddBytes) {
  EXPECT_EQ(make_excerpt(std::string("a\0b", 3), 3, 0).line, "a b");
  EXPECT_EQ(make_excerpt("a\xff"
                         "b\r\n",
                         3, 0)
                .line,
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(make_excerpt("abc", 99, 0).caret, 3u);
  EXPECT_EQ(make_excerpt("", 1, 0).caret, 0u);
}

TEST(ShownPath, BelowTheFolderOnly) {
  EXPECT_EQ(shown_path("/a/b/c.c", "/a"), "b/c.c");
  EXPECT_EQ(shown_path("/ab/c.c", "/a"), "/ab/c.c");
  EXPECT_EQ(shown_path("/a", "/a"), "/a");
  EXPECT_EQ(shown_path("/a/b", "/"), "/a/b");
}

}  // namespace
}  // namespace reckon::report
