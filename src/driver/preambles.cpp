#include "driver/preambles.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

namespace reckon::driver {

namespace {

constexpr std::size_t kMost = 8;  // one for headers of C++ has tens of megabytes

int nameless_file() {
  const char* folder = getenv("TMPDIR");
  std::string name = std::string(folder && *folder ? folder : "/tmp") + "/reckon-preamble-XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

}  // namespace

Preambles::~Preambles() {
  for (const auto& [source, fd] : files_) close(fd);
}

int Preambles::file_for(const std::string& source) {
  if (distrusted_.contains(source)) return -1;
  const auto known = std::find_if(files_.begin(), files_.end(), [&](const auto& f) { return f.first == source; });
  if (known != files_.end()) {
    files_.splice(files_.begin(), files_, known);
    return known->second;
  }
  const int fd = nameless_file();
  if (fd < 0) return -1;
  files_.emplace_front(source, fd);
  if (files_.size() > kMost) forget(std::string(files_.back().first));
  return fd;
}

void Preambles::forget(const std::string& source) {
  std::erase_if(files_, [&](const auto& f) {
    if (f.first != source) return false;
    close(f.second);
    return true;
  });
}

void Preambles::distrust(const std::string& source) {
  forget(source);
  distrusted_.insert(source);
}

}  // namespace reckon::driver
