// Outcomes as bytes: for a later run, and to tell whether callers would see a difference.
#pragma once

#include <functional>
#include <string>

#include "engine/core/context.h"
#include "support/archive.h"

namespace reckon::engine {

// Says of the name of a global how it is written down, or the other way round; false: there is no such thing.
using GlobalNames = std::function<bool(std::string&)>;

void write_summary(support::Writer& out, Summary summary, const GlobalNames& names);
// Not ok() afterwards: damaged, or a global has gone.
void read_summary(support::Reader& in, Summary& summary, const GlobalNames& names);

}  // namespace reckon::engine
