#include "driver/changes.h"

#include <algorithm>
#include <tuple>

#include "report/c_text.h"
#include "support/file.h"

namespace reckon::driver {

namespace {

constexpr std::uint32_t kLastLine = 0xffffffffu;

bool touches(const std::vector<LineRange>& ranges, std::uint32_t first, std::uint32_t last) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const LineRange& r) { return r.first <= last && first <= r.last; });
}

// A source as what the compiler sees of it: tokens without comments, by line.
class Code {
 public:
  explicit Code(std::string text) : text_(std::move(text)), tokens_(report::tokenize(text_)) {
    std::erase_if(tokens_, [](const report::Token& t) { return t.kind == report::Token::Kind::Comment; });
  }

  std::size_t size() const { return tokens_.size(); }
  // The tokens that begin in `count` lines from `first` on. Where a directive may be among them, ends of lines mean
  // something, and each token comes with the number of its line within the range.
  std::vector<std::pair<std::uint32_t, std::string_view>> tokens(std::uint32_t first, std::uint32_t count) const {
    std::vector<std::pair<std::uint32_t, std::string_view>> out;
    const auto begin = std::lower_bound(tokens_.begin(), tokens_.end(), first,
                                        [](const report::Token& t, std::uint32_t line) { return t.line < line; });
    bool directive = false;
    for (auto it = begin; it != tokens_.end() && it->line - first < count; ++it) {
      const std::string_view text = it->text(text_);
      directive = directive || text == "#" || text == "\\";
      out.emplace_back(it->line - first, text);
    }
    if (!directive)
      for (auto& [line, text] : out) line = 0;
    return out;
  }

 private:
  std::string text_;
  std::vector<report::Token> tokens_;
};

// Hunks that change more than comments and white space.
std::vector<Hunk> real_hunks(const FileDiff& diff, const std::string& before, const std::string& after) {
  const Code old_code(before), new_code(after);
  std::vector<Hunk> out;
  std::size_t old_rest = old_code.size(), new_rest = new_code.size();
  for (const Hunk& hunk : diff.hunks) {
    const auto old_tokens = old_code.tokens(hunk.old_first, hunk.old_count);
    const auto new_tokens = new_code.tokens(hunk.new_first, hunk.new_count);
    if (old_tokens != new_tokens) out.push_back(hunk);
    old_rest -= old_tokens.size();
    new_rest -= new_tokens.size();
  }
  // The beginning of a comment can take away code far behind it.
  return old_rest == new_rest ? out : diff.hunks;
}

void add_lines(Changes& changes, const std::string& root, const FileDiff& diff) {
  if (diff.new_name.empty()) return;
  std::vector<LineRange>& ranges = changes[root + "/" + diff.new_name];
  for (const Hunk& hunk : diff.hunks) ranges.push_back(hunk.new_lines());
}

}  // namespace

std::optional<Changes> changes_since(const std::string& revision, std::string& error) {
  if (revision.starts_with("-")) {
    error = "'" + revision + "' is no revision";
    return std::nullopt;
  }
  const auto git = Git::open(error);
  if (!git) return std::nullopt;
  const auto diff = git->diff(revision, error);
  if (!diff) return std::nullopt;
  Changes out;
  for (FileDiff& file : parse_file_diffs(*diff)) {
    const auto before = file.old_name.empty() ? std::nullopt : git->content(revision, file.old_name);
    std::string ignored;  // a file that cannot be read now has changed
    const auto after = support::read_file(git->root() + "/" + file.new_name, ignored);
    if (before && after) file.hunks = real_hunks(file, *before, *after);
    if (!file.hunks.empty()) add_lines(out, git->root(), file);
  }
  // Files git does not know yet are new as a whole.
  const auto others = git->untracked(error);
  if (!others) return std::nullopt;
  for (const std::string& name : *others) out[git->root() + "/" + name].push_back({1, kLastLine});
  return out;
}

AffectedFunctions::AffectedFunctions(const program::Program& program, const Changes& changes) {
  // The functions of each changed file, to tell changes inside of them from those outside.
  std::map<std::string_view, std::vector<std::pair<LineRange, program::FuncId>>> by_file;
  for (program::FuncId f{}; f < program.num_functions(); ++f) {
    const model::Function& fn = program.declared(f);
    by_file[program.frame(f).str(fn.loc.file)].push_back({{fn.loc.line, fn.end.line}, f});
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
    const model::Unit& unit = program.frame(f);
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
      functions_.emplace(std::string(program.frame(f).str(program.declared(f).loc.file)),
                         std::string(program.display(f)));
}

bool AffectedFunctions::contains(const report::Finding& finding) const {
  return files_.contains(finding.loc.file) || functions_.contains({finding.loc.file, finding.function});
}

}  // namespace reckon::driver
