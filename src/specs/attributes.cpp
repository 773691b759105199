// Four vocabularies come together here: cpychecker's attributes, Clang's ownership ones, GCC's `malloc` with whom its
// result has to be given to, and annotations in our own language ("reckon: -> new | NULL raises"). An annotation that
// gives alternatives is the whole truth about results and effects; otherwise the other attributes add up: they say what
// the results are, and then what happens to arguments whatever the result.
//
// Limits: an attribute that says only that an argument is taken leaves open what the function returns. For a
// function that returns an object that is read as "a new one, or NULL with an exception", as cpychecker does.
#include "specs/attributes.h"

#include <optional>

#include "specs/parser.h"

namespace reckon::specs {
namespace {

constexpr std::string_view annotation_prefix = "reckon:";
constexpr std::uint32_t kMostParameters = 255;

// A spec that says nothing but what the declaration does.
FunctionSpec bare_spec(const Declaration& declaration) {
  FunctionSpec spec;
  spec.name = declaration.name;
  spec.loc = declaration.loc;
  spec.variadic = declaration.prototype.variadic;
  for (std::size_t i = 0; i < declaration.prototype.param_is_pointer.size(); ++i) {
    ParamSpec& param = spec.params.emplace_back();
    if (i < declaration.param_names.size()) param.name = declaration.param_names[i];
  }
  return spec;
}

class Builder {
 public:
  Builder(const Declaration& declaration, std::vector<SpecError>& errors)
      : declaration_(declaration), errors_(errors), spec_(bare_spec(declaration)) {}

  void take(const SourceAttribute& attribute) {
    const std::string& name = attribute.name;
    if (name == "noreturn" || name == "analyzer_noreturn") {
      never_ = known_ = true;
    } else if (name == "cpychecker_returns_borrowed_ref") {
      results("borrowed | NULL raises", attribute);
    } else if (name == "cpychecker_negative_result_sets_exception") {
      results("<0 raises | >=0", attribute);
    } else if (name == "cpychecker_null_result_sets_exception") {
      if (results_.empty())
        results(declaration_.returns_object ? "new | NULL raises" : "nonnull | NULL raises", attribute);
    } else if (name == "cpychecker_sets_exception") {
      sets_exception_ = known_ = true;
    } else if (name == "ownership_returns" || !deallocator_of(attribute).name.empty()) {
      results("new | NULL", attribute);
    } else if (name == "returns_nonnull") {
      nonnull_ = known_ = true;
    } else if (name == "nonnull") {
      mark_nonnull(attribute);
    } else if (name == "cpychecker_steals_reference_to_arg" || name == "ownership_holds") {
      for_each_param(attribute, stolen_);
    } else if (name == "ownership_takes") {
      for_each_param(attribute, released_);
    } else if (name == "annotate") {
      annotation(attribute.text);
    }
  }

  bool finish(FunctionSpec& out) {
    if (!known_) return false;
    if (!annotated_) build_outcomes();
    out = std::move(spec_);
    return true;
  }

 private:
  void report(const std::string& message) { errors_.push_back({declaration_.loc, message}); }

  // Alternatives in our own language stand for what an attribute means.
  void results(std::string_view alternatives, const SourceAttribute& attribute) {
    using Returns = Prototype::Returns;
    bool wants_pointer = attribute.name != "cpychecker_negative_result_sets_exception";
    if (declaration_.prototype.returns != (wants_pointer ? Returns::Pointer : Returns::Integer)) {
      report("attribute `" + attribute.name + "` needs a function that returns " +
             (wants_pointer ? "a pointer" : "an integer"));
      return;
    }
    results_ = alternatives;
    known_ = true;
  }

  void for_each_param(const SourceAttribute& attribute, std::vector<std::uint32_t>& list) {
    if (attribute.args.empty()) report("attribute `" + attribute.name + "` names no parameter");
    for (std::int64_t number : attribute.args)
      if (std::optional<std::uint32_t> index = param(attribute, number)) {
        list.push_back(*index);
        known_ = true;
      }
  }

  void mark_nonnull(const SourceAttribute& attribute) {
    auto mark = [&](std::size_t index) { spec_.params[index].null_crashes = known_ = true; };
    if (attribute.args.empty())
      for (std::size_t i = 0; i < spec_.params.size(); ++i)
        if (declaration_.prototype.param_is_pointer[i]) mark(i);
    for (std::int64_t number : attribute.args)
      if (std::optional<std::uint32_t> index = param(attribute, number)) mark(*index);
  }

  std::optional<std::uint32_t> param(const SourceAttribute& attribute, std::int64_t number) {
    if (number < 1 || static_cast<std::uint64_t>(number) > spec_.params.size()) {
      report("attribute `" + attribute.name + "` names parameter " + std::to_string(number) + ", but `" +
             declaration_.name + "` has " + std::to_string(spec_.params.size()));
      return std::nullopt;
    }
    auto index = static_cast<std::uint32_t>(number - 1);
    if (!declaration_.prototype.param_is_pointer[index]) {
      report("attribute `" + attribute.name + "` names parameter " + std::to_string(number) + ", which is no pointer");
      return std::nullopt;
    }
    return index;
  }

  void annotation(std::string_view text) {
    std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos || text.substr(start, annotation_prefix.size()) != annotation_prefix) return;
    FunctionSpec parsed = spec_;
    std::vector<SpecError> wrong;
    if (!parse_contract(text.substr(start + annotation_prefix.size()), SpecLoc{}, parsed, wrong)) {
      // The column inside a macro or a joined string would mislead: give the declaration and the column in the text.
      for (const SpecError& error : wrong)
        report("in the annotation of `" + declaration_.name + "`, column " +
               std::to_string(error.loc.col + start + annotation_prefix.size()) + ": " + error.message);
      return;
    }
    bool gives_outcomes = !parsed.outcomes.empty();
    if (gives_outcomes && annotated_) {
      report("two annotations of `" + declaration_.name + "` give alternatives");
      return;
    }
    std::vector<Outcome> before = std::move(spec_.outcomes);
    spec_ = std::move(parsed);
    if (!gives_outcomes) spec_.outcomes = std::move(before);
    annotated_ = annotated_ || gives_outcomes;
    known_ = true;
  }

  void build_outcomes() {
    spec_.outcomes.clear();
    if (never_) {
      spec_.outcomes.emplace_back().never_returns = true;
      return;
    }
    bool taken = !stolen_.empty() || !released_.empty();
    if (results_.empty() && taken && declaration_.returns_object) results_ = "new | NULL raises";
    if (results_.empty() && nonnull_) results_ = "nonnull";
    if (results_.empty() && (taken || sets_exception_))
      results_ = declaration_.prototype.returns == Prototype::Returns::Void ? "void" : "any";
    if (results_.empty()) return;
    std::vector<SpecError> none;
    parse_contract("-> " + std::string(results_), declaration_.loc, spec_, none);
    for (Outcome& outcome : spec_.outcomes) {
      if (sets_exception_) {
        outcome.exception = Exception::Set;
        outcome.failure = true;
      }
      for (std::uint32_t index : stolen_) outcome.holds.push_back({Place{.index = index}, std::nullopt, true});
      for (std::uint32_t index : released_) outcome.counts.push_back({Place{.index = index}, "", -1});
    }
    if (nonnull_)
      std::erase_if(spec_.outcomes, [](const Outcome& outcome) {
        return outcome.result.kind == Value::Kind::Int && outcome.result.imm == 0;
      });
  }

  const Declaration& declaration_;
  std::vector<SpecError>& errors_;
  FunctionSpec spec_;
  std::string_view results_;  // alternatives, without effects on arguments
  std::vector<std::uint32_t> stolen_, released_;
  bool never_ = false;
  bool sets_exception_ = false;
  bool nonnull_ = false;
  bool annotated_ = false;  // an annotation gave the outcomes
  bool known_ = false;
};

}  // namespace

Deallocator deallocator_of(const SourceAttribute& attribute) {
  Deallocator out;
  if (attribute.name != "malloc") return out;
  const std::int64_t number = attribute.args.empty() ? 1 : attribute.args.front();
  if (number < 1 || number > std::int64_t{kMostParameters}) return out;
  out.name = attribute.text;
  out.param = static_cast<std::uint32_t>(number - 1);
  return out;
}

bool spec_of_deallocator(const Declaration& declaration, std::uint32_t param, FunctionSpec& spec) {
  const Prototype& prototype = declaration.prototype;
  if (param >= prototype.param_is_pointer.size() || !prototype.param_is_pointer[param]) return false;
  spec = bare_spec(declaration);
  // One that gives a pointer is like realloc(): what it gives comes in the place of what it took.
  using Returns = Prototype::Returns;
  const std::string taken = " arg" + std::to_string(param) + "-1";
  const std::string alternatives = prototype.returns == Returns::Pointer ? "-> new" + taken + " | NULL"
                                   : prototype.returns == Returns::Void  ? "-> void" + taken
                                                                         : "-> any" + taken;
  std::vector<SpecError> none;
  return parse_contract(alternatives, declaration.loc, spec, none);
}

bool spec_of_cleanup(const Declaration& declaration, FunctionSpec& spec) {
  spec = bare_spec(declaration);
  std::vector<SpecError> none;
  const bool nothing = declaration.prototype.returns == Prototype::Returns::Void;
  return parse_contract(nothing ? "-> void *arg0-1" : "-> any *arg0-1", declaration.loc, spec, none);
}

bool spec_from_attributes(std::span<const SourceAttribute> attributes, const Declaration& declaration,
                          FunctionSpec& spec, std::vector<SpecError>& errors) {
  Builder builder(declaration, errors);
  for (const SourceAttribute& attribute : attributes) builder.take(attribute);
  return builder.finish(spec);
}

}  // namespace reckon::specs
