// Which Reckon this is: for people, and for the keys of the cache.
#pragma once

#include <string>

namespace reckon::driver {

std::string version();

// For --version: the program, then the specs that come with it, by a hash of what they say and where they lie.
std::string version_text();

// Changes whenever the same compiler call could give another unit: Reckon's version, Clang's, and the
// identity of the code that captures.
std::string cache_version();

// The same for what the analysis says of a unit.
std::string analysis_version();

}  // namespace reckon::driver
