// The report over all packages: fleet.json, index.html, and a summary for people. It holds what is there: a package
// whose job is not done, or did not end well, is a row with the reason.
#include <fmt/core.h>

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/engine_files.h"
#include "driver/fleet.h"
#include "driver/version.h"
#include "report/fleet_page.h"
#include "support/file.h"
#include "support/output_file.h"
#include "support/terminal_text.h"

namespace reckon::driver {

using nlohmann::json;

namespace {

constexpr const char* kNotDone = "its job is not done";

using Fingerprints = std::map<std::string, std::set<std::string>>;  // by package

std::set<std::string> fingerprints_of(const json& package) {
  std::set<std::string> out;
  for (const json& finding : package.value("findings", json::array()))
    if (finding.is_object() && finding.contains("fingerprint") && finding["fingerprint"].is_string())
      out.insert(finding["fingerprint"]);
  return out;
}

// What an earlier run found. nullopt: the console has said why.
std::optional<Fingerprints> read_earlier(const std::string& path, host::Console& console) {
  std::string text, problem;
  if (!support::read_input(path, text, problem)) {
    console.error(fmt::format("--since {}: {}", path, problem));
    return std::nullopt;
  }
  const json earlier = json::parse(text, nullptr, false);
  if (!earlier.is_object() || !earlier.value("packages", json()).is_array()) {
    console.error(fmt::format("--since {}: no fleet.json of `reckon fleet`", path));
    return std::nullopt;
  }
  Fingerprints out;
  for (const json& package : earlier["packages"])
    if (package.is_object() && package.contains("name") && package["name"].is_string())
      out[package["name"]].merge(fingerprints_of(package));
  return out;
}

class FleetReport {
 public:
  FleetReport(const FleetOptions& fleet, const Options& options, const Fingerprints* earlier)
      : fleet_(fleet), options_(options), earlier_(earlier) {}

  void add(const FleetPackage& package) {
    json result = result_of(folder_of(fleet_, package));
    const bool done = result.is_object();
    if (!done) result = {{"status", "not analysed"}, {"reason", kNotDone}};
    report::FleetRow row;
    row.name = package.name;
    row.kind = result.value("kind", std::string());
    row.units = result.value("units", std::size_t{0});
    row.units_failed = result.value("units_failed", std::size_t{0});
    row.cpu = result.value("cpu_seconds", 0.0);
    const bool analysed = result["status"] == "analysed";
    if (!analysed) row.reason = result.value("reason", std::string("the reason is not known"));
    json checks = json::object();
    for (const json& finding : result["findings"]) {
      ++row.checks[finding.value("check", std::string())];
      failing_ += finding.value("fails", true);
    }
    if (analysed) row.link = "packages/" + package.slug + "/pages/index.html";
    if (earlier_) compare(package.name, analysed, result, row);
    for (const auto& [check, count] : row.checks) checks[check] = count;
    result["name"] = package.name;
    result["path"] = package.path;
    result["folder"] = "packages/" + package.slug;
    result["checks"] = std::move(checks);
    result.erase("key");
    if (!result["findings"].is_array()) result["findings"] = json::array();
    cpu_ += row.cpu;
    analysed_ += analysed;
    left_ += !done;
    units_ += row.units;
    units_failed_ += row.units_failed;
    functions_ += result.value("functions", std::size_t{0});
    findings_ += row.findings();
    fresh_ += row.fresh;
    gone_ += row.gone;
    for (const auto& [check, count] : row.checks) checks_[check] += count;
    packages_.push_back(std::move(result));
    rows_.push_back(std::move(row));
  }

  bool write(host::Console& console) {
    json totals = {{"packages", rows_.size()}, {"analysed", analysed_}, {"not_analysed", rows_.size() - analysed_},
                   {"not_done", left_},        {"units", units_},       {"units_failed", units_failed_},
                   {"functions", functions_},  {"findings", findings_}, {"cpu_seconds", cpu_}};
    if (earlier_) totals.update({{"new", fresh_}, {"gone", gone_}});
    json all = {{"version", version()}, {"totals", totals}, {"checks", checks_}, {"packages", packages_}};
    if (earlier_) all["since"] = fleet_.since;
    report::FleetRun run{rows_, fleet_.since, version()};
    report::sort_rows(run.rows);
    support::OutputFolder pages;
    std::string problem;
    bool good = pages.open(fleet_.folder, problem);
    for (const auto& [name, text] : report::fleet_pages(run)) good = good && pages.write(name, text, problem);
    if (!good || !pages.publish(problem)) {
      console.error(problem);
      return false;
    }
    return put_file(fleet_.folder, "fleet.json",
                    support::printable_json(all.dump(1, ' ', false, json::error_handler_t::replace)) + "\n", console);
  }

  void summarise(std::ostream& out) const {
    for (const report::FleetRow& row : rows_)
      if (!row.reason.empty())
        out << fmt::format("{}: not analysed: {}\n", support::printable(row.name), support::printable(row.reason));
    for (const auto& [check, count] : checks_) out << fmt::format("{:>8}  {}\n", count, check);
    out << fmt::format("{} packages: {} analysed, {} not; {} units, {} of them failed; {} findings", rows_.size(),
                       analysed_, rows_.size() - analysed_, units_ + units_failed_, units_failed_, findings_);
    if (earlier_) out << fmt::format(" ({} new, {} gone)", fresh_, gone_);
    out << fmt::format("; {:.0f} s of CPU time: {}/index.html\n", cpu_, support::printable(fleet_.folder));
  }

  // What could not be analysed wins over what was found.
  int exit_code() const {
    if (analysed_ < rows_.size() || (options_.strict && units_failed_ > 0)) return kExitIncomplete;
    return failing_ > 0 ? kExitFindings : kExitClean;
  }

 private:
  void compare(const std::string& name, bool analysed, json& result, report::FleetRow& row) {
    const auto before = earlier_->find(name);
    const std::set<std::string> none;
    const std::set<std::string>& known = before == earlier_->end() ? none : before->second;
    for (json& finding : result["findings"]) {
      const bool fresh = !known.contains(finding.value("fingerprint", std::string()));
      finding["new"] = fresh;
      row.fresh += fresh;
    }
    const std::set<std::string> now = fingerprints_of(result);
    if (analysed)
      for (const std::string& fingerprint : known)
        if (!now.contains(fingerprint)) {
          ++row.gone;
          result["gone"].push_back(fingerprint);
        }
    result["new"] = row.fresh;
  }

  const FleetOptions& fleet_;
  const Options& options_;
  const Fingerprints* earlier_;
  std::vector<report::FleetRow> rows_;
  json packages_ = json::array();
  std::map<std::string, std::size_t> checks_;
  double cpu_ = 0;
  std::size_t analysed_ = 0, left_ = 0, units_ = 0, units_failed_ = 0, functions_ = 0, findings_ = 0, failing_ = 0,
              fresh_ = 0, gone_ = 0;
};

}  // namespace

int report_fleet(const std::vector<FleetPackage>& packages, const FleetOptions& fleet, const Options& options,
                 host::Console& console) {
  std::optional<Fingerprints> earlier;
  if (!fleet.since.empty() && !(earlier = read_earlier(fleet.since, console))) return kExitUsage;
  FleetReport report(fleet, options, earlier ? &*earlier : nullptr);
  for (const FleetPackage& package : packages) report.add(package);
  if (!report.write(console)) return kExitUsage;
  if (fleet.job.empty()) report.summarise(std::cout);
  return fleet.job.empty() ? report.exit_code() : static_cast<int>(kExitClean);
}

}  // namespace reckon::driver
