// What outcomes do to a state, and how exits become outcomes again: effects directly and through a helper.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Applying : public AnalysisTest {
 protected:
  Applying() {
    describe(R"(failure exception
unknown-result new
check leaks
counted object refs
fn make()              -> new | NULL raises
fn drop(o!)            -> void o-1
fn xdrop(o?)           -> void when o != NULL o-1 | void when o == NULL
fn fetch(out!)         -> 1 *out=new | 0 *out=NULL
fn self(o!)            -> same o o+1
fn quit()              -> never
fn above(n)            -> 1 when n > 3 | 0 when n <= 3
fn fill(p)             -> void clobbers p
fn size(o!)            -> >=0
fn release_memory(p)   -> void frees p
fn remember(o)         -> void keeps o
fn empty(box!)         -> void drops-content box
fn item(box!)          -> borrowed box
fn fail()              -> void raises
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void drop(object *o); void xdrop(object *o); int fetch(object **out); object *self(object *o);
void quit(void); int above(int n); void fill(void *p); long size(object *o); void release_memory(void *p);
void remember(object *o); void empty(object *box); object *item(object *box); void fail(void);)");
  }
};

TEST_F(Applying, AStoreThroughAPointerMakesAnObject) {
  EXPECT_EQ(found("void f(void) { object *a;\n if (fetch(&a))\n size(a);\n}"), Lines{"leak:3"});
  EXPECT_EQ(found("void f(void) { object *a;\n if (fetch(&a)) drop(a); }"), Lines{});
  EXPECT_EQ(
      found("static int get(object **p) { return fetch(p); }\nvoid f(void) { object *a;\n if (get(&a))\n size(a);\n}"),
      Lines{"leak:4"});
}

TEST_F(Applying, ConditionsDecideWhichOutcomesArePossible) {
  EXPECT_EQ(found("void f(void) { object *a;\n fetch(&a);\n xdrop(a); }"), Lines{});
  EXPECT_EQ(found("void f(int n) { object *a = 0;\n if (n > 5) a = make();\n if (n > 5 && above(n)) xdrop(a); }"),
            Lines{});
  EXPECT_EQ(found("void f(int n) { object *a = 0;\n if (n > 2) a = make();\n if (above(n)) xdrop(a);\n}"),
            Lines{"leak:4"});
}

TEST_F(Applying, TheArgumentItselfMayBeTheResult) {
  EXPECT_EQ(found("void f(object *o) { object *b = self(o);\n drop(b); }"), Lines{});
  found("static object *again(object *o) { return self(o); }\nvoid f(object *o) { drop(again(o)); }");
  EXPECT_EQ(outcomes("again"), Lines{"same o when o != NULL o+1"});
}

TEST_F(Applying, APathEndsAtACallThatNeverReturns) {
  EXPECT_EQ(found("void f(void) { object *a = make();\n if (a) quit(); }"), Lines{});
  EXPECT_EQ(found("static void stop(void) { quit(); }\nvoid f(void) { object *a = make();\n if (a) stop(); }"),
            Lines{});
}

TEST_F(Applying, MemoryThatWasWrittenIsUnknown) {
  EXPECT_EQ(found("void f(void) { struct { object *p; } s;\n s.p = make();\n fill(&s); }"), Lines{});
}

TEST_F(Applying, FreedMemoryTakesWhatItHeldAlong) {
  EXPECT_EQ(
      found("void f(void) { object **p = __builtin_malloc(8);\n if (!p) return;\n *p = make();\n release_memory(p);\n}")
          .size(),
      1u);
}

TEST_F(Applying, WhatIsRememberedIsNotLost) {
  EXPECT_EQ(found("void f(void) { object *a = make();\n if (a) remember(a); }"), Lines{});
}

TEST_F(Applying, ABorrowedItemGoesWithTheContent) {
  EXPECT_EQ(found("long f(object *box) { object *a = item(box);\n empty(box);\n return size(a); }"),
            Lines{"use-after-release:3"});
}

TEST_F(Applying, ExitsWithOtherConditionsAreOtherOutcomes) {
  found("int f(int n) { if (n > 3) { fail();\n return -1; }\n if (n == 2) return 7;\n return 5; }");
  EXPECT_EQ(outcomes("f"), (Lines{"5 when n <= 3 and n != 2", "7 when n == 2", "-1 when n >= 4 raises"}));
}

TEST_F(Applying, ExitsThatCallersNeedNotTellApartAreOneOutcome) {
  found("int f(object *o) { int r = 0;\n if (size(o) > 3) r = 1;\n if (size(o) > 4) r = 2;\n return r; }");
  EXPECT_LE(outcomes("f").size(), 3u);
  found("int f(object *o, int n) { size(o);\n if (n) size(o);\n return 3; }");
  EXPECT_EQ(outcomes("f"), Lines{"3 when o != 0"});
}

}  // namespace
}  // namespace reckon::analysis_test
