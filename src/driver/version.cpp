#include "driver/version.h"

#include <fmt/core.h>

#include "analysis_id.h"
#include "capture/capture.h"
#include "capture_id.h"

#ifndef RECKON_VERSION
#define RECKON_VERSION "0.1.0"
#endif

namespace reckon::driver {

std::string version() { return RECKON_VERSION; }

std::string cache_version() { return fmt::format("{} {} {}", version(), capture::clang_version(), RECKON_CAPTURE_ID); }

std::string analysis_version() { return fmt::format("{} {}", version(), RECKON_ANALYSIS_ID); }

}  // namespace reckon::driver
