// What people wrote beside declarations, for those who look there for who owns what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::driver {

// The comments of a declaration: behind it on its line, or right above it.
class DeclarationComments {
 public:
  std::string at(std::string_view file, std::uint32_t line);

 private:
  const std::vector<std::string>& lines_of(const std::string& path);

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace reckon::driver
