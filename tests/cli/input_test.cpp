// What can be wrong with the input, and what is said about it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

constexpr const char* kGood = "int good(int x) { return x + 1; }\n";

class Input : public testing::Test {
 protected:
  Sandbox box_;
};

TEST_F(Input, VersionAndHelp) {
  EXPECT_TRUE(run(box_, {"--version"}).out.starts_with("reckon "));
  for (const std::string sub : {"check", "run", "dump", "spec", "list-checks", "explain"}) {
    const RunResult r = run(box_, {sub, "--help"});
    EXPECT_EQ(r.code, 0) << sub;
    EXPECT_TRUE(contains(r.out, "Exit codes:")) << sub;
    EXPECT_LE(std::count(r.out.begin(), r.out.end(), '\n'), 44) << sub << ": more than a screen";
  }
}

TEST_F(Input, WrongUsageIsTwo) {
  EXPECT_EQ(run(box_, std::vector<std::string>{}).code, 2);
  EXPECT_EQ(run(box_, {"nonsense"}).code, 2);
  EXPECT_EQ(run(box_, {"check", "--nonsense"}).code, 2);
  EXPECT_EQ(run(box_, {"check", "--format=nonsense", "x.c"}).code, 2);
  EXPECT_EQ(run(box_, {"check", "-j", "0", "x.c"}).code, 2);
  const RunResult nothing = run(box_, {"check"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(contains(nothing.err, "nothing to check")) << nothing.err;
  EXPECT_EQ(run(box_, {"run"}).code, 2);
}

TEST_F(Input, OneFile) {
  box_.write("a.c", kGood);
  const RunResult r = run(box_, {"check", "a.c", "--", "-O2", "-Wall"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured, 0 from the cache, 0 failed")) << r.out;
}

TEST_F(Input, SecondRunComesFromTheCache) {
  box_.write("a.c", kGood);
  ASSERT_EQ(run(box_, {"check", "a.c"}).code, 0);
  EXPECT_TRUE(contains(run(box_, {"check", "a.c"}).out, "0 captured, 1 from the cache"));
  EXPECT_TRUE(contains(run(box_, {"check", "--no-cache", "a.c"}).out, "1 captured, 0 from the cache"));
  EXPECT_TRUE(contains(run(box_, {"check", "a.c", "--", "-DX"}).out, "1 captured, 0 from the cache"));
}

TEST_F(Input, DatabaseFolderAndFile) {
  box_.write("a.c", kGood);
  box_.write("b.cpp", "struct A { int f() const { return 1; } }; int g() { return A().f(); }\n");
  box_.write_database({"a.c", "b.cpp"});
  for (const std::string p : {".", "compile_commands.json"}) {
    const RunResult r = run(box_, {"check", "--no-cache", "-p", p});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(contains(r.out, "2 units: 2 captured")) << r.out;
  }
}

TEST_F(Input, DatabaseRestrictedToFiles) {
  box_.write("a.c", kGood);
  box_.write("sub/b.c", kGood);
  box_.write("c.c", kGood);
  box_.write_database({"a.c", "sub/b.c"});
  EXPECT_TRUE(contains(run(box_, {"check", "-p", ".", "a.c"}).out, "1 unit:"));
  EXPECT_TRUE(contains(run(box_, {"check", "-p", ".", "sub"}).out, "1 unit:"));
  const RunResult r = run(box_, {"check", "-p", ".", "c.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "c.c: no entry for it in ")) << r.err;
}

TEST_F(Input, DatabaseOfAParentFolderIsUsed) {
  box_.write("src/a.c", "#ifndef NEEDED\n#error no flag\n#endif\n");
  box_.write("compile_commands.json", "[{\"directory\": \"" + box_.root().string() +
                                          "\", \"file\": \"src/a.c\", \"command\": \"gcc -DNEEDED -c src/a.c\"}]");
  const RunResult with = run(box_, {"check", "--strict", "src/a.c"});
  EXPECT_EQ(with.code, 0) << with.err;
  const RunResult without = run(box_, {"check", "--strict", "src/a.c", "--"});
  EXPECT_EQ(without.code, 3) << "flags after -- take the place of the database";
  EXPECT_TRUE(contains(without.err, "no flag"));
}

TEST_F(Input, MissingDatabase) {
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "compile_commands.json: No such file or directory")) << r.err;
}

TEST_F(Input, MalformedDatabase) {
  box_.write("compile_commands.json", "[\n  {\"directory\": \"/x\",,}\n]\n");
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "compile_commands.json:2:22: malformed JSON")) << r.err;
}

TEST_F(Input, EmptyDatabase) {
  box_.write("compile_commands.json", "[]");
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no entry for a C or C++ file")) << r.err;
}

TEST_F(Input, EntryWithoutCommand) {
  box_.write("a.c", kGood);
  box_.write("compile_commands.json", R"([{"directory": ".", "file": "b.c"},
                                          {"directory": ".", "file": "a.c", "command": "gcc -c a.c"}])");
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "entry 1 (\"b.c\") has no \"command\" and no \"arguments\"")) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: 1 captured")) << r.out;
  EXPECT_EQ(run(box_, {"check", "--strict", "-p", "."}).code, 3);
}

TEST_F(Input, FileThatDoesNotExist) {
  const RunResult r = run(box_, {"check", "nowhere.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "nowhere.c: no such file")) << r.err;
}

TEST_F(Input, EntryOfAFileThatDoesNotExist) {
  box_.write("a.c", kGood);
  box_.write_database({"nowhere.c", "a.c"});
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.err, "nowhere.c")) << r.err;
  EXPECT_TRUE(contains(r.out, "2 units: 1 captured, 0 from the cache, 1 failed\n  nowhere.c: ")) << r.out;
  EXPECT_EQ(run(box_, {"check", "--strict", "-p", "."}).code, 3);
}

TEST_F(Input, FolderInsteadOfAFile) {
  const RunResult r = run(box_, {"check", "home"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "home: is a folder")) << r.err;
}

TEST_F(Input, NotASourceFile) {
  box_.write("a.txt", kGood);
  const RunResult r = run(box_, {"check", "a.txt"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "a.txt: not a C or C++ source file")) << r.err;
  EXPECT_EQ(run(box_, {"check", "a.txt", "--", "-x", "c"}).code, 0);
}

TEST_F(Input, OtherLanguagesAreLeftOut) {
  box_.write("a.c", kGood);
  box_.write("b.S", "nonsense\n");
  box_.write_database({"a.c", "b.S"});
  const RunResult r = run(box_, {"check", "--strict", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: ")) << r.out;
  EXPECT_TRUE(contains(r.out, "neither C nor C++: 1")) << r.out;
}

TEST_F(Input, FilesGeneratedByCythonAreLeftOut) {
  box_.write("a.c", kGood);
  box_.write("b.c", std::string("/* Generated by Cython 3.0.8 */\n") + kGood);
  box_.write_database({"a.c", "b.c"});
  const RunResult r = run(box_, {"check", "--strict", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "1 unit: ")) << r.out;
  EXPECT_TRUE(contains(r.out + r.err, "1 file generated by Cython left out")) << r.out << r.err;
  // Named, it is checked.
  const RunResult named = run(box_, {"check", "--strict", "-p", ".", "b.c"});
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_TRUE(contains(named.out, "1 unit: ")) << named.out;
}

TEST_F(Input, SpacesAndUtf8InThePath) {
  const std::string name = "a folder/gr\xc3\xbc\xc3\x9f e.c";
  box_.write(name, kGood);
  EXPECT_EQ(run(box_, {"check", "--strict", name}).code, 0);
  box_.write_database({name});
  const RunResult r = run(box_, {"check", "--strict", "-p", "."});
  EXPECT_EQ(r.code, 0) << r.err;
  box_.write("compile_commands.json",
             "[{\"directory\": \".\", \"file\": \"" + name + "\", \"command\": \"gcc -c '" + name + "'\"}]");
  EXPECT_EQ(run(box_, {"check", "--strict", "-p", "."}).code, 0);
}

TEST_F(Input, SymlinkLoop) {
  ASSERT_EQ(symlink("loop.c", box_.path("loop.c").c_str()), 0);
  const RunResult r = run(box_, {"check", "loop.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "loop.c: Too many levels of symbolic links")) << r.err;
  ASSERT_EQ(symlink("compile_commands.json", box_.path("compile_commands.json").c_str()), 0);
  EXPECT_EQ(run(box_, {"check", "-p", "."}).code, 2);
}

TEST_F(Input, EntryThatIsASymlinkLoop) {
  ASSERT_EQ(symlink("loop.c", box_.path("loop.c").c_str()), 0);
  box_.write("a.c", kGood);
  box_.write_database({"loop.c", "a.c"});
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.err, "loop.c")) << r.err;
  EXPECT_TRUE(contains(r.out, "1 captured, 0 from the cache, 1 failed")) << r.out;
}

TEST_F(Input, NulInASourceFile) {
  box_.write("a.c", std::string("int f(void) { return 1; }\n\0int g(void) { return 2; }\n", 53));
  const RunResult r = run(box_, {"check", "--strict", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
}

TEST_F(Input, FiftyMegabytes) {
  std::ofstream out(box_.path("big.c"), std::ios::binary);
  const std::string line = "/* " + std::string(1000, 'x') + " */\n";
  for (int i = 0; i < 53'000; ++i) out << line;
  out << kGood;
  out.close();
  ASSERT_GT(std::filesystem::file_size(box_.path("big.c")), 50u * 1024 * 1024);
  const RunResult r = run(box_, {"check", "--strict", "big.c"});
  EXPECT_EQ(r.code, 0) << r.err;
}

TEST_F(Input, MissingHeader) {
  box_.write("a.c", "#include \"nowhere.h\"\n");
  box_.write("b.c", kGood);
  box_.write_database({"a.c", "b.c"});
  const RunResult r = run(box_, {"check", "-p", "."});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.err, "a.c:1:10: fatal error: 'nowhere.h' file not found")) << r.err;
  EXPECT_TRUE(contains(r.out, "  a.c: does not compile\n")) << r.out;
  EXPECT_EQ(run(box_, {"check", "--strict", "-p", "."}).code, 3);
}

TEST_F(Input, ErrorOfASharedHeaderIsShownOnce) {
  box_.write("bad.h", "#error once\n");
  box_.write("a.c", "#include \"bad.h\"\n");
  box_.write("b.c", "#include \"bad.h\"\n");
  box_.write_database({"a.c", "b.c"});
  const RunResult r = run(box_, {"check", "-j1", "-p", "."});
  const auto first = r.err.find("bad.h:1:2: error: once");
  ASSERT_NE(first, std::string::npos) << r.err;
  EXPECT_EQ(r.err.find("bad.h:1:2: error: once", first + 1), std::string::npos) << r.err;
  EXPECT_TRUE(contains(r.out, "2 failed")) << r.out;
}

TEST_F(Input, FlagsOfGccAreDropped) {
  box_.write("a.c", kGood);
  const RunResult r =
      run(box_, {"check", "-v", "--strict", "a.c", "--", "-fconserve-stack", "-fno-allow-store-data-races"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "dropped:") && contains(r.err, "-fconserve-stack")) << r.err;
  EXPECT_FALSE(contains(run(box_, {"check", "a.c", "--", "-fconserve-stack"}).err, "-fconserve-stack"));
}

TEST_F(Input, ResponseFile) {
  box_.write("a.c", "#ifndef NEEDED\n#error no flag\n#endif\n");
  box_.write("flags.rsp", "-DNEEDED='a b'\n");
  EXPECT_EQ(run(box_, {"check", "--strict", "a.c", "--", "@flags.rsp"}).code, 0);
}

TEST_F(Input, OtherTarget) {
  box_.write("a.c", "_Static_assert(sizeof(void *) == 4, \"\");\n");
  EXPECT_EQ(run(box_, {"check", "--strict", "a.c", "--", "--target=arm-linux-gnueabi"}).code, 0);
}

TEST_F(Input, SpecWithAnError) {
  box_.write("a.c", kGood);
  box_.write("bad.spec", "fn f(\n");
  const RunResult r = run(box_, {"check", "--specs", "bad.spec", "a.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "bad.spec:1:")) << r.err;
  EXPECT_EQ(run(box_, {"spec", "check", "bad.spec"}).code, 2);
  const RunResult missing = run(box_, {"check", "--specs", "nowhere.spec", "a.c"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "nowhere.spec: No such file")) << missing.err;
}

TEST_F(Input, SpecCheckAndShow) {
  box_.write("own.spec", "domain mine\nfn mine_get(x) -> new\n    | NULL\nfn mine_put(x) -> void x-1\n");
  EXPECT_EQ(run(box_, {"spec", "check", "own.spec"}).code, 0);
  const RunResult r = run(box_, {"spec", "show", "--specs", "own.spec", "mine_get"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(r.out.ends_with("fn mine_get(x) -> new\n    | NULL\n")) << r.out;
  EXPECT_EQ(run(box_, {"spec", "show", "no_such_function"}).code, 2);
}

TEST_F(Input, OutputThatCannotBeWritten) {
  box_.write("a.c", kGood);
  const RunResult r = run(box_, {"check", "--output", "no/such/folder.txt", "a.c"});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no/such/folder.txt: cannot be written")) << r.err;
}

}  // namespace
}  // namespace reckon::cli
