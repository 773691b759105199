// Files of the folder that the program under test can write to.
//
// Whoever runs in the sandbox may leave links and pipes there in place of files and folders. Reckon itself is outside
// the sandbox, so it neither writes nor reads through them.
#pragma once

#include <string>
#include <string_view>

namespace reckon::confirm {

// Writes a new file in place of whatever has that name. `path` lies below `folder`, both absolute; folders in between
// are made. False: `problem` says why.
bool write_in(const std::string& folder, const std::string& path, std::string_view text, std::string& problem);

}  // namespace reckon::confirm
