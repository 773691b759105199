// Protection: the depth of the stack, what a collection exposes, and what callers learn of both.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Protection : public AnalysisTest {
 protected:
  Protection() {
    describe(R"(check protection
unknown-result none
counted cell
fn alloc() allocates      -> new
fn cons(a, b) allocates   -> new keeps a in result keeps b in result
fn push(x)                -> same x protect x
fn pop(n)                 -> void protect-n
fn length(x)              -> >=0
)",
             R"(typedef struct cell { int x; } *cell;
cell alloc(void); cell cons(cell a, cell b); cell push(cell x); void pop(int n); int length(cell x);)");
  }
};

TEST_F(Protection, ACollectionExposesWhatNothingProtects) {
  EXPECT_EQ(found("int f(void) { cell a = alloc();\n alloc();\n return length(a); }"), Lines{"unprotected:3"});
  EXPECT_EQ(found("int f(void) { cell a = push(alloc());\n alloc();\n int n = length(a);\n pop(1);\n return n; }"),
            Lines{});
}

TEST_F(Protection, AProtectedObjectProtectsWhatItHolds) {
  EXPECT_EQ(found("int f(void) { cell a = push(alloc());\n cell b = push(cons(a, a));\n pop(2);\n push(b);\n alloc();\n"
                  "int n = length(a);\n pop(1);\n return n; }"),
            Lines{});
}

TEST_F(Protection, TheDepthIsZeroAtTheEnd) {
  EXPECT_EQ(found("int f(int c) { cell a = push(alloc());\n int n = length(a);\n if (c) pop(1);\n return n; }"),
            Lines{"imbalance:4"});
  EXPECT_EQ(found("int f(void) { pop(1);\n return 0; }"), Lines{"negative-depth:1"});
}

TEST_F(Protection, ACounterSaysHowMuchToPop) {
  EXPECT_EQ(
      found("int f(int k) { int n = 0;\n for (int i = 0; i < k; i++) { push(alloc()); n++; }\n pop(n);\n return n; }"),
      Lines{});
  EXPECT_EQ(found("int f(int k) { int n = 0;\n for (int i = 0; i < k; i++) { push(alloc()); n++; }\n pop(n - 1);\n"
                  "return n; }")
                .size(),
            1u);
}

TEST_F(Protection, AWrapperPassesTheChangeOn) {
  EXPECT_EQ(
      found("static cell wrapper(cell x) { return push(x); }\nint f(void) { cell a = wrapper(alloc());\n alloc();\n"
            "int n = length(a);\n pop(1);\n return n; }"),
      Lines{});
  EXPECT_EQ(outcomes("wrapper"), Lines{"same x protect x"});
}

TEST_F(Protection, CallersLearnWhatTheyHaveToProtect) {
  EXPECT_EQ(found("static int uses(cell x) { alloc();\n return length(x); }\nint f(void) {\n return uses(alloc()); }"),
            Lines{"unprotected-arg:4"});
  EXPECT_EQ(outcomes("uses"), Lines{">=0 allocates exposes x endangers x"});
}

}  // namespace
}  // namespace reckon::analysis_test
