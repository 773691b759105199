#include "driver/base_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "frontends/builds/compdb.h"

namespace reckon::driver {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What to fetch, if that is the reason why git knows too little.
std::string advice(const Git& git, const std::string& revision) {
  std::string ignored;
  const auto shallow = git.ask({"rev-parse", "--is-shallow-repository"}, ignored);
  if (shallow && shallow->starts_with("true"))
    return "; this clone is shallow: git fetch --unshallow gets the rest (in GitHub's checkout fetch-depth: 0, in "
           "GitLab GIT_DEPTH: 0)";
  const std::size_t slash = revision.find('/');
  if (slash != std::string::npos && slash > 0)
    return fmt::format("; git fetch {} {} may get it", revision.substr(0, slash), revision.substr(slash + 1));
  return "";
}

// Writes the files' earlier texts and the list that tells Clang where they are. "" or what went wrong.
std::string write_overlay(const std::string& folder, const std::map<std::string, std::string>& texts) {
  nlohmann::json overlay = {{"version", 0}, {"use-external-names", false}, {"roots", nlohmann::json::array()}};
  std::size_t number = 0;
  for (const auto& [path, text] : texts) {
    const std::string place = fmt::format("{}/{}", folder, number++);
    std::ofstream file(place, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) return place + " could not be written";
    for (const std::string& name : std::set<std::string>{path, frontends::real_path(path)})
      overlay["roots"].push_back({{"type", "file"}, {"name", name}, {"external-contents", place}});
  }
  std::ofstream list(folder + "/overlay.yaml", std::ios::binary | std::ios::trunc);
  list << overlay.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return list.flush() ? "" : folder + "/overlay.yaml could not be written";
}

// How many folders two absolute paths have in common, from the root on.
std::size_t shared_folders(std::string_view a, std::string_view b) {
  const auto differing = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::size_t>(std::count(a.begin(), differing, '/'));
}

bool lies_in(std::string_view path, const std::string& folder) {
  return path.starts_with(folder.ends_with('/') ? folder : folder + "/");
}

// The call with another source.
frontends::Command called_alike(frontends::Command command, const std::string& path) {
  for (std::string& argument : command.arguments)
    if (argument == command.file || frontends::absolute_path(argument, command.directory) == command.path)
      argument = path;
  command.file = command.path = path;
  return command;
}

}  // namespace

std::optional<BaseState> BaseState::find(const std::string& revision, std::string& error) {
  if (revision.empty() || revision.starts_with("-")) {
    error = fmt::format("'{}' is no revision", revision);
    return std::nullopt;
  }
  const auto git = Git::open(error);
  if (!git) return std::nullopt;
  std::string problem;
  if (!git->ask({"rev-parse", "--verify", "--quiet", revision + "^{commit}"}, problem)) {
    error = fmt::format("git knows no revision '{}'{}", revision, advice(*git, revision));
    return std::nullopt;
  }
  const auto merge_base = git->ask({"merge-base", revision, "HEAD"}, problem);
  if (!merge_base) {
    error = fmt::format("'{}' and HEAD have no commit in common{}", revision, advice(*git, revision));
    return std::nullopt;
  }
  const std::string base = first_line(*merge_base);
  constexpr std::size_t kShown = 12;
  BaseState out;
  out.name_ = fmt::format("{} ({})", revision, base.substr(0, kShown));
  const auto diff = git->diff(base, error);
  if (!diff) return std::nullopt;
  for (FileDiff& file : parse_file_diffs(*diff)) {
    const std::string now = git->root() + "/" + file.new_name, before = git->root() + "/" + file.old_name;
    const auto text = file.old_name.empty() ? std::nullopt : git->content(base, file.old_name);
    if (text) out.texts_[before] = *text;
    // What has a new name is read under both: sources by the one that the compiler call has today.
    if (!file.new_name.empty() && file.new_name != file.old_name) out.texts_[now] = text.value_or("");
    if (!text) continue;
    out.moved_.emplace(before, Moved{file.new_name.empty() ? "" : now, file});
    if (!file.new_name.empty()) out.moved_.emplace(now, Moved{now, file});
  }
  const auto others = git->untracked(error);
  if (!others) return std::nullopt;
  for (const std::string& name : *others) out.texts_.emplace(git->root() + "/" + name, "");
  return out;
}

std::vector<frontends::Command> BaseState::deleted(const frontends::Input& input) const {
  std::set<std::string> compiled, files;  // sorted, so that the order does not change from run to run
  for (const frontends::Command& command : input.commands) compiled.insert(command.path);
  for (const auto& [path, moved] : moved_)
    if (moved.now.empty() && frontends::is_c_family(path, {}) && !compiled.contains(path) &&
        std::any_of(input.folders.begin(), input.folders.end(), [&](const auto& f) { return lies_in(path, f); }))
      files.insert(path);
  std::vector<frontends::Command> out;
  for (const std::string& path : files) {
    const frontends::Command* nearest = nullptr;
    for (const frontends::Command& command : input.commands)
      if (frontends::is_cxx_file(command.path) == frontends::is_cxx_file(path) &&
          (!nearest || shared_folders(command.path, path) > shared_folders(nearest->path, path)))
        nearest = &command;
    if (nearest) out.push_back(called_alike(*nearest, path));
  }
  return out;
}

bool BaseState::differs(const model::Unit& unit) const {
  return texts_.contains(unit.path) || std::any_of(unit.headers.begin(), unit.headers.end(), [&](model::StrId header) {
           return texts_.contains(std::string(unit.str(header)));
         });
}

Captured BaseState::capture(const std::vector<frontends::Command>& commands, const Captured& now,
                            const Options& options, host::Console& console) const {
  // Units that both states share, and the commands of the others.
  std::vector<std::shared_ptr<const model::Unit>> units(commands.size());
  std::vector<frontends::Command> changed;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (i < now.unit_of.size() && now.unit_of[i] && !differs(*now.unit_of[i])) {
      units[i] = now.unit_of[i];
    } else {
      changed.push_back(commands[i]);
      places.push_back(i);
    }
  }
  Captured out;
  out.cache = now.cache;
  std::vector<std::string> keys = now.key_of;
  if (!keys.empty()) keys.resize(commands.size());
  if (!changed.empty()) {
    const host::TempFolder folder;
    const std::string problem = folder.ok() ? write_overlay(folder.path(), texts_) : folder.error();
    if (!problem.empty()) {
      console.error(fmt::format("--new-since: {}", problem));
      out.interrupted = true;
      return out;
    }
    const Overlay overlay{folder.path() + "/overlay.yaml", &texts_};
    Captured then = capture_units(changed, options, console, &overlay);
    out.interrupted = then.interrupted;
    out.failed = std::move(then.failed);
    for (std::size_t i = 0; i < places.size() && !then.interrupted; ++i) {
      units[places[i]] = then.unit_of[i];
      // What earlier runs found out is shared by both states: most functions are the same.
      if (!keys.empty() && keys[places[i]].empty()) keys[places[i]] = then.key_of[i];
    }
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (!units[i]) continue;
    out.units.push_back(units[i]);
    for (const model::StrId header : units[i]->headers) out.headers.emplace(units[i]->str(header));
    if (!keys.empty()) out.request_keys.push_back(keys[i]);
  }
  out.unit_of = std::move(units);
  return out;
}

report::PlaceNow BaseState::place_now() const {
  return [this](const report::SourceLoc& loc) -> std::optional<std::pair<std::string, std::uint32_t>> {
    const auto it = moved_.find(loc.file);
    if (it == moved_.end()) return std::pair(loc.file, loc.line);
    const auto line = it->second.diff.now(loc.line);
    if (!line || it->second.now.empty()) return std::nullopt;
    return std::pair(it->second.now, *line);
  };
}

}  // namespace reckon::driver
