#include "driver/engine_files.h"

#include <csignal>
#include <filesystem>

#include "host/files.h"
#include "host/process.h"
#include "support/file.h"

namespace reckon::driver {

namespace {

constexpr const char* kSite =
    "# What stands before each command, for engines that run jobs elsewhere, e.g.\n"
    "#   prefix = srun --ntasks=1 --mem=2G\n"
    "# This file is yours: it is written once.\n"
    "prefix =\n";

}  // namespace

std::string ninja_value(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '$' ? "$$" : std::string(1, c);
  return out;
}

std::string ninja_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '$' || c == ' ' || c == ':') out += '$';
    out += c;
  }
  return out;
}

bool put_file(const std::string& folder, std::string_view name, std::string_view text, host::Console& console) {
  std::string problem;
  if (support::write_file(folder + "/" + std::string(name), folder, text, problem)) return true;
  console.error(problem);
  return false;
}

bool put_changed_file(const std::string& folder, std::string_view name, std::string_view text, host::Console& console) {
  std::string there, ignored;  // what cannot be read is written again
  if (host::read_file(folder + "/" + std::string(name), there, ignored) && there == text) return true;
  return put_file(folder, name, text, console);
}

bool put_site_file(const std::string& folder, host::Console& console) {
  std::error_code ec;
  return std::filesystem::exists(folder + "/site.ninja", ec) || put_file(folder, "site.ninja", kSite, console);
}

std::string run_ninja(const std::string& folder, std::string_view target, const Options& options) {
  const std::string ninja = host::find_program("ninja");
  if (ninja.empty()) return "'ninja' was not found, which runs the jobs (package ninja-build)";
  host::ProcessRequest request{{ninja, "-k", "0", "-j", std::to_string(options.capture.jobs), "-C", folder}, ""};
  if (options.quiet) request.command.emplace_back("--quiet");
  if (!target.empty()) request.command.emplace_back(target);
  request.keep_output = false;
  request.signal_when_we_die = SIGTERM;
  const host::ProcessResult done = host::run_process(request);
  if (!done.error.empty()) return "ninja " + done.error;
  return done.status == 0 ? "" : "ninja " + host::describe_status(done.status);
}

}  // namespace reckon::driver
