// Functions that specs know by the place their address is kept in: tables, fields, and how the source names them.
#include "findings_fixture.h"

namespace reckon::analysis_test {
namespace {

class NamedCalls : public AnalysisTest {
 protected:
  NamedCalls() {
    describe(R"(failure exception
unknown-result none
check leaks
counted object refs
fn drop(o!)             -> void o-1
fn API[0] = api_first() -> new | NULL raises
fn API[2] = api_make(n) -> new | NULL raises
fn type.next(o!)        -> new | NULL raises
fn numbers.n_*(a!, ...) -> new | NULL raises
fn numbers.n_true(a!)   -> 0..1 | -1 raises
fn find.lib.make()      -> new | NULL raises
)",
             R"(typedef struct object { long refs; } object;
void drop(object *o);
struct numbers { object *(*n_add)(object *, object *); int (*n_true)(object *); };
struct type { object *(*next)(object *); struct numbers numbers; };)");
  }

  // The message of the one finding.
  std::string message(const std::string& source) {
    const std::vector<report::Finding> findings = analyse({source}).findings;
    return findings.size() == 1 ? findings[0].message : std::to_string(findings.size()) + " findings";
  }
};

constexpr const char* kUse =
    "void lost(void) { object *a = ((object *(*)(int))API[2])(1);\n (void)a; }\n"
    "object *given(void) { return ((object *(*)(int))API[2])(1); }\n";

TEST_F(NamedCalls, AnEntryOfATableIsAFunction) {
  EXPECT_EQ(found(std::string("static void **API;\n") + kUse), Lines{"leak:3"});
  EXPECT_EQ(found(std::string("extern void **API;\n") + kUse), Lines{"leak:3"});
  EXPECT_EQ(found(std::string("extern void *API[];\n") + kUse), Lines{"leak:3"});
  EXPECT_EQ(found("extern void **API;\nvoid f(void) { object *a = ((object *(*)(void))*API)();\n (void)a; }"),
            Lines{"leak:3"});
}

TEST_F(NamedCalls, MessagesNameTheFunction) {
  EXPECT_NE(message("extern void **API;\nvoid f(void) { ((object *(*)(int))API[2])(1); }").find("api_make()"),
            std::string::npos);
  EXPECT_NE(message("void f(struct type *t, object *o) { t->next(o); }").find("next()"), std::string::npos);
  EXPECT_EQ(message("void f(struct type *t, object *o) { t->next(o); }").find("type.next"), std::string::npos);
}

TEST_F(NamedCalls, ATableIsKnownByTheNameTheSourceGivesIt) {
  EXPECT_EQ(found(std::string("#define API mine\nextern void **API;\n") + kUse), Lines{"leak:4"});
  EXPECT_EQ(found(std::string("#define UNIQUE mine\n#define API UNIQUE\nvoid **API;\n") + kUse), Lines{"leak:5"});
  // Another table is another table, whatever the macros around its declaration are.
  EXPECT_EQ(found(std::string("#define TABLE(x) void **x\nTABLE(mine);\n#define API mine\n") + kUse), Lines{});
}

TEST_F(NamedCalls, OtherEntriesStayUnknown) {
  EXPECT_EQ(found("extern void **API;\nvoid f(int n) { ((object *(*)(int))API[n])(1); }"), Lines{});
  EXPECT_EQ(found("extern void **API;\nvoid f(void) { ((object *(*)(int))API[1])(1); }"), Lines{});
  EXPECT_EQ(found("extern void **OTHER;\nvoid f(void) { ((object *(*)(int))OTHER[2])(1); }"), Lines{});
}

TEST_F(NamedCalls, AnAddressFromATableIsAValue) {
  EXPECT_EQ(found("typedef object *(*maker)(int);\nextern void **API;\nobject *other(int);\n"
                  "void f(int c) { maker m = (maker)API[2];\n if (c) m = other;\n object *a = m(1);\n (void)a; }"),
            Lines{"leak:7"});
}

TEST_F(NamedCalls, AFieldIsAFunction) {
  EXPECT_EQ(found("void f(struct type *t, object *o) { object *a = t->next(o);\n (void)a; }"), Lines{"leak:2"});
  EXPECT_EQ(found("object *f(struct type *t, object *o) { return t->next(o); }"), Lines{});
  EXPECT_EQ(outcomes("f"), (Lines{"new when t != 0 and o != 0", "0 when t != 0 and o != 0 raises"}));
  // The struct that the specs name may stand in another one.
  EXPECT_EQ(found("struct type t;\nvoid f(object *o) { object *a = t.numbers.n_add(o, o);\n (void)a; }"),
            Lines{"leak:3"});
  EXPECT_EQ(found("struct type t;\nint f(object *o) { return t.numbers.n_true(o); }"), Lines{});
  EXPECT_EQ(outcomes("f"), (Lines{"0..1 when o != 0", "-1 when o != 0 raises"}));
}

TEST_F(NamedCalls, WhatTheSpecSaysOfAFieldHoldsForTheProgramsOwnFunctions) {
  EXPECT_EQ(found("static object *none(object *o) { return 0; }\nstruct type known = {none};\n"
                  "void f(struct type *t, object *o) { object *a = t->next(o);\n (void)a; }"),
            Lines{"leak:4"});
}

constexpr const char* kFind = "typedef object *(*maker)(void);\nvoid *find(const char *, const char *);\n";

TEST_F(NamedCalls, AFunctionThatIsFoundByName) {
  const std::string use = "void f(void) { object *a = made();\n (void)a; }";
  EXPECT_EQ(found(kFind + std::string("void f(void) { object *a = ((maker)find(\"lib\", \"make\"))();\n (void)a; }")),
            Lines{"leak:4"});
  EXPECT_EQ(
      found(kFind + std::string("static maker made;\nvoid init(void) { made = (maker)find(\"lib\", \"make\"); }\n") +
            use),
      Lines{"leak:6"});
  EXPECT_EQ(found(kFind +
                  std::string("static maker made;\nvoid init(void) {\n if (!made) made = (maker)find(\"lib\", "
                              "\"make\"); }\nvoid end(void) { made = 0; }\n") +
                  use),
            Lines{"leak:8"});
  // Another function, or a variable that holds others as well.
  EXPECT_EQ(found(kFind + std::string("void f(void) { ((maker)find(\"lib\", \"other\"))(); }")), Lines{});
  EXPECT_EQ(found(kFind + std::string("void f(const char *n) { ((maker)find(\"lib\", n))(); }")), Lines{});
  EXPECT_EQ(found(kFind +
                  std::string("static maker made;\nvoid init(maker m) { made = (maker)find(\"lib\", \"make\"); }\n"
                              "void set(maker m) { made = m; }\n") +
                  use),
            Lines{});
}

TEST_F(NamedCalls, TheAddressInAFieldMayBeNull) {
  EXPECT_EQ(found("object *f(struct type *t, object *o) {\n if (!t->next) { object *a = t->numbers.n_add(o, o);\n"
                  " if (a) drop(a);\n return 0; }\n return t->next(o); }"),
            Lines{});
}

}  // namespace
}  // namespace reckon::analysis_test
