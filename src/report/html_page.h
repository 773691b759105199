// What all pages of the HTML report share, and the pages themselves. Each function returns a whole page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/html_path.h"
#include "report/run.h"
#include "report/writers.h"

namespace reckon::report {

struct HtmlPage {
  std::string title;                                                // escaped
  std::string root;                                                 // "" or "../"
  std::vector<std::string_view> scripts;                            // of the assets folder, or "data/..."
  std::string nav;                                                  // inside <nav>
  std::string body;                                                 // inside <main>
  std::vector<std::pair<std::string_view, std::string_view>> keys;  // for the help dialog: markup of keys, what they do
};

std::string html_page(const HtmlPage& page, const Run& run);
// Has html_page() made this file?
bool is_html_page(const std::string& path);

// Links to the pages of the whole report; `current` is one of their names, or "".
std::string html_nav(std::string_view root, std::string_view current);

// "0042.html": its place in the run, from 0.
std::string html_finding_name(std::size_t index, std::size_t count);
std::string html_check_name(const std::string& id);

std::string html_index_page(const Run& run, std::size_t left_out);  // findings that have no page
std::string html_index_data(const Run& run);
std::string html_finding_page(const Run& run, std::size_t index, const FunctionMap& functions, HtmlSources& sources);
std::string html_coverage_page(const Run& run);
std::string html_check_page(const Run& run, const CheckInfo& check);

// The writer: a folder that opens from disk.
bool write_html(const std::string& folder, const Run& run, const WriterOptions& options, std::string& error);

}  // namespace reckon::report
