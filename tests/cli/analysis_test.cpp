// A user's own API, described in a few lines of spec, and the promise that threads do not change the report.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

const char* const kSpec =
    "domain thing\n"
    "check leaks pairs\n"
    "fn thing_new()    -> new | NULL\n"
    "fn thing_unref(t) -> void t-1\n"
    "fn thing_get(t)   -> 0 t.use+1 | <0 fails\n"
    "fn thing_put(t)   -> void t.use-1\n";

const char* const kDeclarations =
    "struct thing;\n"
    "struct thing *thing_new(void);\n"
    "void thing_unref(struct thing *t);\n"
    "int thing_get(struct thing *t);\n"
    "void thing_put(struct thing *t);\n"
    "int work(struct thing *t);\n";

class OwnApi : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec", kSpec);
    box_.write("thing.h", kDeclarations);
  }
  Sandbox box_;
};

TEST_F(OwnApi, FindsTheLeakAndThePair) {
  box_.write("a.c",
             "#include \"thing.h\"\n"
             "int forget(int n) {\n"
             "  struct thing *t = thing_new();\n"
             "  if (!t) return -1;\n"
             "  if (n) return 0;\n"
             "  thing_unref(t);\n"
             "  return 0;\n"
             "}\n"
             "int keep(struct thing *t) {\n"
             "  int r = thing_get(t);\n"
             "  if (r) return r;\n"
             "  r = work(t);\n"
             "  if (r) return r;\n"
             "  thing_put(t);\n"
             "  return 0;\n"
             "}\n"
             "int fine(struct thing *t) {\n"
             "  int r = thing_get(t);\n"
             "  if (r) return r;\n"
             "  r = work(t);\n"
             "  thing_put(t);\n"
             "  return r;\n"
             "}\n");
  const RunResult r = run(box_, {"check", "--no-cache", "--specs", "thing.spec", "a.c"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "a.c:5:10: warning: reference to `t` is leaked [thing-leak]")) << r.out;
  EXPECT_TRUE(contains(r.out, "[thing-path-pair]")) << r.out;
  EXPECT_TRUE(contains(r.out, "2 findings:")) << r.out;
}

TEST_F(OwnApi, TheReportDoesNotDependOnThreads) {
  std::vector<std::string> arguments = {"check", "--no-cache", "-q", "--specs", "thing.spec"};
  for (int file = 0; file < 4; ++file) {
    std::string text = "#include \"thing.h\"\n";
    for (int f = 0; f < 12; ++f) {
      const std::string name = "f" + std::to_string(file) + "_" + std::to_string(f);
      text += "int " + name +
              "(int n) {\n  struct thing *t = thing_new(), *u = thing_new();\n"
              "  if (n) return 0;\n  if (t) thing_unref(t);\n  return u ? work(u) : -1;\n}\n";
    }
    const std::string path = "u" + std::to_string(file) + ".c";
    box_.write(path, text);
    arguments.push_back(path);
  }
  std::vector<std::string> one = arguments, four = arguments;
  one.insert(one.begin() + 1, {"-j", "1"});
  four.insert(four.begin() + 1, {"-j", "4"});
  const RunResult first = run(box_, one);
  EXPECT_EQ(first.code, 1) << first.err;
  for (int again = 0; again < 3; ++again) EXPECT_EQ(run(box_, four).out, first.out);
}

// A library's helpers, and a caller whose bug shows only to who knows them.
const char* const kLibrary =
    "#include \"thing.h\"\n"
    "struct thing *lib_make(int n) { return n > 0 ? thing_new() : 0; }\n"
    "void lib_drop(struct thing *t) { if (t) thing_unref(t); }\n";
const char* const kCaller =
    "#include \"thing.h\"\n"
    "struct thing *lib_make(int n);\n"
    "void lib_drop(struct thing *t);\n"
    "int good(int n) {\n"
    "  struct thing *t = lib_make(n);\n"
    "  lib_drop(t);\n"
    "  return 0;\n"
    "}\n"
    "int bad(int n) {\n"
    "  struct thing *t = lib_make(n);\n"
    "  if (t && work(t)) return -1;\n"
    "  lib_drop(t);\n"
    "  return 0;\n"
    "}\n";

TEST_F(OwnApi, APackStandsForTheSource) {
  box_.write("lib.c", kLibrary);
  box_.write("a.c", kCaller);
  const RunResult packed = run(box_, {"pack", "-o", "lib.spec", "--no-cache", "--specs", "thing.spec", "lib.c"});
  EXPECT_EQ(packed.code, 0) << packed.err;
  EXPECT_TRUE(contains(packed.err, "lib.spec: 2 functions")) << packed.err;

  const RunResult without = run(box_, {"check", "--no-cache", "--specs", "thing.spec", "--domain=thing", "a.c"});
  EXPECT_EQ(without.code, 0) << without.out;
  const RunResult with = run(box_, {"check", "--no-cache", "--specs", "thing.spec", "--specs", "lib.spec", "a.c"});
  EXPECT_EQ(with.code, 1) << with.err;
  EXPECT_TRUE(contains(with.out, "a.c:11:21: warning: reference to `t` is leaked [thing-leak]")) << with.out;
  EXPECT_TRUE(contains(with.out, "1 finding:")) << with.out;
  const RunResult source = run(box_, {"check", "--no-cache", "--specs", "thing.spec", "a.c", "lib.c"});
  EXPECT_TRUE(contains(source.out, "a.c:11:21: warning: reference to `t` is leaked [thing-leak]")) << source.out;
}

// What a function does about the interpreter's lock cannot be said in a pack; the rest is said all the same.
TEST(PythonPack, FunctionsThatNeedTheLockAreKept) {
  const Sandbox box;
  box.write("lib.c",
            "typedef struct _object PyObject;\n"
            "PyObject *PyObject_Str(PyObject *o);\n"
            "PyObject *text_of(PyObject *o) { return PyObject_Str(o); }\n");
  const RunResult packed = run(box, {"pack", "--domain=python", "-o", "lib.spec", "--no-cache", "lib.c"});
  EXPECT_TRUE(contains(packed.err, "lib.spec: 1 functions")) << packed.err;
}

// Of a function that collects, a pack names the arguments it leaves unprotected; all others may be passed as they are.
TEST(Pack, ProtectionOfArguments) {
  const Sandbox box;
  const std::string types =
      "typedef struct SEXPREC *SEXP;\nSEXP Rf_protect(SEXP), Rf_allocVector(int, int), Rf_mkString(const char *);\n"
      "void Rf_unprotect(int);\nint LENGTH(SEXP);\n";
  box.write("lib.c", types +
                         "int guarded(SEXP x) { Rf_protect(x); Rf_allocVector(13, 1); int n = LENGTH(x); "
                         "Rf_unprotect(1); return n; }\n"
                         "int bare(SEXP x) { Rf_allocVector(13, 1); return LENGTH(x); }\nvoid collects(int n) { "
                         "Rf_allocVector(13, n); }\n");
  box.write("a.c", types +
                       "int guarded(SEXP), bare(SEXP);\nvoid collects(int);\nint good(void) { return "
                       "guarded(Rf_mkString(\"a\")); }\n"
                       "int bad(void) { return bare(Rf_mkString(\"a\")); }\n"
                       "int late(void) { SEXP x = Rf_mkString(\"a\"); collects(1); return LENGTH(x); }\n");
  const RunResult packed = run(box, {"pack", "--domain=r", "-o", "lib.spec", "--no-cache", "lib.c"});
  EXPECT_TRUE(contains(packed.err, "lib.spec: 3 functions")) << packed.err;
  const RunResult r = run(box, {"check", "--domain=r", "--no-cache", "--specs", "lib.spec", "a.c"});
  EXPECT_TRUE(contains(r.out, "passed unprotected to bare()")) << r.out;
  EXPECT_TRUE(contains(r.out, "`x` is not protected while collects()")) << r.out;
  EXPECT_TRUE(contains(r.out, "2 findings:")) << r.out;
}

TEST_F(OwnApi, ABodyInTheProgramWinsOverAPack) {
  box_.write("lib.c", kLibrary);
  box_.write("a.c", kCaller);
  box_.write("old.spec", "domain thing\nflags computed\nfn lib_make(n) -> any\nfn lib_drop(t) -> void\n");
  const RunResult r =
      run(box_, {"check", "--no-cache", "--specs", "thing.spec", "--specs", "old.spec", "a.c", "lib.c"});
  EXPECT_TRUE(contains(r.out, "a.c:11:21: warning: reference to `t` is leaked [thing-leak]")) << r.out;
}

TEST_F(OwnApi, AWrittenSpecWinsOverAPack) {
  box_.write("a.c",
             "#include \"thing.h\"\nvoid f(void) {\n  struct thing *t = thing_new();\n  if (t) thing_unref(t);\n}\n");
  box_.write("wrong.spec", "domain thing\nfn thing_unref(t) computed -> void\n");
  const RunResult r = run(box_, {"check", "--no-cache", "--specs", "thing.spec", "--specs", "wrong.spec", "a.c"});
  EXPECT_EQ(r.code, 0) << r.out;
}

TEST(Mine, ProposesPairsByNameAndByWhatBodiesCount) {
  Sandbox box;
  box.write("a.c",
            "struct box { int users, pins; };\n"
            "int box_get(struct box *b) { b->users++; return 0; }\n"
            "void box_put(struct box *b) { b->users--; }\n"
            "void nail(struct box *b) { b->pins += 1; }\n"
            "void let_go(struct box *b) { b->pins -= 1; }\n"
            "int look_at(struct box *b) { return b->users; }\n"
            "int use(struct box *b) { box_get(b); box_put(b); return 0; }\n");
  const RunResult r = run(box, {"mine", "--no-cache", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "fn box_get(p)  -> 0 p.users+1 | <0 fails\nfn box_put(p)  -> void p.users-1\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "fn nail(p)  -> void p.pins+1\nfn let_go(p)  -> void p.pins-1\n")) << r.out;
  EXPECT_TRUE(contains(r.err, "2 pairs proposed")) << r.err;
  // What it proposes is a spec.
  box.write("mined.spec", "domain box\n" + r.out);
  EXPECT_EQ(run(box, {"spec", "check", "mined.spec"}).code, 0);
}

TEST(Mine, AFunctionOfTwoPairsIsDefinedOnce) {
  Sandbox box;
  box.write("a.c",
            "struct box;\nstruct box *box_find(int);\nstruct box *box_get(struct box *);\nvoid box_put(struct box *);\n"
            "void a(struct box *b) { box_put(box_get(b)); }\nvoid c(void) { box_put(box_find(1)); }\n");
  const RunResult r = run(box, {"mine", "--no-cache", "a.c"});
  EXPECT_TRUE(contains(r.err, "2 pairs proposed")) << r.err << r.out;
  EXPECT_TRUE(contains(r.out, "\n# above: fn box_put(p)")) << r.out;
  box.write("mined.spec", "domain box\n" + r.out);
  const RunResult checked = run(box, {"spec", "check", "mined.spec"});
  EXPECT_EQ(checked.code, 0) << checked.err;
}

TEST(CompdbLinux, WantsAConfiguredTree) {
  Sandbox box;
  const RunResult r = run(box, {"compdb", "linux", "."});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no .config; configure the tree first")) << r.err;
  box.write(".config", "");  // as in a package of headers
  const RunResult headers = run(box, {"compdb", "linux", "."});
  EXPECT_EQ(headers.code, 2);
  EXPECT_TRUE(contains(headers.err, "without its sources")) << headers.err;
}

TEST(CompdbLinux, ReadsTheDryRunOfATree) {
  Sandbox box;
  box.write(".config", "");
  box.write("init/main.c", "");
  box.write("a.c", "int f(void) { return 0; }\n");
  box.write("Makefile", "all: a.o made.o\n%.o: %.c\n\tcc -DK -c -o $@ $<\nmade.c:\n\tgenerate $@\n");
  const RunResult r = run(box, {"compdb", "linux", "--allow-build", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "compile_commands.json: 1 files")) << r.err;
  EXPECT_TRUE(contains(r.err, "1 more are generated by the build")) << r.err;
  EXPECT_EQ(run(box, {"check", "--no-cache", "-p", "."}).code, 0);
}

// A makefile of a stranger runs what it likes as soon as make reads it.
TEST(CompdbLinux, NothingOfTheTreeRunsUnlessAllowed) {
  Sandbox box;
  box.write(".config", "");
  box.write("init/main.c", "int main(void) { return 0; }\n");
  box.write("drivers/a.c", "int f(void) { return K; }\n");
  box.write("Makefile", "X := $(shell touch ran)\nall: ; +touch ran\n");
  RunResult r = run(box, {"compdb", "linux", "."});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_TRUE(contains(r.err, "build the tree first, or give --allow-build")) << r.err;
  box.write("init/.main.o.cmd", "cmd_init/main.o := gcc -c -o init/main.o init/main.c\n");
  box.write(
      "drivers/.a.o.cmd",
      "savedcmd_drivers/a.o := gcc -Wp,-MMD,drivers/.a.o.d -DK='$$(touch ran)1' -DK=1 -c -o drivers/a.o drivers/a.c ; "
      "touch ran\n\nsource_drivers/a.o := drivers/a.c\n");
  box.write("drivers/.gone.o.cmd", "savedcmd_drivers/gone.o := gcc -DK -c -o drivers/gone.o drivers/gone.c\n");
  r = run(box, {"compdb", "linux", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "compile_commands.json: 2 files")) << r.err;
  EXPECT_EQ(run(box, {"check", "--no-cache", "--strict", "-p", "."}).code, 0);
  r = run(box, {"compdb", "linux", ".", "drivers/a.o"});
  EXPECT_TRUE(contains(r.err, "compile_commands.json: 1 files")) << r.err;
  r = run(box, {"compdb", "linux", ".", "--", "LLVM=-19"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "arguments of make need --allow-build")) << r.err;
  EXPECT_FALSE(std::filesystem::exists(box.path("ran")));
}

}  // namespace
}  // namespace reckon::cli
