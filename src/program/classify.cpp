#include "program/classify.h"

#include <algorithm>
#include <string>

#include "program/slice.h"
#include "program/types.h"
#include "program/values.h"
#include "specs/effects.h"
#include "specs/lookup.h"

namespace reckon::program {

using model::Op;
using model::OperandKind;

bool changes_counts(const specs::FunctionSpec& spec) {
  auto given = [](const specs::Object& x) { return x.owned && !x.immortal; };
  return std::any_of(spec.outcomes.begin(), spec.outcomes.end(), [&](const specs::Outcome& o) {
    return specs::any_set<specs::kChanges>(o) || std::any_of(o.objects.begin(), o.objects.end(), given);
  });
}

std::uint32_t conditional_branches(const model::Body& body) {
  std::uint32_t n = 0;
  for (const model::Instr& i : body.instrs) {
    if (i.op == Op::CondBr) ++n;
    if (i.op == Op::Switch && i.num_targets > 0) n += i.num_targets - 1;
  }
  return n;
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
  bool is_simple(FuncId f) const {
    return has_own_body(f) && conditional_branches(program_.function(f).body) <= options_.max_branches;
  }

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

  // Does the instruction change a count, given what is known of callees so far?
  bool changes(FuncId f, const ValueDefs& defs, const model::Instr& i) {
    const model::Unit& unit = program_.unit(f);
    const model::Body& body = defs.body();
    const std::span<const model::Operand> ops = body.ops(i);
    if (i.op == Op::Store && !ops.empty()) {
      const model::Instr* address = ops[0].kind == OperandKind::Value ? defs.def(ops[0].value_id()) : nullptr;
      return address != nullptr && address->op == Op::Field && address->aux != kNone &&
             is_counter(unit, body.fields[address->aux]);
    }
    if (i.op != Op::Call || ops.empty()) return false;
    const model::CallInfo* info = i.aux < body.calls.size() ? &body.calls[i.aux] : nullptr;
    if (info != nullptr && info->inline_asm) return false;
    const specs::FunctionSpec* s = nullptr;
    if (ops[0].kind == OperandKind::Symbol)
      s = spec(unit.name(ops[0].symbol_id()), unit.str(unit.symbols[ops[0].id].display));
    if (s != nullptr) return matters(*s);
    const std::vector<FuncId> targets = program_.targets(f, i);
    if (targets.empty()) return info != nullptr && unknown_gives_reference(unit, info->type);
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
      const model::Body& body = program_.function(f).body;
      const ValueDefs defs(body);
      if (std::any_of(body.instrs.begin(), body.instrs.end(),
                      [&](const model::Instr& i) { return changes(f, defs, i); }))
        todo.push_back(f);
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
      const model::Body& body = program_.function(f).body;
      const ValueDefs defs(body);
      const std::vector<model::InstrId> criteria = slice_criteria(f, defs);
      if (criteria.empty()) continue;
      const std::vector<bool> slice = backward_slice(defs, criteria);
      for (model::InstrId n{}; n < body.instrs.size(); ++n) {
        if (!slice[n] || body.instrs[n].op != Op::Call) continue;
        for (const FuncId g : program_.targets(f, body.instrs[n])) {
          if (changing_[g] || affecting_[g]) continue;
          affecting_[g] = true;
          if (has_own_body(g)) todo.push_back(g);
        }
      }
    }
  }

  // What a function gives back: its result, what it writes through its parameters, and its changes of counts.
  std::vector<model::InstrId> slice_criteria(FuncId f, const ValueDefs& defs) {
    const model::Body& body = defs.body();
    const auto num_params = static_cast<std::uint32_t>(program_.function(f).params.size());
    std::vector<model::InstrId> criteria;
    for (model::InstrId n{}; n < body.instrs.size(); ++n) {
      const model::Instr& i = body.instrs[n];
      bool wanted = i.op == Op::Ret && i.num_operands != 0;
      if (i.op == Op::Store && !changing_[f]) {
        const model::Operand root = root_of(defs, body.ops(i)[0]);
        wanted = root.kind == OperandKind::Value && root.id < num_params;
      }
      if (wanted || (changing_[f] && changes(f, defs, i))) criteria.push_back(n);
    }
    return criteria;
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
