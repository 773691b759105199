#include "driver/spec_files.h"

#include <fmt/core.h>

#include <algorithm>

#include "driver/settings.h"
#include "host/files.h"
#include "support/suggest.h"

namespace reckon::driver {

bool load_spec_file(const std::string& path, host::Console& console, specs::SpecFile& file, support::Hasher* hasher) {
  std::string text, problem;
  if (!host::read_file(path, text, problem)) {
    console.error(fmt::format("{}: {}", path, problem));
    return false;
  }
  if (hasher) hasher->text(text);
  std::vector<specs::SpecError> errors;
  file = specs::parse_spec(path, text, errors);
  for (const specs::SpecError& error : errors)
    console.raw(fmt::format("{}:{}:{}: error: {}", error.loc.file, error.loc.line, error.loc.col, error.message));
  return errors.empty();
}

namespace {

// "3", "3.11", "6.12.1"
bool is_version(std::string_view text) {
  bool digit = false;
  for (const char c : text) {
    if (c == '.' && !digit) return false;
    if (c != '.' && (c < '0' || c > '9')) return false;
    digit = c != '.';
  }
  return digit;
}

// A misspelt domain would leave everything out, and look like a clean program.
bool domains_exist(const Options& options, const specs::SpecSet& set, host::Console& console) {
  std::vector<std::string> known;
  for (const specs::DomainSpec& domain : set.domains()) known.push_back(domain.name);
  bool ok = true;
  auto expect = [&](const std::string& name, const std::string& where) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    console.error(fmt::format("{}: there is no domain '{}'{}", where, name, support::did_you_mean(name, known)));
    ok = false;
  };
  for (const std::string& name : options.analysis.domains) expect(name, "domains");
  if (!options.settings) return ok;
  for (const auto& [domain, version] : options.settings->versions()) {
    expect(domain, domain + "-version");
    if (is_version(version)) continue;
    console.error(fmt::format("{}-version: '{}' is no version; numbers with dots between them are", domain, version));
    ok = false;
  }
  return ok;
}

}  // namespace

bool load_specs(const Options& options, host::Console& console, specs::SpecSet& set, std::string* fingerprint) {
  support::Hasher hasher;
  const std::string folder = host::specs_folder();
  if (folder.empty() && options.analysis.specs.empty()) {
    console.error("the spec files that come with reckon were not found: reinstall it, or name your own with --specs");
    return false;
  }
  if (folder.empty()) console.warning("the spec files that come with reckon were not found; only --specs is used");
  for (const std::string& path : host::files_in(folder, ".spec")) {
    specs::SpecFile file;
    load_spec_file(path, console, file, &hasher);  // what is well formed is kept
    set.add(std::move(file));
  }
  bool ok = true;
  for (const std::string& path : options.analysis.specs) {
    specs::SpecFile file;
    ok = load_spec_file(path, console, file, &hasher) && ok;
    set.add(std::move(file));
  }
  if (options.settings)
    for (const auto& [domain, version] : options.settings->versions()) {
      set.set_version(domain, version);
      hasher.text(domain);
      hasher.text(version);
    }
  if (fingerprint) *fingerprint = hasher.finish().hex();
  return domains_exist(options, set, console) && ok;
}

}  // namespace reckon::driver
