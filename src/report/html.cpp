// The HTML writer: a folder of plain pages that opens from disk, without a server and without the network.
//
//   index.html       all findings, to filter and sort; reads data/findings.js, since a script may be loaded from
//                    disk where a data file may not
//   findings/N.html  one page a finding, complete without its script
//   checks/ID.html   what each check that found something reports
//   coverage.html    what was analysed, what was not, and why
//   assets/          style sheet and scripts
//
// The same run gives the same bytes: no dates, no host names.

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "report/html_assets.h"
#include "report/html_page.h"

namespace reckon::report {

namespace {

namespace fs = std::filesystem;

bool write_file(const fs::path& path, std::string_view text, std::string& error) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return true;
  error = path.string() + ": cannot be written: " + std::strerror(errno);
  return false;
}

// A page of an earlier run with more findings would be a lie about this one.
bool is_page_name(const std::string& name) {
  return name.ends_with(".html") && name.size() >= 9 && name.find_first_not_of("0123456789") == name.size() - 5;
}

}  // namespace

bool write_html(const std::string& folder, const Run& run, const WriterOptions&, std::string& error) {
  const fs::path root(folder);
  std::error_code ec;
  for (const char* sub : {"assets", "data", "findings", "checks"}) {
    fs::create_directories(root / sub, ec);
    if (ec) {
      error = (root / sub).string() + ": cannot be made: " + ec.message();
      return false;
    }
  }
  for (const auto& entry : fs::directory_iterator(root / "findings", ec))
    if (is_page_name(entry.path().filename().string())) fs::remove(entry.path(), ec);

  for (const HtmlAsset& asset : html_assets())
    if (!write_file(root / "assets" / asset.name, asset.text, error)) return false;
  if (!write_file(root / "data" / "findings.js", html_index_data(run), error)) return false;
  if (!write_file(root / "index.html", html_index_page(run), error)) return false;
  if (!write_file(root / "coverage.html", html_coverage_page(run), error)) return false;
  for (const CheckInfo& check : run.checks)
    if (!write_file(root / "checks" / html_check_name(check.id), html_check_page(run, check), error)) return false;

  const FunctionMap functions(run.coverage);
  HtmlSources sources;
  for (std::size_t i = 0; i < run.findings.size(); ++i)
    if (!write_file(root / "findings" / html_finding_name(i, run.findings.size()),
                    html_finding_page(run, i, functions, sources), error))
      return false;
  return true;
}

}  // namespace reckon::report
