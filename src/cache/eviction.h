// Keeps the folder of the cache below a size.
#pragma once

#include <cstdint>
#include <string>

namespace reckon::cache {

// Deletes the entries that were not used for longest until `dir` is well below `limit` bytes; also temporary files
// that a killed run left. `written` is what this run added. Cheap if the last known size says that there is room.
void shrink(const std::string& dir, const std::string& temp_dir, std::uint64_t limit, std::uint64_t written,
            std::string& problem);

}  // namespace reckon::cache
