#include "frontends/linux/kbuild.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "support/file.h"

namespace reckon::frontends {

std::vector<std::string_view> simple_commands(std::string_view line) {
  std::vector<std::string_view> out;
  std::size_t start = 0;
  char quote = 0;
  auto end_at = [&](std::size_t i) {
    if (i > start) out.push_back(line.substr(start, i - start));
    start = i + 1;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '\\') {
      ++i;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ';' || c == '|' || c == '&') {
      end_at(i);
    }
  }
  end_at(line.size());
  return out;
}

namespace {

// A compiler call with one C source as its last word, or nothing.
bool is_compiler_call(const std::vector<std::string>& words) {
  if (words.size() < 4 || !words.back().ends_with(".c")) return false;
  if (words[0] == "echo" || words[0] == "printf" || words[0].starts_with("@")) return false;
  return std::find(words.begin(), words.end(), "-c") != words.end();
}

// `make[1]: Entering directory '/a/b'`
std::string_view entered(std::string_view line) {
  constexpr std::string_view mark = ": Entering directory '";
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos || !line.starts_with("make") || !line.ends_with("'")) return {};
  return line.substr(at + mark.size(), line.size() - at - mark.size() - 1);
}

// The compiler calls of a line of shell.
std::vector<Command> compiler_calls(std::string_view line, const std::string& directory) {
  std::vector<Command> out;
  for (const std::string_view part : simple_commands(line)) {
    Command command;
    command.arguments = split_command(part);
    if (!is_compiler_call(command.arguments)) continue;
    // Lists of the headers that were read are the build's business.
    std::erase_if(command.arguments,
                  [](const std::string& a) { return a.starts_with("-Wp,-MMD,") || a.starts_with("-Wp,-MD,"); });
    command.directory = directory;
    command.file = command.arguments.back();
    command.path = absolute_path(command.file, command.directory);
    out.push_back(std::move(command));
  }
  return out;
}

// kbuild quotes what make would read otherwise: `$$` is a dollar, `$(pound)` and (before 5.0) `\#` a number sign.
std::string without_make_quotes(std::string_view text) {
  constexpr std::pair<std::string_view, char> kQuoted[] = {{"$$", '$'}, {"$(pound)", '#'}, {"\\#", '#'}};
  std::string out;
  while (!text.empty()) {
    const auto quoted = std::find_if(std::begin(kQuoted), std::end(kQuoted),
                                     [&](const auto& pair) { return text.starts_with(pair.first); });
    out += quoted == std::end(kQuoted) ? text.front() : quoted->second;
    text.remove_prefix(quoted == std::end(kQuoted) ? 1 : quoted->first.size());
  }
  return out;
}

// Notes in these folders of a tree are of programs of the build itself, which are made elsewhere.
bool holds_no_kernel_code(const std::string& name) {
  return name == ".git" || name == "Documentation" || name == "include" || name == "tools";
}

// The notes of the objects in `folder` and below, sorted. Links are not followed.
std::vector<std::string> notes_below(const std::string& folder, const std::string& tree) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  std::error_code ec;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, ec);
  for (; !ec && it != fs::recursive_directory_iterator(); it.increment(ec)) {
    const std::string name = it->path().filename().string();
    std::error_code gone;
    if (it.depth() == 0 && folder == tree && holds_no_kernel_code(name))
      it.disable_recursion_pending();
    else if (name.starts_with(".") && name.ends_with(".o.cmd") && !it->is_directory(gone))
      out.push_back(it->path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<Command> commands_of_dry_run(std::string_view text, const std::string& directory) {
  std::vector<Command> out;
  std::unordered_set<std::string> seen;
  std::vector<std::string> folders{directory};
  std::string joined;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\\')) {
      joined.append(line.substr(0, line.size() - 1)).push_back(' ');
      continue;
    }
    joined.append(line);
    if (const std::string_view folder = entered(joined); !folder.empty()) {
      folders.emplace_back(folder);
    } else if (joined.starts_with("make") && joined.find(": Leaving directory '") != std::string::npos &&
               folders.size() > 1) {
      folders.pop_back();
    } else if (joined.find(" -c") != std::string::npos) {
      for (Command& command : compiler_calls(joined, folders.back()))
        if (seen.insert(command.path).second) out.push_back(std::move(command));
    }
    joined.clear();
  }
  return out;
}

std::optional<Command> command_of_note(std::string_view text, const std::string& directory) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (!line.starts_with("savedcmd_") && !line.starts_with("cmd_")) return std::nullopt;
  const std::size_t at = line.find(" := ");
  if (at == std::string_view::npos) return std::nullopt;
  std::vector<Command> calls = compiler_calls(without_make_quotes(line.substr(at + 4)), directory);
  if (calls.empty()) return std::nullopt;
  return std::move(calls.front());
}

BuildNotes read_build_notes(const std::string& tree, const std::vector<std::string>& targets) {
  namespace fs = std::filesystem;
  BuildNotes out;
  std::vector<std::string> notes;
  for (const std::string& target : targets) {
    const fs::path path = absolute_path(target, tree);
    std::error_code ec;
    const std::vector<std::string> found =
        fs::is_directory(path, ec)
            ? notes_below(path.string(), tree)
            : std::vector{(path.parent_path() / ("." + path.filename().string() + ".cmd")).string()};
    if (found.empty()) out.problems.push_back(target + ": no object of it was built");
    notes.insert(notes.end(), found.begin(), found.end());
  }
  if (targets.empty()) notes = notes_below(tree, tree);
  std::unordered_set<std::string> seen;
  for (const std::string& note : notes) {
    std::string text, reason;
    if (!support::read_input(note, text, reason)) {
      out.problems.push_back(note + ": " + reason);
      continue;
    }
    if (auto command = command_of_note(text, tree); command && seen.insert(command->path).second)
      out.commands.push_back(std::move(*command));
  }
  return out;
}

}  // namespace reckon::frontends
