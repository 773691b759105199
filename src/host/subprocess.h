// Running a program for its output.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace reckon::host {

// What the program writes to stdout. nullopt: it could not be started or failed, and `error` says why, in its own words
// if it had any.
std::optional<std::string> output_of(const std::vector<std::string>& command, std::string& error);

}  // namespace reckon::host
