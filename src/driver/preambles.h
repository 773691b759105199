// Files for the precompiled starts of the sources that an editor shows (capture/preamble.h): one for each, without a
// name, so that nothing is left behind however the server ends.
#pragma once

#include <list>
#include <set>
#include <string>
#include <utility>

namespace reckon::driver {

class Preambles {
 public:
  Preambles() = default;
  ~Preambles();
  Preambles(const Preambles&) = delete;
  Preambles& operator=(const Preambles&) = delete;

  // An open file; -1 if there is none for this source. Of those asked for least recently only so many are kept.
  int file_for(const std::string& source);
  void forget(const std::string& source);
  // A look that used it has failed: it is done without from now on.
  void distrust(const std::string& source);

 private:
  std::list<std::pair<std::string, int>> files_;  // the latest first
  std::set<std::string> distrusted_;
};

}  // namespace reckon::driver
