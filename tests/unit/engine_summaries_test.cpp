// Exits become outcomes: each property tells its effects, and exits that callers need not tell apart are one.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Summaries : public AnalysisTest {
 protected:
  Summaries() {
    describe(R"(failure exception
unknown-result new
check leaks pairs
counted object refs
fn make()              -> new | NULL raises
fn drop(o!)            -> void o-1
fn hold(o!)            -> void o+1
fn use(o!)             -> void o.use+1
fn put(box!, o!)       -> void steals o into box
fn fail()              -> void raises
fn quit()              -> never
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void drop(object *o); void hold(object *o); void use(object *o); void put(object *box, object *o);
void fail(void); void quit(void);)");
  }
  Lines outcomes_of(const std::string& source) {
    analyse({source});
    return outcomes("f");
  }
};

TEST_F(Summaries, TheResultAndWhoOwnsIt) {
  EXPECT_EQ(outcomes_of("object *f(void) { return make(); }"), (Lines{"new", "0 raises"}));
  EXPECT_EQ(outcomes_of("object *f(object *o) { return o; }"), Lines{"same o"});
  EXPECT_EQ(outcomes_of("int f(void) { return 3; }"), Lines{"3"});
}

TEST_F(Summaries, CountsOfBothKinds) {
  EXPECT_EQ(outcomes_of("void f(object *o) { hold(o); hold(o); drop(o); }"), Lines{"any when o != NULL o+1"});
  EXPECT_EQ(outcomes_of("void f(object *o) { use(o); }"), Lines{"any when o != NULL o.use+1"});
}

TEST_F(Summaries, StoresAndHolders) {
  EXPECT_EQ(outcomes_of("void f(long *p) { *p = 4; }"), Lines{"any when p != NULL *p=4"});
  EXPECT_EQ(outcomes_of("void f(object *b, object *o) { put(b, o); }"),
            Lines{"any when b != 0 and o != NULL steals o into b"});
}

TEST_F(Summaries, ExceptionsAndFailure) {
  EXPECT_EQ(outcomes_of("int f(int n) { if (n > 3) { fail(); return -1; } return 0; }"),
            (Lines{"0 when n <= 3", "-1 when n >= 4 raises"}));
}

TEST_F(Summaries, AFunctionThatNeverReturns) { EXPECT_EQ(outcomes_of("void f(void) { quit(); }"), Lines{"never"}); }

TEST_F(Summaries, ExitsThatDoTheSameAreOneOutcome) {
  EXPECT_EQ(outcomes_of("int f(object *o, int n) { if (n) hold(o); else hold(o); return 1; }").size(), 1u);
}

}  // namespace
}  // namespace reckon::analysis_test
