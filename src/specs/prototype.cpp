// Compares a spec with the prototype the analysed code declares. Only what can never be right is reported: an
// integer parameter may well carry a pointer's bits, but nobody counts references to it.
#include "specs/prototype.h"

#include <algorithm>

#include "specs/effects.h"
#include "specs/printer.h"

namespace reckon::specs {
namespace {

const char* returns_text(Prototype::Returns returns) {
  switch (returns) {
    case Prototype::Returns::Void: return "nothing";
    case Prototype::Returns::Integer: return "an integer";
    case Prototype::Returns::Pointer: return "a pointer";
    case Prototype::Returns::Other: return "neither an integer nor a pointer";
  }
  return "";
}

class Comparison {
 public:
  Comparison(const FunctionSpec& spec, const Prototype& prototype) : spec_(spec), prototype_(prototype) {
    for (const ParamSpec& param : spec.params) names_.push_back(param.name);
  }

  std::vector<SpecError> run() {
    parameters();
    for (const Outcome& outcome : spec_.outcomes) {
      if (!outcome.never_returns) result(outcome);
      effects(outcome);
    }
    return std::move(errors_);
  }

 private:
  void report(const std::string& message) {
    auto same = [&](const SpecError& error) { return error.message == message; };
    if (std::none_of(errors_.begin(), errors_.end(), same)) errors_.push_back({spec_.loc, message});
  }

  bool is_pattern() const { return spec_.name.find('*') != std::string::npos; }

  static std::string plural(std::size_t n) { return std::to_string(n) + (n == 1 ? " parameter" : " parameters"); }

  void parameters() {
    std::size_t said = spec_.params.size();
    std::size_t there = prototype_.param_is_pointer.size();
    bool too_many = said > there && !prototype_.variadic;
    bool too_few = said < there && !spec_.variadic;
    if ((too_many || too_few) && !is_pattern())
      report("the spec of `" + spec_.name + "` names " + plural(said) + ", the prototype has " + std::to_string(there));
    if (spec_.varargs != VarargKind::None && !prototype_.variadic)
      report("the spec of `" + spec_.name + "` has `...`, the prototype has not");
    for (std::size_t i = 0; i < std::min(said, there); ++i) {
      const ParamSpec& param = spec_.params[i];
      if ((param.null_ok || param.null_crashes) && !prototype_.param_is_pointer[i])
        report("parameter `" + param.name + "` of `" + spec_.name + "` is marked `" + (param.null_ok ? "?" : "!") +
               "`, but is no pointer");
    }
  }

  void wrong_result(const std::string& said) {
    report("the spec of `" + spec_.name + "` gives `" + said + "`, but the function returns " +
           returns_text(prototype_.returns));
  }

  void result(const Outcome& outcome) {
    using Returns = Prototype::Returns;
    const Value& value = outcome.result;
    Outcome bare;  // only the result, for the message
    bare.result = value;
    bare.objects = outcome.objects;
    auto said = [&] {
      std::string text = to_text(bare, names_);
      return text.substr(0, text.find(" makes "));
    };
    switch (value.kind) {
      case Value::Kind::StackTop: break;
      case Value::Kind::Unknown:
        if (spec_.returns_void && prototype_.returns != Returns::Void) wrong_result("void");
        break;
      case Value::Kind::Int:
        if (prototype_.returns == Returns::Void || (prototype_.returns == Returns::Pointer && value.imm != 0))
          wrong_result(said());
        break;
      case Value::Kind::Range:
        if (prototype_.returns == Returns::Void || prototype_.returns == Returns::Pointer) wrong_result(said());
        break;
      case Value::Kind::Object:
      case Value::Kind::Interior:
      case Value::Kind::ErrPtr:
        if (prototype_.returns == Returns::Void || prototype_.returns == Returns::Integer) wrong_result(said());
        break;
      case Value::Kind::Place: {
        bool whole_pointer = value.place.root == Place::Root::Arg && value.place.path.empty() &&
                             value.place.field_path.empty() && is_pointer(value.place);
        if (prototype_.returns == Returns::Void || (prototype_.returns == Returns::Integer && whole_pointer))
          wrong_result(said());
        break;
      }
    }
  }

  bool is_pointer(const Place& place) const {
    return place.index < prototype_.param_is_pointer.size() && prototype_.param_is_pointer[place.index];
  }

  // The place's root has to be a pointer: it is followed, counted, held or lent from.
  void needs_pointer(const Place& place) {
    if (place.root == Place::Root::Result && prototype_.returns != Prototype::Returns::Pointer)
      report("the spec of `" + spec_.name + "` has an effect on its result, which is no pointer");
    if (place.root != Place::Root::Arg || place.index >= prototype_.param_is_pointer.size()) return;
    if (!prototype_.param_is_pointer[place.index])
      report("the spec of `" + spec_.name + "` has an effect on parameter `" +
             to_text(Place{.index = place.index}, names_) + "`, which is no pointer");
  }

  // What effects are about is an object, so the root of each place is a pointer to one.
  void about(const CountChange& change) { needs_pointer(change.object); }
  void about(const Hold& hold) {
    needs_pointer(hold.object);
    if (hold.holder) needs_pointer(*hold.holder);
  }
  void about(const StoreEffect& store) { needs_pointer(store.where); }
  void about(const Object& object) {
    if (object.borrowed_from) needs_pointer(*object.borrowed_from);
  }
  void about(const Place& place) { needs_pointer(place); }
  void about(const DeferredCall& later) { needs_pointer(later.function); }
  void about(const Reprotect& again) { needs_pointer(again.object); }

  void effects(const Outcome& outcome) {
    each_effect([&](auto effect) {
      // What is consumed stands among the counts, too.
      if constexpr (effect.grammar != Grammar::Consumed && effect.grammar != Grammar::Conditions &&
                    requires { (outcome.*effect.field)[0]; } && effect.grammar != Grammar::Unsaid)
        for (const auto& x : outcome.*effect.field) about(x);
    });
    for (const Condition& condition : outcome.when)
      if (!condition.place.path.empty() || !condition.place.field_path.empty()) needs_pointer(condition.place);
    if (outcome.result.kind == Value::Kind::Interior) needs_pointer(outcome.result.place);
  }

  const FunctionSpec& spec_;
  const Prototype& prototype_;
  std::vector<std::string> names_;
  std::vector<SpecError> errors_;
};

}  // namespace

std::vector<SpecError> check_against(const FunctionSpec& spec, const Prototype& prototype) {
  return Comparison(spec, prototype).run();
}

}  // namespace reckon::specs
