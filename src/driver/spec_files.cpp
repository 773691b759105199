#include "driver/spec_files.h"

#include <fmt/core.h>

#include "driver/settings.h"
#include "host/files.h"

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
  return ok;
}

}  // namespace reckon::driver
