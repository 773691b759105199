// Which checks the user asks for.
#pragma once

#include <string>
#include <vector>

namespace reckon::specs {
class SpecSet;
}

namespace reckon::checks {

// The ids that findings can have under these specs: DOMAIN-KIND, and DOMAIN-COUNT-leak for counts with a name.
std::vector<std::string> check_ids(const specs::SpecSet& specs);

// Do these globs, of which "-GLOB" leaves out, ask for the check `id`? None at all ask for those that need no request.
bool wanted(const std::string& id, const std::vector<std::string>& globs);

}  // namespace reckon::checks
