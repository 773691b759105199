#include "report/writers.h"

#include "report/github.h"
#include "report/gitlab.h"
#include "report/html_page.h"
#include "report/json.h"
#include "report/rchk.h"
#include "report/sarif.h"
#include "report/text.h"

namespace reckon::report {

namespace {

constexpr Format kFormats[] = {
    {.name = "text",
     .summary = "as a compiler would, for people and editors",
     .to_stream = write_text,
     .has_summary = true},
    {.name = "json", .summary = "one object a line, for scripts", .to_stream = write_json},
    {.name = "sarif", .summary = "SARIF 2.1.0, for GitHub and editors", .to_stream = write_sarif},
    {.name = "github", .summary = "annotations of a GitHub job", .to_stream = write_github, .capped = true},
    {.name = "gitlab", .summary = "GitLab code quality", .to_stream = write_gitlab},
    {.name = "rchk", .summary = "as CRAN publishes rchk's findings", .to_stream = write_rchk},
    {.name = "html", .summary = "a folder of pages to browse", .to_folder = write_html, .collections = true},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace reckon::report
