#include "frontends/linux/kbuild.h"

#include <gtest/gtest.h>

namespace reckon::frontends {
namespace {

TEST(Kbuild, TakesTheCompilerCallsOfADryRun) {
  const std::string text =
      "make: Entering directory '/tree'\n"
      "echo '  CC      a/one.o'; clang-19 -Wp,-MMD,a/.one.o.d -Iinclude -DX='\"a b\"' -c -o a/one.o a/one.c ; "
      "./tools/check a/one.o\n"
      "printf '%s\\n' 'savedcmd_a/one.o := clang-19 -Iinclude -c -o a/one.o a/one.c' > a/.one.o.cmd\n"
      "clang-19 -Iinclude \\\n  -c -o a/two.o a/two.c\n"
      "make[1]: Entering directory '/tree/sub'\n"
      "gcc -O2 -c -o three.o three.c\n"
      "make[1]: Leaving directory '/tree/sub'\n"
      "ld -r -o a/built-in.o a/one.o a/two.o\n";
  const std::vector<Command> commands = commands_of_dry_run(text, "/elsewhere");
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].path, "/tree/a/one.c");
  EXPECT_EQ(commands[0].arguments,
            (std::vector<std::string>{"clang-19", "-Iinclude", "-DX=\"a b\"", "-c", "-o", "a/one.o", "a/one.c"}));
  EXPECT_EQ(commands[1].path, "/tree/a/two.c");
  EXPECT_EQ(commands[2].path, "/tree/sub/three.c");
}

TEST(Kbuild, ReadsTheNoteBesideAnObject) {
  const auto command = command_of_note(
      "savedcmd_a/one.o := clang-19 -Wp,-MMD,a/.one.o.d -DX='\"a $(pound)b $$c\"' -c -o a/one.o a/one.c ; "
      "./tools/check "
      "a/one.o\n\nsource_a/one.o := a/one.c\n\ndeps_a/one.o := \\\n",
      "/tree");
  ASSERT_TRUE(command);
  EXPECT_EQ(command->path, "/tree/a/one.c");
  EXPECT_EQ(command->directory, "/tree");
  EXPECT_EQ(command->arguments,
            (std::vector<std::string>{"clang-19", "-DX=\"a #b $c\"", "-c", "-o", "a/one.o", "a/one.c"}));
  EXPECT_TRUE(command_of_note("cmd_a/two.o := gcc -c -o a/two.o a/two.c", "/tree"));
  for (const char* other : {"cmd_a/b.o := ld -r -o a/b.o a/one.o", "cmd_a/s.o := gcc -c -o a/s.o a/s.S",
                            "a/one.o: gcc -c x.c", "cmd_a/one.o = gcc -c -o a/one.o a/one.c", ""})
    EXPECT_FALSE(command_of_note(other, "/tree")) << other;
}

TEST(Kbuild, SplitsShellLinesOutsideQuotes) {
  const std::vector<std::string_view> parts = simple_commands("a 'x;y' && b \"p|q\"; c");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0], "a 'x;y' ");
  EXPECT_EQ(parts[2], " c");
}

}  // namespace
}  // namespace reckon::frontends
