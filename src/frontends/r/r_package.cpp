#include "frontends/r/r_package.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "frontends/builds/compdb.h"
#include "frontends/r/r_archive.h"
#include "frontends/r/r_code.h"
#include "frontends/r/r_sandbox.h"
#include "host/process.h"
#include "support/hash.h"
#include "support/strings.h"

namespace reckon::frontends {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNoHeaders =
    "R's headers were not found (Rinternals.h); on Debian they are in the package r-base-core, and what packages need "
    "to "
    "compile in r-base-dev";

// A file that is not there is empty; so is one that cannot be read, which is told.
std::string read_or_tell(const std::string& path, host::Console& console) {
  std::string text, problem;
  std::error_code ec;
  if (host::read_file(path, text, problem)) return text;
  if (fs::exists(fs::symlink_status(path, ec))) console.warning(fmt::format("{}: not read: {}", path, problem));
  return "";
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return std::string(text);
}

// `R CMD env` prints what R tells its tools.
std::optional<RInstallation> find_r(const std::string& include, host::Console& console) {
  RInstallation r;
  if (host::find_program("R").empty()) {
    console.error(kNoHeaders);
    return std::nullopt;
  }
  const host::ProcessResult env = host::run_process({{"R", "CMD", "env"}, ""});
  for (const std::string& line : support::lines_of(env.output)) {
    auto take = [&](std::string_view name, std::string& value) {
      if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == '=')
        value = line.substr(name.size() + 1);
    };
    take("R_HOME", r.home);
    take("R_INCLUDE_DIR", r.include);
    take("R_SHARE_DIR", r.share);
    take("R_ARCH", r.arch);
    std::string list;
    take("R_LIBS", list);
    take("R_LIBS_USER", list);
    take("R_LIBS_SITE", list);
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t colon = std::min(list.find(':', at), list.size());
      r.libraries.push_back(list.substr(at, colon - at));
      at = colon + 1;
    }
  }
  if (r.include.empty()) r.include = r.home + "/include";
  if (!include.empty()) r.include = fs::absolute(include).lexically_normal().string();
  if (r.share.empty()) r.share = r.home + "/share";
  for (const char* folder : {"/usr/local/lib/R/site-library", "/usr/lib/R/site-library", "/usr/lib/R/library"})
    r.libraries.emplace_back(folder);
  r.libraries.push_back(r.home + "/library");
  std::error_code ec;
  if (!include.empty() && !fs::exists(r.include + "/Rinternals.h", ec)) {
    console.error(fmt::format("--r-include: {} has no Rinternals.h", include));
    return std::nullopt;
  }
  if (r.home.empty() || !fs::exists(r.include + "/Rinternals.h", ec)) {
    console.error(kNoHeaders);
    return std::nullopt;
  }
  return r;
}

// Package names as Debian writes them.
std::string debian_package(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return "r-cran-" + name;
}

}  // namespace

bool RPackage::open(const std::string& path, bool allow_build, const std::string& include, host::Console& console) {
  allow_build_ = allow_build;
  std::error_code ec;
  if (!fs::exists(path, ec)) {
    console.error(fmt::format("{}: no such file or folder", path));
    return false;
  }
  auto r = find_r(include, console);
  if (!r) return false;
  r_ = std::move(*r);
  const bool archive = !fs::is_directory(path, ec);
  work_.settle(support::hash128(absolute_path(path, host::current_folder())).hex());
  if (archive ? !unpack(path, console) : !find_root(absolute_path(path, host::current_folder()), console)) return false;
  description_ = read_or_tell(root_ + "/DESCRIPTION", console);
  if (!fs::is_directory(root_ + "/src", ec)) {
    console.error(fmt::format("{} has no folder src: there is no native code to check", path));
    return false;
  }
  describe_build(console);
  if (!allow_build) return true;
  if (!have_sandbox())
    console.warning(
        "bubblewrap is not at hand or has no rights here: what the package runs has all rights of the user");
  return !fs::exists(root_ + "/configure", ec) || copy_and_configure(console);
}

bool RPackage::unpack(const std::string& archive, host::Console& console) {
  if (!work_.ok()) {
    console.error(fmt::format("no temporary folder: {}", work_.error()));
    return false;
  }
  if (const std::string complaint = unpack_archive(archive, work_.path()); !complaint.empty()) {
    console.error(fmt::format("{}: {}", archive, complaint));
    return false;
  }
  return find_root(work_.path(), console);
}

// The folder itself, or the only one in it that is a package.
bool RPackage::find_root(const std::string& folder, host::Console& console) {
  std::error_code ec;
  if (fs::exists(folder + "/DESCRIPTION", ec)) {
    root_ = folder;
    return true;
  }
  for (const auto& entry : fs::directory_iterator(folder, ec))
    if (fs::exists(entry.path() / "DESCRIPTION", ec)) {
      root_ = entry.path().string();
      return true;
    }
  console.error(fmt::format("{}: no R package, as there is no file DESCRIPTION", folder));
  return false;
}

bool RPackage::copy_and_configure(host::Console& console) {
  if (!work_.ok()) {
    console.error(fmt::format("no temporary folder: {}", work_.error()));
    return false;
  }
  std::error_code ec;
  if (!root_.starts_with(work_.path())) {
    const std::string copy = work_.path() + "/" + fs::path(root_).filename().string();
    fs::copy(root_, copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks, ec);
    if (ec) {
      console.error(fmt::format("{}: could not be copied: {}", root_, ec.message()));
      return false;
    }
    root_ = build_.root = copy;
  }
  console.note("running configure");
  ConfinedProgram program;
  program.command = {"sh", "./configure"};
  program.directory = root_;
  program.writable = work_.path();
  program.readable = r_.libraries;
  program.readable.push_back(r_.home);
  program.environment = build_environment(build_);
  host::ProcessRequest request{confined(program, have_sandbox()), root_};
  request.keep_output = false;
  const host::ProcessResult configure = host::run_process(request);
  if (!configure.error.empty() || configure.status != 0)
    console.warning(fmt::format("configure {}; what can be compiled without it is checked",
                                configure.error.empty() ? host::describe_status(configure.status) : configure.error));
  return true;
}

std::string RPackage::field(std::string_view name) const {
  std::string value;
  bool inside = false;
  for (const std::string& line : support::lines_of(description_)) {
    if (!line.empty() && std::isspace(static_cast<unsigned char>(line[0]))) {
      if (inside) value += " " + trimmed(line);
      continue;
    }
    inside = line.starts_with(name) && line.size() > name.size() && line[name.size()] == ':';
    if (inside) value = trimmed(std::string_view(line).substr(name.size() + 1));
  }
  return value;
}

// -I for each package of LinkingTo.
std::string RPackage::include_flags(host::Console& console) const {
  std::string flags;
  std::string list = field("LinkingTo") + ",";
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = list.find(',', at);
    std::string name = list.substr(at, comma - at);
    at = comma + 1;
    name = trimmed(name.substr(0, name.find('(')));
    if (name.empty()) continue;
    if (!is_package_name(name)) {
      console.warning(fmt::format("LinkingTo: {} is no name of a package", name));
      continue;
    }
    std::error_code ec;
    const auto library = std::find_if(r_.libraries.begin(), r_.libraries.end(), [&](const std::string& folder) {
      return fs::is_directory(folder + "/" + name + "/include", ec);
    });
    if (library == r_.libraries.end()) {
      console.warning(fmt::format("headers of {} were not found, which the package links to; on Debian: {}", name,
                                  debian_package(name)));
      continue;
    }
    flags += fmt::format("{}-I'{}/{}/include'", flags.empty() ? "" : " ", *library, name);
  }
  return flags;
}

void RPackage::describe_build(host::Console& console) {
  build_.r = r_;
  build_.root = root_;
  build_.package = field("Package");
  if (!is_package_name(build_.package)) build_.package = "package";
  build_.requirements = field("SystemRequirements");
  build_.include_flags = include_flags(console);
  build_.writable = work_.path();
}

std::optional<Input> RPackage::commands(host::Console& console) const {
  std::optional<Input> input = allow_build_ ? commands_by_make(build_, console) : commands_by_reading(build_, console);
  if (input) input->folders = {root_};
  return input;
}

checks::Scripts RPackage::scripts(const specs::SpecSet& specs, host::Console& console) const {
  std::vector<NativeInterface> interfaces;
  for (const specs::RoutineSpec& routine : specs.routines())
    interfaces.push_back({routine.interface, routine.kind == specs::EntryParamKind::Object});
  const NativeNames names = native_names(read_or_tell(root_ + "/NAMESPACE", console));
  std::vector<std::string> files;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(root_ + "/R", fs::directory_options::skip_permission_denied, ec), end;
       !ec && it != end; it.increment(ec)) {
    const std::string ending = it->path().extension().string();
    if (ending == ".R" || ending == ".r" || ending == ".S" || ending == ".s" || ending == ".q")
      files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  checks::Scripts out;
  for (const std::string& file : files) {
    const std::string code = read_or_tell(file, console);
    const auto more = native_calls(code, file, interfaces, names);
    out.calls.insert(out.calls.end(), more.begin(), more.end());
    add_routine_names(code, names, out.names);
  }
  // R makes a C name of the library's, which is the package's.
  out.start = "R_init_" + build_.package;
  std::replace(out.start.begin(), out.start.end(), '.', '_');
  return out;
}

}  // namespace reckon::frontends
