#include "frontends/linux/kbuild.h"

#include <algorithm>
#include <unordered_set>

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
      for (const std::string_view part : simple_commands(joined)) {
        Command command;
        command.arguments = split_command(part);
        if (!is_compiler_call(command.arguments)) continue;
        // Lists of the headers that were read are the build's business.
        std::erase_if(command.arguments,
                      [](const std::string& a) { return a.starts_with("-Wp,-MMD,") || a.starts_with("-Wp,-MD,"); });
        command.directory = folders.back();
        command.file = command.arguments.back();
        command.path = absolute_path(command.file, command.directory);
        if (seen.insert(command.path).second) out.push_back(std::move(command));
      }
    }
    joined.clear();
  }
  return out;
}

}  // namespace reckon::frontends
