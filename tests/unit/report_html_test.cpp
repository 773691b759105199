#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/html_highlight.h"
#include "report/html_markdown.h"
#include "report/html_page.h"
#include "report/html_text.h"

namespace reckon::report {
namespace {

namespace fs = std::filesystem;

TEST(HtmlText, EscapesWhatHtmlWouldTakeAsMarkup) {
  EXPECT_EQ(html_escape("a<b && c>'d' \"e\"\\n"), "a&lt;b &amp;&amp; c&gt;&#39;d&#39; &quot;e&quot;\\n");
}

TEST(HtmlText, BytesThatAreNotUtf8AreLatin1) {
  EXPECT_EQ(html_escape("na\xefve \xc3\xa9"), "na\xc3\xafve \xc3\xa9");
  EXPECT_EQ(html_escape("\x85"), "\xef\xbf\xbd");
  EXPECT_EQ(html_escape("\xed\xa0\x80"), "\xc3\xad\xc2\xa0\xef\xbf\xbd");  // a surrogate is no character
}

TEST(HtmlText, WhatHidesItselfIsShown) {
  EXPECT_EQ(html_escape("a\xe2\x80\xae"
                        "b"),
            "a[U+202E]b");
  EXPECT_EQ(html_escape("\x01\r\n"), "\xe2\x90\x81\n");
}

TEST(HtmlText, BackquotesAreCode) {
  EXPECT_EQ(html_message("`a<b` leaks"), "<code>a&lt;b</code> leaks");
  EXPECT_EQ(html_message("open `end"), "open <code>end</code>");
  EXPECT_EQ(html_plain("`a` leaks"), "a leaks");
}

TEST(HtmlText, NoScriptEndsEarly) {
  const std::string out = script_string("</script>\"\\\n&");
  EXPECT_EQ(out.find('<'), std::string::npos);
  EXPECT_EQ(out, "\"\\u003c/script\\u003e\\u0022\\u005c\\n\\u0026\"");
}

TEST(Highlight, TokensOfC) {
  const auto lines = highlight("#include <x.h>\nint f(void) /* a\nb */ { return g(\"s\\\"\", 'c', 0x1F); } // end\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "<span class=\"p\">#include</span> <span class=\"s\">&lt;x.h&gt;</span>");
  EXPECT_EQ(lines[1],
            "<span class=\"t\">int</span> <span class=\"f\">f</span>(<span class=\"t\">void</span>) <span "
            "class=\"c\">/* a</span>");
  EXPECT_EQ(lines[2],
            "<span class=\"c\">b */</span> { <span class=\"k\">return</span> <span class=\"f\">g</span>(<span "
            "class=\"s\">&quot;s\\&quot;&quot;</span>, "
            "<span class=\"s\">&#39;c&#39;</span>, <span class=\"n\">0x1F</span>); } <span class=\"c\">// end</span>");
}

TEST(Highlight, LinesMatchTheSource) {
  EXPECT_EQ(highlight("").size(), 0u);
  EXPECT_EQ(highlight("a").size(), 1u);
  EXPECT_EQ(highlight("a\n\nb\n").size(), 3u);
  EXPECT_EQ(highlight("R\"x(\n\"\n)x\" + 1\n").size(), 3u);
  EXPECT_EQ(highlight("don't\nx").size(), 2u);  // an apostrophe in disabled code ends with its line
}

TEST(Highlight, TheColumnIsMarked) {
  const auto line = highlight("  if (x < y) go(z);")[0];
  EXPECT_NE(mark_column(line, 3).find("<b class=\"at\"><span class=\"k\">if</span></b>"), std::string::npos);
  EXPECT_NE(mark_column(line, 9).find("<b class=\"at\">&lt;</b> y"), std::string::npos);
  EXPECT_NE(mark_column(line, 11).find("&lt; <b class=\"at\">y</b>)"), std::string::npos);
  EXPECT_EQ(mark_column(line, 90), line);
}

class HtmlReport : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("reckon-html-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    source_ = (folder_ / "a.c").string();
    std::ofstream(source_)
        << "int helper(int x)\n{\n  return x;\n}\nint f(void)\n{\n  int r = helper(1);\n  return r;\n}\n";
    run_.base = folder_.string();
    run_.version = "1";
    run_.coverage.functions = {{"helper", source_, 1, 4, Depth::Full, ""},
                               {"f", source_, 5, 9, Depth::CutShort, "step budget used up"}};
    Finding f;
    f.check = "d-leak";
    f.message = "`r` <leaks>";
    f.function = "f";
    f.loc = {source_, 8, 3, ""};
    f.path = {{{source_, 7, 11, ""}, "when helper() returns", "", 0, true, {}},
              {{source_, 3, 3, ""}, "inside", "", 1, true, {}},
              {{source_, 7, 3, ""}, "a branch", "", 0, false, {}}};
    f.path[0].change.objects.resize(1);
    f.path[0].change.objects[0].name = "r";
    f.path[0].change.objects[0].owned = 1;
    run_.findings = {f};
    run_.checks = {{"d-leak", "leak", "leaks", "# d-leak\n\nText with `code`.\n\n- one\n- two\n\n```c\nint x;\n```\n"}};
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write() {
    std::string error;
    EXPECT_TRUE(write_html((folder_ / "out").string(), run_, {}, error)) << error;
    return page("findings/0001.html");
  }
  std::string page(const std::string& name) const {
    std::ifstream in(folder_ / "out" / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  fs::path folder_;
  std::string source_;
  report::Run run_;
};

TEST_F(HtmlReport, AFindingHasItsSourceStepsAndState) {
  const std::string text = write();
  EXPECT_NE(text.find("<h1><code>r</code> &lt;leaks&gt;</h1>"), std::string::npos);
  EXPECT_NE(text.find("<details class=\"frame\" open id=\"p0f1\"><summary>in the callee <code>helper()</code>"),
            std::string::npos);
  EXPECT_NE(text.find("<div class=\"note minor\" id=\"p0s2\""), std::string::npos);
  EXPECT_NE(text.find("<div class=\"note end\" id=\"p0s3\" data-stop=\"3\"><span class=\"num\">3</span>"),
            std::string::npos);
  EXPECT_NE(text.find("\"objects\":[{\"id\":0,\"name\":\"r\""), std::string::npos);
  EXPECT_NE(text.find("<i>8</i><code>  <b class=\"at\"><span class=\"k\">return</span></b> r;</code>"),
            std::string::npos);
}

TEST_F(HtmlReport, TwoPathsStandSideBySide) {
  run_.findings[0].other_path = {{{source_, 6, 1, ""}, "another way", "", 0, true, {}},
                                 {{source_, 9, 1, ""}, "ends here", "", 0, true, {}}};
  const std::string text = write();
  EXPECT_NE(text.find("<div class=\"walk pair\">"), std::string::npos);
  EXPECT_NE(text.find("id=\"p1s1\""), std::string::npos);
  EXPECT_NE(text.find("<strong>ends here</strong>"), std::string::npos);
}

TEST_F(HtmlReport, LinesThatMayCollectGarbageAreMarked) {
  EXPECT_EQ(write().find("\"gc\""), std::string::npos);
  run_.collections[source_][7] = {"helper()", "T<int>::make()"};
  const std::string text = write();
  EXPECT_NE(text.find("<i>7<b class=\"gc\" title=\"May collect garbage: helper(), T&lt;int&gt;::make()\">GC</b></i>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<i>8</i>"), std::string::npos);
  EXPECT_NE(text.find("<b class=\"gc\">GC</b> Garbage may be collected on this line."), std::string::npos);
}

TEST_F(HtmlReport, TheRepairIsADiff) {
  Fix fix;
  fix.description = "release `r` first";
  fix.edits = {{source_, 8, 3, 8, 3, "drop(&r);\n  "}};
  run_.findings[0].fixes = {fix};
  const std::string text = write();
  EXPECT_NE(text.find("<h2>Repair: release <code>r</code> first</h2>"), std::string::npos);
  EXPECT_NE(text.find("<span class=\"add\">+  drop(&amp;r);\n</span>"), std::string::npos);
}

TEST_F(HtmlReport, AMissingSourceIsSaid) {
  fs::remove(source_);
  EXPECT_NE(write().find("The source is not available"), std::string::npos);
}

TEST_F(HtmlReport, TheFileMayHaveShrunkSince) {
  std::ofstream(source_, std::ios::trunc) << "int f;\n";
  EXPECT_NE(write().find("id=\"p0s3\""), std::string::npos);  // every step is still there
}

TEST_F(HtmlReport, CoverageSaysWhatWasCutShortAndWhy) {
  write();
  const std::string text = page("coverage.html");
  EXPECT_NE(text.find("not analysed in full"), std::string::npos);
  EXPECT_NE(text.find("<td>step budget used up</td>"), std::string::npos);
}

// Functions of every depth in one file: each column counts its own.
TEST_F(HtmlReport, CoverageCountsFunctionsByFile) {
  run_.coverage.functions.clear();
  std::size_t times = 1;
  for (const Depth depth : {Depth::Full, Depth::CutShort, Depth::NotAnalysed, Depth::WithoutCounts, Depth::BySpec,
                            Depth::Unconcerned, Depth::Primitive}) {
    for (std::size_t i = 0; i < times; ++i) run_.coverage.functions.push_back({"f", "/x/all.c", 1, 2, depth, ""});
    ++times;
  }
  run_.coverage.functions.push_back({"g", "/x/spec.h", 1, 2, Depth::BySpec, ""});
  write();
  const std::string text = page("coverage.html");
  const std::size_t at = text.find("<code>/x/all.c</code></th>");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string row = text.substr(at, text.find("</tr>", at) - at);
  EXPECT_NE(row.find("data-label=\"in full\">1</td>"), std::string::npos) << row;
  EXPECT_NE(row.find("data-label=\"cut short\">2</td>"), std::string::npos) << row;
  EXPECT_NE(row.find("data-label=\"not analysed\">3</td>"), std::string::npos) << row;
  EXPECT_NE(row.find("data-label=\"by spec\">5</td>"), std::string::npos) << row;
  EXPECT_NE(row.find("data-label=\"findings\">&middot;</td>"), std::string::npos) << row;
  EXPECT_EQ(text.find("spec.h"), std::string::npos);
  EXPECT_NE(text.find("1 more file holds only functions that specs describe"), std::string::npos);
}

TEST_F(HtmlReport, ThePageOfACheckIsRendered) {
  write();
  const std::string text = page("checks/d-leak.html");
  EXPECT_NE(text.find("<p>Text with <code>code</code>.</p>"), std::string::npos);
  EXPECT_NE(text.find("<li>one</li>\n<li>two</li>"), std::string::npos);
  EXPECT_NE(text.find("<span class=\"t\">int</span> x;"), std::string::npos);
}

TEST_F(HtmlReport, OfTooManyFindingsTheMostSevereHavePages) {
  for (int i = 0; i < 4; ++i) run_.findings.push_back(run_.findings[0]);
  run_.findings[0].severity = run_.findings[3].severity = Severity::Low;
  run_.findings[2].message = "kept";
  run_.findings[3].message = "dropped";
  WriterOptions options;
  options.most_pages = 3;
  std::string error;
  ASSERT_TRUE(write_html((folder_ / "out").string(), run_, options, error)) << error;
  EXPECT_NE(page("findings/0003.html"), "");
  EXPECT_EQ(page("findings/0004.html"), "");
  const std::string index = page("index.html");
  EXPECT_NE(index.find("Left out as the least severe: 2 findings."), std::string::npos);
  EXPECT_NE(index.find("kept"), std::string::npos);
  EXPECT_EQ(index.find("dropped"), std::string::npos);
}

// 50 MB in one line were 50 MB on the page of each finding.
TEST_F(HtmlReport, OfAHugeLineTheBeginningIsShown) {
  std::ofstream(source_) << "\n\n\n\n\n\n\nint r; /* " << std::string(100'000, 'x') << " */ return r;\n";
  const std::string text = write();
  EXPECT_NE(text.find("x</span><span class=\"c\"> &#8230; 98024 more bytes in this line</span>"), std::string::npos)
      << text.substr(0, 10'000);
  EXPECT_LT(text.size(), 30'000u);
}

TEST(Highlight, ALineIsCutBetweenCharactersAndOutsideOfTags) {
  EXPECT_EQ(cut_line("a<span class=\"s\">&lt;&amp;b</span>c", 2, 7),
            "a<span class=\"s\">&lt;</span><span class=\"c\"> &#8230; 7 more bytes in this line</span>");
  EXPECT_EQ(cut_line("a\xc3\xa4"
                     "b",
                     2, 1),
            "a\xc3\xa4<span class=\"c\"> &#8230; 1 more bytes in this line</span>");
}

// What the pages of checks do not use today, and what nobody may slip in.
TEST(Markdown, IsReadAsCommonMarkSays) {
  EXPECT_EQ(html_of_markdown("Two\nlines of *this* and **that**\n"),
            "<p>Two\nlines of <em>this</em> and <strong>that</strong></p>\n");
  EXPECT_EQ(html_of_markdown("1. one\n2. two\n"), "<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n");
  EXPECT_EQ(html_of_markdown("- one\n  - inner `<b>`\n"),
            "<ul>\n<li>one<ul>\n<li>inner <code>&lt;b&gt;</code></li>\n</ul>\n</li>\n</ul>\n");
  EXPECT_EQ(html_of_markdown("| a |\n|---|\n| b |\n"),
            "<table>\n<thead>\n<tr><th>a</th></tr>\n</thead>\n<tbody>\n<tr><td>b</td></tr>\n</tbody>\n</table>\n");
  EXPECT_EQ(html_of_markdown("see [the page](javascript:alert) &copy; <script>x</script>\n"),
            "<p>see the page &copy; &lt;script&gt;x&lt;/script&gt;</p>\n");
  EXPECT_EQ(html_of_markdown("# One\n\n### Three\n"), "<h1>One</h1>\n<h2>Three</h2>\n");
}

TEST_F(HtmlReport, NothingOfAnEarlierRunStays) {
  run_.findings.push_back(run_.findings[0]);
  write();
  EXPECT_NE(page("findings/0002.html"), "");
  run_.findings.pop_back();
  write();
  EXPECT_EQ(page("findings/0002.html"), "");
}

TEST_F(HtmlReport, AFolderThatCannotBeMadeIsSaid) {
  std::ofstream(folder_ / "file") << "x";
  std::string error;
  EXPECT_FALSE(write_html((folder_ / "file").string(), run_, {}, error));
  EXPECT_NE(error.find("cannot be made"), std::string::npos);
}

}  // namespace
}  // namespace reckon::report
