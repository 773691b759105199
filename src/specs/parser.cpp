// Reads spec files line by line; alternatives.cpp reads what stands behind `->`.
//
// Each logical line is parsed on its own into fresh values that are moved into the file only when the whole line
// was right, so an error leaves out its line and nothing else. The first error of a line is the one reported.
#include "specs/parser.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "specs/alternatives.h"
#include "specs/scanner.h"

namespace reckon::specs {
namespace {

constexpr std::size_t max_params = 100;
constexpr std::size_t max_names = 32;
constexpr std::string_view flag_words[] = {"runs-code",       "allocates", "needs-gil", "drops-gil",
                                           "takes-gil",       "pure",      "never",     "since",
                                           "tests-exception", "until",     "no-gil",    "computed",
                                           "unstable",        "bare-free", "garbage",   "leaves",
                                           "tells-count",     "safer",     "read-only", "interns",
                                           "builds-from-list", "ready",    "finds"};
constexpr std::string_view line_words[] = {
    "fn",    "alias",   "domain",   "header",           "failure", "unknown-result",
    "check", "counted", "immortal", "immortal-pointer", "slot",    "flags",
    "table", "type-object", "long-lengths", "stack-top", "predicates", "routines", "repair", "unstable-field", "kept-in", "property", "version"};

// What earlier lines of a file mean for later ones.
struct Context {
  std::string domain;
  FunctionSpec flags;  // of a `flags` line: every function starts with them
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
  bool* simple_flag(FunctionSpec& spec, std::string_view word);
  bool flags_line(Context& context);
  bool alias(Context& context);
  bool domain_line(std::string& domain, std::size_t at);
  bool domain_property(std::string_view keyword, const std::string& domain, std::size_t at);
  bool counted(const std::string& domain, std::size_t at);
  bool global(const std::string& domain, bool pointer);
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
};

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
  return fail_expected(list);
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
      keyword == "kept-in" || keyword == "property" || keyword == "version")
    return domain_property(keyword, domain, at);
  if (keyword == "counted") return counted(domain, at);
  if (keyword == "immortal" || keyword == "immortal-pointer") return global(domain, keyword == "immortal-pointer");
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
  FunctionSpec spec = context.flags;
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
      if (spec.params[i].name == "format") spec.format_param = static_cast<std::uint32_t>(i);
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

bool LineParser::flags_and_alternatives(FunctionSpec& spec) {
  bool never = false;
  while (!in_.at_end() && !(in_.peek() == '-' && in_.peek(1) == '>'))
    if (!flag(spec, never)) return false;
  std::size_t arrow = in_.pos();
  if (in_.take("->")) {
    if (never) return fail(arrow, "a function that never returns has no alternatives");
    return AlternativeParser(in_, spec, complaint_).parse();
  }
  if (never) spec.outcomes.emplace_back().never_returns = true;
  return true;
}

bool* LineParser::simple_flag(FunctionSpec& spec, std::string_view word) {
  if (word == "runs-code") return &spec.runs_code;
  if (word == "allocates") return &spec.allocates;
  if (word == "needs-gil") return &spec.needs_gil;
  if (word == "drops-gil") return &spec.drops_gil;
  if (word == "takes-gil") return &spec.takes_gil;
  if (word == "pure") return &spec.pure;
  if (word == "tests-exception") return &spec.tests_exception;
  if (word == "computed") return &spec.computed;
  if (word == "unstable") return &spec.unstable;
  if (word == "bare-free") return &spec.bare_free;
  if (word == "garbage") return &spec.garbage;
  if (word == "leaves") return &spec.leaves;
  if (word == "tells-count") return &spec.tells_count;
  if (word == "read-only") return &spec.read_only;
  if (word == "interns") return &spec.interns;
  if (word == "builds-from-list") return &spec.builds_from_list;
  if (word == "finds") return &spec.finds;
  return nullptr;
}

bool LineParser::flag(FunctionSpec& spec, bool& never) {
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string_view word = in_.word();
  if (bool* field = word == "never" ? &never : simple_flag(spec, word)) {
    *field = true;
    return true;
  }
  if (word == "no-gil") {
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
  return fail(at, "expected a flag or `->`, found " + in_.found() + suggestion(word, flag_words));
}

// ready PARAM [A..B]
bool LineParser::ready(FunctionSpec& spec) {
  in_.skip_space();
  const std::size_t at = in_.pos();
  const std::string_view name = in_.word();
  const auto p = std::find_if(spec.params.begin(), spec.params.end(), [&](const ParamSpec& x) { return x.name == name; });
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
  FunctionSpec flags;
  while (!in_.at_end()) {
    std::size_t at = in_.pos();
    std::string_view word = in_.word();
    bool* field = simple_flag(flags, word);
    if (!field) {
      in_.rewind(at);
      return fail(
          at, "expected a flag that can stand for many functions, found " + in_.found() + suggestion(word, flag_words));
    }
    if (*field) return fail(at, "the flag " + quoted(word) + " twice");
    *field = true;
  }
  context.flags = std::move(flags);
  return true;
}

bool LineParser::alias(Context& context) {
  in_.skip_space();
  std::size_t at = in_.pos();
  AliasSpec alias;
  if (!expect_name(alias.name, "the new spelling")) return false;
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

bool LineParser::domain_line(std::string& domain, std::size_t at) {
  in_.skip_space();
  std::string name(in_.word());
  if (name.empty()) return fail_expected("the name of a domain");
  if (!end()) return false;
  domain = name;
  auto known = std::find_if(file_.domains.begin(), file_.domains.end(),
                            [&](const DomainSpec& spec) { return spec.name == name; });
  if (known == file_.domains.end()) {
    DomainSpec& spec = file_.domains.emplace_back();
    spec.name = name;
    spec.loc = loc(at);
  }
  return true;
}

bool LineParser::domain_property(std::string_view keyword, const std::string& domain, std::size_t at) {
  if (domain.empty()) return fail(at, "expected a line `domain NAME` before " + quoted(keyword));
  DomainSpec spec = *std::find_if(file_.domains.begin(), file_.domains.end(),
                                  [&](const DomainSpec& candidate) { return candidate.name == domain; });
  if (keyword == "failure") {
    if (!expect_choice(spec.failure_value, {"exception", "errno", "null"})) return false;
  } else if (keyword == "stack-top") {
    if (!expect_name(spec.stack_top, "the global that holds the depth")) return false;
  } else if (keyword == "property") {
    DomainSpec::Layout layout;
    std::string name;
    if (!expect_name(name, "the name of a property") || !expect_name(layout.record, "a struct")) return false;
    if (name.size() > kMaxPropertyName) return fail(at, "a property has at most seven letters");
    bool malformed = false;
    in_.skip_space();
    const auto offset = in_.number(&malformed);
    in_.skip_space();
    const auto mask = offset ? in_.number(&malformed) : std::nullopt;
    if (!offset || !mask) return fail_expected("an offset and a mask");
    layout.step = property_step(name);
    layout.offset = *offset;
    layout.mask = *mask;
    spec.layouts.push_back(std::move(layout));
  } else if (keyword == "version") {
    std::pair<std::string, std::string> entry;
    if (!version(entry.first) || !expect_blob(entry.second, "the name of a header")) return false;
    spec.versions.push_back(std::move(entry));
  } else if (keyword == "unknown-result") {
    if (!expect_choice(spec.unknown_result, {"new", "borrowed", "none"})) return false;
  } else {
    if (keyword == "check" && !spec.checks_given) {
      spec.checks_given = true;
      spec.reports_leaks = spec.reports_pairs = spec.reports_formats = spec.reports_protection = false;
    }
    do {
      std::string word;
      if (keyword == "header") {
        if (!expect_blob(word, "the name of a header")) return false;
        spec.headers.push_back(word);
      } else if (keyword == "unstable-field") {
        if (!expect_blob(word, "RECORD.FIELD")) return false;
        spec.unstable_fields.push_back(word);
      } else if (keyword == "kept-in") {
        if (!expect_blob(word, "a struct")) return false;
        spec.kept_in.push_back(word);
      } else if (keyword == "long-lengths") {
        if (!expect_blob(word, "a function or a header")) return false;
        spec.long_lengths.push_back(word);
      } else if (keyword == "predicates") {
        if (!expect_blob(word, "a function")) return false;
        spec.predicates.push_back(word);
      } else {
        if (!expect_choice(word, {"leaks", "pairs", "formats", "protection"})) return false;
        (word == "leaks"     ? spec.reports_leaks
         : word == "pairs"   ? spec.reports_pairs
         : word == "formats" ? spec.reports_formats
                             : spec.reports_protection) = true;
        in_.take_spaced(",");
      }
    } while (!in_.at_end());
  }
  if (!end()) return false;
  *std::find_if(file_.domains.begin(), file_.domains.end(),
                [&](const DomainSpec& candidate) { return candidate.name == domain; }) = std::move(spec);
  return true;
}

bool LineParser::counted(const std::string& domain, std::size_t at) {
  CountedType type;
  if (!expect_name(type.name, "a struct tag")) return false;
  if (!in_.at_end() && !expect_blob(type.count_field, "the field that counts")) return false;
  if (!end()) return false;
  type.domain = domain;
  type.loc = loc(at);
  file_.counted.push_back(std::move(type));
  return true;
}

bool LineParser::global(const std::string& domain, bool pointer) {
  GlobalSpec spec;
  in_.skip_space();
  std::size_t at = in_.pos();
  if (!expect_name(spec.name, "the name of a global")) return false;
  if (!in_.at_end()) {
    std::string since;
    if (!expect_choice(since, {"since"}) || !version(spec.immortal_since) || !end()) return false;
  }
  spec.domain = domain;
  spec.immortal = true;
  spec.points_to = pointer;
  spec.loc = loc(at);
  file_.globals.push_back(std::move(spec));
  return true;
}

bool LineParser::slot(const std::string& domain) {
  SlotSpec spec;
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string path;
  if (!expect_name(path, "`STRUCT.FIELD` or `STRUCT[N]`")) return false;
  std::size_t dot = path.find('.');
  std::size_t bracket = path.find('[');
  if (dot == std::string::npos && bracket != std::string::npos) path.insert(dot = bracket, ".");
  if (dot == std::string::npos || dot == 0 || dot + 1 == path.size())
    return fail(at, "expected `STRUCT.FIELD` or `STRUCT[N]`, found " + quoted(path));
  spec.record = path.substr(0, dot);
  spec.field = path.substr(dot + 1);
  in_.skip_space();
  spec.contract = in_.word();
  if (spec.contract.empty()) return fail_expected("a contract such as `new-or-null`");
  // What belongs to a slot besides its contract is a slot of its own, named by field and word.
  in_.skip_space();
  if (const std::string more(in_.word()); more == "undone-by" || more == "switched-by") {
    SlotSpec also{domain, spec.record, spec.field + " " + more, {}, loc(at)};
    if (!expect_name(also.contract, more == "undone-by" ? "the field that undoes it" : "the number of an argument")) return false;
    if (more == "switched-by" && also.contract.find_first_not_of("0123456789") != std::string::npos)
      return fail(at, "expected the number of an argument behind `switched-by`, found " + quoted(also.contract));
    file_.slots.push_back(std::move(also));
  } else if (!more.empty()) {
    return fail(at, "expected `undone-by` or `switched-by`, found " + quoted(more));
  }
  if (!end()) return false;
  spec.domain = domain;
  spec.loc = loc(at);
  file_.slots.push_back(std::move(spec));
  return true;
}

// table STRUCT ends-at FIELD, or table STRUCT.FIELD(KIND, ...) [when FLAGS & MASK == VALUE]
bool LineParser::table(const std::string& domain) {
  in_.skip_space();
  std::size_t at = in_.pos();
  std::string name;
  if (!expect_name(name, "a struct tag or `STRUCT.FIELD`")) return false;
  if (std::size_t dot = name.find('.'); dot != std::string::npos) {
    EntrySpec spec;
    spec.domain = domain;
    spec.record = name.substr(0, dot);
    spec.field = name.substr(dot + 1);
    if (spec.record.empty() || spec.field.empty()) return fail(at, "expected `STRUCT.FIELD`, found " + quoted(name));
    spec.loc = loc(at);
    if (!entry(spec) || !end()) return false;
    file_.entries.push_back(std::move(spec));
    return true;
  }
  std::string word;
  TableSpec spec;
  if (!expect_choice(word, {"ends-at"})) return false;
  if (!expect_name(spec.end_field, "the field that is zero in the last row") || !end()) return false;
  spec.domain = domain;
  spec.record = std::move(name);
  spec.loc = loc(at);
  file_.tables.push_back(std::move(spec));
  return true;
}

bool LineParser::entry(EntrySpec& spec) {
  if (!in_.take_spaced("(")) return fail_expected("`(` and what functions in the field are called with");
  do {
    std::string kind;
    if (!expect_choice(kind, {"object", "objects", "number", "pointer", "null"})) return false;
    EntryParam param;
    param.kind = kind == "object"    ? EntryParamKind::Object
                 : kind == "objects" ? EntryParamKind::Objects
                 : kind == "number"  ? EntryParamKind::Number
                 : kind == "null"    ? EntryParamKind::Null
                                     : EntryParamKind::Pointer;
    param.optional = in_.take("?");
    if (!param.optional && !spec.params.empty() && spec.params.back().optional)
      return fail_expected("`?`, as what comes before may be left out");
    spec.params.push_back(param);
    if (spec.params.size() > max_params)
      return fail(in_.pos(), "more than " + std::to_string(max_params) + " parameters");
  } while (in_.take_spaced(","));
  if (!in_.take_spaced(")")) return fail_expected("`,` or `)`");
  if (in_.at_end()) return true;
  auto bits = [&](std::uint64_t& out) {
    in_.skip_space();
    bool malformed = false;
    std::optional<std::int64_t> n = in_.number(&malformed);
    if (!n || *n < 0) return fail_expected("a number of flags");
    out = static_cast<std::uint64_t>(*n);
    return true;
  };
  std::string when;
  if (!expect_choice(when, {"when"}) || !expect_name(spec.flags_field, "the field that holds the flags")) return false;
  if (!in_.take_spaced("&")) return fail_expected("`&` and the flags that matter");
  if (!bits(spec.mask)) return false;
  if (!in_.take_spaced("==")) return fail_expected("`==` and a value of the flags");
  return bits(spec.value);
}

// routines FUNCTION.PARAM INTERFACE NAME FUNCTION COUNT each|list KIND returns object|nothing
bool LineParser::routines(const std::string& domain) {
  RoutineSpec spec;
  in_.skip_space();
  const std::size_t at = in_.pos();
  std::string who, word;
  if (!expect_name(who, "`FUNCTION.PARAM`")) return false;
  const std::size_t dot = who.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == who.size())
    return fail(at, "expected `FUNCTION.PARAM`, found " + quoted(who));
  spec.registrar = who.substr(0, dot);
  spec.param = who.substr(dot + 1);
  if (!expect_blob(spec.interface, "how R code calls them, such as `.Call`")) return false;
  if (!expect_name(spec.name_field, "the field of the name")) return false;
  if (!expect_name(spec.function_field, "the field of the function")) return false;
  if (!expect_name(spec.count_field, "the field of the number of arguments")) return false;
  if (!expect_choice(word, {"each", "list"})) return false;
  spec.each = word == "each";
  if (!expect_choice(word, {"object", "pointer"})) return false;
  spec.kind = word == "object" ? EntryParamKind::Object : EntryParamKind::Pointer;
  if (!expect_choice(word, {"returns"}) || !expect_choice(word, {"object", "nothing"})) return false;
  spec.returns_object = word == "object";
  if (!end()) return false;
  spec.domain = domain;
  spec.loc = loc(at);
  file_.routines.push_back(std::move(spec));
  return true;
}

bool LineParser::type_object(const std::string& domain) {
  TypeObjectSpec spec;
  in_.skip_space();
  spec.loc = loc(in_.pos());
  if (!expect_name(spec.name, "the name of a global")) return false;
  if (!expect_name(spec.record, "the struct of its objects") || !end()) return false;
  spec.domain = domain;
  file_.type_objects.push_back(std::move(spec));
  return true;
}

// repair KIND NAME [for PATTERN ...]
bool LineParser::repair(const std::string& domain) {
  RepairSpec spec;
  in_.skip_space();
  spec.loc = loc(in_.pos());
  if (!expect_choice(spec.kind, {"release", "release-or-null", "acquire", "acquire-or-null", "protect", "unprotect"})) return false;
  if (!expect_name(spec.name, "the name of a function or macro")) return false;
  in_.skip_space();
  if (!in_.at_end()) {
    std::string word;
    if (!expect_choice(word, {"for"})) return false;
    do {
      if (!expect_name(spec.patterns.emplace_back(), "the call that makes the object")) return false;
      in_.skip_space();
    } while (!in_.at_end());
  }
  spec.domain = domain;
  file_.repairs.push_back(std::move(spec));
  return true;
}

}  // namespace

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
