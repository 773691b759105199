// The shape of the log is checked by tests/sarif; here are the limits and the conversions.
#include "report/sarif.h"

#include <gtest/gtest.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/gitlab.h"
#include "report/uri.h"

namespace reckon::report {
namespace {

using nlohmann::json;

Run many(std::size_t count) {
  Run run;
  run.base = "/src";
  run.version = "1.2.3";
  run.checks = {{"some-leak", "leak", "a leak", "# leak\n\nWhat it is,\nin words.\n\nMore.\n"}};
  for (std::size_t i = 0; i < count; ++i) {
    Finding f;
    f.check = "some-leak";
    f.message = "m";
    f.function = "ns::f";
    f.loc = {"/src/a.c", static_cast<std::uint32_t>(i + 1), 1, ""};
    f.severity = i + 1 == count ? Severity::High : Severity::Low;
    f.fingerprint = std::to_string(i);
    run.findings.push_back(f);
  }
  return run;
}

json log_of(const Run& run) {
  std::ostringstream out;
  write_sarif(out, run, {});
  return json::parse(out.str())["runs"][0];
}

TEST(Sarif, RuleTextComesFromThePage) {
  const json rule = log_of(many(1))["tool"]["driver"]["rules"][0];
  EXPECT_EQ(rule["fullDescription"]["text"], "What it is, in words.");
  EXPECT_EQ(rule["defaultConfiguration"]["level"], "error");
}

TEST(Sarif, FewResultsKeepTheOrderOfPlaces) {
  const json results = log_of(many(3))["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0]["level"], "note");
  EXPECT_EQ(results[2]["level"], "error");
  EXPECT_EQ(results[0]["locations"][0]["logicalLocations"][0]["name"], "f");
  EXPECT_EQ(results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "ns::f");
}

TEST(Sarif, OfTooManyTheMostSevereStay) {
  const json run = log_of(many(kMostResults + 7));
  ASSERT_EQ(run["results"].size(), kMostResults);
  EXPECT_EQ(run["results"][0]["level"], "error");
  const json note = run["invocations"][0]["toolExecutionNotifications"][0];
  EXPECT_EQ(note["descriptor"]["id"], "left-out");
  EXPECT_EQ(note["message"]["text"], "left out as the least severe: 7 of 25007 findings");
}

TEST(Sarif, OfALongPathTheEssentialStepsStay) {
  report::Run run = many(1);
  for (int i = 0; i < 3000; ++i)
    run.findings[0].path.push_back({{"/src/a.c", 1, 1, ""}, "step " + std::to_string(i), "", 0, i % 5 == 0});
  const json steps = log_of(run)["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  EXPECT_EQ(steps.size(), 601u);  // and where it goes wrong
  EXPECT_EQ(steps[600]["location"]["message"]["text"], run.findings[0].message);
  for (int i = 0; i < 3000; ++i) run.findings[0].other_path.push_back({{"/src/a.c", 1, 1, ""}, "step", "", 0, true});
  const json flows = log_of(run)["results"][0]["codeFlows"];
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[1]["threadFlows"][0]["locations"].size(), kMostFlowSteps - 601);
}

// The promise is 2 s of processor time for 2,000 findings; the sanitizers' build is only measured.
TEST(Sarif, TwoThousandFindingsAreQuick) {
  report::Run run = many(2000);
  StateChange change;
  change.objects = {{1, "x", "new", "", 1, false, false, "", {}}, {2, "y", "new", "", 1, false, false, "", {"z"}}};
  for (Finding& f : run.findings)
    for (int i = 0; i < 20; ++i) f.path.push_back({{"/src/a.c", 1, 1, ""}, "a step", "a state", 0, i % 3 == 0, change});
  const std::clock_t start = std::clock();
  std::ostringstream out;
  write_sarif(out, run, {});
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(seconds));
  std::cout << out.str().size() / 1000 << " kB in " << seconds << " s of processor time\n";
#ifndef RECKON_VERIFY
  EXPECT_LT(seconds, 2.0);
#endif
}

TEST(Sarif, StateFixAndSuppression) {
  report::Run run = many(1);
  Finding& f = run.findings[0];
  StateChange change;
  change.objects = {{1, "x", "new", "", 1, false, false, "", {}}};
  change.exception = "set";
  f.path = {{f.loc, "made", "", 2, true, change}};
  f.fixes = {{"release it", {{"/src/a.c", 2, 1, 2, 1, "unref(x);\n"}}}};
  f.suppression = Suppression{"why", {"/src/a.c", 1, 5, ""}};
  const json result = log_of(run)["results"][0];
  const json step = result["codeFlows"][0]["threadFlows"][0]["locations"][0];
  EXPECT_EQ(step["state"]["owned references of `x`"]["text"], "1");
  EXPECT_EQ(step["state"]["exception"]["text"], "set");
  EXPECT_EQ(step["nestingLevel"], 2);
  EXPECT_EQ(result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "unref(x);\n");
  EXPECT_EQ(result["suppressions"][0]["justification"], "why");
  EXPECT_FALSE(result.contains("baselineState"));
}

TEST(Sarif, FilesElsewhereAreAbsolute) {
  report::Run run = many(1);
  run.findings[0].loc.file = "/usr/include/a b.h";
  const json place = log_of(run)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
  EXPECT_EQ(place, (json{{"uri", "file:///usr/include/a%20b.h"}}));
}

TEST(Sarif, TextThatIsNotUtf8IsNoProblem) {
  report::Run run = many(1);
  run.findings[0].message = "a\xff";
  EXPECT_EQ(log_of(run)["results"][0]["message"]["text"], "a\xef\xbf\xbd");
}

TEST(GitLab, OneIssueAFinding) {
  report::Run run = many(3);
  run.findings[1].suppression = Suppression{"why", {}};
  run.findings[2].in_baseline = true;
  std::ostringstream out;
  write_gitlab(out, run, {});
  const json issues = json::parse(out.str());
  ASSERT_EQ(issues.size(), 2u);
  EXPECT_EQ(issues[0], (json{{"description", "m (in ns::f())"},
                             {"check_name", "some-leak"},
                             {"fingerprint", "0"},
                             {"severity", "minor"},
                             {"content", {{"body", "This shows when nothing fails."}}},
                             {"location", {{"path", "a.c"}, {"lines", {{"begin", 1}}}}}}));
  EXPECT_EQ(issues[1]["severity"], "critical");
}

TEST(Utf16, Columns) {
  EXPECT_EQ(utf16_column("abc", 3), 3u);
  EXPECT_EQ(utf16_column("\xc3\xa4x", 3), 2u);          // a letter of two bytes
  EXPECT_EQ(utf16_column("\xf0\x9f\x98\x80x", 5), 3u);  // one outside the basic plane
  EXPECT_EQ(utf16_column("ab", 9), 9u);
  EXPECT_EQ(utf16_column("", 0), 0u);
}

}  // namespace
}  // namespace reckon::report
