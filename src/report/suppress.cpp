#include "report/suppress.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>

#include "report/c_text.h"

namespace reckon::report {

namespace {

constexpr std::string_view kMarker = "reckon:";

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\n' || s.front() == '\r'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\n' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

// What a comment says, without its delimiters; "" if it is not for us.
std::string_view directive(std::string_view comment) {
  const bool block = comment.starts_with("/*");
  comment.remove_prefix(2);
  if (block && comment.ends_with("*/")) comment.remove_suffix(2);
  comment = trimmed(comment);
  if (!comment.starts_with(kMarker)) return {};
  return trimmed(comment.substr(kMarker.size()));
}

IgnoreComment parse(std::string_view text) {
  IgnoreComment out;
  const std::size_t open = text.find('['), close = text.find(']');
  if (trimmed(text.substr(0, open)) != "ignore" || open == std::string_view::npos || close == std::string_view::npos ||
      close < open) {
    out.problem = "is not understood; write reckon: ignore[CHECK] REASON";
    return out;
  }
  std::string_view list = text.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (const std::string_view name = trimmed(list.substr(0, comma)); !name.empty()) out.checks.emplace_back(name);
    list.remove_prefix(std::min(list.size(), comma + 1));
  }
  std::string_view reason = text.substr(close + 1);
  while (!reason.empty() && (reason[0] == ':' || reason[0] == '-' || reason[0] == ' ' || reason[0] == '\t'))
    reason.remove_prefix(1);
  out.reason = trimmed(reason);
  if (out.checks.empty())
    out.problem = "names no check; write reckon: ignore[CHECK] REASON";
  else if (out.reason.empty())
    out.problem = "gives no reason; write reckon: ignore[CHECK] REASON";
  return out;
}

bool is(const Token& token, std::string_view source, char c) {
  return token.kind == Token::Kind::Mark && source[token.at] == c;
}

// The first and last line of the statement that holds token `i`, or begins there. A brace ends it: what a loop or an
// `if` controls are statements of their own.
std::pair<std::uint32_t, std::uint32_t> statement_around(const std::vector<Token>& tokens, std::size_t i,
                                                         std::string_view source, bool backwards) {
  std::size_t first = i;
  int depth = 0;
  auto ends = [&](const Token& t) { return is(t, source, ';') || is(t, source, '{') || is(t, source, '}'); };
  while (backwards && first > 0) {
    const Token& before = tokens[first - 1];
    if (before.kind != Token::Kind::Comment) {
      depth += is(before, source, ')');
      depth -= is(before, source, '(');
      if (ends(before) && depth <= 0) break;
    }
    --first;
  }
  while (first < i && tokens[first].kind == Token::Kind::Comment) ++first;
  depth = 0;
  std::uint32_t last = tokens[i].line;
  for (std::size_t j = i; j < tokens.size(); ++j) {
    if (tokens[j].kind == Token::Kind::Comment) continue;
    last = tokens[j].line;
    depth += is(tokens[j], source, '(');
    depth -= is(tokens[j], source, ')');
    if (depth <= 0 && ends(tokens[j])) break;
  }
  return {tokens[first].line, last};
}

bool names(const IgnoreComment& comment, const std::string& check) {
  return std::any_of(comment.checks.begin(), comment.checks.end(), [&](const std::string& pattern) {
    if (fnmatch(pattern.c_str(), check.c_str(), 0) == 0) return true;
    const std::size_t dash = check.find('-');
    return dash != std::string::npos && fnmatch(pattern.c_str(), check.c_str() + dash + 1, 0) == 0;
  });
}

}  // namespace

std::vector<IgnoreComment> find_ignores(const SourceFile& source,
                                        const std::vector<const FunctionCoverage*>& functions) {
  std::vector<IgnoreComment> out;
  if (source.text.find(kMarker) == std::string::npos) return out;
  const std::vector<Token> tokens = tokenize(source.text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::Comment) continue;
    const std::string_view text = directive(token.text(source.text));
    if (text.empty()) continue;
    IgnoreComment comment = parse(text);
    comment.line = token.line;
    comment.col = static_cast<std::uint32_t>(token.at - source.starts[token.line - 1] + 1);

    // The code it stands behind, on the same line, or else the code below it.
    std::size_t before = i, after = i + 1;
    while (before > 0 && tokens[before - 1].kind == Token::Kind::Comment) --before;
    while (after < tokens.size() && tokens[after].kind == Token::Kind::Comment) ++after;
    const bool behind_code = before > 0 && tokens[before - 1].line == token.line;
    comment.first = comment.last = token.line;
    if (behind_code) {
      std::size_t code = before - 1;
      const bool ended = is(tokens[code], source.text, ';') && code > 0;
      const auto [first, last] = statement_around(tokens, ended ? code - 1 : code, source.text, true);
      comment.first = std::min(first, token.line);
      comment.last = std::max(token.line, ended || is(tokens[code], source.text, '{') ? token.line : last);
    } else if (after < tokens.size()) {
      const auto [first, last] = statement_around(tokens, after, source.text, false);
      comment.last = last;
    }
    const std::uint32_t code_line = behind_code ? token.line : after < tokens.size() ? tokens[after].line : 0;
    for (const FunctionCoverage* f : functions) {
      // Its head: from the line code begins on (a return type on a line of its own) to the brace.
      if (f->line < code_line || f->line > comment.last || comment.line > f->end_line) continue;
      if (comment.first > f->line && !behind_code) continue;
      comment.function = true;
      comment.first = std::min(comment.first, f->line);
      comment.last = std::max(comment.last, f->end_line);
    }
    out.push_back(std::move(comment));
  }
  return out;
}

void apply_suppressions(Run& run, Sources& sources, bool all_checked) {
  std::map<std::string, std::vector<const FunctionCoverage*>> files;
  for (const FunctionCoverage& f : run.coverage.functions)
    if (f.depth == Depth::Full || f.depth == Depth::CutShort) files[f.file].push_back(&f);
  std::map<std::string, std::vector<Finding*>> findings;
  for (Finding& f : run.findings) {
    files.try_emplace(f.loc.file);
    findings[f.loc.file].push_back(&f);
  }
  for (const auto& [path, functions] : files) {
    for (const IgnoreComment& comment : find_ignores(sources.file(path), functions)) {
      const SourceLoc place{path, comment.line, comment.col, ""};
      if (!comment.problem.empty()) {
        run.suppression_problems.push_back({place, "this comment " + comment.problem});
        continue;
      }
      bool used = false;
      auto holds_for = [&](const SourceLoc& loc) {
        return loc.file == path && loc.line >= comment.first && loc.line <= comment.last;
      };
      for (Finding* f : findings[path]) {
        if (!names(comment, f->check) || (!holds_for(f->loc) && !holds_for(f->origin))) continue;
        if (!f->suppression) f->suppression = Suppression{comment.reason, place};
        used = true;
      }
      // In a function that was cut short silence means nothing.
      const bool unsure = std::any_of(functions.begin(), functions.end(), [&](const FunctionCoverage* f) {
        return f->depth == Depth::CutShort && f->line <= comment.last && comment.first <= f->end_line;
      });
      if (!used && all_checked && !unsure)
        run.suppression_problems.push_back({place, "this comment suppresses nothing"});
    }
  }
}

}  // namespace reckon::report
