// The style sheet and scripts of the HTML report: files of share/html, embedded when the program is built.
#pragma once

#include <span>
#include <string_view>

namespace reckon::report {

struct HtmlAsset {
  std::string_view name;  // "report.css"
  std::string_view text;
};

std::span<const HtmlAsset> html_assets();

}  // namespace reckon::report
