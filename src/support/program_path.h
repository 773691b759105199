// Where the running program lies. What comes with it (specs, pages, Clang's headers) is looked for relative to that.
#pragma once

#include <string>

namespace reckon::support {

// The folder of the program's file, with links resolved; "" if the system does not tell. It does not matter how the
// program was called: by a path, through PATH, through a link, or in a root without /proc.
std::string program_folder();

}  // namespace reckon::support
