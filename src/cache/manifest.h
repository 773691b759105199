// What a request led to, and what has to be unchanged for that to be so again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/strong_hash.h"

namespace reckon::cache {

struct Manifest {
  // All files the unit read. Most often these are the unit's own headers in the same order; then they are not written
  // here, too, and whoever decodes asks the unit.
  std::vector<std::string> files;
  bool files_in_unit = false;
  support::StrongHash states;    // of sizes and times of all, see FileStates
  support::StrongHash contents;  // of the contents of all
  std::int64_t seen = 0;         // states were taken then or later
  std::string content_key;

  std::string encode() const;  // paths by what they do not share with the one before
  bool decode(std::string_view bytes);
};

}  // namespace reckon::cache
