// A program of one file, a.c, in a domain that thing.spec describes; tests write both.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {

class OneFile : public testing::Test {
 protected:
  RunResult check(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "--no-cache", "--specs", "thing.spec"});
    options.push_back("a.c");
    return run(box_, options);
  }
  std::string file(const std::string& name) {
    std::ifstream in(box_.path(name));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  Sandbox box_;
};

}  // namespace reckon::cli
