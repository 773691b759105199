#include "driver/changes.h"

#include <algorithm>
#include <charconv>

#include "host/subprocess.h"

namespace reckon::driver {

namespace {

constexpr std::uint32_t kLastLine = 0xffffffffu;

std::string without_newline(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// git writes names with odd characters in C's manner.
std::string unquoted(std::string_view name) {
  while (!name.empty() && (name.back() == '\t' || name.back() == '\r')) name.remove_suffix(1);
  if (name.size() < 2 || name.front() != '"') return std::string(name);
  name = name.substr(1, name.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\' || i + 1 == name.size()) {
      out += name[i];
    } else if (name[i + 1] >= '0' && name[i + 1] <= '3' && i + 3 < name.size()) {
      out += static_cast<char>((name[i + 1] - '0') * 64 + (name[i + 2] - '0') * 8 + (name[i + 3] - '0'));
      i += 3;
    } else {
      const char c = name[++i];
      out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
  }
  return out;
}

// "@@ -a,b +c,d @@": the lines c .. c+d-1; nothing added: the lines around the gap.
std::optional<LineRange> hunk(std::string_view line) {
  const std::size_t plus = line.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  const char* at = line.data() + plus + 1;
  const char* end = line.data() + line.size();
  std::uint32_t first = 0, count = 1;
  auto result = std::from_chars(at, end, first);
  if (result.ec != std::errc()) return std::nullopt;
  if (result.ptr != end && *result.ptr == ',') std::from_chars(result.ptr + 1, end, count);
  if (count == 0) return LineRange{first, first + 1};
  return LineRange{first, first + count - 1};
}

bool touches(const std::vector<LineRange>& ranges, std::uint32_t first, std::uint32_t last) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const LineRange& r) { return r.first <= last && first <= r.last; });
}

// git, so that it looks and does nothing else. A checkout may belong to somebody else, and its .git/config may name
// programs: monitors, hooks, pagers, diff drivers, filters for the work tree. None of them runs. The settings of a
// command line win over those of files; safe.directory is only taken from there and from the user's own.
class Git {
 public:
  explicit Git(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> ask(const std::vector<std::string>& words, std::string& error) const {
    std::vector<std::string> command = {"env",
                                        "GIT_OPTIONAL_LOCKS=0",
                                        "GIT_NO_LAZY_FETCH=1",
                                        "GIT_TERMINAL_PROMPT=0",
                                        "GIT_ALLOW_PROTOCOL=",
                                        "GIT_EXTERNAL_DIFF=",
                                        "git",
                                        "--no-pager",
                                        "-c",
                                        "safe.directory=*",
                                        "-c",
                                        "core.fsmonitor=false",
                                        "-c",
                                        "core.hooksPath=/dev/null",
                                        "-c",
                                        "core.sshCommand=false",
                                        "-c",
                                        "diff.external="};
    for (const std::string& setting : overrides_) command.insert(command.end(), {"-c", setting});
    if (!folder_.empty()) command.insert(command.end(), {"-C", folder_});
    command.insert(command.end(), words.begin(), words.end());
    return host::output_of(command, error);
  }

  // Filters (clean, smudge, process) have names of their own, so each that is set is switched off by its name.
  bool switch_filters_off(std::string& error) {
    const auto names = ask({"config", "--null", "--name-only", "--list"}, error);
    if (!names) return false;
    for (std::string_view rest = *names; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find('\0'));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      if (!name.starts_with("filter.")) continue;
      overrides_.push_back(std::string(name) + (name.ends_with(".required") ? "=false" : "="));
    }
    return true;
  }

 private:
  std::string folder_;
  std::vector<std::string> overrides_;
};

}  // namespace

Changes parse_diff(std::string_view diff, const std::string& root) {
  Changes out;
  std::vector<LineRange>* ranges = nullptr;
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
    if (line.starts_with("diff ")) ranges = nullptr;
    if (line.starts_with("+++ ") && !ranges) {
      const std::string name = unquoted(line.substr(4));
      if (name.starts_with("b/")) ranges = &out[root + "/" + name.substr(2)];
    } else if (line.starts_with("@@ ") && ranges) {
      if (const auto range = hunk(line)) ranges->push_back(*range);
    }
  }
  return out;
}

std::optional<Changes> changes_since(const std::string& revision, std::string& error) {
  if (revision.starts_with("-")) {
    error = "'" + revision + "' is no revision";
    return std::nullopt;
  }
  const auto top = Git("").ask({"rev-parse", "--show-toplevel"}, error);
  if (!top) return std::nullopt;
  const std::string root = without_newline(*top);
  Git git(root);
  if (!git.switch_filters_off(error)) return std::nullopt;
  const auto diff = git.ask({"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
                             "--no-prefix", "--src-prefix=a/", "--dst-prefix=b/", "-U0", revision, "--"},
                            error);
  if (!diff) return std::nullopt;
  Changes out = parse_diff(*diff, root);
  // Files git does not know yet are new as a whole.
  const auto others = git.ask({"ls-files", "-z", "--others", "--exclude-standard"}, error);
  if (!others) return std::nullopt;
  for (std::string_view rest = *others; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    out[root + "/" + std::string(name)].push_back({1, kLastLine});
  }
  return out;
}

AffectedFunctions::AffectedFunctions(const program::Program& program, const Changes& changes) {
  // The functions of each changed file, to tell changes inside of them from those outside.
  std::map<std::string_view, std::vector<std::pair<LineRange, program::FuncId>>> by_file;
  for (program::FuncId f{}; f < program.num_functions(); ++f) {
    const model::Function& fn = program.function(f);
    by_file[program.unit(f).str(fn.loc.file)].push_back({{fn.loc.line, fn.end.line}, f});
  }
  std::vector<char> affected(program.num_functions());
  std::vector<program::FuncId> work;
  auto add = [&](program::FuncId f) {
    if (!affected[f]) affected[f] = 1, work.push_back(f);
  };
  for (const auto& [file, ranges] : changes) {
    const auto functions = by_file.find(file);
    for (const LineRange& range : ranges) {
      bool inside = false;
      if (functions != by_file.end())
        for (const auto& [lines, f] : functions->second) {
          if (touches({range}, lines.first, lines.last)) add(f);
          inside = inside || (lines.first <= range.first && range.last <= lines.last);
        }
      if (!inside) files_.insert(file);
    }
  }
  for (program::FuncId f{}; f < program.num_functions() && !files_.empty(); ++f) {
    const model::Unit& unit = program.unit(f);
    const bool reads = files_.contains(unit.path) ||
                       std::any_of(unit.headers.begin(), unit.headers.end(),
                                   [&](model::StrId h) { return files_.contains(std::string(unit.str(h))); });
    if (reads) add(f);
  }
  while (!work.empty()) {
    const program::FuncId f = work.back();
    work.pop_back();
    for (const program::FuncId caller : program.callers(f)) add(caller);
  }
  for (program::FuncId f{}; f < program.num_functions(); ++f)
    if (affected[f])
      functions_.emplace(std::string(program.unit(f).str(program.function(f).loc.file)),
                         std::string(program.display(f)));
}

bool AffectedFunctions::contains(const report::Finding& finding) const {
  return files_.contains(finding.loc.file) || functions_.contains({finding.loc.file, finding.function});
}

}  // namespace reckon::driver
