// Exceptions, the interpreter's lock, and NULL: what functions of a table promise, and what helpers pass on.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Exceptions : public AnalysisTest {
 protected:
  Exceptions() {
    describe(R"(failure exception
unknown-result new
check leaks
counted object refs
flags needs-gil
fn make()                       -> new | NULL raises
fn maybe()                      -> new | NULL
fn drop(o!)                     -> void o-1
fn size(o!)                     -> >=0
fn fail()                       -> void raises
fn forget()                     -> void clears
fn failed() tests-exception     -> any
fn leave() no-gil drops-gil     -> any
fn enter(t) no-gil takes-gil    -> void
fn plain() no-gil               -> void
contract new-or-null entry gives-new
slot ops.call new-or-null
)",
             R"(typedef struct object { long refs; } object;
object *make(void); object *maybe(void); void drop(object *o); long size(object *o);
void fail(void); void forget(void); int failed(void); void *leave(void); void enter(void *t); void plain(void);
struct ops { object *(*call)(object *); };)");
  }
  Lines found_in_slot(const std::string& body) {
    return found("static object *f(object *self) {\n" + body + "\n}\nstruct ops table = {f};");
  }
};

TEST_F(Exceptions, FailureNeedsAnException) {
  EXPECT_EQ(found_in_slot("return 0;"), Lines{"missing-exception:2"});
  EXPECT_EQ(found_in_slot("fail(); return 0;"), Lines{});
  EXPECT_EQ(found_in_slot("fail(); forget();\nreturn 0;"), Lines{"missing-exception:3"});
  EXPECT_EQ(found_in_slot("return make();"), Lines{});
  EXPECT_EQ(found_in_slot("object *a = maybe();\nreturn a;"), Lines{"missing-exception:3"});
}

TEST_F(Exceptions, SuccessNeedsNone) {
  EXPECT_EQ(found_in_slot("object *a = make();\nif (!a) return 0;\nfail();\nreturn a;"), Lines{"exception-set:5"});
}

TEST_F(Exceptions, CallersKnowWhatAHelperRaises) {
  EXPECT_EQ(found("int helper(int n) { if (n > 3) { fail(); return -1; }\n return 0; }\n"
                  "static object *f(object *self) {\n if (helper(4) < 0) return 0;\n return make(); }\n"
                  "struct ops table = {f};"),
            Lines{});
  EXPECT_EQ(outcomes("helper"), (Lines{"0 when n <= 3", "-1 when n >= 4 raises"}));
}

TEST_F(Exceptions, NullIsNotDereferenced) {
  EXPECT_EQ(found_in_slot("object *a = make();\nsize(a);\nreturn a;"), Lines{"null-arg:3"});
  EXPECT_EQ(found("static long helper(object *o) { return o->refs; }\n"
                  "void f(void) { object *a = make();\n helper(a);\n if (a) drop(a); }"),
            Lines{"null-arg:3"});
}

TEST_F(Exceptions, TheApiNeedsTheLock) {
  EXPECT_EQ(found_in_slot("void *t = leave();\nplain();\nenter(t);\nreturn make();"), Lines{});
  EXPECT_EQ(found_in_slot("void *t = leave();\nobject *a = make();\nenter(t);\nreturn a;"), Lines{"gil:3"});
}

}  // namespace
}  // namespace reckon::analysis_test
