#include "driver/spec_packs.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "driver/spec_files.h"
#include "host/files.h"
#include "support/strong_hash.h"

namespace reckon::driver {

namespace {

std::vector<std::string> all_packs() {
  const std::string folder = host::specs_folder();
  return folder.empty() ? std::vector<std::string>() : host::files_in(folder + "/packs", ".spec");
}

// The headers of its line `only-with`, which stands before all others but comments.
std::vector<std::string> headers_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != "only-with") return {};
    std::vector<std::string> headers;
    while (words >> word) headers.push_back(word);
    return headers;
  }
  return {};
}

// A line that another file has for a function wins over a pack's, whenever the pack is read.
void add_beneath(specs::SpecSet& set, specs::SpecFile file) {
  std::erase_if(file.functions, [&](const specs::FunctionSpec& f) { return set.find(f.name) != nullptr; });
  set.add(std::move(file));
}

// A header is given by the end of its path.
bool reads(const Headers& paths, std::string_view header) {
  return std::any_of(paths.begin(), paths.end(), [&](std::string_view path) {
    return path.ends_with(header) && (path.size() == header.size() || path[path.size() - header.size() - 1] == '/');
  });
}

}  // namespace

bool load_packs(const Headers& read, host::Console& console, specs::SpecSet& set, std::string* fingerprint) {
  support::StrongHasher hasher;
  if (fingerprint) hasher.text(*fingerprint);
  bool ok = true;
  for (const std::string& path : all_packs()) {
    const std::vector<std::string> headers = headers_of(path);
    if (std::none_of(headers.begin(), headers.end(), [&](const std::string& h) { return reads(read, h); })) continue;
    specs::SpecFile file;
    ok = load_spec_file(path, console, file, &hasher) && ok;
    add_beneath(set, std::move(file));
  }
  if (fingerprint) *fingerprint = hasher.finish().hex();
  return ok;
}

bool load_all_packs(host::Console& console, specs::SpecSet& set) {
  bool ok = true;
  for (const std::string& path : all_packs()) {
    specs::SpecFile file;
    ok = load_spec_file(path, console, file) && ok;
    add_beneath(set, std::move(file));
  }
  return ok;
}

}  // namespace reckon::driver
