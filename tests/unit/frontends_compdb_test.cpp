#include "frontends/builds/compdb.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace reckon::frontends {
namespace {

using Words = std::vector<std::string>;

TEST(SplitCommand, Words) {
  EXPECT_EQ(split_command("gcc  -c\tx.c\n"), (Words{"gcc", "-c", "x.c"}));
  EXPECT_EQ(split_command(""), Words{});
  EXPECT_EQ(split_command("   "), Words{});
}

TEST(SplitCommand, Quotes) {
  EXPECT_EQ(split_command(R"(gcc -DA='a b' "x y.c")"), (Words{"gcc", "-DA=a b", "x y.c"}));
  EXPECT_EQ(split_command(R"(-DV=\"1.2\" -DW="\"q\"")"), (Words{"-DV=\"1.2\"", "-DW=\"q\""}));
  EXPECT_EQ(split_command(R"('\' "\n" '"')"), (Words{"\\", "\\n", "\""}));
  EXPECT_EQ(split_command("'' \"\""), (Words{"", ""}));
}

TEST(SplitCommand, Escapes) {
  EXPECT_EQ(split_command("a\\ b \\\\ \\'"), (Words{"a b", "\\", "'"}));
  EXPECT_EQ(split_command("a \\\n b"), (Words{"a", "b"}));
  EXPECT_EQ(split_command("\"a\\\nb\""), (Words{"ab"}));
}

TEST(SplitCommand, TakesBackQuotedWords) {
  for (const std::string word : {"plain", "two words", "it's", "$x `y` \"z\" \\", "", "''", "a\nb"})
    EXPECT_EQ(split_command("cc " + support::shell_word(word)), (Words{"cc", word}));
}

TEST(SplitCommand, UnbalancedQuoteEndsWithTheText) { EXPECT_EQ(split_command("gcc 'a b"), (Words{"gcc", "a b"})); }

TEST(CompilationDatabase, ANumberBeyondAllMeasureIsMalformed) {
  const Compdb db = parse_compdb("[66e666666333]", "/b/compile_commands.json");
  EXPECT_NE(db.error.find("/b/compile_commands.json:1:1: malformed JSON: "), std::string::npos) << db.error;
}

TEST(CompilationDatabase, ArgumentsAndCommand) {
  const Compdb db = parse_compdb(R"([
    {"directory": "/b", "file": "a.c", "arguments": ["gcc", "-c", "a.c"]},
    {"directory": "/b", "file": "/s/d e.cpp", "command": "g++ -DX='1 2' -c '/s/d e.cpp'"}
  ])",
                                 "/b/compile_commands.json");
  ASSERT_TRUE(db.ok) << db.error;
  ASSERT_EQ(db.commands.size(), 2u);
  EXPECT_EQ(db.commands[0].path, "/b/a.c");
  EXPECT_EQ(db.commands[1].path, "/s/d e.cpp");
  EXPECT_EQ(db.commands[1].arguments, (Words{"g++", "-DX=1 2", "-c", "/s/d e.cpp"}));
  EXPECT_TRUE(db.problems.empty());
}

TEST(CompilationDatabase, RelativeFoldersAreRelativeToTheFile) {
  const Compdb db = parse_compdb(R"([
    {"directory": "sub", "file": "../a.c", "command": "cc -c ../a.c"},
    {"file": "b.c", "command": "cc -c b.c"}])",
                                 "/r/compile_commands.json");
  ASSERT_EQ(db.commands.size(), 2u);
  EXPECT_EQ(db.commands[0].directory, "/r/sub");
  EXPECT_EQ(db.commands[0].path, "/r/a.c");
  EXPECT_EQ(db.commands[1].directory, "/r");
}

TEST(CompilationDatabase, SeveralEntriesForOneFile) {
  const Compdb db = parse_compdb(R"([
    {"directory": "/b", "file": "a.c", "command": "cc -O2 -c a.c -o a.o"},
    {"directory": "/b", "file": "a.c", "command": "cc -O2 -c a.c -o other.o"},
    {"directory": "/b", "file": "a.c", "command": "cc -O2 -MMD -MF x.d -c a.c -o third.o"},
    {"directory": "/b", "file": "a.c", "command": "cc -O2 -fPIC -c a.c -o a.o"}])",
                                 "/b/c.json");
  EXPECT_EQ(db.commands.size(), 2u);
  EXPECT_EQ(db.duplicates, 2u);
}

TEST(CompilationDatabase, OtherLanguagesAreCounted) {
  const Compdb db = parse_compdb(R"([
    {"directory": "/b", "file": "a.S", "command": "cc -c a.S"},
    {"directory": "/b", "file": "b.f90", "command": "gfortran -c b.f90"},
    {"directory": "/b", "file": "c.inc", "command": "cc -x c -c c.inc"},
    {"directory": "/b", "file": "d.c", "command": "cc -xassembler-with-cpp -c d.c"}])",
                                 "/b/c.json");
  ASSERT_EQ(db.commands.size(), 1u);
  EXPECT_EQ(db.commands[0].file, "c.inc");
  EXPECT_EQ(db.other_languages, 3u);
}

TEST(CompilationDatabase, BadEntriesAreNamedAndTheRestIsKept) {
  const Compdb db = parse_compdb(R"([
    {"directory": "/b", "file": "a.c"},
    {"directory": "/b", "command": "cc -c b.c"},
    "text",
    {"directory": "/b", "file": "c.c", "arguments": ["cc", 1]},
    {"directory": "/b", "file": "d.c", "command": "cc -c d.c"}])",
                                 "/b/c.json");
  ASSERT_TRUE(db.ok);
  EXPECT_EQ(db.commands.size(), 1u);
  ASSERT_EQ(db.problems.size(), 4u);
  EXPECT_EQ(db.problems[0], "/b/c.json: entry 1 (\"a.c\") has no \"command\" and no \"arguments\"; it is left out");
  EXPECT_NE(db.problems[1].find("entry 2 has no \"file\""), std::string::npos);
  EXPECT_NE(db.problems[2].find("entry 3 is not an object"), std::string::npos);
  EXPECT_NE(db.problems[3].find("entry 4"), std::string::npos);
}

TEST(CompilationDatabase, MalformedJsonHasLineAndColumn) {
  const Compdb db = parse_compdb("[\n  {\"file\": }\n]\n", "/b/c.json");
  EXPECT_FALSE(db.ok);
  EXPECT_TRUE(db.error.starts_with("/b/c.json:2:12: malformed JSON: ")) << db.error;
  EXPECT_FALSE(parse_compdb("", "/b/c.json").ok);
  EXPECT_FALSE(parse_compdb("[", "/b/c.json").ok);
  EXPECT_FALSE(parse_compdb("{}", "/b/c.json").ok);
}

TEST(CompilationDatabase, LaunchersAreDropped) {
  const Compdb db = parse_compdb(
      R"([{"directory": "/b", "file": "a.c", "command": "/usr/bin/ccache distcc gcc -c a.c"}])", "/b/c.json");
  ASSERT_EQ(db.commands.size(), 1u);
  EXPECT_EQ(db.commands[0].arguments, (Words{"gcc", "-c", "a.c"}));
}

class ResponseFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reckon-response-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::filesystem::path folder_;
};

TEST_F(ResponseFiles, AreExpandedAndMayNest) {
  write("flags", "-DA=\"x y\"\n-Wall @more");
  write("more", "-O2");
  std::string error;
  EXPECT_EQ(expand_response_files({"cc", "@flags", "a.c"}, folder_.string(), error),
            (Words{"cc", "-DA=x y", "-Wall", "-O2", "a.c"}));
  EXPECT_EQ(error, "");
}

TEST_F(ResponseFiles, MissingOneIsAnError) {
  std::string error;
  expand_response_files({"cc", "@nothing"}, folder_.string(), error);
  EXPECT_EQ(error, "the response file " + folder_.string() + "/nothing: No such file or directory");
}

TEST_F(ResponseFiles, OneThatNamesItselfIsAnError) {
  write("self", "-a @self");
  write("one", "@two");
  write("two", "@./one");
  for (const char* file : {"@self", "@one"}) {
    std::string error;
    expand_response_files({"cc", file}, folder_.string(), error);
    EXPECT_TRUE(error.ends_with("it names itself")) << error;
  }
}

TEST_F(ResponseFiles, WordsBeyondAllMeasureAreAnError) {
  // Each names the next a hundred times: 10^16 words in all.
  for (int i = 0; i < 8; ++i) {
    std::string text;
    for (int n = 0; n < 100; ++n) text += "@f" + std::to_string(i + 1) + " ";
    write("f" + std::to_string(i), text);
  }
  write("f8", "-DA");
  std::string error;
  EXPECT_TRUE(expand_response_files({"cc", "@f0"}, folder_.string(), error).empty());
  EXPECT_TRUE(error.ends_with("more than 10000 response files")) << error;
  // A thousand of a thousand words.
  std::string words, names;
  for (int n = 0; n < 1001; ++n) {
    words += "a ";
    names += "@words ";
  }
  write("words", words);
  write("names", names);
  EXPECT_TRUE(expand_response_files({"cc", "@names"}, folder_.string(), error).empty());
  EXPECT_TRUE(error.ends_with("more than 1000000 words")) << error;
}

TEST_F(ResponseFiles, AsManyWordsAsACommandMayHave) {
  std::string words;
  for (int n = 0; n < 100'000; ++n) words += "-DX" + std::to_string(n) + " ";
  write("words", words);
  std::string error;
  EXPECT_EQ(expand_response_files({"cc", "@words"}, folder_.string(), error).size(), 100'001u);
  EXPECT_EQ(error, "");
}

TEST_F(ResponseFiles, PipesAndDevicesAreErrors) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const std::string& file : {std::string("@pipe"), std::string("@/dev/zero")}) {
    std::string error;
    expand_response_files({"cc", file}, folder_.string(), error);
    EXPECT_TRUE(error.ends_with("not a regular file")) << error;
  }
}

TEST_F(ResponseFiles, AnEntryWithoutItsResponseFileIsNamed) {
  const Compdb db =
      parse_compdb(R"([{"file": "a.c", "command": "cc @gone -c a.c"}, {"file": "b.c", "command": "cc b.c"}])",
                   (folder_ / "compile_commands.json").string());
  EXPECT_EQ(db.commands.size(), 1u);
  ASSERT_EQ(db.problems.size(), 1u);
  EXPECT_NE(db.problems[0].find("/gone: No such file or directory"), std::string::npos) << db.problems[0];
}

TEST(Paths, Absolute) {
  EXPECT_EQ(absolute_path("../x/./a.c", "/b/c"), "/b/x/a.c");
  EXPECT_EQ(absolute_path("/q/a.c", "/b/c"), "/q/a.c");
  EXPECT_EQ(absolute_path(".", "/b/c"), "/b/c");
}

}  // namespace
}  // namespace reckon::frontends
