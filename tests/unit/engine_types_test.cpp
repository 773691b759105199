// The program's own types: what a deallocator owes to the members of its object.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class Types : public AnalysisTest {
 protected:
  Types() {
    describe(R"(failure exception
unknown-result new
check leaks
counted object refs
fn make()                       -> new | NULL raises
fn xdrop(o?)                    -> void when o != NULL o-1 | void when o == NULL
fn give_back(p) bare-free       -> void steals p
contract dealloc frees-object at-teardown
slot ops.end dealloc
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void xdrop(object *o); void give_back(void *p);
typedef struct box { object head; object *value; } box;
struct ops { void (*end)(box *); };
void fill(box *b) { object *old = b->value; b->value = make(); xdrop(old); })");
  }
};

TEST_F(Types, ADeallocatorReleasesTheMembers) {
  EXPECT_EQ(found("static void end(box *b) {\n give_back(b); }\nstruct ops table = {end};"), Lines{"type-dealloc:1"});
  EXPECT_EQ(found("static void end(box *b) {\n xdrop(b->value);\n give_back(b); }\nstruct ops table = {end};"),
            Lines{});
}

TEST_F(Types, AHelperMayDoItForTheDeallocator) {
  EXPECT_EQ(
      found("static void clear(box *b) { xdrop(b->value); }\nstatic void end(box *b) {\n clear(b);\n give_back(b); "
            "}\nstruct ops table = {end};"),
      Lines{});
}

}  // namespace
}  // namespace reckon::analysis_test
