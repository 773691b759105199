// Where a run keeps what it has found out, and the secret of those who share that folder.
#pragma once

#include <string>

#include "cache/cache.h"
#include "driver/options.h"

namespace reckon::driver {

// The secret is made of the whole file, which has at least 16 bytes. "": it was read; else why not.
std::string read_cache_key(const std::string& path, support::Secret& secret);

// Without a folder: no cache is wanted, or there is no place for one.
cache::Place cache_place(const CaptureOptions& options);

}  // namespace reckon::driver
