// Markdown as HTML, for the pages of checks.
//
// md4c reads the Markdown; what it finds is written here and not by its own writer, since code is shown with its tokens
// marked, headings below the first are all of one size, links are shown as text (the report stands alone), and HTML in
// the Markdown is text.
#pragma once

#include <string>
#include <string_view>

namespace reckon::report {

std::string html_of_markdown(std::string_view text);

}  // namespace reckon::report
