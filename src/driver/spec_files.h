// The specs in force: those that come with Reckon, then the user's, which win.
#pragma once

#include "driver/options.h"
#include "host/console.h"
#include "specs/spec_set.h"
#include "support/strong_hash.h"

namespace reckon::driver {

// False: a spec file cannot be read, or something is wrong with one of them or with all together; the console has said
// so (exit code 2). Nothing may be analysed then: half a spec gives findings that nobody can believe. `fingerprint`, if
// given, becomes a text that differs whenever the specs do.
bool load_specs(const Options& options, host::Console& console, specs::SpecSet& set,
                std::string* fingerprint = nullptr);

// Those that come with Reckon. False if something is wrong with them.
bool load_own_specs(host::Console& console, specs::SpecSet& set, support::StrongHasher* hasher = nullptr);

// Tells what only all files together show: names that nobody defines.
bool check_together(const specs::SpecSet& set, host::Console& console);

// Parses one file and tells its errors as file:line:col with the line and a caret. False if it has any or cannot be
// read.
bool load_spec_file(const std::string& path, host::Console& console, specs::SpecFile& file,
                    support::StrongHasher* hasher = nullptr);

}  // namespace reckon::driver
