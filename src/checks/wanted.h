// Which checks the user asks for.
#pragma once

#include <string>
#include <vector>

namespace reckon::checks {

// Do these globs, of which "-GLOB" leaves out, ask for the check `id`? None at all ask for those that need no request.
bool wanted(const std::string& id, const std::vector<std::string>& globs);

}  // namespace reckon::checks
