// NULL and pointers that nobody has set: dereferenced, passed on, and what helpers ask of their arguments.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Pointers : public AnalysisTest {
 protected:
  Pointers() {
    describe(R"(failure exception
unknown-result new
check leaks
counted object refs
fn make()                       -> new | NULL raises
fn xdrop(o?)                    -> void when o != NULL o-1 | void when o == NULL
fn size(o!)                     -> >=0
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void xdrop(object *o); long size(object *o);)");
  }
};

TEST_F(Pointers, AResultThatMayBeNullIsTestedFirst) {
  EXPECT_EQ(found("long f(void) { object *a = make();\n long n = a->refs;\n xdrop(a);\n return n; }"),
            Lines{"null-deref:2"});
  EXPECT_EQ(found("long f(void) { object *a = make();\n long n = a ? a->refs : 0;\n xdrop(a);\n return n; }"), Lines{});
}

TEST_F(Pointers, AParameterMarkedSoIsNotNull) {
  EXPECT_EQ(found("long f(void) { object *a = make();\n long n = size(a);\n xdrop(a);\n return n; }"),
            Lines{"null-arg:2"});
}

TEST_F(Pointers, CallersKnowWhatAHelperDereferences) {
  const std::string caller = "long f(void) { object *a = make();\n long n = h(a);\n xdrop(a);\n return n; }";
  EXPECT_EQ(found("static long h(object *o) { return o->refs; }\n" + caller), Lines{"null-arg:3"});
  EXPECT_EQ(found("static long h(object *o) { return o ? o->refs : 0; }\n" + caller), Lines{});
}

TEST_F(Pointers, APointerIsSetBeforeItIsUsed) {
  EXPECT_EQ(found("void f(int n) { object *a;\n if (n) a = make();\n xdrop(a); }"), Lines{"uninit:3"});
  EXPECT_EQ(found("void f(int n) { object *a = 0;\n if (n) a = make();\n xdrop(a); }"), Lines{});
}

}  // namespace
}  // namespace reckon::analysis_test
