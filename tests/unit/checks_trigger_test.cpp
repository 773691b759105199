// What a finding takes to show, and when its function runs.
#include "findings_fixture.h"

#include "report/occasion.h"

namespace reckon::analysis_test {
namespace {

class Occasions : public AnalysisTest {
 protected:
  Occasions() {
    describe(R"(failure exception input
unknown-result new
check leaks
counted object refs
fn make()                    -> new | NULL raises if-oom
fn drop(o!)                  -> void o-1
fn use(o!)                   -> void
fn parse(text)               -> 0 | -1 raises
fn send(text) fails-outside  -> 0 | -1 raises
fn read_all(text)            -> new | NULL raises
fn alarm()                   -> void raises
contract call entry gives-new
contract set-up entry fails-by-minus-one at-init
contract give-up entry at-teardown
slot ops.call call
slot ops.init set-up
slot ops.exit give-up
slot void.first give-up
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void drop(object *o); void use(object *o); int parse(const char *s); int send(const char *s);
object *read_all(const char *s); void alarm(void);
struct ops { object *(*call)(object *); int (*init)(object *); void (*exit)(object *); };)");
  }

  // "check: occasion" of each finding.
  Lines occasions(const std::vector<std::string>& sources, analysis::Options options = {}) {
    Lines out;
    for (const report::Finding& f : analyse(sources, std::move(options)).findings)
      out.push_back(f.function + " " + f.check.substr(2) + " " + report::name_of(f.trigger) + " " +
                    report::name_of(f.place));
    return out;
  }
};

TEST_F(Occasions, WhereNothingFailsNothingHasToHappen) {
  EXPECT_EQ(occasions({"int f(void) { object *a = make();\n return a ? 0 : -1; }"}), Lines{"f leak normal run"});
}

TEST_F(Occasions, AFailingCallIsForWhatItIsGiven) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (parse(s) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak input run"});
}

TEST_F(Occasions, UnlessItsSpecSaysOtherwise) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (send(s) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak outside run"});
}

TEST_F(Occasions, WhatNeedsMemoryToRunOutSaysSo) {
  EXPECT_EQ(occasions({"void f(void) { use(make()); }"}), (Lines{"f leak normal run", "f null-arg memory run"}));
  EXPECT_EQ(occasions({"void f(const char *s) { use(read_all(s)); }"}),
            (Lines{"f leak normal run", "f null-arg input run"}));
}

TEST_F(Occasions, MemoryRunsOutInHelpersToo) {
  EXPECT_EQ(occasions({"static object *helper(void) { return make(); }\nvoid f(void) { use(helper()); }"}),
            (Lines{"f leak normal run", "f null-arg memory run"}));
}

TEST_F(Occasions, AnEndThatFailsByItselfIsTheInputs) {
  EXPECT_EQ(occasions({"int f(int n) { object *a = make();\n if (!a) return -1;\n if (n < 0) { alarm(); return -1; }\n"
                       "drop(a);\n return 0; }"}),
            Lines{"f leak input run"});
}

TEST_F(Occasions, WhereBothGoWrongTheWayWithoutAFailureIsTold) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (parse(s) < 0) return -1;\n return 0; }"}),
            Lines{"f leak normal run"});
}

TEST_F(Occasions, AFunctionRunsWhenItsContractSays) {
  EXPECT_EQ(occasions({"static int begin(object *o) { object *a = make();\n return a ? 0 : -1; }\n"
                       "static void end(object *o) { object *a = make(); }\n"
                       "static object *call(object *o) { object *a = make();\n if (!a) return 0;\n return make(); }\n"
                       "struct ops table = { .call = call, .init = begin, .exit = end };"}),
            (Lines{"begin leak normal init", "end leak normal teardown", "call leak normal run"}));
}

TEST_F(Occasions, AHelperRunsWhenItsCallersDo) {
  const std::string helpers =
      "static void deep(void) { make(); }\nstatic void helper(void) { deep(); }\n"
      "static int begin(object *o) { helper(); return 0; }\n";
  EXPECT_EQ(occasions({helpers + "struct ops table = { .init = begin };"}),
            (Lines{"deep leak normal init", "begin exception-set memory init"}));
  EXPECT_EQ(occasions({helpers + "static object *call(object *o) { deep(); return make(); }\n"
                                 "struct ops table = { .init = begin, .call = call };"}),
            (Lines{"deep leak normal run", "begin exception-set memory init", "call exception-set memory run"}));
}

TEST_F(Occasions, AFunctionMayBeKnownByItsName) {
  EXPECT_EQ(occasions({"int first(void) { make(); return 0; }"}), Lines{"first leak normal teardown"});
}

TEST_F(Occasions, WordsForReaders) {
  report::Finding f;
  EXPECT_EQ(report::occasion_of(f), "when nothing fails");
  f.trigger = report::Trigger::Memory;
  f.place = report::Place::Init;
  EXPECT_EQ(report::occasion_of(f), "when memory runs out, while things are set up");
  f.trigger = report::Trigger::Race;
  f.place = report::Place::Teardown;
  EXPECT_EQ(report::occasion_of(f), "when two threads meet, while things are torn down");
}

TEST_F(Occasions, WhatIsLikelyComesFirst) {
  std::vector<report::Finding> all(4);
  all[0].trigger = report::Trigger::Memory;
  all[1].place = report::Place::Init;
  all[2].trigger = report::Trigger::Input;
  all[3].message = "first";
  report::sort_by_occasion(all);
  EXPECT_EQ(all[0].message, "first");
  EXPECT_EQ(all[1].place, report::Place::Init);
  EXPECT_EQ(all[3].trigger, report::Trigger::Memory);
}

class Threads : public AnalysisTest {
 protected:
  Threads() {
    describe(R"(failure exception
check leaks
counted object refs
fn item(o!) unstable safer item_ref -> borrowed o | NULL
fn use(o!) -> void
)",
             "typedef struct object { long refs; } object;\nobject *item(object *o); void use(object *o);");
  }
};

TEST_F(Threads, AHazardOfThreadsIsARace) {
  analysis::Options options;
  options.free_threaded = true;
  const auto all = analyse({"void f(object *box) { object *o = item(box);\n if (o) use(o); }"}, options).findings;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].check, "d-free-threading");
  EXPECT_EQ(all[0].trigger, report::Trigger::Race);
}

}  // namespace
}  // namespace reckon::analysis_test
