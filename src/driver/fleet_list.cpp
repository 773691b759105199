// The list of a fleet: one package a line, words as a shell splits them, the path first, then NAME=VALUE.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "driver/fleet.h"
#include "frontends/builds/compdb.h"
#include "host/files.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/strings.h"
#include "support/suggest.h"

namespace reckon::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostPackages = 100'000;
constexpr std::size_t kLongestSlug = 60;
constexpr std::size_t kHashDigits = 8;

// Letters, digits and what else is harmless in a file name and in an address.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == '+';
}

// The folder of a package: readable, and another one for each path and kind, wherever it stands in the list.
std::string slug_of(const FleetPackage& package) {
  std::string out;
  for (const char c : package.name.substr(0, kLongestSlug)) out += is_plain(c) && (c != '.' || !out.empty()) ? c : '_';
  return out + "-" +
         support::hash128(package.path + '\n' + package.name + '\n' + package.kind).hex().substr(0, kHashDigits);
}

// "digest" of "some/digest/" and "digest_0.6.31.tar.gz" as it is, without the ending.
std::string name_of(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (const std::string_view ending : {".dsc", ".tgz", ".tar"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  const std::size_t tar = name.rfind(".tar.");
  return tar == std::string::npos ? name : name.substr(0, tar);
}

// Takes one NAME=VALUE. "", or what is wrong.
std::string take_option(const std::string& word, FleetPackage& package) {
  static const std::vector<std::string> kNames = {"name", "kind", "flags", "build"};
  static constexpr std::array<std::string_view, 4> kKinds = {"r", "database", "python", "build"};
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  if (equals == std::string::npos || std::find(kNames.begin(), kNames.end(), name) == kNames.end())
    return fmt::format("'{}' is none of name=, kind=, flags=, build= (a path with spaces stands in quotes){}", word,
                       support::did_you_mean(name, kNames));
  const std::string value = word.substr(equals + 1);
  if (value.empty()) return fmt::format("{}: the value is empty", name);
  if (name == "name") package.name = value;
  if (name == "build") package.build = value;
  if (name == "flags") package.flags = frontends::split_command(value);
  if (name == "kind") {
    if (std::find(kKinds.begin(), kKinds.end(), value) == kKinds.end())
      return fmt::format("kind={}: there are r, database, python and build", value);
    package.kind = value;
  }
  return "";
}

}  // namespace

std::optional<std::vector<FleetPackage>> read_fleet_list(const std::string& path, host::Console& console) {
  std::string text, problem;
  if (!support::read_input(path, text, problem)) {
    console.error(fmt::format("{}: {}", path, problem));
    return std::nullopt;
  }
  std::error_code ec;
  const std::string folder = fs::absolute(path, ec).parent_path().string();
  std::vector<FleetPackage> out;
  std::set<std::string> slugs;
  std::size_t number = 0;
  for (const std::string& line : support::lines_of(text)) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    const std::vector<std::string> words = frontends::split_command(line);
    FleetPackage package;
    if (!words.empty()) package.path = frontends::absolute_path(words.front(), folder);
    while (package.path.size() > 1 && package.path.ends_with('/')) package.path.pop_back();
    package.name = name_of(package.path);
    problem = words.empty() || words.front().empty() ? "the path is empty"
              : !support::is_utf8(line)              ? "the line is not UTF-8"
                                                     : "";
    for (std::size_t i = 1; i < words.size() && problem.empty(); ++i) problem = take_option(words[i], package);
    package.slug = slug_of(package);
    if (problem.empty() && !slugs.insert(package.slug).second)
      problem = fmt::format("{} is listed twice", package.path);
    if (problem.empty() && out.size() == kMostPackages) problem = fmt::format("more than {} packages", kMostPackages);
    if (!problem.empty()) {
      console.error(fmt::format("{}:{}: {}", path, number, problem));
      return std::nullopt;
    }
    out.push_back(std::move(package));
  }
  if (out.empty()) console.error(fmt::format("{} names no package", path));
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace reckon::driver
