// reckon r: an R package from its sources. R itself is a stand-in: a script that tells where a small configuration is.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

constexpr const char* kHeader = R"(
typedef struct SEXPREC *SEXP;
typedef void *(*DL_FUNC)(void);
typedef struct { const char *name; DL_FUNC fun; int numArgs; } R_CallMethodDef;
typedef struct _DllInfo DllInfo;
int R_registerRoutines(DllInfo *, const void *, const R_CallMethodDef *, const void *, const void *);
SEXP Rf_lang2(SEXP, SEXP);
)";

constexpr const char* kSource = R"(
#include <Rinternals.h>
#include LINKED
SEXP C_pair(SEXP x, SEXP y) { return Rf_lang2(x, y); }
static const R_CallMethodDef calls[] = {{"pair", (DL_FUNC)&C_pair, 2}, {0, 0, 0}};
void R_init_demo(DllInfo *d) { R_registerRoutines(d, 0, calls, 0, 0); }
)";

class RPackageTest : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("rhome/etc/Makeconf",
               "CC = gcc\n.SUFFIXES: .c .o\n.c.o:\n\t$(CC) -I\"$(R_INCLUDE_DIR)\" $(PKG_CPPFLAGS) $(CLINK_CPPFLAGS) -c "
               "$< -o $@\n");
    box_.write("rhome/share/make/shlib.mk", "all: $(SHLIB)\n$(SHLIB): $(OBJECTS)\n\t$(CC) -o $@ $(OBJECTS)\n");
    box_.write("rhome/include/Rinternals.h", kHeader);
    box_.write("rhome/library/linked/include/linked.h", "\n");
    box_.write("bin/R", "#!/bin/sh\necho R_HOME=" + box_.path("rhome") + "\n");
    chmod(box_.path("bin/R").c_str(), 0755);
    box_.write("demo/DESCRIPTION", "Package: demo\nVersion: 1\nLinkingTo:\n    linked (>= 1)\n");
    box_.write("demo/NAMESPACE", "useDynLib(demo, .registration = TRUE, .fixes = \"C_\")\n");
    box_.write("demo/R/demo.R",
               "# .Call(C_pair)\npair <- function(x, y, ...)\n  .Call(C_pair, x, f(y, 2), PACKAGE = \"demo\")\n");
    box_.write("demo/src/init.c", kSource);
    box_.write("demo/src/Makevars", "PKG_CPPFLAGS = -DLINKED='<linked.h>'\n");
  }
  RunResult check(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"r", "--strict", "--no-cache", "demo"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(box_, Launch{arguments, {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}}, {}, false});
  }
  Sandbox box_;
};

TEST_F(RPackageTest, FlagsComeFromMakevarsAndHeadersFromLinkedPackages) {
  const RunResult r = check();
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out;
}

TEST_F(RPackageTest, CallsInRCodeAreCounted) {
  box_.write("demo/R/more.R", "one <- function(x) .Call(C_pair, x)\nany <- function(...) .Call(C_pair, ...)\n");
  const RunResult r = check();
  EXPECT_EQ(r.code, 1) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "R/more.R:1:1: warning: .Call passes 1 argument to \"pair\", which takes 2 [r-routine]"))
      << r.out;
  EXPECT_FALSE(contains(r.out, "demo.R")) << r.out;
  EXPECT_FALSE(contains(r.out, "more.R:2")) << r.out;
}

// A table for a library of another name is never registered, and what no script names is nobody's call.
TEST_F(RPackageTest, OnlyWhatIsRegisteredAndNamedIsCompared) {
  const std::string table =
      "#include <Rinternals.h>\nSEXP C_pair(SEXP x, SEXP y) { return Rf_lang2(x, y); }\nSEXP C_io(int *n) { return 0; "
      "}\n"
      "static const R_CallMethodDef calls[] = {{\"pair\", (DL_FUNC)&C_pair, 1},\n {\"io\", (DL_FUNC)&C_io, 1}, {0, 0, "
      "0}};\nstatic void all(DllInfo *d) { R_registerRoutines(d, 0, calls, 0, 0); }\n";
  box_.write("demo/src/init.c", table + "void R_init_demo(DllInfo *d) { all(d); }\n");
  RunResult r = check();
  EXPECT_TRUE(contains(r.out,
                       "init.c:4:43: warning: routine \"pair\": C_pair() takes 2 arguments, it is registered "
                       "with 1 [r-routine]"))
      << r.out << r.err;
  EXPECT_FALSE(contains(r.out, "\"io\"")) << r.out;
  box_.write("demo/R/io.R", "address <- getNativeSymbolInfo(\"io\", \"demo\")\n");
  EXPECT_FALSE(contains(check().out, "\"io\"")) << r.out;
  box_.write("demo/R/io.R", "call <- function(n) call_native(\"io\", n)\n");
  r = check();
  EXPECT_TRUE(contains(r.out, "routine \"io\": parameter 1 of C_io() is int *, .Call passes objects")) << r.out;
  box_.write("demo/src/init.c", table + "void R_init_other(DllInfo *d) { all(d); }\n");
  r = check();
  EXPECT_EQ(r.code, 0) << r.out << r.err;
}

// Both are in one table; the number of parameters tells which of the two a function is for.
TEST_F(RPackageTest, CallsWithContextAreTheirOwnInterface) {
  box_.write("demo/src/init.c",
             "#include <Rinternals.h>\nSEXP C_list(SEXP args) { return args; }\n"
             "SEXP C_all(SEXP call, SEXP op, SEXP args, SEXP env) { return env; }\n"
             "static const R_CallMethodDef both[] = {{\"list\", (DL_FUNC)&C_list, -1}, {\"all\", (DL_FUNC)&C_all, 2}, "
             "{0, 0, 0}};\n"
             "void R_init_demo(DllInfo *d) { R_registerRoutines(d, 0, 0, 0, both); }\n");
  box_.write("demo/R/demo.R",
             "a <- function(x) .External(C_list, x)\nb <- function(x) .External2(C_all, x, 2)\n"
             "c <- function(x) .External2(C_list, x)\nd <- function(x) .External(C_all, x, 2)\ne <- function(x) "
             ".External2(C_all, x)\n");
  const RunResult r = check();
  EXPECT_FALSE(contains(r.out, "demo.R:1:") || contains(r.out, "demo.R:2:")) << r.out << r.err;
  EXPECT_TRUE(contains(
      r.out, "R/demo.R:3:1: warning: C_list() is called by .External2, it is registered for .External [r-routine]"))
      << r.out;
  EXPECT_TRUE(contains(
      r.out, "R/demo.R:4:1: warning: C_all() is called by .External, it is registered for .External2 [r-routine]"))
      << r.out;
  EXPECT_TRUE(
      contains(r.out, "R/demo.R:5:1: warning: .External2 passes 1 argument to \"all\", which takes 2 [r-routine]"))
      << r.out;
}

// What .C() takes for an option of its own, .Call() passes on.
TEST_F(RPackageTest, OptionsOfPlainCallsAreArgumentsOfOthers) {
  box_.write(
      "demo/src/init.c",
      "#include <Rinternals.h>\nSEXP C_one(SEXP x, SEXP naok) { return x; }\nvoid C_plain(double *x) { *x = 1; }\n"
      "static const R_CallMethodDef calls[] = {{\"one\", (DL_FUNC)&C_one, 2}, {0, 0, 0}};\n"
      "static const R_CallMethodDef plain[] = {{\"plain\", (DL_FUNC)&C_plain, 1}, {0, 0, 0}};\n"
      "void R_init_demo(DllInfo *d) { R_registerRoutines(d, plain, calls, 0, 0); }\n");
  box_.write("demo/R/demo.R",
             "a <- function(x) .Call(C_one, x, NAOK = TRUE)\nb <- function(x) .C(C_plain, x, NAOK = TRUE)\n"
             "c <- function(x) .Call(C_one, x, PACKAGE = \"demo\")\n");
  const RunResult r = check();
  EXPECT_FALSE(contains(r.out, "demo.R:1:") || contains(r.out, "demo.R:2:")) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "R/demo.R:3:1: warning: .Call passes 1 argument to \"one\", which takes 2 [r-routine]"))
      << r.out;
}

// A text is looked for in the table of its own interface, and then by name: what is registered for another does not
// hurt.
TEST_F(RPackageTest, FunctionsAreFoundByTheirNames) {
  box_.write("demo/src/init.c",
             "#include <Rinternals.h>\nSEXP one(SEXP x) { return x; }\nvoid plain(double *x) { *x = 1; }\n"
             "static const R_CallMethodDef c[] = {{\"one\", (DL_FUNC)&one, 2}, {\"plain\", (DL_FUNC)&plain, 1}, {0, 0, "
             "0}};\nvoid R_init_demo(DllInfo *d) { R_registerRoutines(d, c, 0, 0, 0); }\n");
  box_.write(
      "demo/R/demo.R",
      "a <- function(x) .Call(\"one\", x)\nb <- function() .Call(\"one\")\nc <- function(x) .Call(\"one\", x, 2)\n"
      "d <- function(x) .Call(\"plain\", x)\n");
  const RunResult r = check();
  EXPECT_FALSE(contains(r.out, "demo.R:1:") || contains(r.out, "demo.R:3:") || contains(r.out, "init.c"))
      << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "R/demo.R:2:1: warning: .Call passes 0 arguments to one(), which takes 1 [r-routine]"))
      << r.out;
  EXPECT_TRUE(contains(r.out, "R/demo.R:4:1: warning: plain() is called by .Call, it is registered for .C [r-routine]"))
      << r.out;
}

TEST_F(RPackageTest, SubfoldersNamedInObjectsAreCompiled) {
  box_.write("demo/src/sub/other.c", "int other(void) { return 1; }\n");
  box_.write("demo/src/Makevars", "PKG_CPPFLAGS = -DLINKED='<linked.h>'\nOBJECTS = init.o sub/other.o\n");
  const RunResult r = check();
  EXPECT_TRUE(contains(r.out, "2 units: 2 captured")) << r.out << r.err;
}

TEST_F(RPackageTest, ConfigureRunsInACopy) {
  box_.write("demo/src/Makevars", "");
  box_.write("demo/configure", "echo \"PKG_CPPFLAGS = -DLINKED='<linked.h>'\" > src/Makevars\n");
  const RunResult r = check({"--allow-build"});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured, 0 from the cache, 0 failed")) << r.out;
  EXPECT_EQ(std::filesystem::file_size(box_.path("demo/src/Makevars")), 0u) << "the package itself stays as it was";
}

// Neither names nor what is written in Makevars runs anything.
TEST_F(RPackageTest, NothingOfThePackageRunsUnlessAllowed) {
  const std::string mark = box_.path("RAN");
  box_.write("demo/configure", "touch " + mark + "\n");
  box_.write("demo/src/Makevars", "PKG_CPPFLAGS = -DLINKED='<linked.h>' $(shell touch " + mark + ") `touch " + mark +
                                      "`\nX != touch " + mark + "\nall: $(SHLIB)\n\t+touch " + mark + "\n");
  box_.write("demo/src/$(shell touch RAN).c", "int named(void) { return 1; }\n");
  box_.write("demo/DESCRIPTION",
             "Package: $(shell touch " + mark + ")\nLinkingTo: linked, $(shell touch " + mark + ")\n");
  const RunResult r = check();
  EXPECT_EQ(r.code, 3) << "strict, and not all is known: " << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "2 units: 2 captured")) << r.out << r.err;
  EXPECT_FALSE(std::filesystem::exists(mark));
  EXPECT_FALSE(std::filesystem::exists(box_.path("demo/src/RAN")));
  EXPECT_TRUE(contains(r.out, "(--allow-build):\n")) << r.out;
  const std::vector<std::string> parts{"what configure would write", "PKG_CPPFLAGS: $(shell touch", "`touch ",
                                       "X != touch"};
  for (const std::string& part : parts) EXPECT_TRUE(contains(r.out, part)) << part << r.out;
}

TEST_F(RPackageTest, FilesThatCannotBeReadAreTold) {
  for (const std::string name : {"demo/NAMESPACE", "demo/R/pipe.R"}) {
    std::filesystem::remove(box_.path(name));
    ASSERT_EQ(mkfifo(box_.path(name).c_str(), 0600), 0);
  }
  const RunResult r = check();
  EXPECT_TRUE(contains(r.err, "NAMESPACE: not read: not a regular file")) << r.err;
  EXPECT_TRUE(contains(r.err, "pipe.R: not read: not a regular file")) << r.err;
}

// What nobody ran is part of what a run covers, in every format.
TEST_F(RPackageTest, WhatIsNotKnownStandsInTheCoverage) {
  box_.write("demo/src/Makevars", "PKG_CPPFLAGS = -DLINKED='<linked.h>' $(shell echo -DX)\n");
  const std::string what = "PKG_CPPFLAGS: $(shell echo -DX)", short_of = "1 thing about the build is not known";
  EXPECT_TRUE(contains(check().out, "not all was analysed: " + short_of + "\n"));
  EXPECT_EQ(check({"--strict"}).code, 3);
  const RunResult quiet = check({"-q"});
  EXPECT_TRUE(contains(quiet.err, short_of)) << quiet.err;
  const std::string json = check({"--format=json"}).out;
  EXPECT_EQ(json.substr(json.rfind('\n', json.size() - 2) + 1), "{\"not_known\":[\"" + what + "\"]}\n");
  const std::string sarif = check({"--format=sarif"}).out;
  EXPECT_TRUE(contains(sarif, "\"not known without --allow-build: " + what + "\"")) << sarif;
  check({"--format=html", "--output", box_.path("pages")});
  std::ifstream in(box_.path("pages/coverage.html"));
  std::ostringstream page;
  page << in.rdbuf();
  EXPECT_TRUE(contains(page.str(), "<li><code>" + what + "</code></li>")) << page.str();
  box_.write("demo/src/Makevars", "PKG_CPPFLAGS = -DLINKED='<linked.h>'\n");
  EXPECT_EQ(check({"--strict"}).code, 0);
}

// What make runs is for make; names stay names.
TEST_F(RPackageTest, NamesDoNotReachMake) {
  box_.write("demo/src/$(shell touch RAN).c", "int named(void) { return 1; }\n");
  box_.write("demo/DESCRIPTION", "Package: $(shell touch RAN)\nLinkingTo: linked\n");
  const RunResult r = check({"--allow-build"});
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "a name that make cannot take")) << r.err;
  EXPECT_FALSE(std::filesystem::exists(box_.path("demo/src/RAN")));
}

TEST_F(RPackageTest, MakevarsIsReadLikeMakeDoes) {
  box_.write("demo/src/flags.mk", "LIST = other\n");
  box_.write("demo/src/sub/other.c", "#if A != 1 || B != 2 || defined(WINDOWS)\n#error flags\n#endif\nint other;\n");
  box_.write("demo/src/Makevars",
             "# comment\nDEFS = -DA=1\nDEFS += -DB=2 # more\nPKG_CPPFLAGS = -DLINKED='<linked.h>' \\\n  $(DEFS)\n"
             "ifeq ($(OS),Windows_NT)\nPKG_CPPFLAGS += -DWINDOWS\nelse\ninclude flags.mk\nendif\n"
             "OBJECTS = init.o $(LIST:%=sub/%.o)\n");
  for (const auto& more : {std::vector<std::string>{}, {"--allow-build"}}) {
    const RunResult r = check(more);
    EXPECT_EQ(r.code, 0) << r.out << r.err;
    EXPECT_TRUE(contains(r.out, "2 units: 2 captured")) << r.out << r.err;
    EXPECT_FALSE(contains(r.err, "would be known")) << r.err;
  }
}

TEST_F(RPackageTest, OfAnArchiveOnlyFilesAndFoldersComeOut) {
  std::filesystem::create_symlink("/etc/hostname", box_.path("demo/src/link.c"));
  ASSERT_EQ(std::system(("mkfifo " + box_.path("demo/src/pipe.c") + " && tar -C " + box_.root().string() + " -czf " +
                         box_.path("host:demo_1.tar.gz") + " demo --force-local")
                            .c_str()),
            0);
  const RunResult r = run(
      box_, Launch{{"r", "host:demo_1.tar.gz"}, {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}}, {}, false});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out << r.err;
}

TEST_F(RPackageTest, AnArchiveBeyondAllMeasureIsRefused) {
  ASSERT_EQ(std::system(("cd " + box_.root().string() +
                         " && truncate -s 2G demo/src/huge && tar -czSf huge.tar.gz demo && rm demo/src/huge")
                            .c_str()),
            0);
  const RunResult r =
      run(box_, Launch{{"r", "huge.tar.gz"}, {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}}, {}, false});
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "more than 1024 MiB")) << r.err;
}

TEST_F(RPackageTest, AnArchiveOfTooManyMembersIsRefused) {
  ASSERT_EQ(std::system(("cd " + box_.root().string() +
                         " && yes demo/DESCRIPTION | head -n 100001 | tar -czf many.tar.gz --files-from=-")
                            .c_str()),
            0);
  const RunResult r =
      run(box_, Launch{{"r", "many.tar.gz"}, {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}}, {}, false});
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "more than 100000 members")) << r.err;
}

TEST_F(RPackageTest, AnArchiveIsUnpacked) {
  ASSERT_EQ(std::system(("tar -C " + box_.root().string() + " -czf " + box_.path("demo_1.tar.gz") + " demo").c_str()),
            0);
  const RunResult r =
      run(box_, Launch{{"r", "demo_1.tar.gz"}, {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}}, {}, false});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out;
}

TEST_F(RPackageTest, AnArchiveIsCapturedOnce) {
  ASSERT_EQ(std::system(("tar -C " + box_.root().string() + " -czf " + box_.path("demo_1.tar.gz") + " demo").c_str()),
            0);
  for (const char* units : {"1 unit: 1 captured", "1 unit: 0 captured, 1 from the cache"}) {
    const RunResult r = run(box_, Launch{{"r", "--cache", box_.path("kept"), "demo_1.tar.gz"},
                                         {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}},
                                         {},
                                         false});
    EXPECT_TRUE(contains(r.out, units)) << r.out << r.err;
  }
}

TEST_F(RPackageTest, NamesOfWhatMayBeAPairlistAreOfLowConfidence) {
  box_.write("demo/src/init.c",
             "#include <Rinternals.h>\nextern SEXP R_NamesSymbol;\nSEXP Rf_getAttrib(SEXP, SEXP), Rf_eval(SEXP, SEXP), "
             "Rf_allocVector(int, int);\n"
             "SEXP C_eval(SEXP x, SEXP y) {\n  SEXP v = Rf_eval(x, y);\n  Rf_allocVector(13, 1);\n  return Rf_lang2(v, "
             "y);\n}\n"
             "SEXP C_pair(SEXP x, SEXP y) {\n  SEXP n = Rf_getAttrib(x, R_NamesSymbol);\n  Rf_allocVector(13, 1);\n  "
             "return Rf_lang2(n, y);\n}\n");
  box_.write("demo/R/demo.R", "");
  const RunResult usual = check(), all = check({"--confidence", "low"});
  EXPECT_TRUE(contains(usual.out, "`v` is not protected")) << usual.out;
  EXPECT_FALSE(contains(usual.out, "`n` is not protected")) << usual.out;
  EXPECT_TRUE(contains(all.out, "`n` is not protected")) << all.out;
}

TEST_F(RPackageTest, MissingHeadersNameThePackage) {
  std::filesystem::remove(box_.path("rhome/include/Rinternals.h"));
  const RunResult r = check();
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "r-base-core")) << r.err;
}

TEST_F(RPackageTest, MissingLinkedPackageIsNamed) {
  std::filesystem::remove_all(box_.path("rhome/library/linked"));
  const RunResult r = check();
  EXPECT_TRUE(contains(r.err, "r-cran-linked")) << r.err;
}

TEST_F(RPackageTest, NoPackage) {
  box_.write("empty/x.txt", "");
  const RunResult r =
      run(box_, Launch{{"r", "empty"}, {{"PATH", box_.path("bin") + ":" + std::getenv("PATH")}}, {}, false});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no file DESCRIPTION")) << r.err;
}

}  // namespace
}  // namespace reckon::cli
