#include "report/writers.h"

#include "report/gitlab.h"
#include "report/html_page.h"
#include "report/json.h"
#include "report/sarif.h"
#include "report/text.h"

namespace reckon::report {

namespace {

constexpr Format kFormats[] = {
    {"text", "as a compiler would, for people and editors", write_text, nullptr},
    {"json", "one object a line, for scripts", write_json, nullptr},
    {"sarif", "SARIF 2.1.0, for GitHub and editors", write_sarif, nullptr},
    {"gitlab", "GitLab code quality", write_gitlab, nullptr},
    {"html", "a folder of pages to browse", nullptr, write_html, true},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace reckon::report
