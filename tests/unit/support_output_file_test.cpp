// Files that appear whole or not at all.
#include "support/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace reckon::support {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("reckon-output-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    folder_ = fs::canonical(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  std::string error_;
};

TEST_F(OutputFile, ReplacesAndKeepsTheMode) {
  std::ofstream(path("a")) << "old";
  chmod(path("a").c_str(), 0600);
  EXPECT_TRUE(write_output(path("a"), "new", error_)) << error_;
  EXPECT_EQ(text(path("a")), "new");
  struct stat info{};
  ASSERT_EQ(stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, SaysWhyNot) {
  EXPECT_FALSE(write_output(path("no/such/folder"), "x", error_));
  EXPECT_EQ(error_, path("no/such/folder") + ": cannot be written: No such file or directory");
  EXPECT_FALSE(write_output(folder_.string(), "x", error_));
  EXPECT_EQ(error_, folder_.string() + ": cannot be written: Is a directory");
  EXPECT_FALSE(write_output("", "x", error_));
  EXPECT_FALSE(write_output("/dev/full", "x", error_));
  EXPECT_EQ(error_, "/dev/full: cannot be written: No space left on device");
}

TEST_F(OutputFile, FilesOfAFolderAppearTogether) {
  std::string problem;
  {
    OutputFolder out;
    ASSERT_TRUE(out.open(path("report"), problem)) << problem;
    ASSERT_TRUE(out.write("index.html", "1", problem)) << problem;
    ASSERT_TRUE(out.write("pages/1.html", "2", problem)) << problem;
    EXPECT_FALSE(fs::exists(path("report/index.html"))) << "not before all is there";
    ASSERT_TRUE(out.publish(problem)) << problem;
  }
  EXPECT_EQ(text(path("report/index.html")), "1");
  EXPECT_EQ(text(path("report/pages/1.html")), "2");
  {
    OutputFolder out;
    ASSERT_TRUE(out.open(path("report"), problem)) << problem;
    ASSERT_TRUE(out.write("index.html", "other", problem)) << problem;
  }  // given up
  EXPECT_EQ(text(path("report/index.html")), "1");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("report")), fs::directory_iterator()), 2);
}

TEST_F(OutputFile, AFolderWithALinkInsideIsRefused) {
  fs::create_directories(path("report"));
  fs::create_directory_symlink("/tmp", path("report/pages"));
  OutputFolder out;
  ASSERT_TRUE(out.open(path("report"), error_)) << error_;
  EXPECT_FALSE(out.write("pages/1.html", "x", error_));
  EXPECT_NE(error_.find("is a link"), std::string::npos) << error_;
}

}  // namespace
}  // namespace reckon::support
