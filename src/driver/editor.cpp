#include "driver/editor.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "driver/editor_look.h"
#include "driver/header_users.h"
#include "driver/project.h"
#include "driver/settings.h"
#include "driver/spec_files.h"
#include "driver/worker_process.h"
#include "host/files.h"
#include "support/project_folders.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLookMemoryMib = 4096;  // unless the user says otherwise
constexpr std::size_t kMostUsers = 2000;        // of a header that are looked at when it changes

class WorkerLook : public lsp::Look {
 public:
  WorkerLook(std::unique_ptr<WorkerCallbacks> callbacks, std::unique_ptr<WorkerProcess> worker, EndingWorkers& ending,
             double seconds, std::function<void()> failed)
      : callbacks_(std::move(callbacks)),
        worker_(std::move(worker)),
        ending_(ending),
        seconds_(seconds),
        failed_(std::move(failed)) {}
  ~WorkerLook() override { ending_.add(*worker_); }
  WorkerLook(const WorkerLook&) = delete;
  WorkerLook& operator=(const WorkerLook&) = delete;

  int fd() const override { return worker_->fd(); }

  Event receive(std::string& text) override {
    switch (worker_->receive(text)) {
      case WorkerProcess::Event::Answer: return Event::Answer;
      case WorkerProcess::Event::Gone: text = worker_->epitaph(); return failed();
      case WorkerProcess::Event::Nothing: break;
    }
    if (WorkerProcess::Clock::now() < worker_->deadline()) return Event::Nothing;
    text = fmt::format("gave no result within {} s (--timeout)", seconds_);
    return failed();
  }

 private:
  Event failed() {
    failed_();
    return Event::Failed;
  }

  std::unique_ptr<WorkerCallbacks> callbacks_;
  std::unique_ptr<WorkerProcess> worker_;
  EndingWorkers& ending_;
  double seconds_;
  std::function<void()> failed_;
};

// What to do where no database tells how a file is compiled, in the words of `reckon doctor`.
std::string advice_for(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  while (!support::starts_project(folder) && folder != folder.parent_path() && look_at(folder.string()).kind.empty())
    folder = folder.parent_path();
  const Project project = look_at(folder.string());
  std::string out = fmt::format("missing: a compilation database for {}; it is looked at without flags. ",
                                fs::path(path).filename().string());
  if (project.kind.empty())
    return out +
           "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson always does; "
           "for any other build: bear -- BUILD COMMAND";
  std::string first;
  for (const std::string& command : project.first) first += (first.empty() ? "" : " && ") + command;
  out += fmt::format("This is {} ({}); run: {}", project.kind, project.mark,
                     first.empty() ? "bear -- BUILD COMMAND" : first);
  return out;
}

// The server goes to the folder that the editor opens; paths of the command line mean the one where it was started.
Options with_absolute_paths(Options options) {
  const std::string here = host::current_folder();
  for (auto* list : {&options.input.databases, &options.analysis.specs})
    for (std::string& path : *list) path = frontends::absolute_path(path, here);
  for (std::string* path : {&options.config, &options.capture.cache_dir, &options.capture.cache_key})
    if (!path->empty()) *path = frontends::absolute_path(*path, here);
  return options;
}

}  // namespace

Editor::Editor(const Options& options, host::Console& console)
    : given_(with_absolute_paths(options)), options_(given_), console_(console) {}

std::string Editor::enter(const std::vector<std::string>& folders) {
  if (!folders.empty() && chdir(folders.front().c_str()) != 0)
    console_.warning(fmt::format("{} cannot be entered", folders.front()));
  known_.clear();
  problem_.clear();
  options_ = given_;
  specs_ = specs::SpecSet();
  auto settings = Settings::load(options_, console_);
  if (!settings) return problem_ = "reckon.toml has errors; they stand in the server's log";
  options_.settings = std::make_shared<const Settings>(std::move(*settings));
  if (!load_specs(options_, console_, specs_, &spec_fingerprint_))
    problem_ = "the specs have errors; they stand in the server's log";
  return problem_;
}

bool Editor::is_header(const std::string& path) const { return driver::is_header(path); }

// Places of databases that may have the file: those that were named, else those of the folders above it.
std::vector<std::string> Editor::databases_near(const std::string& path) const {
  std::vector<std::string> out;
  for (const auto* list : {&options_.input.databases, &options_.input.usual_databases})
    for (const std::string& place : *list) {
      const std::string full = frontends::absolute_path(place, host::current_folder());
      out.push_back(full.ends_with(".json") ? full : full + "/compile_commands.json");
    }
  if (!out.empty()) return out;
  struct stat start{};  // a text that was never saved has no owner yet: its folder's is meant
  if (stat(path.c_str(), &start) != 0 && stat(fs::path(path).parent_path().c_str(), &start) != 0) return out;
  const auto refused = [&](const fs::path& place) {
    struct stat info{};
    return stat(place.c_str(), &info) == 0 && !support::is_trusted(info, start);
  };
  for (fs::path folder = fs::path(path).parent_path(); !refused(folder); folder = folder.parent_path()) {
    for (const fs::path& place : {folder, folder / "build"}) {
      const fs::path file = place / "compile_commands.json";
      if (!refused(place) && !refused(file)) out.push_back(file.string());
    }
    if (folder == folder.parent_path() || support::starts_project(folder)) break;
  }
  return out;
}

const Editor::Known& Editor::commands_for(const std::string& path) {
  std::string stamp;
  bool any = false;
  for (const std::string& place : databases_near(path)) {
    struct stat info{};
    const bool there = stat(place.c_str(), &info) == 0;
    any = any || there;
    stamp += there ? fmt::format("{} {} {} {};", place, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size) : ";";
  }
  Known& known = known_[path];
  if (!known.commands.empty() && known.stamp == stamp) return known;
  Options named = options_;
  named.input.files = {path};
  known = {stamp, {}, false};
  if (auto input = gather_input(named, console_)) known.commands = std::move(input->commands);
  if (known.commands.empty()) {  // a database that does not have it: as if there were none
    named.input.databases.clear();
    named.input.usual_databases.clear();
    if (auto input = gather_input(named, console_)) known.commands = std::move(input->commands);
    known.guessed = true;
  }
  std::error_code ec;
  if (known.commands.empty() && !fs::exists(path, ec)) {  // a text that was never saved
    std::string problem;
    frontends::Command plain = plain_command(path, path, named.input.trailing, problem);
    if (problem.empty() && frontends::is_c_family(path, plain.arguments)) known.commands.push_back(std::move(plain));
  }
  known.guessed = known.guessed || !any;
  return known;
}

std::unique_ptr<lsp::Look> Editor::ask(const lsp::Question& question, std::string& problem, std::string& note) {
  if (!problem_.empty()) {
    problem = problem_;
    return nullptr;
  }
  const Known& known = commands_for(question.path);
  if (known.commands.empty()) {
    problem = "nobody says how it is compiled";
    return nullptr;
  }
  if (known.guessed && !options_.input.has_trailing) note = advice_for(question.path);
  WorkerLimits limits;
  limits.seconds = options_.capture.timeout;
  limits.memory_mib = options_.capture.memory_limit_mib.value_or(kLookMemoryMib);
  auto callbacks = std::make_unique<WorkerCallbacks>();
  const int preamble = question.preamble ? preambles_.file_for(question.path) : -1;
  const EditorQuestion asked{known.commands.front(), question.texts, question.repair, preamble};
  callbacks->work = [this, asked](std::uint32_t) {
    return look_for_editor(asked, options_, specs_, spec_fingerprint_);
  };
  auto worker = WorkerProcess::start(*callbacks, limits, {}, problem);
  if (!worker) problem = "no worker process could be started: " + problem;
  if (worker && !worker->give(0)) problem = worker->epitaph(), worker.reset();
  if (!worker) return nullptr;
  const auto failed = [this, path = question.path] { preambles_.distrust(path); };
  return std::make_unique<WorkerLook>(std::move(callbacks), std::move(worker), ending_, limits.seconds, failed);
}

std::vector<std::string> Editor::users_of(const std::string& header) {
  std::vector<std::string> out;
  HeaderUsers users(frontends::real_path(header));
  std::error_code ec;
  for (const std::string& place : databases_near(header)) {
    if (!fs::exists(place, ec)) continue;
    for (const frontends::Command& command : frontends::load_compdb(place).commands)
      if (out.size() < kMostUsers && users.includes(command)) out.push_back(command.path);
  }
  return out;
}

}  // namespace reckon::driver
