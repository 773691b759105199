// Specs as a user writes them: mistakes end the run, C++ names are found, counts of one's own have checks.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

class Specs : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("a.c",
               "struct thing;\n"
               "struct thing *thing_new(void);\n"
               "void lose(void) { thing_new(); }\n");
  }
  RunResult check(const std::string& spec, const std::string& source = "a.c", std::vector<std::string> more = {}) {
    box_.write("own.spec", spec);
    std::vector<std::string> words = {"check", "--no-cache", "--specs", "own.spec"};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(source);
    return run(box_, words);
  }
  Sandbox box_;
};

constexpr const char* kThing = "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\n";

TEST_F(Specs, AMistakeEndsTheRun) {
  EXPECT_EQ(check(kThing).code, 1);  // the leak
  const struct {
    const char* line;
    const char* message;  // with the line and the caret
  } cases[] = {
      {"fn thing_put(t) -> void steals t kepes t\n",
       "own.spec:4:34: error: expected an effect or `|`, found `kepes` (did you mean `keeps`?)\n"
       "  fn thing_put(t) -> void steals t kepes t\n"
       "                                   ^\n"},
      {"fn thing_put(t) run-code -> void t-1\n",
       "own.spec:4:17: error: expected a flag or `->`, found `run-code` (did you mean `runs-code`?)\n"
       "  fn thing_put(t) run-code -> void t-1\n"
       "                  ^\n"},
      {"slot thing_ops.get balancd\n",
       "own.spec:4:20: error: no contract is called `balancd` (did you mean `balanced`?)\n"
       "  slot thing_ops.get balancd\n"
       "                     ^\n"},
      {"alias thing_make thing_nwe\n",
       "own.spec:4:18: error: no spec of `thing_nwe`, which `thing_make` is to be a spelling of (did you mean "
       "`thing_new`?)\n"
       "  alias thing_make thing_nwe\n"
       "                   ^\n"},
      {"domain pyhton\n",
       "own.spec:4:1: error: no domain is called `pyhton` (did you mean `python`?); a domain of your own has a line "
       "that "
       "begins with `header` or `check`\n"
       "  domain pyhton\n"
       "  ^\n"},
      {"fn thing_new() -> borrowed | NULL\n", "own.spec:4:4: error: `thing_new` is already defined in line 3\n"},
      {"fn thing_get(t) -> new | borrowed t\n",
       "own.spec:4:26: error: the result is new in one alternative and borrowed in another, and nothing tells callers "
       "which\n"},
      {"fn thing_put(t) -> void steals arg1\n", "own.spec:4:32: error: unknown parameter `arg1`\n"},
      {"fun thing_put(t)\n", "found `fun` (did you mean `fn`?)\n  fun thing_put(t)\n  ^\n"},
  };
  for (const auto& c : cases) {
    const RunResult r = check(std::string(kThing) + c.line);
    EXPECT_EQ(r.code, 2) << c.line;
    EXPECT_TRUE(contains(r.err, c.message)) << c.line << r.err;
    EXPECT_EQ(r.out, "") << c.line;  // nothing was analysed
    EXPECT_EQ(run(box_, {"spec", "check", "own.spec"}).code, 2) << c.line;
  }
}

TEST_F(Specs, AllMistakesAreToldAtOnce) {
  const RunResult r = check("domain thing\nfn f(\nfn g(x) -> nwe\nfn h(x) -> new\n");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "own.spec:2:")) << r.err;
  EXPECT_TRUE(contains(r.err, "own.spec:3:")) << r.err;
  EXPECT_FALSE(contains(r.err, "own.spec:4:")) << r.err;
}

TEST_F(Specs, AnUnknownDomainOnTheCommandLine) {
  const RunResult r = check(kThing, "a.c", {"--domain", "pythn"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no spec names a domain `pythn` (did you mean `python`?)")) << r.err;
}

TEST_F(Specs, OnlyTheDomainsAskedForAreChecked) {
  EXPECT_TRUE(contains(check(kThing, "a.c", {"--domain", "thing"}).out, "[thing-leak]"));
  EXPECT_TRUE(contains(check(kThing, "a.c", {"--domain", "python,thing"}).out, "[thing-leak]"));
  const RunResult other = check(kThing, "a.c", {"--domain", "python"});
  EXPECT_EQ(other.code, 0) << other.out;
}

// A qualified name of C++ is found where there is only a declaration, and where there is a body.
TEST_F(Specs, NamesOfCxx) {
  box_.write("a.cpp",
             "struct Thing;\n"
             "namespace a {\n"
             "Thing *make();\n"
             "struct Box {\n"
             "  static void drop(Thing *t) { (void)t; }\n"
             "};\n"
             "void give_back(Thing *t) { (void)t; }\n"
             "}\n"
             "void lose() { a::make(); }\n"
             "void fine() { if (Thing *t = a::make()) a::give_back(t); }\n"
             "void fine_too() { if (Thing *t = a::make()) a::Box::drop(t); }\n");
  const RunResult r = check(
      "domain thing\ncheck leaks\nfn a::make() -> new | NULL\nfn a::give_back(t) -> void t-1\nfn a::Box::*(t) -> void "
      "t-1\n",
      "a.cpp");
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "a.cpp:9:")) << r.out;
  EXPECT_FALSE(contains(r.out, "a.cpp:10:")) << r.out;
  EXPECT_FALSE(contains(r.out, "a.cpp:11:")) << r.out;
}

// A pattern for C names does not apply to what is called alike in a namespace.
TEST_F(Specs, PatternsOfCNamesStayInC) {
  box_.write("a.cpp",
             "struct Thing;\n"
             "namespace a { Thing *thing_new(); }\n"
             "void fine() { a::thing_new(); }\n");
  const RunResult r = check("domain thing\ncheck leaks\nfn *thing_new() -> new | NULL\n", "a.cpp");
  EXPECT_FALSE(contains(r.out, "thing-leak")) << r.out;
}

TEST_F(Specs, ACountOfOnesOwnHasACheck) {
  box_.write("fuse.c",
             "struct fuse { int armed; };\n"
             "int fuse_arm(struct fuse *f);\n"
             "void fuse_disarm(struct fuse *f);\n"
             "int use(int n) {\n"
             "  struct fuse f;\n"
             "  if (fuse_arm(&f) < 0) return -1;\n"
             "  if (n) return -2;\n"
             "  fuse_disarm(&f);\n"
             "  return 0;\n"
             "}\n");
  const char* spec =
      "domain mylib\ncheck leaks\nfn fuse_arm(f) -> 0 f.fuse+1 | <0 fails\nfn fuse_disarm(f) -> void f.fuse-1\n";
  for (const char* glob : {"mylib-fuse-leak", "fuse-leak", "mylib-*"}) {
    const RunResult r = check(spec, "fuse.c", {"--checks", glob});
    EXPECT_EQ(r.code, 1) << glob << r.err;
    EXPECT_TRUE(contains(r.out, "mylib-fuse-leak")) << glob << r.out;
  }
  EXPECT_EQ(check(spec, "fuse.c", {"--checks", "-fuse-leak"}).code, 0);
  EXPECT_EQ(check(spec, "fuse.c", {"--checks", "-mylib-fuse-leak"}).code, 0);
  EXPECT_EQ(check(spec, "fuse.c", {"--checks", "mylib-fuze-leak"}).code, 2);
  for (const char* name : {"mylib-fuse-leak", "fuse-leak", "mylib-leak"})
    EXPECT_EQ(run(box_, {"explain", "--specs", "own.spec", name}).code, 0) << name;
  for (const std::string domain : {"mylib-", ""}) {
    const RunResult r = run(box_, {"explain", "--specs", "own.spec", domain + "fuze-leak"});
    EXPECT_EQ(r.code, 2) << domain;
    EXPECT_TRUE(contains(r.err, "did you mean `" + domain + "fuse-leak`?")) << r.err;
    EXPECT_EQ(r.out, "") << domain;
  }
  // Nobody knows the domain without its spec; the settings of a project may name it.
  EXPECT_EQ(run(box_, {"explain", "mylib-fuse-leak"}).code, 2);
  box_.write("reckon.toml", "specs = [\"own.spec\"]\n");
  EXPECT_EQ(run(box_, {"explain", "mylib-fuse-leak"}).code, 0);
}

// What overrides a spec of ours is in its domain. Anything else is in that of the file's name.
TEST_F(Specs, AFunctionIsInADomain) {
  box_.write("app.c", "struct thing;\nstruct thing *thing_new(void);\nvoid f(void) { thing_new(); }\n");
  box_.write("own.spec", "fn thing_new() -> new | NULL\n");
  auto said = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "--no-cache", "--specs", "own.spec"});
    options.push_back("app.c");
    const RunResult r = run(box_, options);
    return std::to_string(r.code) + (contains(r.out, "[own-leak]") ? " own-leak" : "");
  };
  EXPECT_EQ(said({}), "1 own-leak");
  EXPECT_EQ(said({"--domain=own"}), "1 own-leak");
  EXPECT_EQ(said({"--domain=python"}), "0");
  EXPECT_EQ(said({"--domain=nobody"}), "2");
  box_.write("own.spec", "fn PyList_New(n) -> new\n");
  EXPECT_EQ(run(box_, {"spec", "check", "own.spec"}).code, 0);
}

TEST_F(Specs, AnnotationsCallParametersAsTheDeclarationDoes) {
  box_.write("thing.h",
             "#define SAYS(text) __attribute__((annotate(\"reckon: \" text)))\n"
             "struct thing;\n"
             "struct thing *thing_new(void) SAYS(\"-> new | NULL\");\n"
             "void thing_drop(int why, struct thing *victim) SAYS(\"-> void victim-1\");\n");
  box_.write("b.c",
             "#include \"thing.h\"\n"
             "void good(void) {\n  struct thing *t = thing_new();\n  thing_drop(1, t);\n}\n"
             "void bad(void) {\n  struct thing *t = thing_new();\n  thing_drop(1, t);\n  thing_drop(1, t);\n}\n");
  const RunResult r = run(box_, {"check", "--no-cache", "b.c"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(contains(r.out, "b.c:9:")) << r.out;
  EXPECT_TRUE(contains(r.out + r.err, "1 finding")) << r.out << r.err;
}

TEST_F(Specs, AnAnnotationThatCannotBeReadIsTold) {
  const std::string says = "__attribute__((annotate(\"reckon: ";
  box_.write("thing.h", "struct thing;\nstruct thing *thing_new(void) " + says +
                            "-> banana\")));\nvoid thing_put(struct thing *t) " + says + "-> void nobody-1\")));\n");
  box_.write("b.c", "#include \"thing.h\"\nvoid f(void) { thing_put(thing_new()); }\n");
  box_.write("c.c", "#include \"thing.h\"\nvoid g(void) { thing_put(thing_new()); }\n");
  const RunResult r = run(box_, {"check", "--no-cache", "b.c", "c.c"});
  const std::string first = "thing.h:2:15: error: in the annotation of `thing_new`, column ";
  EXPECT_TRUE(contains(r.err, first) && contains(r.err, "`banana`")) << r.err;
  EXPECT_TRUE(contains(r.err, "thing.h:3:6: error: in the annotation of `thing_put`, column ")) << r.err;
  EXPECT_EQ(r.err.find(first), r.err.rfind(first)) << "once, whoever includes it: " << r.err;
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(run(box_, {"check", "--no-cache", "--strict", "b.c", "c.c"}).code, 3);
}

TEST_F(Specs, ALineWithOtherParametersIsTold) {
  box_.write("b.c",
             "struct thing; struct shelf;\nstruct thing *thing_new(void);\n"
             "void shelf_add(struct shelf *s, struct thing *t);\n"
             "void put(struct shelf *s) { shelf_add(s, thing_new()); }\n");
  RunResult r = check(std::string(kThing) + "fn shelf_add(t) -> void steals t\n", "b.c");
  EXPECT_TRUE(contains(r.err, "warning: own.spec:4: the spec of `shelf_add` names 1 parameter, the prototype has 2"))
      << r.err;
  r = check(std::string(kThing) + "fn shelf_add(s, t) -> void steals t\n", "b.c");
  EXPECT_FALSE(contains(r.err, "the prototype has")) << r.err;
  EXPECT_EQ(r.code, 0) << r.out << r.err;
}

TEST_F(Specs, NamesThatNoSourceHasAreTold) {
  box_.write("own.spec", std::string(kThing) + "fn thing_nwe() -> new | NULL\nfn thing_*() -> any\n");
  const RunResult r = run(box_, {"spec", "check", "own.spec", "--", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err,
                       "own.spec:4:4: note: no source here calls or defines `thing_nwe` (did you mean "
                       "`thing_new`?)\n"))
      << r.err;
  EXPECT_FALSE(contains(r.err, "`thing_new`\n")) << r.err;
  EXPECT_FALSE(contains(r.err, "own.spec:5")) << r.err;
}

TEST_F(Specs, ASourceThatIsMissingIsNamed) {
  box_.write("own.spec", kThing);
  const RunResult r = run(box_, {"spec", "check", "own.spec", "--", "thing.c"});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_TRUE(contains(r.err, "thing.c: no such file")) << r.err;
  EXPECT_EQ(run(box_, {"spec", "check", "own.spec", "--", "a.c", "-I", "nowhere"}).code, 0);
}

TEST_F(Specs, WhatIsUnknownAndMattersComesFirst) {
  box_.write("b.c",
             "struct thing;\nstruct thing *thing_new(void);\nint thing_size(struct thing *t);\n"
             "int use(void) { struct thing *t = thing_new(); return thing_size(t) + thing_size(t); }\n");
  const RunResult r = run(box_, {"spec", "unknown", "--no-cache", "b.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  const std::size_t maker = r.out.find("fn thing_new("), rest = r.out.find("Such a function needs no"),
                    asker = r.out.find("fn thing_size(");
  EXPECT_TRUE(maker < rest && rest < asker && asker != std::string::npos) << r.out;
}

TEST_F(Specs, WordsAreListed) {
  const RunResult r = run(box_, {"spec", "words"});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.out, "| `frees P` |")) << r.out;
  EXPECT_TRUE(contains(r.out, "| `gives-new` |")) << r.out;
}

}  // namespace
}  // namespace reckon::cli
