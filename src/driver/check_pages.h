// The pages of docs/checks/, by the name of a check.
#pragma once

#include <string>
#include <string_view>

namespace reckon::driver {

// A finding's check is named DOMAIN-KIND ("python-leak"). A page describes the kind, or one domain's variant of it
// if there is a page of that name. Markdown; "" if there is no page.
std::string check_page(std::string_view check);

}  // namespace reckon::driver
