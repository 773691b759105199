#include "report/fleet_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "report/html_assets.h"
#include "report/html_page.h"
#include "report/html_text.h"

namespace reckon::report {

namespace {

std::string number(std::size_t n) { return n > 0 ? std::to_string(n) : "&middot;"; }

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string tile(std::size_t n, const char* what) {
  return fmt::format("<div class=\"tile\"><b>{}</b>{}</div>", n, what);
}

std::string checks_of(const std::map<std::string, std::size_t>& checks) {
  std::string out;
  for (const auto& [check, count] : checks)
    out += fmt::format("{}<code>{}</code>&nbsp;{}", out.empty() ? "" : ", ", html_escape(check), count);
  return out;
}

std::string row_of(const FleetRow& row, bool compared) {
  const std::string name = row.link.empty()
                               ? html_escape(row.name)
                               : "<a href=\"" + html_escape(row.link) + "\">" + html_escape(row.name) + "</a>";
  std::string out = "<tr><th scope=\"row\">" + name + "</th><td class=\"short\" data-label=\"kind\">" +
                    html_escape(row.kind) + "</td>";
  out += "<td class=\"number\" data-label=\"units\">" + number(row.units) +
         (row.units_failed > 0 ? fmt::format(" ({} failed)", row.units_failed) : "") + "</td>";
  out += "<td class=\"number\" data-label=\"findings\">" + number(row.findings()) + "</td>";
  if (compared)
    out += "<td class=\"number\" data-label=\"new\">" + number(row.fresh) +
           "</td><td class=\"number\" data-label=\"gone\">" + number(row.gone) + "</td>";
  out += fmt::format("<td class=\"number\" data-label=\"s of CPU time\">{:.1f}</td><td>", row.cpu);
  out += row.reason.empty() ? checks_of(row.checks) : "not analysed: " + html_escape(row.reason);
  return out + "</td></tr>\n";
}

}  // namespace

std::size_t FleetRow::findings() const {
  std::size_t out = 0;
  for (const auto& [check, count] : checks) out += count;
  return out;
}

void sort_rows(std::vector<FleetRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const FleetRow& a, const FleetRow& b) {
    return std::tuple(!a.reason.empty(), b.findings(), a.name) < std::tuple(!b.reason.empty(), a.findings(), b.name);
  });
}

std::vector<std::pair<std::string, std::string>> fleet_pages(const FleetRun& fleet) {
  std::map<std::string, std::size_t> checks;
  std::size_t findings = 0, units = 0, not_analysed = 0, fresh = 0, gone = 0;
  for (const FleetRow& row : fleet.rows) {
    for (const auto& [check, count] : row.checks) checks[check] += count;
    findings += row.findings();
    units += row.units;
    not_analysed += !row.reason.empty();
    fresh += row.fresh;
    gone += row.gone;
  }
  const bool compared = !fleet.compared_with.empty();
  std::string body = "<h1 class=\"visually-hidden\">Packages</h1>\n<section class=\"summary\"><div class=\"tiles\">";
  body += tile(fleet.rows.size(), "packages") + tile(units, "units") + tile(findings, "findings") +
          tile(not_analysed, "not analysed");
  if (compared) body += tile(fresh, "new") + tile(gone, "gone");
  body += "</div></section>\n";
  if (compared) body += "<p class=\"muted\">new and gone since " + html_escape(fleet.compared_with) + "</p>\n";
  if (not_analysed > 0)
    body += "<p class=\"shortfall\">" + counted(not_analysed, "package") +
            " could not be analysed: silence about them says nothing.</p>\n";
  body +=
      "<section class=\"card\"><table class=\"list\"><caption>By check</caption><thead><tr><th scope=\"col\">Check</th>"
      "<th scope=\"col\" class=\"number\">Findings</th></tr></thead><tbody>";
  for (const auto& [check, count] : checks)
    body += "<tr><td><code>" + html_escape(check) + "</code></td><td class=\"number\">" + number(count) + "</td></tr>";
  body +=
      "</tbody></table></section>\n<section class=\"card\"><table class=\"list stacked\"><caption>By package</caption>"
      "<thead><tr><th scope=\"col\">Package</th><th scope=\"col\">Kind</th><th scope=\"col\" "
      "class=\"number\">Units</th>"
      "<th scope=\"col\" class=\"number\">Findings</th>";
  if (compared) body += "<th scope=\"col\" class=\"number\">New</th><th scope=\"col\" class=\"number\">Gone</th>";
  body += "<th scope=\"col\" class=\"number\">CPU time, s</th><th scope=\"col\">What</th></tr></thead><tbody>\n";
  for (const FleetRow& row : fleet.rows) body += row_of(row, compared);
  body += "</tbody></table></section>";

  HtmlPage page;
  page.title = counted(findings, "finding") + " in " + counted(fleet.rows.size(), "package") + " - Reckon";
  page.nav = "<a href=\"index.html\" aria-current=\"page\">Packages</a>";
  page.body = std::move(body);
  Run run;
  run.version = fleet.version;
  std::vector<std::pair<std::string, std::string>> out;
  for (const HtmlAsset& asset : html_assets())
    if (asset.name == "report.css" || asset.name == "theme.js")
      out.emplace_back("assets/" + std::string(asset.name), asset.text);
  out.emplace_back("index.html", html_page(page, run));
  return out;
}

}  // namespace reckon::report
