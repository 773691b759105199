// Make files read without make.
#include "frontends/r/make_variables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace reckon::frontends {
namespace {

namespace fs = std::filesystem;

class MakeVariablesTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(fs::temp_directory_path()) / ("reckon-make-" + std::to_string(getpid()));
    fs::create_directories(root_ / "src/sub");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(root_ / name) << text; }
  MakeVariables read(const std::string& text) {
    MakeVariables variables(root_.string(), (root_ / "src").string());
    variables.read_text(text, "Makevars");
    return variables;
  }
  fs::path root_;
};

TEST_F(MakeVariablesTest, Assignments) {
  MakeVariables v =
      read("A = $(B) x\nB = late\nC := $(B)\nB = later\nD ?= one\nD ?= two\nA += y\\\n  z\nE=a#comment\n");
  EXPECT_EQ(v.value("A"), "later x y z");
  EXPECT_EQ(v.value("C"), "late");
  EXPECT_EQ(v.value("D"), "one");
  EXPECT_EQ(v.value("E"), "a");
  EXPECT_EQ(v.value("F"), "");
  EXPECT_TRUE(v.unknown().empty());
}

TEST_F(MakeVariablesTest, RulesAndRecipesAreSkipped) {
  MakeVariables v = read(".PHONY: all\nall: a.o b.o\n\tX = 1\n\t+touch y\nclean: ; rm -f x\nA = 1\n\tB = 2\n");
  EXPECT_FALSE(v.defines("X"));
  EXPECT_EQ(v.value("A"), "1");
  EXPECT_EQ(v.value("B"), "2");
}

TEST_F(MakeVariablesTest, Conditions) {
  MakeVariables v = read(
      "OS = Linux\nifeq ($(OS),Windows_NT)\nA = 1\nelse ifeq \"$(OS)\" \"Linux\"\nA = 2\nelse\nA = 3\nendif\n"
      "ifdef NOTHING\nifeq (a,a)\nB = 1\nendif\nelse\nB = 2\nendif\nifneq (a, b)\nC = 1\nendif\nifndef OS\nD = "
      "1\nendif\n");
  EXPECT_EQ(v.value("A"), "2");
  EXPECT_EQ(v.value("B"), "2");
  EXPECT_EQ(v.value("C"), "1");
  EXPECT_FALSE(v.defines("D"));
}

TEST_F(MakeVariablesTest, FunctionsOfText) {
  write("src/b.c", "");
  write("src/a.c", "");
  write("src/sub/c.c", "");
  MakeVariables v = read(
      "S = $(wildcard *.c sub/*.c)\nO = $(S:.c=.o)\nP = $(patsubst %.c,x/%.o,$(S))\nF = $(filter-out sub/%,$(S))\n"
      "N = $(notdir $(S)) $(addprefix -I,a b) $(sort b a b) $(subst a,o,banana) $(basename a.b.c) ${strip   x  }\n");
  EXPECT_EQ(v.value("O"), "a.o b.o sub/c.o");
  EXPECT_EQ(v.value("P"), "x/a.o x/b.o x/sub/c.o");
  EXPECT_EQ(v.value("F"), "a.c b.c");
  EXPECT_EQ(v.value("N"), "a.c b.c c.c -Ia -Ib a b bonono a.b x");
}

TEST_F(MakeVariablesTest, WhatNeedsAProgramIsListed) {
  const std::string mark = (root_ / "RAN").string();
  MakeVariables v = read("A = x $(shell touch " + mark + ") y\nB != touch " + mark + "\nC = $(eval D = 1)\n");
  EXPECT_EQ(v.value("A"), "x  y");
  EXPECT_EQ(v.value("B"), "");
  EXPECT_EQ(v.value("C"), "");
  EXPECT_FALSE(fs::exists(mark));
  EXPECT_EQ(v.unknown(),
            (std::vector<std::string>{"B != touch " + mark, "A: $(shell touch " + mark + ")", "C: $(eval D = 1)"}));
}

TEST_F(MakeVariablesTest, IncludesStayBelowTheRoot) {
  write("src/more.mk", "A = 1\ninclude more.mk\n");
  MakeVariables v = read("include more.mk\n-include gone.mk\ninclude /etc/passwd ../../outside.mk gone.mk\n");
  EXPECT_EQ(v.value("A"), "1");
  EXPECT_EQ(v.unknown(),
            (std::vector<std::string>{
                "include more.mk: too many files in files", "include /etc/passwd: it is outside the package",
                "include ../../outside.mk: it is outside the package", "include gone.mk: No such file or directory"}));
  EXPECT_EQ(v.expand("$(wildcard /etc/pass*) $(wildcard ../../*)"), " ");
}

// A link of a stranger to / made this walk over the whole machine, and one to its own folder go round in circles.
TEST_F(MakeVariablesTest, WildcardsDoNotFollowLinks) {
  write("src/a.c", "");
  write("src/sub/b.c", "");
  fs::create_directory_symlink("/etc", root_ / "src/out");
  fs::create_directory_symlink(".", root_ / "src/round");
  MakeVariables v = read("");
  EXPECT_EQ(v.expand("$(wildcard out/*)"), "");
  EXPECT_EQ(v.expand("$(wildcard */*.c)"), "sub/b.c");
  EXPECT_EQ(v.expand("$(wildcard */*/*/*/*/*/*/*/*/*)"), "");
  EXPECT_EQ(v.expand("$(wildcard ../src/[a-b].c sub/?.c)"), "a.c sub/b.c");
}

TEST_F(MakeVariablesTest, WildcardsHaveALimit) {
  for (int i = 0; i < 3000; ++i) write("src/f" + std::to_string(i), "");
  std::string text = "A = ";
  for (int i = 0; i < 1000; ++i) text += "$(wildcard *.c)";
  MakeVariables v = read(text + "\n");
  EXPECT_EQ(v.value("A"), "");
  EXPECT_EQ(v.unknown(), (std::vector<std::string>{"A: $(wildcard *.c): too many files"}));
}

TEST_F(MakeVariablesTest, ReferencesWithoutEndEnd) {
  std::string text = "A = $(A) $(A)\nB0 = x\n";
  for (int i = 1; i < 60; ++i) {
    const std::string inner = "$(B" + std::to_string(i - 1) + ")";
    text += "B" + std::to_string(i) + " = " + inner + inner + "\n";
  }
  MakeVariables v = read(text + "C = $(" + std::string(100'000, '(') + "\n");
  (void)v.value("A");
  EXPECT_FALSE(v.unknown().empty());
  EXPECT_LT(v.value("B40").size(), std::size_t{1} << 22);
  (void)v.value("C");
}

TEST_F(MakeVariablesTest, FixedValuesStay) {
  MakeVariables v(root_.string(), (root_ / "src").string());
  v.set("HOME", "/a$(shell x)");
  v.set_expression("CXX", "$(CXX17) -std");
  v.read_text("HOME = other\nCXX = g\nCXX17 = h\n", "Makevars");
  v.set_default("CXX17", "no");
  v.set_default("NEW", "$(HOME)");
  EXPECT_EQ(v.value("HOME"), "/a$(shell x)");
  EXPECT_EQ(v.value("CXX"), "h -std");
  EXPECT_EQ(v.value("NEW"), "/a$(shell x)");
}

}  // namespace
}  // namespace reckon::frontends
