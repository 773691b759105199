// Lines of a spec file that are not about functions: domains, globals, slots, tables and repairs.
#include <algorithm>

#include "specs/file_domain.h"
#include "specs/line_parser.h"

namespace reckon::specs {

namespace {

// Why no function can keep all of these promises; "" if some can.
std::string contradiction(const ContractFlags& c) {
  if (c.gives_new && c.fails_by_minus_one) return "a result is either `gives-new` or `fails-by-minus-one`";
  if (int{c.balanced} + int{c.acquires} + int{c.releases} + int{c.consumes} + int{c.transmits} > 1)
    return "only one of `balanced`, `acquires`, `releases`, `consumes` and `transmits` can be promised";
  if (c.at_init && c.at_teardown) return "a function runs either `at-init` or `at-teardown`";
  return "";
}

}  // namespace

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

// A file that names no domain is about one of its own, called like the file.
bool LineParser::domain_of_file(std::string& domain, std::size_t at) {
  if (!domain.empty()) return true;
  domain = domain_named_after(file_.path);
  if (domain.empty()) return fail(at, "expected a line `domain NAME`, as the file's name is none");
  DomainSpec& spec = file_.domains.emplace_back();
  spec.name = domain;
  spec.loc = loc(at);
  return true;
}

bool LineParser::domain_property(std::string_view keyword, std::string& domain, std::size_t at) {
  if (!domain_of_file(domain, at)) return false;
  DomainSpec spec = *std::find_if(file_.domains.begin(), file_.domains.end(),
                                  [&](const DomainSpec& candidate) { return candidate.name == domain; });
  if (keyword == "failure") {
    do {
      std::string word;
      if (!expect_choice(word, {"exception", "errno", "null", "input", "outside"})) return false;
      if (word == "input" || word == "outside")
        spec.failure_cause = word == "input" ? FailureCause::Input : FailureCause::Outside;
      else
        spec.failure_value = word == "exception" ? FailureValue::Exception
                             : word == "errno"   ? FailureValue::Errno
                                                 : FailureValue::Null;
    } while (!in_.at_end());
  } else if (keyword == "blame") {
    if (!blame(spec)) return false;
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
  } else if (keyword == "unstable-field") {
    DomainSpec::UnstableField field;
    if (!expect_blob(field.name, "RECORD.FIELD")) return false;
    std::string word;
    if (!in_.at_end() && (!expect_choice(word, {"safer"}) || !expect_name(field.safer, "the function to call instead")))
      return false;
    spec.unstable_fields.push_back(std::move(field));
  } else if (keyword == "unknown-result") {
    std::string word;
    if (!expect_choice(word, {"new", "borrowed", "none"})) return false;
    spec.unknown_result = word == "new"        ? UnknownResult::New
                          : word == "borrowed" ? UnknownResult::Borrowed
                                               : UnknownResult::None;
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
      } else if (keyword == "kept-in") {
        if (!expect_blob(word, "a struct")) return false;
        spec.kept_in.push_back(word);
      } else if (keyword == "long-lengths") {
        if (!expect_blob(word, "a function or a header")) return false;
        spec.long_lengths.push_back(word);
      } else if (keyword == "predicates") {
        if (!expect_blob(word, "a function")) return false;
        spec.predicates.push_back(word);
      } else if (keyword == "error-struct") {
        if (!expect_blob(word, "a struct")) return false;
        spec.error_structs.push_back(word);
      } else if (keyword == "stops-at-zero") {
        if (!expect_blob(word, "the name of a count")) return false;
        spec.stops_at_zero.push_back(word);
      } else {
        if (!expect_choice(word, {"leaks", "pairs", "formats", "protection"})) return false;
        (word == "leaks"     ? spec.reports_leaks
         : word == "pairs"   ? spec.reports_pairs
         : word == "formats" ? spec.reports_formats
                             : spec.reports_protection) = true;
        in_.take_spaced(",");
      }
    } while (!in_.at_end());
    if (spec.reports_leaks && spec.reports_protection)
      return fail(at, "objects of a domain are either counted (`leaks`) or protected (`protection`)");
  }
  if (!end()) return false;
  *std::find_if(file_.domains.begin(), file_.domains.end(),
                [&](const DomainSpec& candidate) { return candidate.name == domain; }) = std::move(spec);
  return true;
}

// blame NAME|NUMBER|FUNCTION(TEXT) CAUSE
bool LineParser::blame(DomainSpec& spec) {
  in_.skip_space();
  bool malformed = false;
  const auto number = in_.number(&malformed);
  std::string name, word;
  if (!number && !expect_name(name, "a global, a call or an error number")) return false;
  if (!number && in_.take("(")) {
    const std::string_view text = in_.word();
    if (text.empty()) return fail_expected("the text that is passed");
    name += "(" + std::string(text) + ")";
    if (!in_.take(")")) return fail_expected("`)`");
  }
  if (!expect_choice(word, {"input", "outside", "memory"})) return false;
  const FailureCause cause = word == "input"     ? FailureCause::Input
                             : word == "outside" ? FailureCause::Outside
                                                 : FailureCause::Memory;
  if (number)
    spec.blamed_numbers.emplace_back(*number, cause);
  else
    spec.blamed.emplace_back(std::move(name), cause);
  return true;
}

bool LineParser::counted(const std::string& domain, std::size_t at) {
  CountedType type;
  if (!expect_name(type.name, "a struct tag")) return false;
  if (!in_.at_end() && !expect_blob(type.count_field, "the field that counts")) return false;
  if (!end()) return false;
  type.domain = domain;
  type.loc = loc(at);
  auto same = [&](const CountedType& other) { return other.name == type.name; };
  if (said_before(file_.counted, same, "the struct " + quoted(type.name), at)) return false;
  file_.counted.push_back(std::move(type));
  return true;
}

bool LineParser::global(const std::string& domain, bool pointer) {
  GlobalSpec spec;
  in_.skip_space();
  std::size_t at = in_.pos();
  if (!expect_name(spec.name, "the name of a global")) return false;
  std::string word;
  if (!in_.at_end() && !expect_choice(word, {"as", "since"})) return false;
  if (word == "as") {
    if (!expect_name(spec.shown, "how the source calls it")) return false;
    if (!in_.at_end() && !expect_choice(word, {"since"})) return false;
  }
  if (word == "since" && !version(spec.immortal_since)) return false;
  if (!end()) return false;
  spec.domain = domain;
  spec.immortal = true;
  spec.points_to = pointer;
  spec.loc = loc(at);
  file_.globals.push_back(std::move(spec));
  return true;
}

// ready-immortal since V: what `ready` functions give stands among the globals, under a name that no symbol has.
bool LineParser::ready_immortal(std::string& domain, std::size_t at) {
  if (!domain_of_file(domain, at)) return false;
  GlobalSpec spec;
  std::string since;
  if (!expect_choice(since, {"since"}) || !version(spec.immortal_since) || !end()) return false;
  spec.domain = domain;
  spec.name = domain + "%ready";
  spec.immortal = true;
  spec.loc = loc(at);
  file_.globals.push_back(std::move(spec));
  return true;
}

// only-with HEADER ...: the file is a pack. Whoever loads packs reads this line before the file is parsed.
bool LineParser::only_with() {
  std::string header;
  do {
    if (!expect_blob(header, "the name of a header")) return false;
  } while (!in_.at_end());
  return end();
}

// contract NAME [WORD ...]
bool LineParser::contract_line(Context& context) {
  ContractSpec spec;
  in_.skip_space();
  const std::size_t at = in_.pos();
  spec.name = in_.word();
  if (spec.name.empty()) return fail_expected("the name of a contract");
  for (const ContractSpec& other : file_.contracts)
    if (other.name == spec.name)
      return fail(
          at, "the contract " + quoted(spec.name) + " is already described in line " + std::to_string(other.loc.line));
  std::vector<std::string_view> words;
  for (const ContractWord& word : kContractWords) words.push_back(word.word);
  while (!in_.at_end()) {
    const std::size_t word_at = in_.pos();
    const std::string_view word = in_.word();
    const auto known = std::find(words.begin(), words.end(), word);
    if (known == words.end()) {
      in_.rewind(word_at);
      return fail(word_at, "expected a property of a contract, found " + in_.found() + suggestion(word, words));
    }
    bool& flag = spec.*kContractWords[known - words.begin()].flag;
    if (flag) return fail(word_at, quoted(word) + " twice");
    flag = true;
    if (std::string wrong = contradiction(spec); !wrong.empty()) return fail(word_at, std::move(wrong));
  }
  spec.domain = context.domain;
  spec.loc = loc(at);
  file_.contracts.push_back(std::move(spec));
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
  spec.contract_loc = loc(in_.pos());
  spec.contract = in_.word();
  if (spec.contract.empty()) return fail_expected("a contract such as `new-or-null`");
  in_.skip_space();
  const std::size_t more_at = in_.pos();
  if (const std::string_view more = in_.word(); more == "undone-by") {
    std::string_view or_else;
    do {
      if (!expect_name(spec.undone_by.emplace_back(), "the field that undoes it")) return false;
      in_.skip_space();
      or_else = in_.word();
    } while (or_else == "or");
    if (!or_else.empty()) return fail_expected("`or` and another field");
  } else if (more == "switched-by") {
    in_.skip_space();
    bool malformed = false;
    const auto n = in_.number(&malformed);
    if (!n || *n < 0 || *n >= static_cast<std::int64_t>(max_params)) return fail_expected("the number of an argument");
    spec.switched_by = static_cast<int>(*n);
  } else if (more == "since") {
    if (!version(spec.since)) return false;
  } else if (!more.empty()) {
    return fail(more_at, "expected `undone-by`, `switched-by` or `since`, found " + quoted(more));
  }
  if (!end()) return false;
  spec.domain = domain;
  spec.loc = loc(at);
  auto same = [&](const SlotSpec& other) { return other.record == spec.record && other.field == spec.field; };
  if (said_before(file_.slots, same, "the contract of " + quoted(path), at)) return false;
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
  auto same = [&](const TableSpec& other) { return other.record == spec.record; };
  if (said_before(file_.tables, same, "the end of tables of " + quoted(spec.record), at)) return false;
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

// routines FUNCTION.PARAM INTERFACE NAME FUNCTION COUNT each|list|context KIND returns object|nothing
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
  if (!expect_choice(word, {"each", "list", "context"})) return false;
  spec.each = word == "each";
  const bool context = word == "context";
  if (!expect_choice(word, {"object", "pointer"})) return false;
  spec.kind = word != "object" ? EntryParamKind::Pointer : context ? EntryParamKind::Objects : EntryParamKind::Object;
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
  const std::size_t at = in_.pos();
  spec.loc = loc(at);
  if (!expect_name(spec.name, "the name of a global")) return false;
  if (!expect_name(spec.record, "the struct of its objects") || !end()) return false;
  spec.domain = domain;
  auto same = [&](const TypeObjectSpec& other) { return other.name == spec.name; };
  if (said_before(file_.type_objects, same, "the type " + quoted(spec.name), at)) return false;
  file_.type_objects.push_back(std::move(spec));
  return true;
}

// repair KIND NAME [for PATTERN ...]
bool LineParser::repair(const std::string& domain) {
  RepairSpec spec;
  in_.skip_space();
  spec.loc = loc(in_.pos());
  std::string kind;
  if (!expect_choice(kind, {"release", "release-or-null", "acquire", "acquire-or-null", "protect", "unprotect"}))
    return false;
  spec.kind = kind == "release"           ? RepairKind::Release
              : kind == "release-or-null" ? RepairKind::ReleaseOrNull
              : kind == "acquire"         ? RepairKind::Acquire
              : kind == "acquire-or-null" ? RepairKind::AcquireOrNull
              : kind == "protect"         ? RepairKind::Protect
                                          : RepairKind::Unprotect;
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

}  // namespace reckon::specs
