// References: the life of an object, borrowed and stolen references, and what helpers pass on of that.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class References : public AnalysisTest {
 protected:
  References() {
    describe(R"(failure exception
unknown-result new
check leaks
counted object refs
fn make()              -> new | NULL raises
fn item(o!)            -> borrowed o | NULL raises
fn take(o!)            -> void o+1
fn drop(o!) runs-code  -> void o-1
fn keep(box!, o!)      -> 0 steals o into box | -1 raises steals o
fn append(box!, o!)    -> 0 keeps o in box | -1 raises
fn size(o!)            -> >=0
fn work(f, o)          -> void runs f on o
)",
             R"(typedef struct object { long refs; } object;
object *make(void); object *item(object *o); void take(object *o); void drop(object *o);
int keep(object *box, object *o); int append(object *box, object *o); long size(object *o);
void work(void (*f)(object *), object *o); void unknown(object *o); void stop(void) __attribute__((noreturn));)");
  }
};

TEST_F(References, WhatIsOwnedAtAnExitIsALeak) {
  EXPECT_EQ(
      found("object *f(void) { object *a = make();\n if (!a) return 0;\n if (size(a) > 3)\n return 0;\n return a; }"),
      Lines{"leak:4"});
  EXPECT_EQ(outcomes("f").front(), "0 raises");
  EXPECT_EQ(found("void f(void) { object *a = make();\n if (a) drop(a); }"), Lines{});
}

TEST_F(References, APathThatDoesNotReturnLosesNothing) {
  EXPECT_EQ(found("void f(void) { object *a = make();\n if (a) stop(); }"), Lines{});
}

TEST_F(References, AReleaseNeedsAReference) {
  EXPECT_EQ(found("void f(void) { object *a = make();\n if (!a) return;\n drop(a);\n drop(a); }"),
            Lines{"over-release:4"});
  EXPECT_EQ(found("void f(object *box) { object *a = item(box);\n if (a)\n drop(a); }"), Lines{"over-release:3"});
}

TEST_F(References, AUseNeedsALivingObject) {
  EXPECT_EQ(found("long f(void) { object *a = make();\n if (!a) return 0;\n drop(a);\n return size(a); }"),
            Lines{"use-after-release:4"});
  EXPECT_EQ(found("long f(void) { object *a = make();\n if (!a) return 0;\n object *b = item(a);\n drop(a);\n"
                  "return b ? size(b) : 0; }"),
            Lines{"use-after-release:5"});
}

TEST_F(References, AStolenReferenceIsTheContainers) {
  EXPECT_EQ(found("int f(object *box) { object *a = make();\n if (!a) return -1;\n return keep(box, a); }"), Lines{});
  EXPECT_EQ(found("int f(object *box) { object *a = make();\n if (!a) return -1;\n int r = keep(box, a);\n drop(a);\n"
                  "return r; }"),
            Lines{"over-release:4"});
}

TEST_F(References, AContainerThatTakesItsOwnLeavesOurs) {
  EXPECT_EQ(found("int f(object *box) { object *a = make();\n if (!a) return -1;\n return append(box, a); }"),
            Lines{"leak:3"});
}

TEST_F(References, HelpersAreJudgedByWhatTheyDo) {
  EXPECT_EQ(found("static void helper(object *o) { drop(o); }\nvoid f(void) { object *a = make();\n if (!a) return;\n"
                  "helper(a);\n helper(a); }"),
            Lines{"over-release:5"});
  EXPECT_EQ(outcomes("helper"), Lines{"any when o != NULL o-1"});
  EXPECT_EQ(found("static object *both(object *o) { object *a = item(o);\n if (a) take(a);\n return a; }\n"
                  "void f(object *o) { object *a = both(o);\n if (a)\n size(a); }"),
            Lines{"leak:6"});
}

TEST_F(References, WhatUnknownCodeIsGivenIsStillOurs) {
  EXPECT_EQ(found("void f(void) { object *a = make();\n if (!a) return;\n unknown(a);\n }"), Lines{"leak:4"});
}

TEST_F(References, ADeferredCallReleasesWhatItWasGiven) {
  EXPECT_EQ(
      found(
          "static void helper(object *o) { drop(o); }\nvoid f(void) { object *a = make();\n if (a) work(helper, a); }"),
      Lines{});
}

TEST_F(References, WhatIsStoredForTheCallerIsTold) {
  EXPECT_EQ(found("struct holder { object *o; };\nvoid f(struct holder *h) { h->o = make(); }"), Lines{});
  EXPECT_EQ(outcomes("f"), (Lines{"any when h != NULL *h=new", "any when h != NULL raises *h=NULL"}));
}

}  // namespace
}  // namespace reckon::analysis_test
