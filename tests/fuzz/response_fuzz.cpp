// Command lines and response files. The input is the content of the file `f`, which can name itself and the file `g`.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness.h"
#include "support/command_words.h"

namespace {

// Files of this process, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "reckon-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    std::ofstream(path_ + "/g") << "-DG=1 -I 'a b'\n";
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  static const Folder folder;
  const std::string_view text = fuzz::text_of(data, size);
  (void)support::split_command(text);
  std::ofstream(folder.path() + "/f", std::ios::binary) << text;
  std::string error;
  const std::vector<std::string> words = support::expand_response_files({"cc", "@f", "a.c"}, folder.path(), error);
  fuzz::require(error.empty() ? words.size() >= 2 : words.empty(), "either words or an error");
  fuzz::require(words.size() <= 1'000'100, "the number of words is bounded");
  return 0;
}
