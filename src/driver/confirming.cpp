#include "driver/confirming.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "checks/check.h"
#include "confirm/confirm.h"
#include "host/files.h"

namespace reckon::driver {

namespace {

bool wanted(const report::Run& run, const report::Finding& f, const ConfirmOptions& o,
            const std::set<std::string>& reported) {
  return report::counts(run, f) && (o.reports.empty() || reported.contains(f.fingerprint)) &&
         (o.findings.empty() || std::any_of(o.findings.begin(), o.findings.end(), [&](const std::string& prefix) {
            return f.fingerprint.starts_with(prefix);
          }));
}

// Functions of the domains' specs that read arguments by a format, and other spellings of them.
std::vector<confirm::FormatReader> format_readers(const specs::SpecSet& specs) {
  std::vector<confirm::FormatReader> out;
  for (const auto& fn : specs.functions())
    if (fn->varargs == specs::VarargKind::ParseFormat && fn->name.find('*') == std::string::npos)
      out.push_back({fn->name, fn->format_param});
  return out;
}

// Beside the specs of an installation, or in the source tree.
std::string data_folder() {
  const std::filesystem::path specs = host::specs_folder();
  std::error_code ec;
  for (const auto& place : {specs.parent_path() / "confirm", specs.parent_path() / "share" / "confirm"})
    if (std::filesystem::is_directory(place, ec)) return place.string();
  return "";
}

}  // namespace

bool read_seconds(const std::string& text, unsigned& seconds, host::Console& console) {
  constexpr unsigned kMost = 30 * 24 * 3600;
  const char* const end = text.data() + text.size();
  unsigned number = seconds;
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || (error == std::errc() && rest == end && number > 0 && number <= kMost)) {
    if (!text.empty()) seconds = number;
    return true;
  }
  console.error(fmt::format("--seconds: '{}' is no number from 1 to {}", text, kMost));
  return false;
}

bool read_fingerprints(const std::string& path, std::set<std::string>& fingerprints, host::Console& console) {
  std::string text, problem;
  if (!host::read_file(path, text, problem)) {
    console.error(path + ": " + problem);
    return false;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    const auto finding = nlohmann::json::parse(line, nullptr, false);
    if (!finding.is_object() || !finding.contains("fingerprint") || !finding["fingerprint"].is_string()) {
      console.error(path + ": is no report of --format=json");
      return false;
    }
    fingerprints.insert(finding["fingerprint"].get<std::string>());
  }
  return true;
}

bool confirm_findings(report::Run& run, const frontends::Input& input, const specs::SpecSet& specs,
                      const ConfirmOptions& o, host::Console& console) {
  confirm::Wishes wishes;
  if (!read_seconds(o.seconds, wishes.seconds, console)) return false;
  std::set<std::string> reported;
  for (const std::string& path : o.reports)
    if (!read_fingerprints(path, reported, console)) return false;
  wishes.data = data_folder();
  wishes.root = host::current_folder();
  wishes.build = o.build;
  wishes.run = o.run;
  wishes.script = o.script;
  wishes.confined = !o.no_sandbox;
  std::vector<confirm::Subject> subjects;
  for (const report::Finding& f : run.findings) {
    if (!wanted(run, f, o, reported)) continue;
    const checks::Check* check = checks::check_of(f.check);
    if (!check) continue;
    const std::string domain = f.check.substr(0, f.check.find('-'));
    subjects.push_back({&f, &run.confirmations[f.fingerprint], domain, check->harm});
  }
  std::vector<confirm::Compilation> compilations;
  for (const frontends::Command& c : input.commands) compilations.push_back({c.path, c.directory, c.arguments});
  confirm::confirm(subjects, compilations, format_readers(specs), run, wishes, console);
  auto confirmed = [&](const report::Finding& f) {
    const report::Confirmation* c = report::confirmation_of(run, f);
    return c && c->status == report::Confirmation::Status::Confirmed;
  };
  if (o.only == "confirmed") std::erase_if(run.findings, [&](const report::Finding& f) { return !confirmed(f); });
  if (o.sort == "confirmed") std::stable_partition(run.findings.begin(), run.findings.end(), confirmed);
  return true;
}

}  // namespace reckon::driver
