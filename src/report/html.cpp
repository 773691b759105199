// The HTML writer: a folder of plain pages that opens from disk, without a server and without the network.
//
//   index.html       all findings, to filter and sort; reads data/findings.js, since a script may be loaded from
//                    disk where a data file may not
//   findings/N.html  one page a finding, complete without its script
//   checks/ID.html   what each check that found something reports
//   coverage.html    what was analysed, what was not, and why
//   assets/          style sheet and scripts
//
// The same run gives the same bytes: no dates, no host names. All pages are written before the first takes the place of
// one of an earlier run.

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <vector>

#include "report/html_assets.h"
#include "report/html_page.h"
#include "support/output_file.h"

namespace reckon::report {

namespace {

namespace fs = std::filesystem;

// A page of an earlier run with more findings would be a lie about this one.
bool is_page_name(const std::string& name) {
  return name.ends_with(".html") && name.size() >= 9 && name.find_first_not_of("0123456789") == name.size() - 5;
}

// The run with `most` of its findings: those that count, and of these the most severe.
Run most_severe(const Run& run, std::size_t most) {
  std::vector<const Finding*> order;
  for (const Finding& f : run.findings) order.push_back(&f);
  std::stable_sort(order.begin(), order.end(), [&](const Finding* a, const Finding* b) {
    return std::tuple(counts(run, *a), a->severity) > std::tuple(counts(run, *b), b->severity);
  });
  const std::set<const Finding*> kept(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most));
  Run out = run;
  out.findings.clear();
  for (const Finding& f : run.findings)
    if (kept.contains(&f)) out.findings.push_back(f);
  return out;
}

bool write_pages(const std::string& folder, const Run& run, std::size_t left_out, std::string& error) {
  support::OutputFolder out;
  if (!out.open(folder, error)) return false;
  for (const HtmlAsset& asset : html_assets())
    if (!out.write("assets/" + std::string(asset.name), asset.text, error)) return false;
  if (!out.write("data/findings.js", html_index_data(run), error)) return false;
  if (!out.write("coverage.html", html_coverage_page(run), error)) return false;
  for (const CheckInfo& check : run.checks)
    if (!out.write("checks/" + html_check_name(check.id), html_check_page(run, check), error)) return false;

  const FunctionMap functions(run.coverage);
  HtmlSources sources(run.originals);
  std::set<std::string> pages;
  for (std::size_t i = 0; i < run.findings.size(); ++i) {
    const std::string name = html_finding_name(i, run.findings.size());
    pages.insert(name);
    if (!out.write("findings/" + name, html_finding_page(run, i, functions, sources), error)) return false;
  }
  if (!out.write("index.html", html_index_page(run, left_out), error)) return false;  // the way in comes last
  if (!out.publish(error)) return false;

  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "findings", ec)) {
    const std::string name = entry.path().filename().string();
    if (is_page_name(name) && !pages.contains(name)) fs::remove(entry.path(), ec);
  }
  return true;
}

}  // namespace

bool write_html(const std::string& folder, const Run& run, const WriterOptions& options, std::string& error) {
  const std::size_t most = options.most_pages;
  if (run.findings.size() <= most) return write_pages(folder, run, 0, error);
  return write_pages(folder, most_severe(run, most), run.findings.size() - most, error);
}

}  // namespace reckon::report
