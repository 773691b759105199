// The interpreter's lock: who gives it up, who needs it, and what helpers do about it.
#include <algorithm>

#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Locks : public AnalysisTest {
 protected:
  Locks() {
    describe(R"(failure exception
unknown-result new
check leaks
counted object refs
flags needs-gil
fn make()                       -> new | NULL raises
fn leave() no-gil drops-gil     -> any
fn enter(t) no-gil takes-gil    -> void
fn plain() no-gil               -> void
contract new-or-null entry gives-new
slot ops.call new-or-null
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void *leave(void); void enter(void *t); void plain(void);
struct ops { object *(*call)(object *); };)");
  }
  Lines found_in_slot(const std::string& body, const std::string& before = "") {
    return found(before + "static object *f(object *self) { void *t = leave();\n" + body +
                 "\n}\nstruct ops table = {f};");
  }
};

TEST_F(Locks, TheApiIsCalledWithTheLock) {
  EXPECT_EQ(found_in_slot("object *a = make();\nenter(t);\nreturn a;"), Lines{"gil:2"});
  EXPECT_EQ(found_in_slot("plain();\nenter(t);\nreturn make();"), Lines{});
}

TEST_F(Locks, AnEntryFunctionGivesTheLockBack) {
  EXPECT_EQ(found_in_slot("for (;;) plain();"), Lines{});
  const Lines lines = found_in_slot("plain();\nreturn self;");
  EXPECT_NE(std::find(lines.begin(), lines.end(), "gil:3"), lines.end());
}

TEST_F(Locks, CallersKnowWhatAHelperNeeds) {
  EXPECT_EQ(found_in_slot("object *a = h();\nenter(t);\nreturn a;", "static object *h(void) { return make(); }\n"),
            Lines{"gil:3"});
}

TEST_F(Locks, CallersKnowWhatAHelperDoesAboutIt) {
  EXPECT_EQ(found_in_slot("return h(t);", "static object *h(void *t) { enter(t); return make(); }\n"), Lines{});
  EXPECT_EQ(found_in_slot("enter(t);\nt = h();\nobject *a = make();\nenter(t);\nreturn a;",
                          "static void *h(void) { return leave(); }\n"),
            Lines{"gil:5"});
}

}  // namespace
}  // namespace reckon::analysis_test
