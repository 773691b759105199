// What people wrote beside declarations, for those who look there for who owns what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/written.h"

namespace reckon::driver {

// The comments of a declaration: behind it on its line, or right above it; and its text.
class DeclarationComments {
 public:
  program::Written at(std::string_view file, std::uint32_t line);

 private:
  static std::string comment_at(const std::vector<std::string>& lines, std::uint32_t line);
  const std::vector<std::string>& lines_of(const std::string& path);

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace reckon::driver
