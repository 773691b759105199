// Small C programs over a counted API, captured, linked and put beside its specs: what tests of analysis/ start from.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "analysis/context.h"
#include "capture/capture.h"
#include "program/named_calls.h"
#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::analysis {

class AnalysisProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) /
        (std::string("reckon-") + info->test_suite_name() + "-" + info->name() + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("thing.h", R"(
struct thing { long refs; };
struct box { struct thing *kept; };
struct slots { void (*end)(struct thing *); };
struct thing *thing_new(void);
void thing_put(struct thing *t);
int thing_use(struct thing *t);
)");
    std::vector<specs::SpecError> errors;
    specs_.add(specs::parse_spec("thing.spec", R"(domain thing
header thing.h
failure null
check leaks pairs
counted thing refs
fn thing_new()    -> new | NULL fails
fn thing_put(t!)  -> void t-1
fn thing_use(t!)  -> 0 | -1 fails
)",
                                 errors));
    for (const specs::SpecError& error : errors) ADD_FAILURE() << error.loc.line << ": " << error.message;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  // One unit, with the header above included.
  program::Program link(std::string_view text) {
    write("unit.c", "#include \"thing.h\"\n" + std::string(text));
    capture::Result result =
        capture::capture_unit({folder_.string(), "unit.c", {"cc", "-c", "-I", folder_.string(), "unit.c"}, {}});
    EXPECT_TRUE(result.ok) << result.errors;
    return program::Program::link(
        program::with_named_calls({std::make_shared<const model::Unit>(std::move(result.unit))}, specs_));
  }

  static FuncId find(const program::Program& p, std::string_view name) {
    for (FuncId f{}; f < p.num_functions(); ++f)
      if (p.name(f) == name) return f;
    ADD_FAILURE() << "no function " << name;
    return {};
  }

  std::filesystem::path folder_;
  specs::SpecSet specs_;
};

}  // namespace reckon::analysis
