// What a package runs ends in time and, where bubblewrap works, sees and changes little.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "frontends/r/r_sandbox.h"
#include "host/process.h"

namespace reckon::frontends {
namespace {

namespace fs = std::filesystem;

class RSandbox : public testing::Test {
 protected:
  RSandbox() {
    std::string name = (fs::temp_directory_path() / "reckon-sandbox-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_directories(folder_ / "package");
    std::ofstream(folder_ / "secret") << "token\n";
  }
  ~RSandbox() override { fs::remove_all(folder_); }

  host::ProcessResult shell(const std::string& script, bool sandbox, unsigned seconds = 60) const {
    ConfinedProgram program;
    program.command = {"sh", "-c", script};
    program.directory = program.writable = (folder_ / "package").string();
    program.seconds = seconds;
    return host::run_process({confined(program, sandbox), program.directory});
  }
  fs::path folder_;
};

TEST_F(RSandbox, WhatDoesNotEndIsEnded) {
  for (const bool sandbox : {false, true}) {
    if (sandbox && !have_sandbox()) continue;
    const host::ProcessResult r = shell("trap '' TERM; while :; do sleep 600; done", sandbox, 1);
    ASSERT_EQ(r.error, "");
    EXPECT_NE(r.status, 0) << sandbox;
  }
}

TEST_F(RSandbox, TokensOfTheEnvironmentStayOutside) {
  ASSERT_EQ(setenv("RECKON_TEST_TOKEN", "secret", 1), 0);
  for (const bool sandbox : {false, true}) {
    if (sandbox && !have_sandbox()) continue;
    const host::ProcessResult r = shell("env; echo end", sandbox);
    EXPECT_EQ(r.output.find("RECKON_TEST_TOKEN"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("end\n"), std::string::npos) << r.output;
  }
  unsetenv("RECKON_TEST_TOKEN");
}

TEST_F(RSandbox, OnlyThePackageIsWritableAndNothingElseOfTheUserIsSeen) {
  if (!have_sandbox()) GTEST_SKIP() << "bubblewrap does not work here";
  const std::string outside = (folder_ / "outside").string(), secret = (folder_ / "secret").string();
  const host::ProcessResult r =
      shell("echo inside > here; echo x > '" + outside + "'; echo x > /usr/reckon-was-here; cat '" + secret +
                "' \"$HOME/.netrc\"; ls /proc/net/dev && wc -l < /proc/net/dev",
            true);
  EXPECT_TRUE(fs::exists(folder_ / "package" / "here"));
  EXPECT_FALSE(fs::exists(outside));
  EXPECT_FALSE(fs::exists("/usr/reckon-was-here"));
  EXPECT_EQ(r.output.find("token"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("\n3\n"), std::string::npos) << "two lines of heading and the loopback: " << r.output;
}

}  // namespace
}  // namespace reckon::frontends
