#include "driver/project.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <filesystem>

#include "host/files.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

bool has(const std::string& folder, std::string_view name) {
  std::error_code ec;
  return fs::exists(fs::path(folder) / name, ec);
}

// Does a file of the folder say this word?
bool says(const std::string& folder, std::string_view name, std::string_view word) {
  std::string text, problem;
  return host::read_file((fs::path(folder) / name).string(), text, problem) && text.find(word) != std::string::npos;
}

std::vector<std::string> python_headers() {
  std::vector<std::string> out;
  std::error_code ec;
  for (fs::directory_iterator it("/usr/include", ec), end; !ec && it != end; it.increment(ec))
    if (it->path().filename().string().starts_with("python3")) out.push_back((it->path() / "Python.h").string());
  if (out.empty()) out.emplace_back("/usr/include/python3/Python.h");
  return out;
}

// As `uname -r` prints it, whose folder the command for kernel modules names.
std::string kernel_release() {
  utsname name{};
  return uname(&name) == 0 ? name.release : "";
}

void make_python(Project& project) {
  project.domain = "python";
  project.headers = python_headers();
  project.header_package = "python3-dev";
}

Project of_meson(const std::string& folder) {
  Project out{"a meson project", "meson.build", "", "build", {}, "reckon check", {}, "", {"meson", "ninja"}};
  if (!has(folder, "build/build.ninja")) out.first.emplace_back("meson setup build");
  out.first.emplace_back("ninja -C build");
  return out;
}

Project of_cmake(const std::string& folder) {
  Project out{"a CMake project", "CMakeLists.txt", "", "build", {}, "reckon check", {}, "", {"cmake"}};
  out.first = {"cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "cmake --build build"};
  if (has(folder, "build/compile_commands.json")) out.first.erase(out.first.begin());
  return out;
}

}  // namespace

Project look_at(const std::string& folder) {
  const bool python = has(folder, "pyproject.toml") || has(folder, "setup.py") || has(folder, "setup.cfg");
  Project out;
  if (has(folder, "DESCRIPTION") && (has(folder, "src") || has(folder, "R"))) {
    out = {"an R package",
           "DESCRIPTION",
           "r",
           "",
           {},
           "reckon r .",
           {"/usr/share/R/include/Rinternals.h"},
           "r-base-dev",
           {}};
  } else if (has(folder, "Kbuild") && has(folder, "MAINTAINERS")) {
    out = {"a Linux tree", "Kbuild", "linux", ".", {}, "reckon check", {}, "", {"make", "flex", "bison"}};
    if (!has(folder, ".config")) out.first.emplace_back("make defconfig");
    out.first.insert(out.first.end(), {"make prepare", "reckon compdb linux --allow-build ."});
  } else if (has(folder, "Kbuild") || says(folder, "Makefile", "obj-m")) {
    out = {"a kernel module",
           has(folder, "Kbuild") ? "Kbuild" : "Makefile",
           "linux",
           "",
           {},
           "reckon run -- make -C /lib/modules/$(uname -r)/build M=$PWD clean modules",
           {fmt::format("/lib/modules/{}/build/Makefile", kernel_release())},
           "linux-headers-" + kernel_release(),
           {"bear", "make", "cc"}};
  } else if (has(folder, "meson.build")) {
    out = of_meson(folder);
    if (python) make_python(out);
  } else if (has(folder, "CMakeLists.txt")) {
    out = of_cmake(folder);
    if (python) make_python(out);
  } else if (has(folder, "setup.py")) {
    out = {"a Python extension",
           "setup.py",
           "",
           "",
           {},
           "reckon run -- python3 setup.py build_ext --force --inplace",
           {},
           "",
           {"bear", "python3", "cc"}};
    make_python(out);
  } else if (python) {
    out = {
        "a Python extension",
        has(folder, "pyproject.toml") ? "pyproject.toml" : "setup.cfg",
        "",
        "",
        {},
        "reckon run -- python3 -m pip install --no-build-isolation --no-deps --force-reinstall --target build/reckon .",
        {},
        "",
        {"bear", "python3", "pip3", "cc"}};
    make_python(out);
  } else if (has(folder, "Makefile") || has(folder, "makefile") || has(folder, "GNUmakefile")) {
    out = {"a project with a Makefile", "Makefile", "", "", {}, "reckon run -- make -B", {}, "",
           {"bear", "make", "cc"}};
  } else if (has(folder, "configure")) {
    out = {"a project with a configure script",
           "configure",
           "",
           "",
           {"./configure"},
           "reckon run -- make -B",
           {},
           "",
           {"bear", "make", "cc"}};
  } else if (has(folder, "compile_commands.json") || has(folder, "build/compile_commands.json")) {
    const bool here = has(folder, "compile_commands.json");
    out = {"a project with a compilation database",
           here ? "compile_commands.json" : "build/compile_commands.json",
           "",
           here ? "." : "build",
           {},
           "reckon check",
           {},
           "",
           {}};
  }
  return out;
}

}  // namespace reckon::driver
