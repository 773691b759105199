#include "report/html_page.h"

#include "report/html_text.h"
#include "support/file.h"

namespace reckon::report {

std::string html_nav(std::string_view root, std::string_view current) {
  std::string out;
  for (const auto& [name, file] :
       {std::pair<std::string_view, std::string_view>{"Findings", "index.html"}, {"Coverage", "coverage.html"}}) {
    out += "<a href=\"" + std::string(root) + std::string(file) + "\"";
    if (name == current) out += " aria-current=\"page\"";
    out += ">" + std::string(name) + "</a>";
  }
  return out;
}

std::string html_finding_name(std::size_t index, std::size_t count) {
  const std::size_t width = std::max<std::size_t>(4, std::to_string(count).size());
  std::string digits = std::to_string(index + 1);
  return std::string(width - digits.size(), '0') + digits + ".html";
}

// Ids hold letters, digits and hyphens; anything else would be a surprise in a file name.
std::string html_check_name(const std::string& id) {
  std::string out;
  for (char c : id)
    out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
  return out + ".html";
}

namespace {

constexpr std::string_view kBrand = "index.html\">Reckon</a>";

}  // namespace

bool is_html_page(const std::string& path) {
  return support::first_bytes(path, 4096).find(kBrand) != std::string::npos;
}

std::string html_page(const HtmlPage& page, const Run& run) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      // For servers that send no policy of their own: nothing but what lies in this folder.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' file:; "
      "style-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<title>";
  out += page.title + "</title>\n<link rel=\"stylesheet\" href=\"" + page.root + "assets/report.css\">\n";
  out += "<script src=\"" + page.root + "assets/theme.js\"></script>\n";
  for (std::string_view script : page.scripts)
    out += "<script defer src=\"" + page.root + std::string(script) + "\"></script>\n";
  out +=
      "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n<header class=\"top\">\n<a "
      "class=\"brand\" href=\"" +
      page.root + std::string(kBrand) + "\n<nav aria-label=\"Report\">" + page.nav +
      "</nav>\n<div class=\"tools\"><button id=\"theme\" aria-label=\"Colours\"></button>"
      "<button id=\"help\" aria-label=\"Keys (?)\" title=\"Keys (?)\">?</button></div>\n</header>\n<main "
      "id=\"main\">\n";
  out += page.body;
  out += "\n</main>\n<footer>Reckon " + html_escape(run.version);
  if (!run.arguments.empty()) {
    out += " &middot; <code>";
    for (const std::string& a : run.arguments) out += (&a == &run.arguments.front() ? "" : " ") + html_escape(a);
    out += "</code>";
  }
  out += "</footer>\n<dialog id=\"keys\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">Keys</h2><table>";
  for (const auto& [keys, what] : page.keys)
    out += "<tr><td>" + std::string(keys) + "</td><td>" + std::string(what) + "</td></tr>";
  out +=
      "<tr><td><kbd>t</kbd></td><td>light or dark colours</td></tr><tr><td><kbd>?</kbd></td><td>this "
      "help</td></tr></table>"
      "<form method=\"dialog\"><button autofocus>Close</button></form></dialog>\n</body>\n</html>\n";
  return out;
}

}  // namespace reckon::report
