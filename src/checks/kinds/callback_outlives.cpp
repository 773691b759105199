// callback-outlives: a function is registered with an object, which ends while the function is still called.
//
// The problem: a timeout, or a handler of somebody else's signal, is called with an object that has no part in keeping
// it alive. The functions that end the object have to remove it, by the number that the registration gave or by the
// object itself; else it is called with freed memory. The method: calls that a spec marks `calls-until-removed` or
// `calls-while-alive` and that get an object of a class whose end is in sight (teardown.cpp). If the number goes into a
// member, the functions that end the object must mention it; if nobody takes the number, these must call something that
// removes by the object. Of a handler that goes with whoever sends the signal, only senders count that the library
// lends to everybody.
//
// Limits: mentioning is taken for removing. Where the object is counted for the call, where the number goes anywhere
// else, and where the function that is called never asks to be called again and nobody took the number, nothing is
// said. A member that other functions of the unit mention may be removed there before: of low confidence.

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "checks/kept.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "checks/teardown.h"

namespace reckon::checks {

namespace {

using engine::FuncId;
using model::kNone;
using program::ArgumentNote;
using program::CallNote;
using program::RegistrationNote;
using Kind = ArgumentNote::Kind;
using Outcomes = std::vector<specs::Outcome>;

// Where the number of a registration goes.
struct Number {
  bool dropped = true;     // nobody takes it
  bool elsewhere = false;  // not only into members
  FieldSet members;
};

class Outliving {
 public:
  Outliving(const engine::Context& ctx, std::vector<report::Finding>& out) : ctx_(ctx), out_(out) {
    for (ClassEnd& end : ends_of_classes(ctx)) ends_[end.unit].push_back(std::move(end));
  }

  void run() {
    for (FuncId f{}; f < ctx_.program.num_functions(); ++f, ctx_.program.rest()) {
      const auto here = ends_.find(ctx_.program.unit_id(f));
      if (here == ends_.end()) continue;
      for (const RegistrationNote& note : ctx_.program.notes(f).registrations)
        if (const specs::FunctionSpec* spec = described(f, call_of(f, note)); spec && registers(*spec))
          registration(f, note, *spec, here->second);
    }
  }

 private:
  const CallNote& call_of(FuncId f, const RegistrationNote& note) const {
    return ctx_.program.notes(f).calls[note.call];
  }

  const specs::FunctionSpec* described(FuncId f, const CallNote& call) const {
    return call.callee != kNone ? ctx_.spec_of[ctx_.program.unit_id(f)][call.callee] : nullptr;
  }

  // Does a call keep one of its arguments and give a number?
  static bool registers(const specs::FunctionSpec& spec) {
    return !spec.outcomes.empty() && !spec.returns_void &&
           std::all_of(spec.outcomes.begin(), spec.outcomes.end(), [](const specs::Outcome& o) {
             return o.result.kind == specs::Value::Kind::Unknown && kept_by(o).size() == 1 && o.objects.empty() &&
                    kept_by(o)[0].root == specs::Place::Root::Arg && kept_by(o)[0].path.empty();
           });
  }

  // What a call does, by its spec or by what was computed; nullptr: nothing is known.
  const Outcomes* outcomes(FuncId f, const CallNote& call) const {
    if (const specs::FunctionSpec* spec = described(f, call)) return &spec->outcomes;
    const std::vector<FuncId> targets = ctx_.program.targets(ctx_.program.unit_id(f), call);
    return targets.size() == 1 && ctx_.summaries[targets[0]].known ? &ctx_.summaries[targets[0]].outcomes : nullptr;
  }

  // The call that gave a value.
  const CallNote* made_by(FuncId f, const ArgumentNote& value) const {
    return value.kind == Kind::Result ? &ctx_.program.notes(f).calls[value.id] : nullptr;
  }

  static bool counts_up(const Outcomes& outcomes, std::size_t argument) {
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const specs::Outcome& o) {
      return std::any_of(o.counts.begin(), o.counts.end(), [&](const specs::CountChange& c) {
        return c.object.root == specs::Place::Root::Arg && c.object.index == argument && c.delta > 0;
      });
    });
  }

  // Back through casts that check the type and change nothing.
  const ArgumentNote& origin(FuncId f, const ArgumentNote& value) const {
    const CallNote* made = made_by(f, value);
    const Outcomes* known = made ? outcomes(f, *made) : nullptr;
    if (!known || known->empty() || !same_argument(known->front()) || counts_up(*known, 0)) return value;
    return made->arguments.empty() ? value : made->arguments[0];
  }

  static bool same_argument(const specs::Outcome& o) {
    return o.result.kind == specs::Value::Kind::Place && o.result.place.root == specs::Place::Root::Arg &&
           o.result.place.index == 0 && o.result.place.path.empty();
  }

  static bool is_param(const ArgumentNote& value) { return value.kind == Kind::Param && !value.cast; }

  // Is the object a parameter as it came in, and does nobody take a reference to it here?
  bool uncounted(FuncId f, const ArgumentNote& object) const {
    const ArgumentNote& self = origin(f, object);
    if (!is_param(self)) return false;
    for (const CallNote& call : ctx_.program.notes(f).calls) {
      const Outcomes* known = outcomes(f, call);
      for (std::size_t k = 0; known && k < call.arguments.size(); ++k) {
        if (!counts_up(*known, k)) continue;
        if (const ArgumentNote& counted = origin(f, call.arguments[k]); is_param(counted) && counted.id == self.id)
          return false;
      }
    }
    return true;
  }

  // Does the library lend this to whoever asks?
  bool lent_to_all(FuncId f, const ArgumentNote& sender) const {
    const CallNote* made = made_by(f, origin(f, sender));
    const specs::FunctionSpec* spec = made ? described(f, *made) : nullptr;
    if (!spec || !made->arguments.empty() || spec->outcomes.empty()) return false;
    const specs::Outcome& o = spec->outcomes.front();
    return o.result.kind == specs::Value::Kind::Object && !specs::owns(o, o.result.object);
  }

  Number number_of(FuncId f, const RegistrationNote& note) const {
    const model::Unit& unit = ctx_.program.frame(f);
    Number out{note.dropped, note.elsewhere, {}};
    for (const program::FieldId member : note.members) {
      const model::FieldName& field = ctx_.program.member(ctx_.program.unit_id(f), member);
      out.members.emplace(std::string(unit.str(unit.type(field.record).name)), std::string(unit.str(field.path)));
    }
    return out;
  }

  // The function that is to be called; none if there are two: the second one sees to the data.
  FuncId function_given(FuncId f, const CallNote& call) const {
    const model::Unit& unit = ctx_.program.frame(f);
    const ArgumentNote* given = nullptr;
    for (const ArgumentNote& a : call.arguments) {
      if (a.kind != Kind::Symbol || unit.symbols[a.id].kind != model::SymbolKind::Function) continue;
      if (given) return program::kNone;
      given = &a;
    }
    return given ? ctx_.program.definition(ctx_.program.unit_id(f), given->symbol_id()) : FuncId(program::kNone);
  }

  // Does the function give back a reference to what it is called with? Then whoever registered it took one.
  bool releases_data(FuncId callback) const {
    const Outcomes& known = ctx_.summaries[callback].outcomes;
    return std::any_of(known.begin(), known.end(), [](const specs::Outcome& o) {
      return std::any_of(o.counts.begin(), o.counts.end(), [](const specs::CountChange& c) {
        return c.object.root == specs::Place::Root::Arg && c.object.path.empty() && c.delta < 0;
      });
    });
  }

  bool asks_for_more(FuncId callback) const {
    const engine::Summary& sum = ctx_.summaries[callback];
    return sum.known && std::any_of(sum.outcomes.begin(), sum.outcomes.end(), [](const specs::Outcome& o) {
             return !(o.result.kind == specs::Value::Kind::Int && o.result.imm == 0);
           });
  }

  void registration(FuncId f, const RegistrationNote& note, const specs::FunctionSpec& spec,
                    const std::vector<ClassEnd>& ends) {
    const model::Unit& unit = ctx_.program.frame(f);
    const CallNote& call = call_of(f, note);
    const std::size_t data = kept_by(spec.outcomes[0])[0].index;
    if (data >= call.arguments.size() || data >= call.types.size() ||
        unit.type(call.types[data]).kind != model::TypeKind::Pointer)
      return;
    const std::string_view record = unit.str(unit.type(unit.type(call.types[data]).elem).name);
    const FuncId callback = function_given(f, call);
    if (record.empty() || callback == program::kNone || releases_data(callback) || !uncounted(f, call.arguments[data]))
      return;
    const bool with_sender = data != 0 && is_sender(unit, call.types[0]);
    if (with_sender && !lent_to_all(f, call.arguments[0])) return;
    const Number number = number_of(f, note);
    if (number.elsewhere) return;
    for (const ClassEnd& end : ends) {
      if (class_of_record(end.record) != class_of_record(record)) continue;
      if (end.hands_on) return;
      if (number.dropped ? !with_sender && !asks_for_more(callback) : removes_member(end, number)) return;
    }
    const auto end = std::find_if(ends.begin(), ends.end(), [&](const ClassEnd& e) {
      return class_of_record(e.record) == class_of_record(record);
    });
    if (end != ends.end()) add(f, note, spec, callback, *end, number);
  }

  // Is what is registered a part of this argument? A function is none.
  static bool is_sender(const model::Unit& unit, model::TypeId type) {
    const model::Type& t = unit.type(type);
    return t.kind == model::TypeKind::Pointer && unit.type(t.elem).kind != model::TypeKind::Function;
  }

  static bool removes_member(const ClassEnd& end, const Number& number) {
    return std::any_of(number.members.begin(), number.members.end(),
                       [&](const auto& member) { return end.mentioned.contains(member); });
  }

  // Does a function other than these two, in the same unit, mention one of the members?
  bool mentioned_elsewhere(FuncId f, FuncId callback, const Number& number) const {
    for (FuncId g{}; g < ctx_.program.num_functions(); ++g) {
      if (g == f || g == callback || ctx_.program.unit_id(g) != ctx_.program.unit_id(f)) continue;
      const model::Unit& unit = ctx_.program.frame(g);
      for (const program::LookNote& look : ctx_.program.notes(g).looks) {
        const model::FieldName& field = ctx_.program.member(ctx_.program.unit_id(g), look.member);
        if (number.members.contains(
                {std::string(unit.str(unit.type(field.record).name)), std::string(unit.str(field.path))}))
          return true;
      }
    }
    return false;
  }

  void add(FuncId f, const RegistrationNote& call, const specs::FunctionSpec& spec, FuncId callback,
           const ClassEnd& end, const Number& number) {
    const model::Unit& unit = ctx_.program.frame(f);
    report::Finding finding;
    finding.check =
        id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(f)]].name, check_callback_outlives);
    finding.function = std::string(ctx_.program.display(f));
    finding.loc = source_loc(unit, call.loc);
    finding.severity = report::Severity::High;
    finding.confidence = !number.dropped && mentioned_elsewhere(f, callback, number) ? report::Confidence::Low
                                                                                     : report::Confidence::Medium;
    const std::string_view ending = ctx_.program.display(end.last), called = ctx_.program.display(callback);
    if (number.dropped) {
      finding.object = std::string(called);
      finding.message = fmt::format(
          "{}() may be called after {}() has ended its object: nobody keeps the number that {}() gives to remove it",
          called, ending, spec.name);
    } else {
      finding.object = number.members.begin()->second;
      finding.message = fmt::format("{}() may be called after {}() has ended its object, which does not remove `{}`",
                                    called, ending, number.members.begin()->second);
    }
    out_.push_back(std::move(finding));
  }

  const engine::Context& ctx_;
  std::vector<report::Finding>& out_;
  std::map<program::UnitId, std::vector<ClassEnd>> ends_;
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) { Outliving(program.ctx, out).run(); }

}  // namespace

constinit const Check check_callback_outlives{
    .kind = "callback-outlives",
    .summary = "a function is called with an object that has ended",
    .program = run,
    .harm = report::Harm::Dangling,
};

}  // namespace reckon::checks
