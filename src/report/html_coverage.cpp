#include <algorithm>
#include <map>

#include "report/html_page.h"
#include "report/html_text.h"

namespace reckon::report {

namespace {

struct Kind {
  Depth depth;
  const char* css;
  const char* meaning;
};

constexpr Kind kKinds[] = {
    {Depth::Full, "full", "every path was followed"},
    {Depth::CutShort, "cut", "a budget ran out: there may be more to find"},
    {Depth::NotAnalysed, "not", "silence about these says nothing"},
    {Depth::WithoutCounts, "none", "changes no count and steers none; only its first steps were followed"},
    {Depth::BySpec, "spec", "a spec says what it does, its body was not looked at"},
    {Depth::Primitive, "spec", "a spec says what it does, and it keeps a count itself, so its body is not judged"},
    {Depth::Unconcerned, "none", "its file belongs to no domain that Reckon knows"},
};

std::string number(std::size_t n) { return std::to_string(n); }

std::string functions_of(const Run& run, Depth depth, const char* caption) {
  constexpr std::size_t kMost = 2000;
  const std::size_t count = run.coverage.count(depth);
  if (count == 0) return {};
  std::string out = "<table class=\"list\"><caption>" + std::string(caption) + ": " + number(count) +
                    (count == 1 ? " function" : " functions") +
                    "</caption><thead><tr><th scope=\"col\">Function</th><th scope=\"col\">Place</th>"
                    "<th scope=\"col\">Why</th></tr></thead><tbody>";
  std::size_t n = 0;
  for (const FunctionCoverage& f : run.coverage.functions) {
    if (f.depth != depth) continue;
    if (++n > kMost) break;
    out += "<tr><td><code>" + html_escape(f.name) + "</code></td><td><code>" +
           html_escape(shown_path(f.file, run.base)) + ":" + number(f.line) + "</code></td><td>" +
           html_escape(f.reason) + "</td></tr>";
  }
  out += "</tbody></table>";
  if (count > kMost) out += "<p class=\"muted\">and " + number(count - kMost) + " more</p>";
  return "<section class=\"card\">" + out + "</section>\n";
}

// The columns of the table by file; on a phone the label stands behind each number.
constexpr struct {
  Depth depth;
  const char* heading;
  const char* label;
} kColumns[] = {
    {Depth::Full, "In full", "in full"},
    {Depth::CutShort, "Cut short", "cut short"},
    {Depth::NotAnalysed, "Not analysed", "not analysed"},
    {Depth::BySpec, "By spec", "by spec"},
};

struct FileRow {
  std::map<Depth, std::size_t> of;
  std::size_t findings = 0;
};

std::string cell(std::size_t count, const char* label, const std::string& shown) {
  return "<td class=\"number" + std::string(count ? "" : " none") + "\" data-label=\"" + label + "\">" +
         (count ? shown : "&middot;") + "</td>";
}

std::string by_file(const Run& run) {
  std::map<std::string, FileRow> rows;
  for (const FunctionCoverage& f : run.coverage.functions) ++rows[f.file].of[f.depth];
  for (const Finding& f : run.findings) ++rows[f.loc.file].findings;
  if (rows.empty()) return {};
  std::string out =
      "<section class=\"card\"><table class=\"list stacked\"><caption>By file</caption><thead><tr>"
      "<th scope=\"col\">File</th>";
  for (const auto& column : kColumns)
    out += "<th scope=\"col\" class=\"number\">" + std::string(column.heading) + "</th>";
  out += "<th scope=\"col\" class=\"number\">Findings</th></tr></thead><tbody>";
  std::size_t others = 0;
  for (auto& [file, row] : rows) {
    // Headers of the system, mostly: counted above, and only there.
    if (row.findings + row.of[Depth::Full] + row.of[Depth::CutShort] + row.of[Depth::NotAnalysed] == 0) {
      ++others;
      continue;
    }
    const std::string shown = shown_path(file, run.base);
    out += "<tr><th scope=\"row\"><code>" + html_escape(shown) + "</code></th>";
    for (const auto& column : kColumns) out += cell(row.of[column.depth], column.label, number(row.of[column.depth]));
    out += cell(row.findings, row.findings == 1 ? "finding" : "findings",
                "<a href=\"index.html#file=" + html_escape(shown) + "\">" + number(row.findings) + "</a>");
    out += "</tr>";
  }
  out += "</tbody></table>";
  if (others)
    out += "<p class=\"muted\">" + number(others) + (others == 1 ? " more file holds" : " more files hold") +
           " only functions that specs describe, that change no count, or that are in no domain.</p>";
  return out + "</section>\n";
}

}  // namespace

std::string html_coverage_page(const Run& run) {
  const Coverage& c = run.coverage;
  const std::size_t total = c.functions.size();
  std::string body = "<h1>What was analysed</h1>\n<section class=\"card\">";
  body += c.complete() ? "<p>Everything that was to be analysed was analysed in full.</p>"
                       : "<p><strong>Part of the program was not analysed in full.</strong> Where that is so, no "
                         "finding does not mean no bug.</p>";
  body += "<div class=\"meter\" role=\"img\" aria-label=\"" + number(c.count(Depth::Full)) + " of " + number(total) +
          " functions analysed in full\">";
  // Attributes of a drawing: a strict content security policy takes away what a style attribute says.
  body += "<svg viewBox=\"0 0 " + number(std::max<std::size_t>(total, 1)) + " 1\" preserveAspectRatio=\"none\">";
  std::size_t before = 0;
  for (const Kind& kind : kKinds)
    if (const std::size_t n = c.count(kind.depth)) {
      body += "<rect class=\"" + std::string(kind.css) + "\" x=\"" + number(before) + "\" width=\"" + number(n) +
              "\" height=\"1\"/>";
      before += n;
    }
  body += "</svg></div><ul class=\"legend\">";
  for (const Kind& kind : kKinds)
    body += "<li title=\"" + std::string(kind.meaning) + "\"><i class=\"" + kind.css + "\"></i><b>" +
            number(c.count(kind.depth)) + "</b> " + name_of(kind.depth) + "</li>";
  const std::size_t units = c.units_compiled + c.units_from_cache + c.units_failed.size();
  body += "</ul>\n<p>" + number(units) + (units == 1 ? " unit: " : " units: ") + number(c.units_compiled) +
          " captured, " + number(c.units_from_cache) + " from the cache, " + number(c.units_failed.size()) + " failed.";
  if (c.entries_unusable)
    body += " " + number(c.entries_unusable) + " entries of the compilation database could not be used.";
  if (c.entries_other_language)
    body += " " + number(c.entries_other_language) + " entries are in other languages than C and C++.";
  body += "</p></section>\n<div class=\"stackup below\">";
  if (!c.units_failed.empty()) {
    body += "<section class=\"card\"><table class=\"list\"><caption>Units that could not be read: " +
            number(c.units_failed.size()) +
            "</caption><thead><tr><th scope=\"col\">Unit</th><th scope=\"col\">Why</th></tr></thead><tbody>";
    for (const FailedUnit& u : c.units_failed)
      body += "<tr><td><code>" + html_escape(shown_path(u.path, run.base)) + "</code></td><td>" +
              html_escape(u.reason) + "</td></tr>";
    body += "</tbody></table></section>\n";
  }
  if (!c.not_known.empty()) {
    body += "<section class=\"card\"><h2>Not known, because nothing of the package was run (--allow-build)</h2><ul>";
    for (const std::string& what : c.not_known) body += "<li><code>" + html_escape(what) + "</code></li>";
    body += "</ul></section>\n";
  }
  body += functions_of(run, Depth::CutShort, "Cut short");
  body += functions_of(run, Depth::NotAnalysed, "Not analysed");
  body += by_file(run);
  if (!run.suppression_problems.empty()) {
    body += "<section class=\"card\"><table class=\"list\"><caption>Suppressions to look at</caption><tbody>";
    for (const SuppressionProblem& p : run.suppression_problems)
      body += "<tr><td><code>" + html_escape(shown_path(p.loc.file, run.base)) + ":" + number(p.loc.line) +
              "</code></td><td>" + html_message(p.text) + "</td></tr>";
    body += "</tbody></table></section>\n";
  }
  if (!run.disappeared.empty()) {
    body += "<section class=\"card\"><h2>Gone since the baseline</h2><ul>";
    for (const std::string& line : run.disappeared) body += "<li>" + html_message(line) + "</li>";
    body += "</ul></section>\n";
  }
  body += "</div>";
  HtmlPage page;
  page.title = "Coverage - Reckon";
  page.nav = html_nav("", "Coverage");
  page.body = std::move(body);
  return html_page(page, run);
}

}  // namespace reckon::report
