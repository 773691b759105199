#include "driver/output_places.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "driver/settings.h"
#include "frontends/builds/compdb.h"
#include "host/files.h"
#include "report/html_page.h"
#include "support/file.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

std::string real(const std::string& path) {
  return frontends::real_path(frontends::absolute_path(path, host::current_folder()));
}

bool lies_in(const std::string& path, const std::string& folder) { return path.starts_with(folder + "/"); }

// Would a file of this name be somebody's work? "" or what it seems to be.
std::string kind_by_name(const std::string& path) {
  static constexpr std::string_view kEndings[] = {
      ".c",   ".cc",  ".cpp", ".cxx", ".C",  ".c++", ".m",   ".mm", ".h", ".hh", ".hpp", ".hxx",  ".H",
      ".inc", ".inl", ".ipp", ".tcc", ".py", ".pyx", ".pxd", ".R",  ".r", ".S",  ".s",   ".spec", ".toml"};
  static constexpr std::string_view kNames[] = {"CMakeLists.txt", "meson.build", "Makefile",  "Makevars", "Makevars.in",
                                                "configure",      "DESCRIPTION", "NAMESPACE", "Kbuild",   ".config"};
  const fs::path plain(path);
  const std::string name = plain.filename().string(), ending = plain.extension().string();
  if (name == "compile_commands.json") return "is a compilation database";
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames))
    return "exists and is a part of a build";
  if (std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings))
    return "exists and looks like a source file";
  return "";
}

}  // namespace

OutputPlaces::OutputPlaces(const Options& options, host::Console& console) : console_(console) {
  std::error_code ec;
  for (const std::string& spec : options.analysis.specs) enter(real(spec), "is a spec file of this run");
  if (!options.settings->file().empty()) enter(real(options.settings->file()), "holds the settings of this run");
  if (!options.report.baseline.empty()) enter(real(options.report.baseline), "is the baseline of this run");
  for (const auto* places : {&options.input.databases, &options.input.usual_databases})
    for (const std::string& place : *places)
      if (!fs::is_directory(place, ec)) enter(real(place), "is a compilation database of this run");
}

void OutputPlaces::enter(const std::string& file, const std::string& what) {
  taken_.emplace(frontends::real_path(file), what);
}

bool OutputPlaces::take(const std::string& real, const std::string& given, const std::string& writer,
                        std::string_view made) {
  std::error_code ec;
  std::string problem;
  if (const auto it = taken_.find(real); it != taken_.end())
    problem = it->second;
  else if (fs::exists(real, ec) && !fs::is_directory(real, ec) && (made.empty() || !real.ends_with(made)))
    problem = kind_by_name(real);
  for (const auto& [folder, other] : folders_)
    if (problem.empty() && (lies_in(real, folder) || lies_in(folder, real)))
      problem = fmt::format("and the folder of {} lie in each other", other);
  if (!problem.empty()) {
    console_.error(fmt::format("{}: {}; give another name", given, problem));
    return false;
  }
  taken_.emplace(real, fmt::format("is written by {}, too", writer));
  written_.emplace(real, given);
  return true;
}

std::optional<support::OutputPlace> OutputPlaces::file(const std::string& path, const std::string& writer,
                                                       std::string_view made) {
  std::string problem;
  auto place = support::find_output_place(path, problem);
  if (!place) console_.error(problem);
  if (place && !place->direct && !take(place->path, path, writer, made)) return std::nullopt;
  return place;
}

std::optional<support::OutputPlace> OutputPlaces::made_spec(const std::string& path, std::string_view heading,
                                                            std::string_view kind) {
  auto place = file(path, "--output", ".spec");
  if (!place || place->direct) return place;
  const std::string start = support::first_bytes(place->path, heading.size());
  if (start.empty() || start == heading) return place;
  console_.error(fmt::format("{}: exists and is no {}; give another name", path, kind));
  return std::nullopt;
}

std::optional<support::OutputPlace> OutputPlaces::new_spec(const std::string& path) {
  auto place = file(path, "--output", ".spec");
  if (!place || place->direct || support::first_bytes(place->path, 1).empty()) return place;
  console_.error(
      fmt::format("{}: exists, and somebody may have mended it; give another name, or remove it first", path));
  return std::nullopt;
}

bool OutputPlaces::folder(const std::string& path, const std::string& writer) {
  const std::string place = real(path);
  for (const char* page : {"index.html", "coverage.html"}) {
    std::error_code ec;
    const std::string file = fmt::format("{}/{}", place, page);
    if (!fs::exists(file, ec) || report::is_html_page(file)) continue;
    console_.error(fmt::format("{}: holds {}, which is no page of a report; give another folder", path, page));
    return false;
  }
  for (const auto& [file, given] : written_)
    if (lies_in(file, place)) {
      console_.error(fmt::format("{}: {} is written there, too; give another name", path, given));
      return false;
    }
  std::string problem;
  if (!support::OutputFolder().open(path, problem)) {
    console_.error(problem);
    return false;
  }
  if (!take(place, path, writer, {})) return false;
  folders_.emplace(place, writer);
  return true;
}

bool OutputPlaces::spare(const std::vector<std::string>& files) {
  if (written_.empty()) return true;
  for (const std::string& file : files)
    if (const auto it = written_.find(frontends::real_path(file)); it != written_.end()) {
      console_.error(fmt::format("{}: is read by this run; give another name", it->second));
      return false;
    }
  return true;
}

}  // namespace reckon::driver
