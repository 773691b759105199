#include <algorithm>
#include <map>
#include <set>

#include "report/html_page.h"
#include "report/html_text.h"

namespace reckon::report {

namespace {

// Strings by number, in order of first use.
class Names {
 public:
  std::size_t of(const std::string& name) {
    const auto [it, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return it->second;
  }
  std::string json() const {
    std::string out = "[";
    for (const std::string& n : names_) out += (&n == &names_.front() ? "" : ",\n") + script_string(n);
    return out + "]";
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

int status_of(const Finding& f) { return f.suppression ? 1 : f.in_baseline ? 2 : 0; }

std::string datalist(const char* id, const std::set<std::string>& values) {
  constexpr std::size_t kMost = 400;  // beyond that, typing is quicker than looking
  std::string out = "<datalist id=\"" + std::string(id) + "\">";
  std::size_t n = 0;
  for (const std::string& v : values) {
    if (++n > kMost) break;
    out += "<option value=\"" + html_escape(v) + "\"></option>";
  }
  return out + "</datalist>";
}

std::string coverage_line(const Run& run) {
  const Coverage& c = run.coverage;
  std::string out = "<a href=\"coverage.html\">" + std::to_string(c.count(Depth::Full)) +
                    " functions analysed in full, " + std::to_string(c.count(Depth::CutShort)) + " cut short, " +
                    std::to_string(c.count(Depth::NotAnalysed)) + " not analysed";
  if (!c.units_failed.empty())
    out += ", " + std::to_string(c.units_failed.size()) + (c.units_failed.size() == 1 ? " unit" : " units") + " failed";
  return out + "</a>";
}

}  // namespace

std::string html_index_page(const Run& run) {
  std::set<std::string> files, functions, checks;
  bool other_status = false;
  for (const Finding& f : run.findings) {
    files.insert(shown_path(f.loc.file, run.base));
    if (!f.function.empty()) functions.insert(f.function);
    checks.insert(f.check);
    other_status = other_status || status_of(f) != 0;
  }
  std::string body =
      "<h1 class=\"visually-hidden\">Findings</h1>\n<section class=\"summary\" aria-label=\"Filter by severity and "
      "check\">\n<div class=\"tiles\" role=\"group\" aria-label=\"Severity\">";
  for (const char* severity : {"high", "medium", "low", "note"}) {
    const bool any = std::any_of(run.findings.begin(), run.findings.end(),
                                 [&](const Finding& f) { return name_of(f.severity) == std::string_view(severity); });
    if (!any && severity == std::string_view("note")) continue;
    body += "<button class=\"tile sev-" + std::string(severity) + "\" data-severity=\"" + severity +
            "\" aria-pressed=\"false\"><b>0</b>" + severity + "</button>";
  }
  body += "</div>\n<div class=\"chips\" role=\"group\" aria-label=\"Check\">";
  for (const std::string& check : checks) {
    const CheckInfo* info = find_check(run, check);
    body += "<button class=\"chip\" data-check=\"" + html_escape(check) + "\" aria-pressed=\"false\" title=\"" +
            (info ? html_plain(info->summary) : "") + "\">" + html_escape(check) + "<b>0</b></button>";
  }
  body +=
      "</div>\n</section>\n<form class=\"filters\" role=\"search\" aria-label=\"Filter findings\" onsubmit=\"return "
      "false\">"
      "<label>Text<input id=\"text\" type=\"search\" placeholder=\"words in any column\" autocomplete=\"off\" "
      "aria-keyshortcuts=\"/\"></label>"
      "<label>File<input id=\"file\" type=\"search\" list=\"files\" autocomplete=\"off\"></label>"
      "<label>Function<input id=\"function\" type=\"search\" list=\"functions\" autocomplete=\"off\"></label>";
  if (other_status)
    body +=
        "<label>Status<select id=\"status\"><option value=\"new\">new</option><option "
        "value=\"suppressed\">suppressed</option>"
        "<option value=\"in the baseline\">in the baseline</option><option value=\"all\">all</option></select></label>";
  else
    body += "<span></span>";
  body += "<button id=\"clear\" type=\"button\" disabled>Clear</button></form>\n" + datalist("files", files) +
          datalist("functions", functions);
  body += "\n<div class=\"count\"><span id=\"count\" role=\"status\"></span>" + coverage_line(run) +
          "</div>\n<div class=\"grid\" id=\"grid\" role=\"table\" aria-label=\"Findings\">"
          "<div class=\"head\" role=\"row\">";
  const std::pair<const char*, const char*> columns[] = {{"severity", "Severity"},
                                                         {"message", "Finding"},
                                                         {"check", "Check"},
                                                         {"function", "Function"},
                                                         {"file", "Place"}};
  for (const auto& [key, title] : columns)
    body += "<div role=\"columnheader\"><button data-sort=\"" + std::string(key) + "\">" + title + "</button></div>";
  body += "</div><div class=\"rows\" id=\"rows\" role=\"rowgroup\"></div></div>\n";
  body += "<p class=\"empty\" id=\"empty\" hidden>";
  body += run.findings.empty() ? "Nothing was found. <a href=\"coverage.html\">What was looked at?</a>"
                               : "No finding matches. Press Clear to see all.";
  body +=
      "</p>\n<noscript><p>The list needs JavaScript; the pages in the folder <code>findings</code> do "
      "not.</p></noscript>";

  HtmlPage page;
  page.title =
      std::to_string(run.findings.size()) + (run.findings.size() == 1 ? " finding" : " findings") + " - Reckon";
  page.scripts = {"data/findings.js", "assets/index.js"};
  page.nav = html_nav("", "Findings");
  page.body = std::move(body);
  page.keys = {{"<kbd>/</kbd>", "search"},
               {"<kbd>j</kbd> <kbd>k</kbd> or arrows", "next, previous finding"},
               {"<kbd>Enter</kbd>", "open it"},
               {"<kbd>g</kbd> <kbd>G</kbd>", "first, last finding"},
               {"<kbd>Esc</kbd>", "leave the search field"}};
  return html_page(page, run);
}

std::string html_index_data(const Run& run) {
  Names checks, files, functions;
  std::string rows;
  for (const Finding& f : run.findings) {
    if (!rows.empty()) rows += ",\n";
    rows += "[" + std::to_string(static_cast<int>(f.severity)) + "," + std::to_string(checks.of(f.check)) + "," +
            std::to_string(files.of(shown_path(f.loc.file, run.base))) + "," + std::to_string(f.loc.line) + "," +
            std::to_string(functions.of(f.function)) + "," + script_string(f.message);
    if (const int status = status_of(f)) rows += "," + std::to_string(status);
    rows += "]";
  }
  return "window.reckonFindings = {\nchecks: " + checks.json() + ",\nfiles: " + files.json() +
         ",\nfunctions: " + functions.json() +
         ",\n// severity, check, file, line, function, message, status\nfindings: [\n" + rows + "\n]};\n";
}

}  // namespace reckon::report
