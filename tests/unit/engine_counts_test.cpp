// Named counts: exits that callers cannot tell apart, one-sided exits, contracts.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Counts : public AnalysisTest {
 protected:
  Counts() {
    describe(R"(failure errno
check leaks pairs
fn get(d)     -> <0 fails d.use+1 | >=0 d.use+1
fn put(d)     -> void d.use-1
fn on(d)      -> <0 fails | 0 d.clk+1
fn off(d)     -> void d.clk-1
fn ready(d)   -> any
contract balanced balanced
contract acquire acquires
slot ops.isr balanced
slot ops.probe acquire
)",
             R"(struct dev; int get(struct dev *d); void put(struct dev *d);
int on(struct dev *d); void off(struct dev *d); int ready(struct dev *d);
struct ops { int (*isr)(struct dev *); int (*probe)(struct dev *); };)");
  }
};

TEST_F(Counts, TwoExitsThatLookAlikeMustDoAlike) {
  EXPECT_EQ(
      found("int f(struct dev *d) { int r = on(d);\n if (r < 0) return r;\n if (ready(d))\n return -5;\n off(d);\n"
            "return -5; }"),
      Lines{"path-pair:4"});
}

TEST_F(Counts, CallersCanTellExitsApartByTheResult) {
  EXPECT_EQ(found("int f(struct dev *d) { int r = on(d);\n if (r < 0) return r;\n return 0; }"), Lines{});
  EXPECT_EQ(outcomes("f"), (Lines{"0 d.clk+1", "<0"}));
}

TEST_F(Counts, BothOfAPairStayInTheSummary) {
  found("int f(struct dev *d) { if (ready(d)) on(d);\n return 0; }");
  EXPECT_EQ(outcomes("f"), (Lines{"0", "0 d.clk+1"}));
}

TEST_F(Counts, AGetThatFailedHasToBeUndone) {
  EXPECT_EQ(found("int f(struct dev *d) { int r = get(d);\n if (r < 0)\n return r;\n put(d);\n return 0; }"),
            Lines{"failure-keeps:3"});
  EXPECT_EQ(
      found("int f(struct dev *d) { int r = get(d);\n if (r < 0) {\n put(d);\n return r; }\n put(d);\n return 0; }"),
      Lines{});
}

TEST_F(Counts, AHelperTakesAndGivesLikeTheApi) {
  EXPECT_EQ(
      found("static int begin(struct dev *d) { return on(d); }\nstatic void end(struct dev *d) { off(d); }\n"
            "int f(struct dev *d) { int r = begin(d);\n if (r < 0) return r;\n if (ready(d))\n return -5;\n end(d);\n"
            "return -5; }"),
      Lines{"path-pair:6"});
}

TEST_F(Counts, AFunctionOfATableIsHeldToItsContract) {
  EXPECT_EQ(found("static int isr(struct dev *d) { if (on(d) < 0) return 0;\n return 1; }\n"
                  "static int probe(struct dev *d) { return on(d); }\nstruct ops table = {isr, probe};"),
            Lines{"count-left:2"});
}

}  // namespace
}  // namespace reckon::analysis_test
