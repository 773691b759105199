#include "program/classify.h"

#include <algorithm>
#include <string>

#include "program/types.h"
#include "specs/effects.h"
#include "specs/lookup.h"

namespace reckon::program {

bool changes_counts(const specs::FunctionSpec& spec) {
  auto given = [](const specs::Object& x) { return x.owned && !x.immortal; };
  return std::any_of(spec.outcomes.begin(), spec.outcomes.end(), [&](const specs::Outcome& o) {
    return specs::any_set<specs::kChanges>(o) || std::any_of(o.objects.begin(), o.objects.end(), given);
  });
}

namespace {

class Classifier {
 public:
  Classifier(const Program& program, const specs::SpecSet& specs, const ClassifyOptions& options)
      : program_(program), specs_(specs), options_(options), spec_of_(program.num_functions(), nullptr) {
    for (FuncId f{}; f < program.num_functions(); ++f) spec_of_[f] = spec(program.name(f), program.display(f));
  }

  std::vector<Class> run() {
    find_changing();
    find_affecting();
    std::vector<Class> result(program_.num_functions(), Class::Other);
    for (FuncId f{}; f < result.size(); ++f, program_.rest()) {
      if (changing_[f])
        result[f] = Class::Changing;
      else if (affecting_[f])
        result[f] = is_simple(f) ? Class::AffectingAnalysed : Class::AffectingNotAnalysed;
    }
    return result;
  }

 private:
  // A spec stands for the body: what that calls does not matter then.
  bool has_own_body(FuncId f) const { return spec_of_[f] == nullptr && program_.head(f).has_body; }
  bool is_simple(FuncId f) const { return has_own_body(f) && program_.notes(f).branches <= options_.max_branches; }

  // Patterns make lookups slow, and the same names come up in every unit.
  const specs::FunctionSpec* spec(std::string_view name, std::string_view shown) {
    if (const auto it = specs_by_name_.find(name); it != specs_by_name_.end()) return it->second;
    return specs_by_name_[std::string(name)] = specs::find_function(specs_, name, shown);
  }

  bool matters(const specs::FunctionSpec& s) const {
    if (changes_counts(s)) return true;
    return options_.side_effects_matter && (s.runs_code || s.allocates || s.drops_gil || s.takes_gil);
  }

  // Does an unknown function with this result hand out a reference, by the policy of the result's domain?
  bool unknown_gives_reference(const model::Unit& unit, model::TypeId call_type) const {
    if (call_type == 0 || unit.type(call_type).kind != model::TypeKind::Function) return false;
    const model::Type& result = unit.type(unit.type(call_type).elem);
    if (result.kind != model::TypeKind::Pointer) return false;
    for (const std::string_view tag : leading_records(unit, result.elem)) {
      const specs::CountedType* counted = specs_.find_counted(tag);
      if (counted == nullptr) continue;
      const specs::DomainSpec* domain = specs_.find_domain(counted->domain);
      return domain != nullptr && domain->unknown_result == specs::UnknownResult::New;
    }
    return false;
  }

  bool is_counter(const model::Unit& unit, const model::FieldName& field) const {
    const std::vector<Step> steps = steps_of_path(unit, field.record, unit.str(field.path));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string_view tag = record_name(unit, steps[i]);
      const specs::CountedType* counted = tag.empty() ? nullptr : specs_.find_counted(tag);
      if (counted == nullptr || counted->count_field.empty()) continue;
      if (spell_steps(unit, std::span(steps).subspan(i), Elements::Dropped) == counted->count_field) return true;
    }
    return false;
  }

  bool changes(UnitId u, const CountNote& count) const {
    return is_counter(program_.frame_at(u), program_.member(u, count.member));
  }
  // Does the call change a count, given what is known of callees so far?
  bool changes(UnitId u, const CallNote& call) {
    if (call.assembly) return false;
    const model::Unit& unit = program_.frame_at(u);
    const specs::FunctionSpec* s = nullptr;
    if (call.callee != kNone) s = spec(unit.name(call.callee), unit.str(unit.symbols[call.callee].display));
    if (s != nullptr) return matters(*s);
    const std::vector<FuncId> targets = program_.targets(u, call);
    if (targets.empty()) return unknown_gives_reference(unit, call.type);
    return std::any_of(targets.begin(), targets.end(), [&](FuncId g) { return changing_[g]; });
  }

  // Those that change counts without the help of another function of the program, then their callers.
  void find_changing() {
    changing_.assign(program_.num_functions(), false);
    std::vector<FuncId> todo;
    for (FuncId f{}; f < program_.num_functions(); ++f) {
      if (spec_of_[f] != nullptr) {
        if (matters(*spec_of_[f])) todo.push_back(f);
        continue;
      }
      const FunctionNotes& notes = program_.notes(f);
      auto any = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& n) { return changes(program_.unit_id(f), n); });
      };
      if (any(notes.counts) || any(notes.calls)) todo.push_back(f);
      program_.rest();
    }
    for (const FuncId f : todo) changing_[f] = true;
    while (!todo.empty()) {
      const FuncId g = todo.back();
      todo.pop_back();
      for (const FuncId f : program_.callers(g)) {
        if (changing_[f] || spec_of_[f] != nullptr) continue;
        changing_[f] = true;
        todo.push_back(f);
      }
    }
  }

  void find_affecting() {
    affecting_.assign(program_.num_functions(), false);
    std::vector<FuncId> todo;
    for (FuncId f{}; f < program_.num_functions(); ++f)
      if (changing_[f] && has_own_body(f)) todo.push_back(f);
    while (!todo.empty()) {
      const FuncId f = todo.back();
      todo.pop_back();
      program_.rest();
      const UnitId u = program_.unit_id(f);
      const FunctionNotes& notes = program_.notes(f);
      for (const std::uint32_t call : steering_calls(f))
        for (const FuncId g : program_.targets(u, notes.calls[call])) {
          if (changing_[g] || affecting_[g]) continue;
          affecting_[g] = true;
          if (has_own_body(g)) todo.push_back(g);
        }
    }
  }

  // The calls that have a say in what a function gives back: its result, what it writes through its parameters, or its
  // changes of counts.
  std::vector<std::uint32_t> steering_calls(FuncId f) {
    const UnitId u = program_.unit_id(f);
    const FunctionNotes& notes = program_.notes(f);
    std::vector<std::uint32_t> found;
    std::vector<bool> seen(notes.calls.size(), false);
    auto add = [&](std::uint32_t call) {
      if (!seen[call]) seen[call] = true, found.push_back(call);
    };
    auto add_all = [&](const std::vector<std::uint32_t>& calls) { std::for_each(calls.begin(), calls.end(), add); };
    add_all(notes.result_decided_by);
    if (changing_[f]) {
      for (std::uint32_t n = 0; n < notes.calls.size(); ++n)
        if (changes(u, notes.calls[n])) add(n);
      for (const CountNote& count : notes.counts)
        if (changes(u, count)) add_all(count.decided_by);
    } else {
      add_all(notes.stores_decided_by);
    }
    for (std::size_t n = 0; n < found.size(); ++n) add_all(notes.calls[found[n]].decided_by);
    return found;
  }

  const Program& program_;
  const specs::SpecSet& specs_;
  const ClassifyOptions& options_;
  TextMap<const specs::FunctionSpec*> specs_by_name_;
  std::vector<const specs::FunctionSpec*> spec_of_;
  std::vector<bool> changing_, affecting_;
};

}  // namespace

std::vector<Class> classify(const Program& program, const specs::SpecSet& specs, const ClassifyOptions& options) {
  return Classifier(program, specs, options).run();
}

ClassCounts count_classes(std::span<const Class> classes) {
  ClassCounts counts;
  for (const Class c : classes) {
    switch (c) {
      case Class::Changing: ++counts.changing; break;
      case Class::AffectingAnalysed: ++counts.affecting_analysed; break;
      case Class::AffectingNotAnalysed: ++counts.affecting_not_analysed; break;
      case Class::Other: ++counts.other; break;
    }
  }
  return counts;
}

std::string_view class_name(Class c) {
  switch (c) {
    case Class::Changing: return "changing";
    case Class::AffectingAnalysed: return "affecting, analysed";
    case Class::AffectingNotAnalysed: return "affecting, not analysed";
    case Class::Other: return "other";
  }
  return "";
}

}  // namespace reckon::program
