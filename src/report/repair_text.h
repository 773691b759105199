// The text of one file as repairs see it: tokens, statements and blocks, and edits that fit how it is indented.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/c_text.h"
#include "report/finding.h"
#include "report/sources.h"

namespace reckon::report {

bool is_identifier(std::string_view name);

class RepairText {
 public:
  using Index = std::size_t;  // of a token; comments are none
  static constexpr Index kNowhere = static_cast<Index>(-1);

  explicit RepairText(const SourceFile& file);

  std::size_t size() const { return tokens_.size(); }
  bool is(Index i, std::string_view text) const { return i < tokens_.size() && word(i) == text; }
  bool is_apart(Index i) const {  // blanks or a comment stand before it
    return i > 0 && tokens_[i - 1].at + tokens_[i - 1].length != tokens_[i].at;
  }
  std::string_view word(Index i) const { return tokens_[i].text(file_.text); }

  Index token_at(const SourceLoc& loc) const;              // the first one at or behind the place; kNowhere: none
  Index closing(Index open) const;                         // of a bracket of any kind
  std::pair<Index, Index> function_around(Index i) const;  // its braces; kNowhere, kNowhere: none
  std::pair<Index, Index> block_around(Index i) const;     // the innermost braces
  Index statement_end(Index i) const;                      // the ";" of the statement around it
  Index statement_begin(Index i) const;                    // its first token
  // The `return` around the place, or the brace that ends a function there; kNowhere: neither.
  Index exit_at(const SourceLoc& loc) const;

  // Puts `statement` before the jump (`return`, `goto`) or the closing brace `i`; an `if` without braces gets them.
  std::optional<std::vector<Edit>> before(const SourceLoc& loc, Index i, const std::string& statement) const;
  std::vector<Edit> behind(const SourceLoc& loc, Index semicolon, const std::string& statement) const;
  Edit insertion(const SourceLoc& loc, Index i, std::string text) const;  // before a token
  Edit insertion_behind(const SourceLoc& loc, Index i, std::string text) const;
  Edit replacement(const SourceLoc& loc, Index i, std::string text) const;
  Edit removal(const SourceLoc& loc, Index first, Index last) const;  // whole lines, if nothing else is on them

 private:
  std::string_view line_of(Index i) const { return file_.line(tokens_[i].line); }
  bool first_on_line(Index i) const { return i == 0 || tokens_[i - 1].line != tokens_[i].line; }
  bool last_on_line(Index i) const { return i + 1 == tokens_.size() || tokens_[i + 1].line != tokens_[i].line; }
  std::string indent_of(Index i) const;
  std::string separator(
      Index i) const;  // between two statements: a new line if they have lines of their own, else a blank
  std::string guess_unit() const;
  Edit insertion_at(const SourceLoc& loc, std::size_t offset, std::string text) const;
  std::vector<Edit> at_end(const SourceLoc& loc, Index brace, const std::string& statement) const;
  std::vector<Edit> with_braces(const SourceLoc& loc, Index jump, Index semicolon, const std::string& statement) const;

  const SourceFile& file_;
  std::vector<Token> tokens_;
  std::string unit_;
};

}  // namespace reckon::report
