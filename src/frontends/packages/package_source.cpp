#include "frontends/packages/package_source.h"

#include <fmt/core.h>

#include <filesystem>
#include <vector>

#include "frontends/r/r_archive.h"
#include "frontends/r/r_sandbox.h"
#include "host/files.h"
#include "host/process.h"
#include "support/file.h"
#include "support/strings.h"

namespace reckon::frontends {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kSeconds = 300;

// The files that a .dsc lists under "Files:", in its own folder: " HASH SIZE NAME".
std::vector<std::string> files_of(const std::string& dsc, std::string& problem) {
  std::string text;
  std::vector<std::string> out;
  if (!support::read_input(dsc, text, problem)) return out;
  bool inside = false;
  for (const std::string& line : support::lines_of(text)) {
    if (!line.starts_with(' ')) {
      inside = line.starts_with("Files:");
      continue;
    }
    const std::size_t last = line.find_last_of(' ');
    const std::string name = line.substr(last + 1);
    if (!inside || name.empty()) continue;
    if (name.find('/') != std::string::npos) {
      problem = fmt::format("it names {}, which lies elsewhere", name);
      return {};
    }
    out.push_back((fs::path(dsc).parent_path() / name).string());
  }
  if (out.empty()) problem = "it lists no files";
  return out;
}

bool is_tarball(const std::string& path) { return path.find(".tar.") != std::string::npos && !path.ends_with(".asc"); }

// The last line of what a program said, for a reason of one line.
std::string last_line(const std::string& text) {
  std::string out;
  for (const std::string& line : support::lines_of(text))
    if (!line.empty()) out = line;
  return out;
}

std::string unpack_debian(const std::string& dsc, const std::string& folder) {
  std::string problem;
  const std::vector<std::string> files = files_of(dsc, problem);
  if (!problem.empty()) return problem;
  for (const std::string& file : files)
    if (is_tarball(file))
      if (const std::string complaint = complaint_about_archive(file); !complaint.empty())
        return fmt::format("{}: {}", fs::path(file).filename().string(), complaint);
  if (host::find_program("dpkg-source").empty()) return "dpkg-source was not found (package dpkg-dev)";
  if (!have_sandbox()) return "bubblewrap is not at hand or has no rights here, and nothing is unpacked without it";
  ConfinedProgram program;
  const std::string there = fs::path(dsc).parent_path().string();
  program.command = {"sh", "-c", "exec dpkg-source --no-check --no-copy -x \"$0\" \"$1\" 2>&1", dsc,
                     folder + "/source"};
  program.directory = folder;
  program.writable = folder;
  program.readable = {there};
  program.environment = {{"LC_ALL", "C"}};
  program.seconds = kSeconds;
  const host::ProcessResult done = host::run_process({confined(program, true), folder});
  if (!done.error.empty()) return "dpkg-source " + done.error;
  if (done.status != 0)
    return fmt::format("dpkg-source {}: {}", host::describe_status(done.status), last_line(done.output));
  leave_files_and_folders(folder);
  return "";
}

}  // namespace

SourceForm form_of(const std::string& path) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) return SourceForm::Folder;
  return path.ends_with(".dsc") ? SourceForm::DebianSource : SourceForm::Archive;
}

std::string unpack_source(const std::string& path, const std::string& folder, std::string& root) {
  const std::string problem =
      form_of(path) == SourceForm::DebianSource ? unpack_debian(path, folder) : unpack_archive(path, folder);
  if (!problem.empty()) return problem;
  std::error_code ec;
  root = folder;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) entries.push_back(it->path());
  if (ec) return ec.message();
  if (entries.empty()) return "it is empty";
  if (entries.size() == 1 && fs::is_directory(entries.front(), ec)) root = entries.front().string();
  return "";
}

}  // namespace reckon::frontends
