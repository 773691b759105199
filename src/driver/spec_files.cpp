#include "driver/spec_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "driver/settings.h"
#include "host/files.h"
#include "specs/scanner.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

// The error, the line it is about, and a caret below the place.
void tell(host::Console& console, const specs::SpecError& error, std::string_view text) {
  console.raw(support::printable(
      fmt::format("{}:{}:{}: error: {}", error.loc.file, error.loc.line, error.loc.col, error.message)));
  for (std::uint32_t line = 1; line < error.loc.line; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
  constexpr std::size_t kShown = 160;
  const std::string_view line = text.substr(0, text.find('\n'));
  if (error.loc.col == 0 || error.loc.col > line.size() + 1 || line.size() > kShown) return;
  std::string caret;
  for (std::size_t i = 0; i + 1 < error.loc.col; ++i) caret += line[i] == '\t' ? '\t' : ' ';
  console.raw(fmt::format("  {}\n  {}^", line, caret));
}

// The first errors with their lines: whoever gives a file of another kind reads no more.
void tell(host::Console& console, const std::vector<specs::SpecError>& errors, std::string_view text) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(errors.size(), kMost); ++i) tell(console, errors[i], text);
  if (errors.size() > kMost) console.result(fmt::format("and {} more errors in this file", errors.size() - kMost));
}

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

// The 3 of "3.11".
unsigned long generation(const std::string& version) { return std::strtoul(version.c_str(), nullptr, 10); }

// The first and the last that the specs of a domain speak of; 0 if they speak of none. A later 3.x than all is taken
// for one that has come since, and what has no `since` holds for a 2.7, too; a 4.0 nobody has described.
std::pair<unsigned long, unsigned long> generations_of(const specs::SpecSet& set, const std::string& domain) {
  unsigned long first = 0, last = 0;
  const auto add = [&](const std::string& of, const std::string& version) {
    if (of != domain || version.empty()) return;
    first = first == 0 ? generation(version) : std::min(first, generation(version));
    last = std::max(last, generation(version));
  };
  for (const auto& spec : set.functions()) add(spec->domain, spec->since), add(spec->domain, spec->until);
  for (const specs::DomainSpec& spec : set.domains())
    for (const auto& [version, header] : spec.versions) add(spec.name, version);
  return {first, last};
}

// A misspelt domain would leave everything out, and look like a clean program; a version that is none would choose
// specs that nobody asked for.
bool known_domains(const specs::SpecSet& set, const Options& options, host::Console& console) {
  bool ok = true;
  std::vector<std::string_view> names;
  for (const specs::DomainSpec& domain : set.domains()) names.push_back(domain.name);
  auto expect = [&](const std::string& wanted) {
    if (set.find_domain(wanted)) return;
    console.error(fmt::format("no spec names a domain `{}`{}", wanted, specs::suggestion(wanted, names)));
    ok = false;
  };
  for (const std::string& wanted : options.analysis.domains) expect(wanted);
  if (!options.settings) return ok;
  for (const auto& [domain, version] : options.settings->versions()) {
    expect(domain);
    if (!is_version(version)) {
      console.error(fmt::format("{}-version: '{}' is no version; numbers with dots between them are", domain, version));
      ok = false;
    } else if (const auto [first, last] = generations_of(set, domain);
               last != 0 && (generation(version) + 1 < first || generation(version) > last)) {
      console.error(fmt::format("{}-version: the specs know nothing of a version {}, only {}", domain, version,
                                first == last ? fmt::format("{}.x", first) : fmt::format("{}.x to {}.x", first, last)));
      ok = false;
    }
  }
  return ok;
}

}  // namespace

bool load_spec_file(const std::string& path, host::Console& console, specs::SpecFile& file,
                    support::StrongHasher* hasher) {
  std::string text, problem;
  if (!host::read_file(path, text, problem)) {
    console.error(fmt::format("{}: {}", path, problem));
    return false;
  }
  if (hasher) hasher->text(text);
  std::vector<specs::SpecError> errors;
  file = specs::parse_spec(path, text, errors);
  tell(console, errors, text);
  return errors.empty();
}

bool check_together(const specs::SpecSet& set, host::Console& console) {
  const std::vector<specs::SpecError> errors = set.check();
  for (const specs::SpecError& error : errors) {
    std::string text, problem;
    if (!host::read_file(error.loc.file, text, problem)) text.clear();  // the message stands without its line
    tell(console, error, text);
  }
  return errors.empty();
}

bool load_own_specs(host::Console& console, specs::SpecSet& set, support::StrongHasher* hasher) {
  bool ok = true;
  const std::string folder = host::specs_folder();
  for (const std::string& path : host::files_in(folder, ".spec")) {
    if (path.starts_with(folder + "/packs/")) continue;  // spec_packs.h: only for programs that read their headers
    specs::SpecFile file;
    ok = load_spec_file(path, console, file, hasher) && ok;
    set.add(std::move(file));
  }
  return ok;
}

bool load_specs(const Options& options, host::Console& console, specs::SpecSet& set, std::string* fingerprint) {
  support::StrongHasher hasher;
  const std::string folder = host::specs_folder();
  if (folder.empty() && options.analysis.specs.empty()) {
    console.error("the spec files that come with reckon were not found: reinstall it, or name your own with --specs");
    return false;
  }
  if (folder.empty()) console.warning("the spec files that come with reckon were not found; only --specs is used");
  bool ok = load_own_specs(console, set, &hasher);
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
  return ok && check_together(set, console) && known_domains(set, options, console);
}

}  // namespace reckon::driver
