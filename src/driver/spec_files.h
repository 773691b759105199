// The specs in force: those that come with Reckon, then the user's, which win.
#pragma once

#include "driver/options.h"
#include "host/console.h"
#include "specs/spec_set.h"
#include "support/hash.h"

namespace reckon::driver {

// False: a user's spec file cannot be read or has errors; the console has said so (exit code 2).
// `fingerprint`, if given, becomes a text that differs whenever the specs do.
bool load_specs(const Options& options, host::Console& console, specs::SpecSet& set,
                std::string* fingerprint = nullptr);

// Parses one file and tells its errors as file:line:col. False if it has any or cannot be read.
bool load_spec_file(const std::string& path, host::Console& console, specs::SpecFile& file,
                    support::Hasher* hasher = nullptr);

}  // namespace reckon::driver
