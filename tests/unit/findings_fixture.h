// Runs the whole analysis over small sources and a spec of the test's own: C in, summaries and findings out.
//
// Tests of properties use this rather than the engine's classes, so they say what must be found and not how.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "analysis/analyse.h"
#include "capture/capture.h"
#include "program/named_calls.h"
#include "program/program.h"
#include "specs/parser.h"
#include "specs/spec_set.h"

namespace reckon::analysis_test {

class AnalysisTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
              (std::string("reckon-") + info->test_suite_name() + "-" + info->name() + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The spec that describes the functions of `prelude`, which every source begins with. The spec's first line names
  // the domain `d`.
  void describe(std::string_view spec, std::string prelude) {
    std::vector<specs::SpecError> errors;
    specs_.add(specs::parse_spec("test.spec", "domain d\n" + std::string(spec), errors));
    for (const specs::SpecError& e : errors) ADD_FAILURE() << "spec, line " << e.loc.line << ": " << e.message;
    prelude_ = std::move(prelude);
  }

  std::shared_ptr<const model::Unit> unit(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name) << prelude_ << "\n#line 1\n" << text;
    capture::Result result = capture::capture_unit({folder_.string(), name, {"cc", "-c", name}, {}});
    EXPECT_TRUE(result.ok) << result.errors;
    return std::make_shared<const model::Unit>(std::move(result.unit));
  }

  // Analyses the sources as one program.
  analysis::Analysis analyse(const std::vector<std::string>& sources, analysis::Options options = {}) {
    std::vector<std::shared_ptr<const model::Unit>> units;
    for (std::size_t i = 0; i < sources.size(); ++i) units.push_back(unit("u" + std::to_string(i) + ".c", sources[i]));
    return analyse(program::Program::link(program::with_named_calls(units, specs_)), std::move(options));
  }
  analysis::Analysis analyse(const program::Program& program, analysis::Options options = {}) {
    options.domains = {"d"};
    options.dump = "summary";
    analysis::Analysis result = analysis::analyse(program, specs_, options);
    summaries_.clear();
    std::istringstream lines(result.dump_text);
    std::string function;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  "))
        summaries_[function].push_back(line.substr(2));
      else
        summaries_[function = line.substr(0, line.find("  "))].clear();
    }
    return result;
  }

  // "kind:line" of each finding of one source, in order: "leak:3".
  std::vector<std::string> found(const std::string& source, analysis::Options options = {}) {
    std::vector<std::string> out;
    for (const report::Finding& f : analyse({source}, std::move(options)).findings)
      out.push_back(f.check.substr(2) + ":" + std::to_string(f.loc.line));
    return out;
  }

  // The outcomes of a function, as the last analysis computed them, in the spec language.
  std::vector<std::string> outcomes(const std::string& function) {
    EXPECT_TRUE(summaries_.contains(function)) << function;
    return summaries_[function];
  }

  using Lines = std::vector<std::string>;
  specs::SpecSet specs_;
  std::string prelude_;
  std::filesystem::path folder_;
  std::map<std::string, Lines> summaries_;
};

}  // namespace reckon::analysis_test
