// One logical line of a spec file. parser.cpp reads lines about functions, domain_lines.cpp what domains, globals,
// slots and tables are; alternatives.cpp reads what stands behind `->`.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "specs/alternatives.h"
#include "specs/scanner.h"
#include "specs/spec.h"

namespace reckon::specs {

inline constexpr std::size_t max_params = 100;

// What earlier lines of a file mean for later ones.
struct Context {
  std::string domain;
  FunctionFlags flags;  // of a `flags` line: every function starts with them
  // Where each name was defined, by (name, since).
  std::map<std::pair<std::string, std::string>, SpecLoc> defined;
};

class LineParser {
 public:
  LineParser(std::string_view text, Extent extent, const Positions& positions, SpecFile& file)
      : in_(text, extent), positions_(positions), file_(file) {}

  // False: complaint() says why, and the file is as it was.
  bool line(Context& context);
  bool contract(FunctionSpec& spec) { return flags_and_alternatives(spec); }
  const std::optional<Complaint>& complaint() const { return complaint_; }

 private:
  bool fail(std::size_t at, std::string message) {
    if (!complaint_) complaint_ = Complaint{at, std::move(message)};
    return false;
  }
  bool fail_expected(std::string_view what) {
    in_.skip_space();
    return fail(in_.pos(), "expected " + std::string(what) + ", found " + in_.found());
  }
  SpecLoc loc(std::size_t at) const { return positions_.at(file_.path, at); }

  bool end() { return in_.at_end() || fail_expected("the end of the line"); }
  bool expect_name(std::string& out, std::string_view what);
  bool expect_blob(std::string& out, std::string_view what);
  bool expect_choice(std::string& out, std::initializer_list<std::string_view> choices);
  bool version(std::string& out);
  bool define(const Context& context, const std::string& name, const std::string& since, std::size_t at);

  bool function(Context& context);
  bool parameters(FunctionSpec& spec);
  bool varargs(FunctionSpec& spec);
  bool flags_and_alternatives(FunctionSpec& spec);
  bool ready(FunctionSpec& spec);
  bool flag(FunctionSpec& spec, bool& never);
  bool contradictory_flags(const FunctionFlags& flags, std::size_t at);
  bool* simple_flag(FunctionFlags& flags, std::string_view word);
  bool flags_line(Context& context);
  bool alias(Context& context);
  bool domain_line(std::string& domain, std::size_t at);
  bool domain_of_file(std::string& domain, std::size_t at);
  bool domain_property(std::string_view keyword, std::string& domain, std::size_t at);
  bool counted(const std::string& domain, std::size_t at);
  bool global(const std::string& domain, bool pointer);
  bool blame(DomainSpec& spec);
  bool ready_immortal(std::string& domain, std::size_t at);
  bool only_with();
  bool contract_line(Context& context);
  bool slot(const std::string& domain);
  bool table(const std::string& domain);
  bool entry(EntrySpec& spec);
  bool routines(const std::string& domain);
  bool type_object(const std::string& domain);
  bool repair(const std::string& domain);

  Scanner in_;
  const Positions& positions_;
  SpecFile& file_;
  std::optional<Complaint> complaint_;
  std::set<std::string, std::less<>> flags_given_;  // on this line

  // The line that says it already, where a file may say it once; complains if it says something else.
  template <class T, class Same>
  bool said_before(const std::vector<T>& lines, const Same& same, const std::string& what, std::size_t at) {
    for (const T& line : lines)
      if (same(line)) return !fail(at, what + " stands in line " + std::to_string(line.loc.line) + " already");
    return false;
  }
};

}  // namespace reckon::specs
