#include "report/rchk.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace reckon::report {

namespace {

namespace fs = std::filesystem;

class Rchk : public testing::Test {
 protected:
  void SetUp() override {
    package_ = fs::temp_directory_path() / "reckon-rchk" / "pkg";
    fs::create_directories(package_);
    run_.base = package_.string();
    run_.version = "9";
    run_.checks = {{"r-unprotected", "unprotected", "", ""}, {"r-imbalance", "imbalance", "", ""}};
  }
  void TearDown() override { fs::remove_all(package_.parent_path()); }

  void add(const char* check, const char* function, std::uint32_t line) {
    Finding f;
    f.check = check;
    f.function = function;
    f.message = "`a` is not protected";
    f.loc = {(package_ / "src/a.c").string(), line, 1, ""};
    run_.findings.push_back(f);
  }
  std::string written() {
    std::ostringstream out;
    write_rchk(out, run_, {});
    return out.str();
  }

  fs::path package_;
  report::Run run_;
};

TEST_F(Rchk, FunctionsAreParagraphs) {
  std::ofstream(package_ / "DESCRIPTION") << "Package: pkg\nVersion: 1.0-2\n";
  add("r-unprotected", "f", 5);
  add("r-imbalance", "g", 9);
  EXPECT_EQ(written(),
            "Package pkg version 1.0-2\n"
            "Checked with reckon version 9\n"
            "\n"
            "Function f\n"
            "  [UP] `a` is not protected pkg/src/a.c:5\n"
            "\n"
            "Function g\n"
            "  [PB] has possible protection stack imbalance pkg/src/a.c:9\n"
            "\n"
            "Analyzed 0 functions\n"
            "nothing was analysed\n");
}

TEST_F(Rchk, WithoutADescriptionThereIsNoVersion) { EXPECT_TRUE(written().starts_with("Package pkg\nChecked with ")); }

}  // namespace

}  // namespace reckon::report
