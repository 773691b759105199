// What a finding takes to show, and when its function runs.
#include "findings_fixture.h"

#include "report/occasion.h"

namespace reckon::analysis_test {
namespace {

class Occasions : public AnalysisTest {
 protected:
  Occasions() {
    describe(R"(failure exception input
unknown-result new
check leaks
counted object refs
fn make()                    -> new | NULL raises if-oom
fn drop(o!)                  -> void o-1
fn use(o!)                   -> void
fn parse(text)               -> 0 | -1 raises
fn send(text) fails-outside  -> 0 | -1 raises
fn read_all(text)            -> new | NULL raises
fn alarm()                   -> void raises
fn complain(kind, what?)     -> NULL raises
fn no_room() fails-for-memory -> NULL raises
fn number(n)                 -> new | NULL raises if-oom
fn find(text)                -> borrowed | NULL
fn append(p!, text)          -> void *p-1 *p=new | void raises *p-1 *p=NULL
blame bad_value input
blame device_gone outside
blame too_much memory
blame decode(lenient) memory
blame call_method(read) outside
fn decode(text, errors?)     -> new | NULL raises
fn call_method(o!, name!)    -> new | NULL raises
fn copy(o!) fails-for-memory -> 1 | 0 fails
contract call entry gives-new
contract set-up entry fails-by-minus-one at-init
contract give-up entry at-teardown
slot ops.call call
slot ops.init set-up
slot ops.exit give-up
slot void.first give-up
fn other_end(h)              -> any
fn is_good(h) pure           -> any
)",
             R"(typedef struct object { long refs; } object;
object *make(void); void drop(object *o); void use(object *o); int parse(const char *s); int send(const char *s);
object *read_all(const char *s); void alarm(void); object *number(long n);
extern object *bad_value, *device_gone, *too_much, *other; void *complain(object *kind, object *what); void *no_room(void);
object *find(const char *s); void append(object **p, const char *s);
object *decode(const char *s, const char *errors); object *call_method(object *o, const char *name); int copy(object *o);
int other_end(void *h); int is_good(void *h); int lib_open(void *handle); int lib_find(int index); void *room(long n);
struct ops { object *(*call)(object *); int (*init)(object *); void (*exit)(object *); };)");
  }

  // "check: occasion" of each finding.
  Lines occasions(const std::vector<std::string>& sources, analysis::Options options = {}) {
    Lines out;
    for (const report::Finding& f : analyse(sources, std::move(options)).findings)
      out.push_back(f.function + " " + f.check.substr(2) + " " + report::name_of(f.trigger) + " " +
                    report::name_of(f.place));
    return out;
  }
};

TEST_F(Occasions, WhereNothingFailsNothingHasToHappen) {
  EXPECT_EQ(occasions({"int f(void) { object *a = make();\n return a ? 0 : -1; }"}), Lines{"f leak normal run"});
}

TEST_F(Occasions, AFailingCallIsForWhatItIsGiven) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (parse(s) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak input run"});
}

TEST_F(Occasions, UnlessItsSpecSaysOtherwise) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (send(s) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak outside run"});
}

TEST_F(Occasions, WhatNeedsMemoryToRunOutSaysSo) {
  EXPECT_EQ(occasions({"void f(void) { use(make()); }"}), (Lines{"f leak normal run", "f null-arg memory run"}));
  EXPECT_EQ(occasions({"void f(const char *s) { use(read_all(s)); }"}),
            (Lines{"f leak normal run", "f null-arg input run"}));
}

TEST_F(Occasions, MemoryRunsOutInHelpersToo) {
  EXPECT_EQ(occasions({"static object *helper(void) { return make(); }\nvoid f(void) { use(helper()); }"}),
            (Lines{"f leak normal run", "f null-arg memory run"}));
}

TEST_F(Occasions, AnEndThatFailsByItselfIsTheInputs) {
  EXPECT_EQ(occasions({"int f(int n) { object *a = make();\n if (!a) return -1;\n if (n < 0) { alarm(); return -1; }\n"
                       "drop(a);\n return 0; }"}),
            Lines{"f leak input run"});
}

TEST_F(Occasions, WhereBothGoWrongTheWayWithoutAFailureIsTold) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (parse(s) < 0) return -1;\n return 0; }"}),
            Lines{"f leak normal run"});
  const auto all = analyse({"int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                            "if (parse(s) < 0) return -1;\n return 0; }"})
                       .findings;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].loc.line, 4u);
}

TEST_F(Occasions, WhatIsLostBeforeAFailingEndIsTheFailures) {
  EXPECT_EQ(
      occasions({"object *f(long n) { if (n < 0) { complain(other, number(n));\n return 0; }\n return make(); }"}),
      Lines{"f leak input run"});
}

TEST_F(Occasions, WaysThatJoinBeforeTheyFailFailAllTheSame) {
  EXPECT_EQ(occasions({"int f(object *o, void *h, int n) { object *a = n ? read_all(\"a\") : 0;\n"
                       "object *b = n > 1 ? read_all(\"b\") : 0;\n if (n > 2) use(o);\n"
                       "if (lib_open(h) == 0) { complain(too_much, 0); return -1; }\n"
                       "if (a) drop(a);\n if (b) drop(b);\n return 0; }"}),
            (Lines{"f leak memory run", "f leak memory run"}));
}

TEST_F(Occasions, AnEndThatDoesNotFailIsNotTheInputs) {
  EXPECT_EQ(occasions({"void g(object *o);\nobject *f(long n) { if (n < 0) use(number(1));\n return make(); }"}),
            (Lines{"f leak normal run", "f null-arg memory run"}));
}

TEST_F(Occasions, AHelperFailsForWhatMadeItFail) {
  EXPECT_EQ(occasions({"static int grow(long n) { if (n > 1000) { no_room(); return -1; }\n return 0; }\n"
                       "int f(long n) { object *a = make();\n if (!a) return -1;\n"
                       "if (grow(n) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak memory run"});
  EXPECT_EQ(occasions({"static int pass(const char *s) { return send(s) < 0 ? -1 : 0; }\n"
                       "int f(const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (pass(s) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak outside run"});
}

TEST_F(Occasions, OfSeveralReasonsOfAHelperTheLikeliestCounts) {
  EXPECT_EQ(occasions({"static int store(long n, const char *s) { if (n > 1000) { no_room(); return -1; }\n"
                       "return parse(s) < 0 ? -1 : 0; }\n"
                       "int f(long n, const char *s) { object *a = make();\n if (!a) return -1;\n"
                       "if (store(n, s) < 0) return -1;\n drop(a);\n return 0; }"}),
            Lines{"f leak input run"});
}

TEST_F(Occasions, TheExceptionSaysWhoseFaultItIs) {
  const auto raised = [](const std::string& kind) {
    return "int f(long n) { object *a = make();\n if (!a) return -1;\n if (n < 0) { complain(" + kind +
           ", 0); return -1; }\n drop(a);\n return 0; }";
  };
  EXPECT_EQ(occasions({raised("bad_value")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({raised("too_much")}), Lines{"f leak memory run"});
  EXPECT_EQ(occasions({raised("other")}), Lines{"f leak input run"});
}

TEST_F(Occasions, WhatTheRefusedCallFailsForCountsBeforeTheException) {
  const auto raised = [](const std::string& test) {
    return "static int store(long n) { object *b = number(n);\n if (!b) return -1;\n drop(b);\n return 0; }\n"
           "int f(long n) { object *a = make();\n if (!a) return -1;\n if (" +
           test + ") { complain(bad_value, 0); return -1; }\n drop(a);\n return 0; }";
  };
  EXPECT_EQ(occasions({raised("store(n) < 0")}), Lines{"f leak memory run"});
  EXPECT_EQ(occasions({raised("send(\"a\") < 0")}), Lines{"f leak outside run"});
  EXPECT_EQ(occasions({raised("n < 3")}), Lines{"f leak input run"});
}

TEST_F(Occasions, AHelperThatOnlyRaisesIsNoReason) {
  EXPECT_EQ(
      occasions({"static void *refuse(object *kind, int n) { return n ? complain(kind, 0) : complain(kind, kind); }\n"
                 "static int store(long n) { object *b = number(n);\n if (!b) return -1;\n drop(b);\n return 0; }\n"
                 "object *f(long n) { object *a = make();\n if (!a) return 0;\n"
                 "if (store(n) < 0) return refuse(bad_value, 1);\n return a; }"}),
      Lines{"f leak memory run"});
}

TEST_F(Occasions, AnEndThatLeavesAnExceptionFails) {
  EXPECT_EQ(
      occasions({"static void *fail(object *kind) { return complain(kind, 0); }\n"
                 "int f(long n) { object *a = make();\n if (!a) return 0;\n if (n < 0) { fail(other); return 0; }\n"
                 "drop(a);\n return 1; }"}),
      Lines{"f leak input run"});
}

TEST_F(Occasions, AFunctionOutOfSightThatRefusesIsOutside) {
  const auto refused = [](const std::string& test, const std::string& kind) {
    return "int f(void *h, int n) { object *a = make();\n if (!a) return -1;\n if (" + test + ") { complain(" + kind +
           ", 0); return -1; }\n drop(a);\n return 0; }";
  };
  EXPECT_EQ(occasions({refused("lib_open(h) != 0", "device_gone")}), Lines{"f leak outside run"});
  EXPECT_EQ(occasions({refused("lib_open(h) != 0", "other")}), Lines{"f leak outside run"});
  // The author says that it is the caller's fault; nothing but a number was passed; nobody outside was asked.
  EXPECT_EQ(occasions({refused("lib_open(h) != 0", "bad_value")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({refused("lib_find(n) < 0", "device_gone")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({refused("n > 3", "device_gone")}), Lines{"f leak input run"});
}

TEST_F(Occasions, AHelperThatRaisesAfterSomebodyOutsideRefused) {
  const auto refused = [](const std::string& test) {
    return "static void *tell(int code) { if (code == 3) return complain(device_gone, 0);\n"
           "return complain(other, 0); }\n"
           "object *f(void *h, int n) { object *a = make();\n if (!a) return 0;\n int e = " +
           test + ";\n if (e) return tell(e);\n return a; }";
  };
  EXPECT_EQ(occasions({refused("lib_open(h)")}), Lines{"f leak outside run"});
  EXPECT_EQ(occasions({refused("lib_find(n)")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({refused("n + 1")}), Lines{"f leak input run"});
}

TEST_F(Occasions, ASpecThatSaysNothingOfTheAnswerIsAsGoodAsNone) {
  const auto refused = [](const std::string& test) {
    return "static void *tell(object *kind) { return complain(kind, 0); }\n"
           "object *f(void *h) { object *a = make();\n if (!a) return 0;\n if (!" +
           test + "(h)) return tell(bad_value);\n return a; }";
  };
  EXPECT_EQ(occasions({refused("other_end")}), Lines{"f leak outside run"});
  EXPECT_EQ(occasions({refused("is_good")}), Lines{"f leak input run"});
}

TEST_F(Occasions, WhatTheFunctionCountedItselfIsNoReason) {
  EXPECT_EQ(
      occasions({"object *f(void *h) { object *a = make();\n if (!a) return 0;\n if (lib_open(h) == 0) return a;\n"
                 "int n = 0;\n while (lib_open(h) != 0) ++n;\n complain(n == 0 ? other : a, 0);\n return 0; }"}),
      Lines{"f leak outside run"});
}

TEST_F(Occasions, WhatIsAskedAfterRaisingIsNoReason) {
  EXPECT_EQ(
      occasions({"object *f(void *h, long n) { object *a = make();\n if (!a) return 0;\n int held = other_end(h);\n"
                 "if (n > 100) { no_room(); goto out; }\n return a;\n"
                 "out:\n if (held) use(a);\n return 0; }"}),
      Lines{"f leak memory run"});
}

TEST_F(Occasions, AWrapperFailsForWhatItWraps) {
  const std::string wrapper =
      "static int locked_copy(object *o) { int done = copy(o);\n use(o);\n return done; }\n"
      "int f(object *o) { object *a = make();\n if (!a) return -1;\n";
  EXPECT_EQ(
      occasions({wrapper + "if (!locked_copy(o)) { complain(bad_value, 0); return -1; }\n drop(a);\n return 0; }"}),
      Lines{"f leak memory run"});
}

TEST_F(Occasions, WhatACallIsGivenSaysWhyItFails) {
  const auto lost = [](const std::string& call) {
    return "int f(object *o, const char *s) { object *a = make();\n if (!a) return -1;\n object *b = " + call +
           ";\n if (!b) return -1;\n drop(a);\n drop(b);\n return 0; }";
  };
  EXPECT_EQ(occasions({lost("decode(s, \"lenient\")")}), Lines{"f leak memory run"});
  EXPECT_EQ(occasions({lost("decode(s, \"strict\")")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({lost("decode(s, s)")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({lost("call_method(o, \"read\")")}), Lines{"f leak outside run"});
  EXPECT_EQ(occasions({lost("call_method(o, \"sort\")")}), Lines{"f leak input run"});
  EXPECT_EQ(occasions({lost("decode(s, \"read\")")}), Lines{"f leak input run"});
}

TEST_F(Occasions, NobodyGivesAModuleAnythingWhileItIsSetUp) {
  const auto set_up = [](const std::string& test, const std::string& table) {
    return "static int begin(object *o) { object *a = make();\n if (!a) return -1;\n if (" + test +
           ") return -1;\n drop(a);\n return 0; }\nstruct ops table = { ." + table + " = begin };";
  };
  EXPECT_EQ(occasions({set_up("parse(\"a\") < 0", "init")}), Lines{"begin leak memory init"});
  EXPECT_EQ(occasions({set_up("send(\"a\") < 0", "init")}), Lines{"begin leak outside init"});
  EXPECT_EQ(occasions({"extern int version;\n" + set_up("version < 3 && !complain(other, 0)", "init")}),
            Lines{"begin leak outside init"});
}

TEST_F(Occasions, WhatIsNotFoundWasNotThereForThisInput) {
  EXPECT_EQ(occasions({"void f(const char *s) { use(find(s)); }"}), Lines{"f null-arg input run"});
  EXPECT_EQ(occasions({"void f(const char *s) { object *a = make();\n use(find(s));\n if (a) drop(a); }"}),
            Lines{"f null-arg input run"});
}

TEST_F(Occasions, AFunctionWithoutAResultFailsToo) {
  EXPECT_EQ(occasions({"int f(const char *s) { object *a = make(), *b = make();\n if (!a || !b) return 0;\n"
                       "append(&b, s);\n if (!b) return 0;\n drop(a);\n drop(b);\n return 1; }"}),
            (Lines{"f leak memory run", "f leak input run"}));
}

TEST_F(Occasions, AMistakeInACallThatRaisesShowsWhenThereIsSomethingToRaise) {
  const auto used = [](const std::string& kind) {
    return "void f(void) { object *a = make();\n if (!a) return;\n drop(a);\n complain(" + kind + ", a); }";
  };
  EXPECT_EQ(occasions({used("other")}), Lines{"f use-after-release input run"});
  EXPECT_EQ(occasions({used("too_much")}), Lines{"f use-after-release memory run"});
}

TEST_F(Occasions, AFunctionRunsWhenItsContractSays) {
  EXPECT_EQ(occasions({"static int begin(object *o) { object *a = make();\n return a ? 0 : -1; }\n"
                       "static void end(object *o) { object *a = make(); }\n"
                       "static object *call(object *o) { object *a = make();\n if (!a) return 0;\n return make(); }\n"
                       "struct ops table = { .call = call, .init = begin, .exit = end };"}),
            (Lines{"begin leak normal init", "end leak normal teardown", "call leak normal run"}));
}

TEST_F(Occasions, AHelperRunsWhenItsCallersDo) {
  const std::string helpers =
      "static void deep(void) { make(); }\nstatic void helper(void) { deep(); }\n"
      "static int begin(object *o) { helper(); return 0; }\n";
  EXPECT_EQ(occasions({helpers + "struct ops table = { .init = begin };"}),
            (Lines{"deep leak normal init", "begin exception-set memory init"}));
  EXPECT_EQ(occasions({helpers + "static object *call(object *o) { deep(); return make(); }\n"
                                 "struct ops table = { .init = begin, .call = call };"}),
            (Lines{"deep leak normal run", "begin exception-set memory init", "call exception-set memory run"}));
}

TEST_F(Occasions, AFunctionMayBeKnownByItsName) {
  EXPECT_EQ(occasions({"int first(void) { make(); return 0; }"}), Lines{"first leak normal teardown"});
}

TEST_F(Occasions, WordsForReaders) {
  report::Finding f;
  EXPECT_EQ(report::occasion_of(f), "when nothing fails");
  f.trigger = report::Trigger::Memory;
  f.place = report::Place::Init;
  EXPECT_EQ(report::occasion_of(f), "when memory runs out, while things are set up");
  f.trigger = report::Trigger::Race;
  f.place = report::Place::Teardown;
  EXPECT_EQ(report::occasion_of(f), "when two threads meet, while things are torn down");
}

TEST_F(Occasions, WhatIsLikelyComesFirst) {
  std::vector<report::Finding> all(4);
  all[0].trigger = report::Trigger::Memory;
  all[1].place = report::Place::Init;
  all[2].trigger = report::Trigger::Input;
  all[3].message = "first";
  report::sort_by_occasion(all);
  EXPECT_EQ(all[0].message, "first");
  EXPECT_EQ(all[1].place, report::Place::Init);
  EXPECT_EQ(all[3].trigger, report::Trigger::Memory);
}

class Threads : public AnalysisTest {
 protected:
  Threads() {
    describe(R"(failure exception
check leaks
counted object refs
fn item(o!) unstable safer item_ref -> borrowed o | NULL
fn use(o!) -> void
)",
             "typedef struct object { long refs; } object;\nobject *item(object *o); void use(object *o);");
  }
};

TEST_F(Threads, AHazardOfThreadsIsARace) {
  analysis::Options options;
  options.free_threaded = true;
  const auto all = analyse({"void f(object *box) { object *o = item(box);\n if (o) use(o); }"}, options).findings;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].check, "d-free-threading");
  EXPECT_EQ(all[0].trigger, report::Trigger::Race);
}

class Collections : public AnalysisTest {
 protected:
  Collections() {
    describe(R"(check protection
unknown-result none
counted cell
fn alloc() allocates      -> new
fn expand(n)              -> void when n != 0 allocates | void when n == 0
fn length(x)              -> >=0
fn warn(text) allocates fails-by-input -> void
fn push(x)                -> same x protect x
fn pop(n)                 -> void protect-n
)",
             R"(typedef struct cell { int x; } *cell;
cell alloc(void); void expand(int n); int length(cell x); void warn(const char *text); cell push(cell x); void pop(int n);)");
  }

  Lines triggers(const std::string& source) {
    Lines out;
    for (const report::Finding& f : analyse({source}).findings) out.push_back(report::name_of(f.trigger));
    return out;
  }
};

TEST_F(Collections, WhatAlwaysCollectsTakesNothing) {
  EXPECT_EQ(triggers("int f(void) { cell a = alloc();\n alloc();\n return length(a); }"), Lines{"normal"});
}

TEST_F(Collections, WhatWarnsOfInputTakesThat) {
  EXPECT_EQ(triggers("int f(int n) { cell a = alloc();\n if (n < 0) warn(\"no\");\n return length(a); }"),
            Lines{"input"});
}

TEST_F(Collections, WhatCollectsBehindAPointerIsUpToWhoSetIt) {
  EXPECT_EQ(triggers("struct file { void (*close)(void); };\nstatic void close_class(void) { alloc(); }\n"
                     "struct file by_class = { close_class };\n"
                     "int f(struct file *g) { cell a = alloc();\n g->close();\n return length(a); }"),
            Lines{"input"});
}

TEST_F(Collections, WhatIsNewForSomeArgumentsTakesThese) {
  EXPECT_EQ(triggers("static cell part(cell x, int n) { return n ? alloc() : x; }\n"
                     "int f(cell x, int n) { cell a = part(x, n);\n alloc();\n return length(a); }"),
            Lines{"input"});
}

TEST_F(Collections, AStackThatIsRightAtOtherEndsTakesInput) {
  EXPECT_EQ(triggers("int f(int n) { cell a = push(alloc());\n if (n < 0) return 0;\n n = length(a);\n pop(1);\n"
                     "return n; }"),
            Lines{"input"});
  EXPECT_EQ(
      triggers("int f(void) { cell a = push(alloc());\n cell b = push(alloc());\n int n = length(a) + length(b);\n"
               "pop(1);\n return n; }"),
      Lines{"normal"});
}

TEST_F(Collections, WhatCollectsForSomeArgumentsTakesThese) {
  EXPECT_EQ(triggers("int f(int n) { cell a = alloc();\n expand(n);\n return length(a); }"), Lines{"input"});
  EXPECT_EQ(triggers("static void helper(int n) { if (n) alloc(); }\n"
                     "int f(int n) { cell a = alloc();\n helper(n);\n return length(a); }"),
            Lines{"input"});
}

}  // namespace
}  // namespace reckon::analysis_test
