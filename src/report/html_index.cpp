#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "report/html_page.h"
#include "report/html_text.h"
#include "report/occasion.h"

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

int status_of(const Run& run, const Finding& f) {
  return f.suppression ? 1 : f.in_baseline ? 2 : is_repaired(run, f) ? 3 : 0;
}

bool is_confirmed(const Run& run, const Finding& f) {
  const Confirmation* c = confirmation_of(run, f);
  return c && c->status == Confirmation::Status::Confirmed;
}

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

constexpr const char* kStatus[] = {"", " (suppressed)", " (known before)", " (repaired)"};

// The list as it is without a script: new findings first, the most severe of them before the others.
std::string rows_of(const Run& run) {
  std::vector<std::size_t> order(run.findings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Finding &x = run.findings[a], &y = run.findings[b];
    const bool x_new = status_of(run, x) == 0, y_new = status_of(run, y) == 0;
    return x_new != y_new ? x_new : x.severity > y.severity;
  });
  std::string out;
  for (const std::size_t i : order) {
    const Finding& f = run.findings[i];
    const std::string severity = name_of(f.severity);
    const std::string place = html_escape(shown_path(f.loc.file, run.base)) + ":" + std::to_string(f.loc.line);
    out += "<div class=\"row\" role=\"row\"><div role=\"cell\"><span class=\"sev sev-" + severity + "\">" + severity +
           "</span></div><div role=\"cell\"><a class=\"what\" href=\"findings/" +
           html_finding_name(i, run.findings.size()) + "\">" + html_message(f.message) + kStatus[status_of(run, f)] +
           (is_confirmed(run, f) ? " (shown by running)" : "") + "</a></div><div role=\"cell\" class=\"clip\">" +
           html_escape(f.check) + "</div><div role=\"cell\" class=\"clip mono\">" + html_escape(f.function) +
           "</div><div role=\"cell\" class=\"clip mono place\"><bdi>" + place + "</bdi></div></div>\n";
  }
  return out;
}

std::string counted(std::size_t n) { return std::to_string(n) + (n == 1 ? " finding" : " findings"); }

}  // namespace

std::string html_index_page(const Run& run, std::size_t left_out) {
  std::set<std::string> files, functions, checks;
  bool other_status = false;
  for (const Finding& f : run.findings) {
    files.insert(shown_path(f.loc.file, run.base));
    if (!f.function.empty()) functions.insert(f.function);
    checks.insert(f.check);
    other_status = other_status || status_of(run, f) != 0;
  }
  std::string body =
      "<h1 class=\"visually-hidden\">Findings</h1>\n<section class=\"summary\" aria-label=\"Filter by severity and "
      "check\">\n<div class=\"tiles\" role=\"group\" aria-label=\"Severity\">";
  for (const char* severity : {"high", "medium", "low", "note"}) {
    const auto is_it = [&](const Finding& f) { return name_of(f.severity) == std::string_view(severity); };
    const bool any = std::any_of(run.findings.begin(), run.findings.end(), is_it);
    if (!any && severity == std::string_view("note")) continue;
    const auto count = std::count_if(run.findings.begin(), run.findings.end(),
                                     [&](const Finding& f) { return is_it(f) && status_of(run, f) == 0; });
    body += "<button class=\"tile sev-" + std::string(severity) + "\" data-severity=\"" + severity +
            "\" aria-pressed=\"false\"><b>" + std::to_string(count) + "</b>" + severity + "</button>";
  }
  body += "</div>\n<div class=\"chips\" role=\"group\" aria-label=\"Check\">";
  for (const std::string& check : checks) {
    const CheckInfo* info = find_check(run, check);
    const auto count = std::count_if(run.findings.begin(), run.findings.end(),
                                     [&](const Finding& f) { return f.check == check && status_of(run, f) == 0; });
    body += "<button class=\"chip\" data-check=\"" + html_escape(check) + "\" aria-pressed=\"false\" title=\"" +
            (info ? html_plain(info->summary) : "") + "\">" + html_escape(check) + "<b>" + std::to_string(count) +
            "</b></button>";
  }
  body +=
      "</div>\n</section>\n<form class=\"filters\" role=\"search\" aria-label=\"Filter findings\">"
      "<label>Text<input id=\"text\" type=\"search\" placeholder=\"words in any column\" autocomplete=\"off\" "
      "aria-keyshortcuts=\"/\"></label>"
      "<label>File<input id=\"file\" type=\"search\" list=\"files\" autocomplete=\"off\"></label>"
      "<label>Function<input id=\"function\" type=\"search\" list=\"functions\" autocomplete=\"off\"></label>";
  if (other_status)
    body +=
        "<label>Status<select id=\"status\"><option value=\"new\">new</option><option "
        "value=\"suppressed\">suppressed</option>"
        "<option value=\"known before\">known before</option><option "
        "value=\"repaired\">repaired</option><option "
        "value=\"all\">all</option></select></label>";
  else
    body += "<span></span>";
  body += "<button id=\"clear\" type=\"button\" disabled>Clear</button></form>\n" + datalist("files", files) +
          datalist("functions", functions);
  if (const std::string missing = run.coverage.shortfall(); !missing.empty())
    body += "\n<p class=\"shortfall\">" + html_escape(missing) + "</p>";
  if (left_out > 0)
    body += "\n<p class=\"shortfall\">Left out as the least severe: " + counted(left_out) +
            ". The formats text and JSON have all.</p>";
  body += "\n<div class=\"count\"><span id=\"count\" role=\"status\">" + counted(run.findings.size()) + "</span>" +
          coverage_line(run) +
          "</div>\n<div class=\"grid\" id=\"grid\" role=\"table\" aria-label=\"Findings\">"
          "<div class=\"head\" role=\"row\">";
  const std::pair<const char*, const char*> columns[] = {{"severity", "Severity"},
                                                         {"message", "Finding"},
                                                         {"check", "Check"},
                                                         {"function", "Function"},
                                                         {"file", "Place"}};
  for (const auto& [key, title] : columns)
    body += "<div role=\"columnheader\"><button data-sort=\"" + std::string(key) + "\">" + title + "</button></div>";
  body += "</div><div class=\"rows plain\" id=\"rows\" role=\"rowgroup\">\n" + rows_of(run) + "</div></div>\n";
  body += "<p class=\"empty\" id=\"empty\"" + std::string(run.findings.empty() ? "" : " hidden") + ">";
  body += run.findings.empty() && run.coverage.units() == 0 ? "Nothing was analysed. <a href=\"coverage.html\">Why?</a>"
          : run.findings.empty() ? "Nothing was found. <a href=\"coverage.html\">What was looked "
                                   "at?</a>"
                                 : "No finding matches. Press Clear to see all.";
  body +=
      "</p>\n<noscript><p>Without JavaScript the list cannot be filtered "
      "or sorted.</p></noscript>";

  HtmlPage page;
  page.title = counted(run.findings.size()) + " - Reckon";
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
  Names checks, files, functions, occasions;
  std::string rows;
  for (const Finding& f : run.findings) {
    if (!rows.empty()) rows += ",\n";
    rows += "[" + std::to_string(static_cast<int>(f.severity)) + "," + std::to_string(checks.of(f.check)) + "," +
            std::to_string(files.of(shown_path(f.loc.file, run.base))) + "," + std::to_string(f.loc.line) + "," +
            std::to_string(functions.of(f.function)) + "," +
            script_string(f.message + (is_confirmed(run, f) ? " (shown by running)" : "")) + "," +
            std::to_string(status_of(run, f)) + "," + std::to_string(occasions.of(occasion_of(f))) + "]";
  }
  return "window.reckonFindings = {\nchecks: " + checks.json() + ",\nfiles: " + files.json() +
         ",\nfunctions: " + functions.json() + ",\noccasions: " + occasions.json() +
         ",\n// severity, check, file, line, function, message, status, occasion\nfindings: [\n" + rows + "\n]};\n";
}

}  // namespace reckon::report
