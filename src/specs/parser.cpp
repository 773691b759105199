// Reads spec files line by line: what functions do. domain_lines.cpp reads the other lines.
//
// Each logical line is parsed on its own into fresh values that are moved into the file only when the whole line
// was right, so that one run tells the errors of all lines, each by its first. Nothing is analysed with such a file.
#include "specs/parser.h"

#include <algorithm>
#include <limits>
#include <set>

#include "specs/line_parser.h"

namespace reckon::specs {
namespace {

constexpr std::size_t max_names = 32;
// Flags that are more than a word, or that many functions cannot share.
constexpr std::string_view other_flags[] = {"never", "since", "until", "no-gil", "safer", "ready"};
constexpr std::string_view line_words[] = {
    "fn",       "alias",          "domain",        "header",           "failure",     "unknown-result",
    "check",    "counted",        "immortal",      "immortal-pointer", "slot",        "flags",
    "table",    "type-object",    "long-lengths",  "stack-top",        "predicates",  "routines",
    "repair",   "unstable-field", "kept-in",       "property",         "version",     "ready-immortal",
    "contract", "blame",          "stops-at-zero", "only-with",        "error-struct"};

const std::vector<std::string_view>& flag_words() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> out(std::begin(other_flags), std::end(other_flags));
    for (const FlagWord& flag : kFunctionFlags) out.push_back(flag.word);
    return out;
  }();
  return words;
}

}  // namespace

bool LineParser::expect_name(std::string& out, std::string_view what) {
  in_.skip_space();
  out = in_.name_pattern();
  return !out.empty() || fail_expected(what);
}

bool LineParser::expect_blob(std::string& out, std::string_view what) {
  in_.skip_space();
  out = in_.blob();
  return !out.empty() || fail_expected(what);
}

bool LineParser::expect_choice(std::string& out, std::initializer_list<std::string_view> choices) {
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string_view word = in_.word();
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) {
    out = word;
    return true;
  }
  in_.rewind(at);
  std::string list;
  for (std::string_view choice : choices) {
    if (!list.empty()) list += choice == *(choices.end() - 1) ? " or " : ", ";
    list += quoted(choice);
  }
  return fail(at, "expected " + list + ", found " + in_.found() + suggestion(word, choices));
}

// Numbers joined by dots: 3.10
bool LineParser::version(std::string& out) {
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string_view text = in_.blob();
  bool digit_before = false;
  bool good = !text.empty() && text.size() < 32;
  for (char c : text) {
    bool digit = c >= '0' && c <= '9';
    good = good && (digit || (c == '.' && digit_before));
    digit_before = digit;
  }
  if (!good || !digit_before) {
    in_.rewind(at);
    return fail(at, "expected a version such as `3.10`, found " + (text.empty() ? in_.found() : quoted(text)));
  }
  out = text;
  return true;
}

bool LineParser::define(const Context& context, const std::string& name, const std::string& since, std::size_t at) {
  auto before = context.defined.find({name, since});
  if (before == context.defined.end()) return true;
  return fail(at, quoted(name) + " is already defined in line " + std::to_string(before->second.line) +
                      (since.empty() ? "" : " since " + quoted(since)));
}

bool LineParser::line(Context& context) {
  std::string& domain = context.domain;
  std::size_t at = (in_.skip_space(), in_.pos());
  std::string_view keyword = in_.word();
  if (keyword == "fn") return function(context);
  if (keyword == "flags") return flags_line(context);
  if (keyword == "alias") return alias(context);
  if (keyword == "domain") return domain_line(domain, at);
  if (keyword == "header" || keyword == "failure" || keyword == "unknown-result" || keyword == "check" ||
      keyword == "long-lengths" || keyword == "stack-top" || keyword == "predicates" || keyword == "unstable-field" ||
      keyword == "kept-in" || keyword == "property" || keyword == "version" || keyword == "blame" ||
      keyword == "stops-at-zero" || keyword == "error-struct")
    return domain_property(keyword, domain, at);
  if (keyword == "counted") return counted(domain, at);
  if (keyword == "only-with") return only_with();
  if (keyword == "immortal" || keyword == "immortal-pointer") return global(domain, keyword == "immortal-pointer");
  if (keyword == "ready-immortal") return ready_immortal(domain, at);
  if (keyword == "contract") return contract_line(context);
  if (keyword == "slot") return slot(domain);
  if (keyword == "table") return table(domain);
  if (keyword == "routines") return routines(domain);
  if (keyword == "type-object") return type_object(domain);
  if (keyword == "repair") return repair(domain);
  in_.rewind(at);
  std::string words;
  for (std::string_view word : line_words) words += (words.empty() ? "" : ", ") + quoted(word);
  return fail(at, "expected one of " + words + ", found " + in_.found() + suggestion(keyword, line_words));
}

// fn NAME [= NAME ...](PARAM, ...) [FLAG ...] [-> ALTERNATIVE | ...]
bool LineParser::function(Context& context) {
  FunctionSpec spec;
  static_cast<FunctionFlags&>(spec) = context.flags;
  std::vector<std::pair<std::string, std::size_t>> names;
  do {
    in_.skip_space();
    std::size_t at = in_.pos();
    std::string name;
    if (!expect_name(name, "the name of a function")) return false;
    for (const auto& other : names)
      if (other.first == name) return fail(at, quoted(name) + " is named twice");
    names.emplace_back(std::move(name), at);
    if (names.size() > max_names) return fail(at, "more than " + std::to_string(max_names) + " spellings");
  } while (in_.take_spaced("="));
  if (!parameters(spec) || !flags_and_alternatives(spec)) return false;
  for (const auto& [name, at] : names)
    if (!define(context, name, spec.since, at)) return false;
  spec.domain = context.domain;
  // The last name is the one the others are spellings of.
  for (const auto& [name, at] : names) {
    FunctionSpec& added = file_.functions.emplace_back(spec);
    added.name = name;
    added.loc = loc(at);
    if (name != names.back().first) added.alias_of = names.back().first;
    context.defined.emplace(std::pair(name, spec.since), added.loc);
  }
  return true;
}

bool LineParser::parameters(FunctionSpec& spec) {
  if (!in_.take_spaced("(")) return fail_expected("`(` and the parameters");
  if (in_.take_spaced(")")) return true;
  std::set<std::string, std::less<>> seen;
  while (true) {
    in_.skip_space();
    std::size_t at = in_.pos();
    if (in_.take("...")) {
      if (!varargs(spec)) return false;
      return in_.take_spaced(")") || fail_expected("`)` after `...`");
    }
    std::string_view name = in_.identifier();
    if (name.empty()) return fail_expected("a parameter");
    if (name == "result") return fail(at, "a parameter cannot be called `result`");
    if (name != "_" && !seen.emplace(name).second) return fail(at, "two parameters are called " + quoted(name));
    if (spec.params.size() >= max_params) return fail(at, "more than " + std::to_string(max_params) + " parameters");
    ParamSpec& param = spec.params.emplace_back();
    param.name = name;
    param.role = name == "format" ? ParamRole::Format : name == "min" ? ParamRole::Minimum : ParamRole::Plain;
    for (char mark = in_.peek(); mark == '?' || mark == '!' || mark == '^' || mark == '~'; mark = in_.peek()) {
      std::size_t mark_at = in_.pos();
      bool& given = mark == '?'   ? param.null_ok
                    : mark == '!' ? param.null_crashes
                    : mark == '^' ? param.callee_protects
                                  : param.read_first;
      if (given) return fail(mark_at, "the same mark twice");
      given = true;
      if (param.null_ok && param.null_crashes) return fail(mark_at, "a parameter is marked either `?` or `!`");
      if (param.callee_protects && param.read_first) return fail(mark_at, "a parameter is marked either `^` or `~`");
      in_.take(std::string_view(&mark, 1));
    }
    if (in_.take_spaced(")")) return true;
    if (!in_.take_spaced(",")) return fail_expected("`,` or `)`");
  }
}

bool LineParser::varargs(FunctionSpec& spec) {
  spec.variadic = true;
  std::size_t at = in_.pos();
  std::string_view kind = in_.word();
  bool needs_format = kind == "parse" || kind == "build" || kind == "print";
  if (needs_format) {
    if (spec.params.empty()) return fail(at, "a format needs a parameter before `...`");
    spec.format_param = static_cast<std::uint32_t>(spec.params.size() - 1);
    for (std::size_t i = 0; i < spec.params.size(); ++i)
      if (spec.params[i].role == ParamRole::Format) spec.format_param = static_cast<std::uint32_t>(i);
  }
  if (kind == "parse")
    spec.varargs = VarargKind::ParseFormat;
  else if (kind == "build")
    spec.varargs = VarargKind::BuildFormat;
  else if (kind == "print")
    spec.varargs = VarargKind::PrintFormat;
  else if (kind == "until-null")
    spec.varargs = VarargKind::UntilNull;
  else if (kind == "out")
    spec.varargs = VarargKind::OutParams;
  else if (kind == "counted") {
    spec.varargs = VarargKind::Counted;
    if (!in_.take("(")) return fail_expected("`(` and the parameter that holds the number");
    in_.skip_space();
    std::size_t name_at = in_.pos();
    std::string_view name = in_.identifier();
    if (name.empty()) return fail_expected("the parameter that holds the number");
    auto param =
        std::find_if(spec.params.begin(), spec.params.end(), [&](const ParamSpec& p) { return p.name == name; });
    if (param == spec.params.end()) return fail(name_at, "unknown parameter " + quoted(name));
    spec.count_param = static_cast<std::uint32_t>(param - spec.params.begin());
    if (!in_.take_spaced(")")) return fail_expected("`)`");
  } else if (!kind.empty()) {
    return fail(at, "expected `parse`, `build`, `print`, `until-null`, `counted(n)` or `out` after `...`, found " +
                        quoted(kind));
  }
  return true;
}

namespace {
// What flags of a function say of what it makes, lends or empties is said of each outcome, as summaries do.
void carry_flags(FunctionSpec& spec) {
  auto parameter = [&](std::uint32_t n) {
    Place p;
    p.index = n;
    return n < spec.params.size() ? std::optional(p) : std::nullopt;
  };
  for (Outcome& o : spec.outcomes) {
    for (Object& x : o.objects) {
      x.unstable = spec.unstable && !x.owned;
      x.garbage = spec.garbage && x.owned;
      if (!x.owned || x.garbage) x.key = parameter(x.garbage ? 0 : 1);
    }
    for (Hold& h : o.releases_holds)
      if (!h.holder) h.holder = parameter(1);
    if (const auto freed = parameter(0); spec.bare_free && freed && o.bare_frees.empty())
      o.bare_frees.push_back(*freed);
    o.result.read_only = spec.read_only && o.result.kind == Value::Kind::Interior;
  }
}
}  // namespace

bool LineParser::flags_and_alternatives(FunctionSpec& spec) {
  bool never = false;
  while (!in_.at_end() && !(in_.peek() == '-' && in_.peek(1) == '>'))
    if (!flag(spec, never)) return false;
  std::size_t arrow = in_.pos();
  if (in_.take("->")) {
    if (never) return fail(arrow, "a function that never returns has no alternatives");
    if (!AlternativeParser(in_, spec, complaint_).parse()) return false;
    carry_flags(spec);
    return true;
  }
  if (never) spec.outcomes.emplace_back().never_returns = true;
  return true;
}

bool* LineParser::simple_flag(FunctionFlags& flags, std::string_view word) {
  for (const FlagWord& flag : kFunctionFlags)
    if (flag.word == word) return &(flags.*flag.flag);
  return nullptr;
}

bool LineParser::contradictory_flags(const FunctionFlags& flags, std::size_t at) {
  if (flags.drops_gil && flags.takes_gil) return !fail(at, "a function is marked either `drops-gil` or `takes-gil`");
  if (flags.pure && flags.runs_code) return !fail(at, "a function that is `pure` has no effect: it runs no code");
  if (int{flags.fails_by_input} + int{flags.fails_for_memory} + int{flags.fails_outside} > 1)
    return !fail(at, "only one of `fails-by-input`, `fails-for-memory` and `fails-outside` can hold");
  return false;
}

bool LineParser::flag(FunctionSpec& spec, bool& never) {
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string_view word = in_.word();
  if (bool* field = word == "never" ? &never : simple_flag(spec, word)) {
    // A `flags` line may have said it before.
    if (!flags_given_.emplace(word).second) return fail(at, "the flag " + quoted(word) + " twice");
    *field = true;
    return !contradictory_flags(spec, at);
  }
  if (word == "no-gil") {
    if (flags_given_.count("needs-gil")) return fail(at, "a function is marked either `needs-gil` or `no-gil`");
    spec.needs_gil = false;
    return true;
  }
  if (word == "ready") return ready(spec);
  if (word == "safer") return expect_name(spec.safer, "the function to call instead");
  if (word == "since" || word == "until") {
    std::string& field = word == "since" ? spec.since : spec.until;
    if (!field.empty()) return fail(at, quoted(word) + " twice");
    if (!version(field)) return false;
    if (!spec.since.empty() && !spec.until.empty() && !up_to_version(spec.since, spec.until))
      return fail(at, "no version is since " + quoted(spec.since) + " and until " + quoted(spec.until));
    return true;
  }
  in_.rewind(at);
  return fail(at, "expected a flag or `->`, found " + in_.found() + suggestion(word, flag_words()));
}

// ready PARAM [A..B]
bool LineParser::ready(FunctionSpec& spec) {
  in_.skip_space();
  const std::size_t at = in_.pos();
  const std::string_view name = in_.word();
  const auto p =
      std::find_if(spec.params.begin(), spec.params.end(), [&](const ParamSpec& x) { return x.name == name; });
  if (name.empty() || p == spec.params.end()) {
    in_.rewind(at);
    return fail_expected("a parameter");
  }
  spec.ready = {static_cast<std::uint32_t>(p - spec.params.begin()), std::numeric_limits<std::int64_t>::min(),
                std::numeric_limits<std::int64_t>::max()};
  in_.skip_space();
  bool malformed = false;
  const auto lo = in_.number(&malformed);
  if (malformed) return fail_expected("a range of numbers");
  if (!lo) return true;
  const auto hi = in_.take("..") ? in_.number(&malformed) : std::nullopt;
  if (!hi || *hi < *lo) return fail_expected("the end of the range");
  spec.ready.lo = *lo;
  spec.ready.hi = *hi;
  return true;
}

// flags FLAG ...: for the functions that follow, until the next such line.
bool LineParser::flags_line(Context& context) {
  FunctionFlags flags;
  while (!in_.at_end()) {
    std::size_t at = in_.pos();
    std::string_view word = in_.word();
    bool* field = simple_flag(flags, word);
    if (!field) {
      in_.rewind(at);
      return fail(at, "expected a flag that can stand for many functions, found " + in_.found() +
                          suggestion(word, flag_words()));
    }
    if (*field) return fail(at, "the flag " + quoted(word) + " twice");
    *field = true;
    if (contradictory_flags(flags, at)) return false;
  }
  context.flags = flags;
  return true;
}

bool LineParser::alias(Context& context) {
  in_.skip_space();
  std::size_t at = in_.pos();
  AliasSpec alias;
  if (!expect_name(alias.name, "the new spelling")) return false;
  in_.skip_space();
  alias.target_loc = loc(in_.pos());
  if (!expect_name(alias.target, "the function it stands for") || !end()) return false;
  if (alias.target.find('*') != std::string::npos) return fail(at, "an alias stands for one function, not a pattern");
  if (alias.name == alias.target) return fail(at, quoted(alias.name) + " is an alias of itself");
  if (!define(context, alias.name, "", at)) return false;
  alias.domain = context.domain;
  alias.loc = loc(at);
  context.defined.emplace(std::pair(alias.name, ""), alias.loc);
  file_.aliases.push_back(std::move(alias));
  return true;
}

SpecFile parse_spec(std::string path, std::string_view text, std::vector<SpecError>& errors) {
  SpecFile file;
  file.path = std::move(path);
  Positions positions(text);
  Context context;
  for (Extent extent : logical_lines(text)) {
    LineParser parser(text, extent, positions, file);
    if (!parser.line(context)) {
      const Complaint& complaint = *parser.complaint();
      errors.push_back({positions.at(file.path, complaint.offset), complaint.message});
    }
  }
  return file;
}

bool parse_contract(std::string_view text, const SpecLoc& at, FunctionSpec& spec, std::vector<SpecError>& errors) {
  SpecFile none;
  Positions positions(text);
  FunctionSpec result = spec;
  result.outcomes.clear();
  LineParser parser(text, Extent{0, text.size()}, positions, none);
  if (parser.contract(result)) {
    spec = std::move(result);
    return true;
  }
  SpecLoc loc = positions.at(at.file, parser.complaint()->offset);
  loc.col += loc.line == 1 && at.col > 0 ? at.col - 1 : 0;
  loc.line += at.line > 0 ? at.line - 1 : 0;
  errors.push_back({std::move(loc), parser.complaint()->message});
  return false;
}

}  // namespace reckon::specs
