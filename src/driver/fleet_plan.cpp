// What a fleet's folder holds for the engines and the jobs: build.ninja, site.ninja, slurm.sh, the list of packages,
// and a file for each package that says what is to be done, which changes only if that does.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/engine_files.h"
#include "driver/fleet.h"
#include "frontends/packages/package_source.h"
#include "host/files.h"
#include "support/command_words.h"
#include "support/file.h"
#include "support/program_path.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace fs = std::filesystem;
using nlohmann::json;
using support::shell_word;

namespace {

// Slurm's own limit for the elements of an array is 1,001, unless the site has another.
constexpr std::size_t kLargestArray = 1000;

// Options of the command line that are not for the work of a job, and whether a value follows.
struct NotForJobs {
  std::string_view name;
  bool has_value;
};
constexpr std::array<NotForJobs, 7> kNotForJobs = {{{"--since", true},
                                                    {"--plan-only", false},
                                                    {"-j", true},
                                                    {"--jobs", true},
                                                    {"--retry", false},
                                                    {"-v", false},
                                                    {"--verbose", false}}};

// The command line for jobs: without the program, the command, the list, and what only the whole fleet needs. What it
// has of options is what a result depends on.
std::vector<std::string> job_arguments(const Options& options, const FleetOptions& fleet) {
  std::vector<std::string> out;
  bool list_seen = false;
  for (std::size_t i = 2; i < options.arguments.size(); ++i) {
    const std::string& word = options.arguments[i];
    const auto skipped = std::find_if(kNotForJobs.begin(), kNotForJobs.end(), [&](const NotForJobs& option) {
      return word == option.name || (option.has_value && word.starts_with(option.name) &&
                                     (option.name.size() == 2 || word[option.name.size()] == '='));
    });
    if (skipped != kNotForJobs.end()) {
      i += skipped->has_value && word == skipped->name;
    } else if (word == fleet.list && !list_seen && (i == 2 || out.empty() || out.back() != "--out")) {
      list_seen = true;
    } else {
      out.push_back(word);
    }
  }
  return out;
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += " " + shell_word(word);
  return out;
}

std::string program() { return shell_word(support::program_folder() + "/reckon"); }

std::string since_option(const FleetOptions& fleet) {
  return fleet.since.empty() ? "" : " --since " + shell_word(fleet.since);
}

std::string ninja_text(const std::vector<FleetPackage>& packages, const FleetOptions& fleet, const Options& options) {
  const std::string arguments = shell_words(job_arguments(options, fleet));
  const std::string before = fmt::format("cd {} && $prefix {} fleet -j1",
                                         ninja_value(shell_word(host::current_folder())), ninja_value(program()));
  std::string out = fmt::format(
      "# Written by `reckon fleet`: `ninja -k 0 -C {}` runs it.\n"
      "ninja_required_version = 1.10\n"
      "include site.ninja\n"
      "rule package\n"
      "  command = {} --job $job{}\n"
      "  description = $name\n"
      "  restat = 1\n"
      "rule report\n"
      "  command = {} --job report{}\n"
      "  description = report\n",
      ninja_value(support::printable(fleet.folder)), before, ninja_value(arguments), before,
      ninja_value(arguments + since_option(fleet)));
  std::string results;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    const FleetPackage& package = packages[i];
    std::error_code ec;
    const bool watched =
        frontends::form_of(package.path) != frontends::SourceForm::Folder && fs::exists(package.path, ec);
    out +=
        fmt::format("build packages/{0}/result.json: package packages/{0}/package.json{1}\n  job = {2}\n  name = {3}\n",
                    package.slug, watched ? " | " + ninja_path(package.path) : "", i,
                    ninja_value(support::printable(package.name)));
    results += fmt::format(" packages/{}/result.json", package.slug);
  }
  return out + fmt::format("build fleet.json | index.html: report{} | packages.json\ndefault fleet.json\n", results);
}

std::string slurm_text(std::size_t count, const FleetOptions& fleet, const Options& options) {
  std::error_code ec;
  const std::string arguments = shell_words(job_arguments(options, fleet));
  return fmt::format(R"(#!/bin/sh
# Written by `reckon fleet`: `sh slurm.sh [OPTIONS OF SBATCH]` submits its jobs to Slurm: an array of packages, and the
# report behind it, which comes whatever became of them.
set -eu
submit() {{ sbatch --parsable --requeue --chdir={0} "$@" </dev/null; }}
fleet={1}
case ${{1-}} in
  package)
    exec {2} fleet -j1 --job $(($2 + SLURM_ARRAY_TASK_ID)){3} ;;
  report)
    exec {2} fleet -j1 --job report{3}{4} ;;
  *)
    first=0
    submitted=
    while [ $first -lt {5} ]; do
      last=$(({5} - first - 1))
      [ $last -lt {6} ] || last=$(({6} - 1))
      submitted=$submitted:$(submit --array=0-$last "$@" "$fleet/slurm.sh" package $first)
      first=$((first + {6}))
    done
    submit --dependency=afterany"$submitted" "$@" "$fleet/slurm.sh" report ;;
esac
)",
                     shell_word(host::current_folder()), shell_word(fs::absolute(fleet.folder, ec).string()), program(),
                     arguments, since_option(fleet), count, kLargestArray);
}

json to_json(const FleetPackage& package) {
  return {{"name", package.name}, {"path", package.path},   {"slug", package.slug},
          {"kind", package.kind}, {"build", package.build}, {"flags", package.flags}};
}

// Paths are UTF-8 (read_fleet_list() sees to it); an argument need not be.
bool put_json(const std::string& folder, std::string_view name, const json& value, host::Console& console) {
  return put_changed_file(
      folder, name, support::printable_json(value.dump(1, ' ', false, json::error_handler_t::replace)) + "\n", console);
}

bool is_text(const json& entry, const char* name) { return entry.contains(name) && entry[name].is_string(); }

}  // namespace

std::string folder_of(const FleetOptions& fleet, const FleetPackage& package) {
  return fleet.folder + "/packages/" + package.slug;
}

bool write_fleet(const std::vector<FleetPackage>& packages, const FleetOptions& fleet, const Options& options,
                 host::Console& console) {
  std::string problem;
  json list = json::array();
  const json arguments = job_arguments(options, fleet);
  for (const FleetPackage& package : packages) {
    const std::string folder = folder_of(fleet, package);
    if (!support::make_folders(folder, problem)) {
      console.error(problem);
      return false;
    }
    json what = to_json(package);
    list.push_back(what);
    what["arguments"] = arguments;
    if (!put_json(folder, "package.json", what, console)) return false;
  }
  return put_site_file(fleet.folder, console) && put_json(fleet.folder, "packages.json", list, console) &&
         put_file(fleet.folder, "slurm.sh", slurm_text(packages.size(), fleet, options), console) &&
         put_file(fleet.folder, "build.ninja", ninja_text(packages, fleet, options), console);
}

std::optional<std::vector<FleetPackage>> read_fleet(const std::string& folder, host::Console& console) {
  const std::string path = folder + "/packages.json";
  std::string text, problem;
  if (!support::read_input(path, text, problem)) {
    console.error(fmt::format("{}: {}", path, problem));
    return std::nullopt;
  }
  const json list = json::parse(text, nullptr, false);
  std::vector<FleetPackage> out;
  bool good = list.is_array();
  for (std::size_t i = 0; good && i < list.size(); ++i) {
    const json& entry = list[i];
    good = entry.is_object() && is_text(entry, "name") && is_text(entry, "path") && is_text(entry, "slug") &&
           is_text(entry, "kind") && is_text(entry, "build") && entry.contains("flags") && entry["flags"].is_array();
    if (!good) break;
    FleetPackage package{entry["name"], entry["path"], entry["slug"], entry["kind"], entry["build"], {}};
    for (const json& flag : entry["flags"])
      if (flag.is_string()) package.flags.push_back(flag);
    good = package.slug.find('/') == std::string::npos && !package.slug.empty();
    out.push_back(std::move(package));
  }
  if (good) return out;
  console.error(fmt::format("{} is not what `reckon fleet` writes", path));
  return std::nullopt;
}

json result_of(const std::string& folder) {
  std::string text, ignored;  // a result that cannot be read is none, and is made again
  if (!support::read_input(folder + "/result.json", text, ignored)) return {};
  json result = json::parse(text, nullptr, false);
  const bool good = result.is_object() && is_text(result, "status") && is_text(result, "key");
  return good ? result : json();
}

}  // namespace reckon::driver
