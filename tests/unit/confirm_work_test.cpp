// The folder that the program under test can write to: what it leaves there cannot lead us astray.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "confirm/confirm.h"
#include "confirm/work_files.h"
#include "host/files.h"

namespace reckon::confirm {
namespace {

namespace fs = std::filesystem;

class WorkFiles : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(work_);
    std::ofstream(outside_) << "mine";
  }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  const host::TempFolder folder_;
  const std::string work_ = folder_.path() + "/work", outside_ = folder_.path() + "/outside";
  std::string problem_;
};

TEST_F(WorkFiles, ALinkIsReplacedAndNotFollowed) {
  fs::create_symlink(outside_, work_ + "/job.json");
  EXPECT_TRUE(write_in(work_, work_ + "/job.json", "new", problem_)) << problem_;
  EXPECT_EQ(text_of(outside_), "mine");
  EXPECT_EQ(text_of(work_ + "/job.json"), "new");
  EXPECT_FALSE(fs::is_symlink(work_ + "/job.json"));
}

TEST_F(WorkFiles, AFolderThatIsALinkLeadsNowhere) {
  fs::create_directory_symlink(folder_.path(), work_ + "/src");
  EXPECT_FALSE(write_in(work_, work_ + "/src/outside", "new", problem_));
  EXPECT_NE(problem_.find("a link leads out of the copy"), std::string::npos) << problem_;
  EXPECT_EQ(text_of(outside_), "mine");
  EXPECT_FALSE(write_in(work_, work_ + "/src/made/a.c", "new", problem_));
  EXPECT_FALSE(fs::exists(folder_.path() + "/made"));
}

TEST_F(WorkFiles, FoldersAreMade) {
  EXPECT_TRUE(write_in(work_, work_ + "/tree/a/b.c", "new", problem_)) << problem_;
  EXPECT_EQ(text_of(work_ + "/tree/a/b.c"), "new");
}

TEST(ConfirmResults, LinesThatNoDriverWritesArePassedOver) {
  report::Finding finding;
  report::Confirmation result;
  report::Run run;
  Plans plans;
  plans.plans.push_back({&finding, &result, report::Harm::Grows, 0, 0, {}, ""});
  read_results(plans,
               "\nno JSON\n[1]\n3\n{}\n{\"key\":\"0\"}\n{\"key\":-1}\n{\"key\":1e300}\n{\"key\":18446744073709551615}\n"
               "{\"key\":0,\"status\":7}\n{\"key\":0,\"status\":\"confirmed\",\"seen\":[]}\n"
               "{\"key\":0,\"status\":\"confirmed\",\"assuming\":\"x\"}\n"
               "{\"key\":0,\"status\":\"confirmed\",\"assumes\":[1]}\n"
               "{\"key\":0,\"status\":\"reached\",\"seen\":\"it\"}\n",
               run);
  EXPECT_EQ(result.status, report::Confirmation::Status::Reached);
  EXPECT_EQ(result.seen, "it");
}

}  // namespace
}  // namespace reckon::confirm
