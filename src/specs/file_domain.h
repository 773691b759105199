// The domain of a spec file that names none.
#pragma once

#include <string>
#include <string_view>

namespace reckon::specs {

// The file's name without its ending; "": it has no letter.
std::string domain_named_after(std::string_view path);

}  // namespace reckon::specs
