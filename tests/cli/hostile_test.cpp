// Words and files from strangers: names with control characters, a checkout with a hostile .git/config, databases of
// somebody else.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLeak =
    "struct thing;\nstruct thing *thing_new(void);\nint forget(void) {\n  struct thing *t = thing_new();\n"
    "  return t ? 0 : -1;\n}\n";

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("thing.spec", "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\n");
    box_.write("a.c", kLeak);
  }
  RunResult check(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "--no-cache", "--specs", "thing.spec"});
    return run(box_, options);
  }
  void sh(const std::string& command) {
    const std::string whole = "cd " + box_.root().string() + " && { " + command + "; } >/dev/null 2>&1";
    ASSERT_EQ(std::system(whole.c_str()), 0) << command;
  }
  static bool is_clean(const std::string& text) {
    for (const char c : text)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return false;
    return !contains(text, "\xe2\x80\xae") && !contains(text, "\xe2\x81\xa6");
  }
  Sandbox box_;
};

// A cache that others can write: whoever does not have the secret neither finds entries nor leaves any that are taken.
TEST_F(Hostile, ACacheIsSharedByThoseWhoHaveItsKey) {
  box_.write("ours.key", "0123456789abcdef0123456789abcdef");
  box_.write("theirs.key", "fedcba9876543210fedcba9876543210");
  const auto with = [&](const char* key) {
    return run(box_, {"check", "--cache", "shared", "--cache-key", key, "--specs", "thing.spec", "a.c"});
  };
  const std::string compiled = "1 captured, 0 from the cache", found = "0 captured, 1 from the cache";
  EXPECT_TRUE(contains(with("ours.key").out, compiled));
  EXPECT_TRUE(contains(with("ours.key").out, found));
  EXPECT_TRUE(contains(with("theirs.key").out, compiled));
  EXPECT_TRUE(contains(run(box_, {"check", "--cache", "shared", "--specs", "thing.spec", "a.c"}).out, compiled));
  const RunResult right = with("ours.key");
  EXPECT_EQ(right.code, 1);
  // Every entry is one of theirs, with a checksum that is right for them.
  std::vector<fs::path> of_ours, of_theirs;
  run(box_, {"check", "--cache", "forged", "--cache-key", "theirs.key", "--specs", "thing.spec", "a.c"});
  for (const auto& e : fs::recursive_directory_iterator(box_.path("forged")))
    if (e.is_regular_file() && e.path().filename() != "usage") of_theirs.push_back(e.path());
  for (const auto& e : fs::recursive_directory_iterator(box_.path("shared")))
    if (e.is_regular_file() && e.path().filename() != "usage") of_ours.push_back(e.path());
  ASSERT_FALSE(of_theirs.empty());
  for (const fs::path& place : of_ours)
    for (const fs::path& lie : of_theirs)
      if (lie.extension() == place.extension()) fs::copy_file(lie, place, fs::copy_options::overwrite_existing);
  const RunResult again = with("ours.key");
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(contains(again.out, compiled)) << again.out << again.err;
  EXPECT_EQ(again.out.substr(0, again.out.find("captured,") - 2), right.out.substr(0, right.out.find("captured,") - 2));

  box_.write("short.key", "0123456789");
  const RunResult refused = with("short.key");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "short.key: a key has at least 16 bytes")) << refused.err;
  EXPECT_EQ(with("absent.key").code, 2);
}

TEST_F(Hostile, NamesOfFilesForgeNothing) {
  for (const std::string name : {"x\nreckon: error: forged.c", "x\033]0;title\007.c", "x\rforged.c",
                                 "x\xe2\x80\xae"
                                 "c.c"}) {
    box_.write(name, kLeak);
    const RunResult r = check({name});
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(is_clean(r.out + r.err)) << r.out << r.err;
    EXPECT_FALSE(contains("\n" + r.out + "\n" + r.err, "\nreckon: error: forged")) << r.out << r.err;
    fs::remove(box_.path(name));
    const RunResult missing = check({name});
    EXPECT_EQ(missing.code, 2);
    EXPECT_TRUE(is_clean(missing.err)) << missing.err;
  }
}

TEST_F(Hostile, NamesForgeNothingInAnyFormat) {
  const std::string name =
      "x\n::error file=forged::\033[31m\x7f\xe2\x80\xae"
      "c.c";
  box_.write(name, kLeak);
  for (const std::string format : {"text", "json", "sarif", "gitlab", "github", "rchk"}) {
    const RunResult r = check({"--format", format, name});
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(contains(r.out, "forged")) << r.out;
    EXPECT_TRUE(is_clean(r.out + r.err)) << format << r.out << r.err;
    EXPECT_FALSE(contains("\n" + r.out + "\n" + r.err, "\n::error file=forged")) << format << r.out << r.err;
  }
  // What is escaped is the same name to whoever reads it.
  const RunResult r = check({"--format", "json", name});
  EXPECT_EQ(nlohmann::json::parse(r.out)["location"]["file"], box_.path(name)) << r.out;
}

TEST_F(Hostile, NamesInLineDirectivesForgeNothing) {
  box_.write("a.c", "#line 1 \"x\\nreckon: error: forged\\033[2J.c\"\n" + std::string(kLeak));
  const RunResult r = check({"a.c"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_TRUE(is_clean(r.out + r.err)) << r.out << r.err;
  EXPECT_FALSE(contains("\n" + r.out, "\nreckon: error: forged")) << r.out;
}

TEST_F(Hostile, SourceLinesDoNotTurnRound) {
  box_.write("a.c",
             "struct thing;\nstruct thing *thing_new(void);\nint forget(void) {\n  struct thing *t = thing_new();\n"
             "  return t ? 0 : -1; /* \xe2\x80\xae \xe2\x81\xa6 */\n}\n");
  const RunResult r = check({"a.c"});
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(is_clean(r.out)) << r.out;
}

TEST_F(Hostile, ErrorsOfTheCompilerAreMadePrintable) {
  box_.write("a.c", "#error \033]0;title\007 \xe2\x80\xae\n");
  const RunResult r = check({"a.c"});
  EXPECT_EQ(r.code, 3);
  EXPECT_TRUE(is_clean(r.err)) << r.err;
}

// Clang prints names of files and the strings of an error as they are.
TEST_F(Hostile, LineEndsInErrorsOfTheCompilerForgeNothing) {
  fs::create_directories(box_.path("d\nforged"));
  box_.write("d\nforged/q.h", "#error q\n");
  for (const std::string text : {"#line 3 \"x\\nforged\"\nint f(void) { return zork; }\n",
                                 "#pragma GCC error \"a\\nforged\"\n", "_Static_assert(0, \"a\\nforged\");\n",
                                 "__attribute__((unavailable(\"a\\nforged\"))) void u(void); void f(void) { u(); }\n",
                                 "void f(void) { asm(\"\" ::: \"a\\nforged\"); }\n", "#include \"q.h\"\n"}) {
    box_.write("a.c", text);
    const RunResult r = check({"a.c", "--", "-Id\nforged"});
    EXPECT_EQ(r.code, 3) << text;
    EXPECT_TRUE(contains(r.err, "\\nforged")) << r.err;
    EXPECT_FALSE(contains("\n" + r.err, "\nforged")) << r.err;
  }
  box_.write("a.c", "#error " + std::string(1'000'000, 'x') + "\n");
  EXPECT_LT(check({"a.c"}).err.size(), 20'000u);
  box_.write("compile_commands.json", R"([{"file": "a.c", "arguments": ["cc", "-c", "a.c", "-march=x\nforged"]}])");
  box_.write("a.c", kLeak);
  const RunResult r = check({"-v", "-p", "."});
  EXPECT_FALSE(contains("\n" + r.err, "\nforged")) << r.err;
}

TEST_F(Hostile, NamesOfSymbolsForgeNothing) {
  box_.write("a.c",
             "struct thing;\nstruct thing *thing_new(void);\nint count asm(\"a\\nforged\\033[2J\");\n"
             "int forget(void) asm(\"b\\nforged\\033[2J\");\n"
             "int forget(void) {\n  struct thing *t = thing_new();\n  count = 3;\n  return t ? 0 : -1;\n}\n");
  for (const std::string what : {"summary", "states", "model"}) {
    const RunResult r = check({"--dump", what, "a.c"});
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(contains(r.out, "nforged")) << r.out;  // the name is there
    EXPECT_TRUE(is_clean(r.out)) << r.out;
    EXPECT_FALSE(contains("\n" + r.out, "\nforged")) << r.out;
  }
}

TEST_F(Hostile, NamesOfSpecsAndSettingsForgeNothing) {
  for (const std::string option : {"--specs", "--config"}) {
    box_.write("x\nforged", "what is this?\n");
    const RunResult r = check({option, "x\nforged", "a.c"});
    EXPECT_EQ(r.code, 2);
    EXPECT_TRUE(contains(r.err, "x\\nforged")) << r.err;
    EXPECT_FALSE(contains("\n" + r.err, "\nforged")) << r.err;
  }
}

// Each of 200,000 errors was searched for its line from the start of the file, which took minutes.
TEST_F(Hostile, FilesOfAnotherKindAreToldInFewLines) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "w" + std::to_string(i) + " = 1\n";
  box_.write("other", text);
  for (const std::string option : {"--specs", "--config"}) {
    const RunResult r = check({option, "other", "a.c"});
    EXPECT_EQ(r.code, 2);
    EXPECT_LT(r.err.size(), 50'000u);
    EXPECT_TRUE(contains(r.err, "and 19980 more errors in this file")) << r.err;
  }
}

TEST_F(Hostile, PagesHaveAPolicyAndRows) {
  ASSERT_EQ(check({"--format=html", "--output", "report", "a.c"}).code, 1);
  for (const auto& entry : fs::recursive_directory_iterator(box_.path("report"))) {
    if (entry.path().extension() != ".html") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_TRUE(contains(text.str(), "Content-Security-Policy")) << entry.path();
    EXPECT_FALSE(contains(text.str(), " style=\"")) << entry.path();
    EXPECT_FALSE(contains(text.str(), " onsubmit=")) << entry.path();
    if (entry.path().filename() == "index.html") {
      EXPECT_TRUE(contains(text.str(), "href=\"findings/0001.html\"")) << "rows are there without a script";
      EXPECT_TRUE(contains(text.str(), ">1 finding<")) << text.str();
    }
  }
}

namespace {
// The source with one more statement in its first function.
std::string changed(std::string source) {
  source.insert(source.find('{') + 1, " ;");
  return source;
}
}  // namespace

// Each of these runs with a plain `git diff` or `git ls-files`.
TEST_F(Hostile, ChangedSinceRunsNothingOfTheCheckout) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  sh("git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm first");
  box_.write("evil.sh", "#!/bin/sh\ntouch " + box_.path("canary") + "\ncat\n");
  sh("chmod +x evil.sh");
  const std::string evil = box_.path("evil.sh");
  sh("git config core.fsmonitor " + evil);
  sh("git config core.hooksPath " + box_.root().string());
  sh("git config diff.external " + evil);
  sh("git config diff.bad.command " + evil + " && git config diff.bad.textconv " + evil);
  sh("git config filter.bad.clean " + evil + " && git config filter.bad.smudge " + evil);
  sh("git config filter.bad.process " + evil + " && git config filter.bad.required true");
  sh("git config core.pager " + evil + " && git config core.sshCommand " + evil);
  sh("git config core.alternateRefsCommand " + evil);
  box_.write(".gitattributes", "*.c diff=bad filter=bad\n");
  box_.write("a.c", changed(kLeak));
  const RunResult r = check({"--changed-since", "HEAD", "a.c"});
  EXPECT_EQ(r.code, 1) << r.out << r.err;
  EXPECT_FALSE(fs::exists(box_.path("canary"))) << "something of .git/config was run";
}

TEST_F(Hostile, AFilterThatCannotBeSwitchedOffIsNotRun) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  sh("git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm first");
  sh("git config 'filter.a=b.clean' 'touch " + box_.path("canary") + "; cat'");
  box_.write(".gitattributes", "*.c filter=a=b\n");
  box_.write("a.c", changed(kLeak));
  const RunResult r = check({"--changed-since", "HEAD", "a.c"});
  EXPECT_FALSE(fs::exists(box_.path("canary"))) << "something of .git/config was run";
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "a filter that cannot be switched off: filter.a=b.clean")) << r.err;
}

TEST_F(Hostile, ChangedSinceInACheckoutOfAnotherOwner) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  sh("git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm first");
  sh("chown -R 65533 .");
  box_.write("a.c", changed(kLeak));
  const RunResult r = check({"--changed-since", "HEAD", "a.c"});
  EXPECT_EQ(r.code, 1) << r.out << r.err;
}

TEST_F(Hostile, NothingChangedIsTold) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  sh("git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm first");
  const RunResult r = check({"--changed-since", "HEAD", "a.c"});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_TRUE(contains(r.err, "no function is affected by a change since HEAD")) << r.err;
}

class ParentSettings : public Hostile {
 protected:
  void SetUp() override {
    Hostile::SetUp();
    box_.write("above/reckon.toml", "exclude = [\"**\"]\n");
    box_.write("above/project/a.c", kLeak);
  }
  // Are the settings above the project used, by which nothing is reported?
  bool are_used() {
    const RunResult r = shell(box_, "cd above/project && \"$RECKON\" check --no-cache --specs ../../thing.spec a.c");
    EXPECT_TRUE(r.code == 0 || r.code == 1) << r.err;
    warned_ = contains(r.err, "above/reckon.toml: belongs to somebody else");
    return r.code == 0;
  }
  bool warned_ = false;
};

TEST_F(ParentSettings, AreUsed) { EXPECT_TRUE(are_used()); }

TEST_F(ParentSettings, OutsideTheProjectAreNotUsed) {
  fs::create_directory(box_.path("above/project/.git"));
  EXPECT_FALSE(are_used());
}

TEST_F(ParentSettings, OfAnotherOwnerAreNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(chown(box_.path("above/reckon.toml").c_str(), 65533, 65533), 0);
  EXPECT_FALSE(are_used());
  EXPECT_TRUE(warned_);
}

TEST_F(ParentSettings, InAFolderThatEverybodyMayWriteAreNotUsed) {
  fs::permissions(box_.path("above"), fs::perms::all);
  EXPECT_FALSE(are_used());
}

class ParentDatabase : public Hostile {
 protected:
  void SetUp() override {
    box_.write("project/src/a.c", "#ifndef NEEDED\n#error no flag\n#endif\n");
    box_.write("compile_commands.json", R"([{"directory": ")" + box_.path("project/src") +
                                            R"(", "file": "a.c", "command": "gcc -DNEEDED -c a.c"}])");
  }
  bool is_used() {
    const RunResult r = run(box_, {"check", "--no-cache", "project/src/a.c"});
    EXPECT_EQ(contains(r.err, "using the flags in " + box_.path("compile_commands.json")), r.code == 0) << r.err;
    return r.code == 0;
  }
};

TEST_F(ParentDatabase, IsUsedAndTold) { EXPECT_TRUE(is_used()); }

TEST_F(ParentDatabase, OutsideTheProjectIsNotUsed) {
  fs::create_directory(box_.path("project/.git"));
  EXPECT_FALSE(is_used());
}

TEST_F(ParentDatabase, OfAnotherOwnerIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(chown(box_.path("compile_commands.json").c_str(), 65533, 65533), 0);
  EXPECT_FALSE(is_used());
}

TEST_F(ParentDatabase, InAFolderThatEverybodyMayWriteIsNotUsed) {
  fs::permissions(box_.root(), fs::perms(0777));
  EXPECT_FALSE(is_used());
}

}  // namespace
}  // namespace reckon::cli
