// The variables of make files, read without make.
//
// make runs programs while it reads a file ($(shell ...), `!=`), even in a dry run. To know the flags of a package
// without running anything of it, assignments, conditions and includes are read here, and variables are expanded with
// the functions that only work on text. What needs a program, and functions not known here, expand to nothing and are
// listed by unknown(). Rules and their recipes are skipped.
//
// Limits: no `define`, no variables of single targets, no `vpath`. Includes and wildcards stay below one folder. The
// length of a value and the depth of references are bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace reckon::frontends {

class MakeVariables {
 public:
  // `root`: files and wildcards outside are not looked at. `folder`: where make would run.
  MakeVariables(std::string root, std::string folder);

  // A value that is taken as it is, and that files do not change.
  void set(const std::string& name, std::string value);
  // An expression that files do not change, as on make's command line.
  void set_expression(const std::string& name, std::string text);
  // An expression for a variable that no file has set.
  void set_default(const std::string& name, std::string text);

  // Reads a file of the installation, which may include others from anywhere. False: `error` says why it cannot be
  // read.
  bool read_trusted(const std::string& path, std::string& error);
  // The text of a file; `name` is for messages.
  void read_text(std::string_view text, const std::string& name);

  bool defines(const std::string& name) const { return variables_.contains(name); }
  std::string value(const std::string& name);
  std::string expand(std::string_view text);

  // What could not be known, in words: "PKG_CFLAGS: $(shell pkg-config --cflags x)".
  const std::vector<std::string>& unknown() const { return unknown_; }
  void add_unknown(std::string what);

 private:
  struct Variable {
    std::string text;
    bool literal = false;  // as it is, without references
    bool fixed = false;    // by the command line
  };
  struct Condition {
    bool active = true;  // are lines of this branch read?
    bool taken = false;  // was a branch taken?
    bool above = true;   // is the block itself read?
  };
  enum class Assignment { None, Recursive, Simple, Append, IfUnset, Shell };

  bool read_file(const std::string& path, std::string& error);
  void line(const std::string& text);
  bool directive(std::string_view word, std::string_view rest);
  void open_condition(bool holds);
  void else_branch(std::string_view rest);
  bool holds(std::string_view word, std::string_view rest);
  void include(std::string_view files, bool may_be_missing);
  void assign(const std::string& name, Assignment how, std::string_view value);
  static Assignment find_assignment(std::string_view text, std::string_view& name, std::string_view& value);
  bool reading() const { return conditions_.empty() || (conditions_.back().active && conditions_.back().above); }

  void expand_into(std::string_view text, std::string& out, int depth);
  std::string reference(std::string_view inside, int depth);
  std::string function(std::string_view name, std::string_view arguments, int depth, bool& known);
  std::string wildcard(std::string_view patterns);
  bool find_matches(const std::string& folder, std::string_view pattern, std::vector<std::string>& found);
  bool is_below_root(const std::string& path) const;

  std::string root_, folder_;
  std::unordered_map<std::string, Variable> variables_;
  std::vector<Condition> conditions_;
  std::vector<std::string> unknown_;
  std::size_t entries_ = 0;  // of folders, looked at so far
  std::string current_;      // variable that is being expanded, for messages
  int includes_ = 0;         // files open
  std::size_t steps_ = 0;
  bool in_recipe_ = false, in_define_ = false, trusted_ = false;
};

}  // namespace reckon::frontends
