#include "report/baseline.h"

#include <gtest/gtest.h>

#include <sstream>

namespace reckon::report {
namespace {

Finding finding(const std::string& file, char digit) {
  Finding f;
  f.check = "some-leak";
  f.function = "ns::f(int, char)";
  f.loc = {"/src/" + file, 3, 1, ""};
  f.fingerprint = std::string(32, digit);
  return f;
}

TEST(Baselines, RoundTrip) {
  report::Run run;
  run.base = "/src";
  run.findings = {finding("a b.c", 'a'), finding("c.c", 'b'), finding("d.c", 'c')};
  run.findings[1].suppression = Suppression{"why", {}};
  std::ostringstream out;
  write_baseline(out, run);
  const Baseline read = parse_baseline(out.str());
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.entries.size(), 2u);
  EXPECT_EQ(read.entries[0].file, "a%20b.c");
  EXPECT_EQ(read.entries[0].function, "ns::f(int, char)");

  report::Run next;
  next.base = "/src";
  next.findings = {finding("a b.c", 'a'), finding("a b.c", 'd')};
  next.coverage.functions = {{"g", "/src/d.c", 1, 9, Depth::Full, ""}};
  apply_baseline(next, read, true);
  EXPECT_TRUE(next.findings[0].in_baseline);
  EXPECT_FALSE(next.findings[1].in_baseline);
  EXPECT_EQ(next.disappeared, std::vector<std::string>{"d.c: ns::f(int, char): some-leak"});
}

TEST(Baselines, FilesOfOtherRunsHaveNotDisappeared) {
  report::Run run;
  run.base = "/src";
  apply_baseline(run, {{{std::string(32, 'a'), "some-leak", "x.c", "f"}}, ""}, true);
  EXPECT_TRUE(run.has_baseline);
  EXPECT_TRUE(run.disappeared.empty());
}

TEST(Baselines, Errors) {
  EXPECT_EQ(parse_baseline("").error, "line 1: expected '# reckon baseline 1'");
  EXPECT_EQ(parse_baseline("{}\n").error, "line 1: expected '# reckon baseline 1'");
  EXPECT_EQ(parse_baseline("# reckon baseline 1\n\n# words\nabc some-leak a.c f\n").error,
            "line 4: expected FINGERPRINT CHECK FILE FUNCTION");
  EXPECT_EQ(parse_baseline("# reckon baseline 1\r\n").error, "");
}

}  // namespace
}  // namespace reckon::report
