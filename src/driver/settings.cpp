#include "driver/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "checks/check.h"
#include "driver/path_glob.h"
#include "frontends/builds/compdb.h"
#include "host/files.h"
#include "report/run.h"
#include "support/project_folders.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

// Settings can leave out every file: those of the current folder and of folders above that belong to its project.
std::string nearest_config(host::Console& console) {
  std::error_code ec;
  const fs::path start = host::current_folder();
  struct stat mine{};
  if (stat(start.c_str(), &mine) != 0) return "";
  for (fs::path folder = start;; folder = folder.parent_path()) {
    const fs::path file = folder / "reckon.toml";
    struct stat info{};
    const bool above = folder != start;
    if (above && (stat(folder.c_str(), &info) != 0 || !support::is_trusted(info, mine))) return "";
    if (fs::exists(file, ec) && !fs::is_directory(file, ec)) {
      if (!above || (stat(file.c_str(), &info) == 0 && support::is_trusted(info, mine))) return file.string();
      console.warning(
          fmt::format("{}: belongs to somebody else, or everybody may write it; it is not used", file.string()));
      return "";
    }
    if (folder == folder.parent_path() || support::starts_project(folder)) return "";
  }
}

bool any_fits(const std::vector<std::string>& globs, const std::string& check) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return checks::names_check(glob, check); });
}

bool any_path(const std::vector<std::string>& patterns, const std::string& path) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return path_matches(p, path); });
}

}  // namespace

std::optional<Settings> Settings::load(Options& options, host::Console& console) {
  Settings out;
  out.fail_on_ = options.report.fail_on;
  out.folder_ = host::current_folder();
  const std::string path = options.config.empty() ? nearest_config(console)
                                                  : frontends::absolute_path(options.config, host::current_folder());
  if (path.empty()) return out;
  out.file_ = path;
  std::string text, problem;
  if (!host::read_file(path, text, problem)) {
    console.error(fmt::format("{}: {}", path, problem));
    return std::nullopt;
  }
  std::vector<specs::SpecError> errors;
  out.config_ = specs::parse_config(path, text, errors);
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(errors.size(), kMost); ++i)
    console.raw(support::printable(fmt::format("{}:{}:{}: error: {}",
                                               report::shown_path(errors[i].loc.file, host::current_folder()),
                                               errors[i].loc.line, errors[i].loc.col, errors[i].message)));
  if (errors.size() > kMost) console.result(fmt::format("and {} more errors in this file", errors.size() - kMost));
  if (!errors.empty()) return std::nullopt;
  console.detail(fmt::format("settings of {}", path));

  out.folder_ = fs::path(path).parent_path().string();
  std::vector<std::string> specs;
  for (const std::string& spec : out.config_.specs) specs.push_back(frontends::absolute_path(spec, out.folder_));
  options.analysis.specs.insert(options.analysis.specs.begin(), specs.begin(),
                                specs.end());  // those of the command line win
  if (options.analysis.domains.empty()) options.analysis.domains = out.config_.domains;
  if (options.analysis.checks.empty()) {
    options.analysis.checks = out.config_.enable_checks;
    for (const std::string& glob : out.config_.disable_checks) options.analysis.checks.push_back("-" + glob);
  }
  out.fill_in(options);
  return out;
}

void Settings::fill_in(Options& options) const {
  if (options.report.severity.empty()) options.report.severity = config_.severity;
  if (options.report.confidence.empty()) options.report.confidence = config_.confidence;
  options.strict = options.strict || config_.strict;
  // A baseline that is about to be written is not read, and need not be there yet.
  if (options.report.baseline.empty() && options.report.write_baseline.empty() && !config_.baseline.empty())
    options.report.baseline = frontends::absolute_path(config_.baseline, folder_);
  for (const std::string& place : config_.databases)
    options.input.usual_databases.push_back(frontends::absolute_path(place, folder_));
}

std::string Settings::relative(const std::string& file) const { return report::shown_path(file, folder_); }

std::vector<std::string> Settings::idle_includes(const std::vector<std::string>& files) const {
  std::vector<std::string> idle;
  for (const std::string& pattern : config_.include)
    if (std::none_of(files.begin(), files.end(),
                     [&](const std::string& file) { return path_matches(pattern, relative(file)); }))
      idle.push_back(pattern);
  return idle;
}

bool Settings::wants_file(const std::string& file) const {
  const std::string path = relative(file);
  return (config_.include.empty() || any_path(config_.include, path)) && !any_path(config_.exclude, path);
}

bool Settings::wants(const report::Finding& finding) const {
  if (!wants_file(finding.loc.file)) return false;
  const std::string path = relative(finding.loc.file);
  bool on = true;
  for (const specs::FolderConfig& folder : config_.folders) {
    if (!path_matches(folder.pattern, path)) continue;
    if (any_fits(folder.disable_checks, finding.check)) on = false;
    if (any_fits(folder.enable_checks, finding.check)) on = true;
  }
  return on;
}

bool Settings::fails(const report::Finding& finding) const {
  std::string threshold = config_.fail_on;
  const std::string path = relative(finding.loc.file);
  for (const specs::FolderConfig& folder : config_.folders)
    if (!folder.fail_on.empty() && path_matches(folder.pattern, path)) threshold = folder.fail_on;
  if (!fail_on_.empty()) threshold = fail_on_;
  if (threshold == "never") return false;
  for (const report::Severity s : {report::Severity::Low, report::Severity::Medium, report::Severity::High})
    if (threshold == report::name_of(s)) return finding.severity >= s;
  return true;
}

}  // namespace reckon::driver
