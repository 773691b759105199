#include "confirm/build.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "confirm/work_files.h"
#include "host/files.h"
#include "host/process.h"
#include "support/command_words.h"

namespace reckon::confirm {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kTries = 5;

bool is_cxx(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  return ending == ".cc" || ending == ".cpp" || ending == ".cxx" || ending == ".C";
}

// Flags of a compiler call without what it compiles, where to and how far.
std::string flags_of(const Compilation& c) {
  std::string out;
  for (std::size_t i = 1; i < c.arguments.size(); ++i) {
    const std::string& word = c.arguments[i];
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ") ++i;
    if (word == "-c" || word == "-o" || word == "--" || word.starts_with("-M") || word == "-fsyntax-only") continue;
    if (fs::path(c.folder).append(word).lexically_normal() == c.path || word == c.path) continue;
    out += " " + support::shell_word(word);
  }
  return out;
}

// Lines of files that the compiler complains about: "FILE:LINE:COLUMN: error: ...", and where the macro was used that
// an error stands in.
std::set<std::pair<std::string, std::uint32_t>> complaints(const std::string& output) {
  std::set<std::pair<std::string, std::uint32_t>> out;
  bool in_error = false;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view line = std::string_view(output).substr(at, end - at);
    at = end + 1;
    const std::size_t error = std::min(line.find(": error:"), line.find(": fatal error:"));
    const std::size_t used =
        std::min(line.find(": note: in expansion of macro"), line.find(": note: expanded from macro"));
    if (error != std::string_view::npos) in_error = true;
    if (line.find(": warning:") != std::string_view::npos) in_error = false;
    const std::size_t said = error != std::string_view::npos ? error : used;
    if (said == std::string_view::npos || !in_error) continue;
    const std::size_t first = line.find(':');
    std::uint32_t number = 0;
    std::from_chars(line.data() + first + 1, line.data() + said, number);
    out.emplace(fs::path(line.substr(0, first)).filename().string(), number);
  }
  return out;
}

// Sites and makers on lines that the compiler complained about.
std::vector<unsigned> refused(const Plans& plans, const std::vector<unsigned>& known, const std::string& output) {
  std::vector<unsigned> out;
  const auto lines = complaints(output);
  auto look_at = [&](unsigned id, const report::Edit& extent) {
    const std::string file = fs::path(extent.file).filename().string();
    const bool named = std::any_of(lines.begin(), lines.end(), [&](const auto& place) {
      return place.first == file && place.second >= extent.line && place.second <= extent.end_line;
    });
    if (named && std::find(known.begin(), known.end(), id) == known.end()) out.push_back(id);
  };
  for (const Site& s : plans.sites) look_at(s.id, s.place.extent);
  for (const Maker& m : plans.makers) look_at(m.id, m.place.extent);
  return out;
}

// All places that are only watched.
std::vector<unsigned> watched(const Plans& plans, const std::vector<unsigned>& known) {
  std::vector<unsigned> out;
  for (const Maker& m : plans.makers)
    if (std::find(known.begin(), known.end(), m.id) == known.end()) out.push_back(m.id);
  return out;
}

std::string last_lines(const std::string& text) {
  constexpr std::size_t kMost = 1200;
  return text.size() <= kMost ? text : "..." + text.substr(text.size() - kMost);
}

}  // namespace

Built build(const Plans& plans, Injection how, const std::vector<Compilation>& compilations, const Wishes& wishes,
            const std::string& work, const Sandbox& sandbox, report::Sources& sources, host::Console& console) {
  Built out;
  const bool whole = !wishes.build.empty();
  if (!whole && compilations.size() != 1) {
    out.problem = "a program of several files needs --build, the command that builds it";
    return out;
  }
  // The sandbox puts the copy where the project stands. Without one it stays where it is: the project is not touched.
  const std::string root = wishes.confined ? wishes.root : work + "/tree";
  out.folder = whole ? root : work;
  for (unsigned round = 0; round < kTries; ++round) {
    out.sources = inject(plans, how, sources);
    for (const auto& [path, text] : out.sources) {
      const std::string inside = report::shown_path(path, wishes.root);
      if (whole && inside == path) continue;  // outside the project: it is not built
      const fs::path target = whole ? fs::path(work) / "tree" / inside : fs::path(work) / fs::path(path).filename();
      if (!write_in(work, target.string(), text, out.problem)) return out;
    }
    if (whole) {
      out.command = wishes.build;
    } else {
      const Compilation& c = compilations.front();
      out.command =
          fmt::format("{} -shared -fPIC -g -O1 -w -iquote {} {} -o module.so{}", is_cxx(c.path) ? "c++" : "cc",
                      support::shell_word(fs::path(c.path).parent_path().string()),
                      support::shell_word(fs::path(c.path).filename().string()), flags_of(c));
    }
    const Sandbox::Result result = sandbox.run(out.command, out.folder, {wishes.seconds, 0});
    console.detail(result.output);
    out.problem = result.error;
    if (!out.problem.empty()) return out;
    if (result.status == 0) break;
    std::vector<unsigned> more = refused(plans, how.left_out, result.output);
    if (more.empty())
      more = watched(plans, how.left_out);  // which line it is cannot be told: these can be done without
    out.problem = fmt::format("the build {}:\n{}", host::describe_status(result.status), last_lines(result.output));
    if (more.empty() || round + 1 == kTries) return out;
    out.problem.clear();
    how.left_out.insert(how.left_out.end(), more.begin(), more.end());
  }
  out.left_out = how.left_out;
  if (!whole) {
    out.modules = {work + "/module.so"};
    return out;
  }
  const std::string tree = work + "/tree";
  for (const std::string& file : host::files_in(tree, ".so")) out.modules.push_back(root + file.substr(tree.size()));
  return out;
}

}  // namespace reckon::confirm
