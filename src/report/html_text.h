// Text made fit for HTML: escaped, always valid UTF-8, and with nothing in it that hides itself.
#pragma once

#include <string>
#include <string_view>

namespace reckon::report {

// Escaped for content and attributes. Bytes that are not UTF-8 are taken as Latin-1; control characters and
// characters that change the direction of text become visible.
std::string html_escape(std::string_view text);

// A message: escaped, and what stands in backquotes as <code>.
std::string html_message(std::string_view text);

// The same text without markup, for titles: backquotes are dropped.
std::string html_plain(std::string_view text);

// A JSON string literal, quotes included, that may stand inside a <script> element.
std::string script_string(std::string_view text);

}  // namespace reckon::report
