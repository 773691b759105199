// Packs: specs of libraries that come with Reckon and that most programs have no use for. Each says by a line
// `only-with HEADER` which programs are meant, so that nobody else pays for reading it.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "host/console.h"
#include "specs/spec_set.h"

namespace reckon::driver {

// Adds the packs whose headers are among those that were read, below all specs that are there: a hand-written line
// wins. False: one of them is wrong, and the console has said so. `fingerprint`, if given, is changed so that it
// differs with them.
using Headers = std::set<std::string, std::less<>>;
bool load_packs(const Headers& read, host::Console& console, specs::SpecSet& set, std::string* fingerprint = nullptr);

// All of them, for those who ask for a function by its name.
bool load_all_packs(host::Console& console, specs::SpecSet& set);

}  // namespace reckon::driver
