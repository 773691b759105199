// What is asked of a call's arguments before its outcomes count: what must not be NULL, used up or unprotected.

#include <algorithm>

#include "engine/composition.h"
#include "engine/core/call_symbols.h"
#include "engine/core/conditions.h"
#include "engine/properties/formats/formats.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::kNone;
using model::OperandKind;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;

// Does the prototype say that argument `a` of this call is a counted object?
bool Calls::object_parameter(std::uint32_t index, std::size_t a) const {
  const Instr& i = body_.instrs[index];
  if (i.aux == kNone || body_.calls[i.aux].type == 0) return false;
  const model::Type& t = unit_.type(body_.calls[i.aux].type);
  return a < t.params.size() && subject_.counted(t.params[a]) != 0;
}

namespace {
bool is_interior(const State& s, TermId t) {
  const Obj* o = s.object(t);
  return o && o->kind == ObjKind::Interior;
}
}  // namespace

// Does the call store something at this offset of what argument `a` points to, on some way that is no failure?
bool Calls::fills(std::uint32_t index, const FunctionSpec* spec, std::size_t a, std::int64_t offset) const {
  const auto ops = body_.ops(body_.instrs[index]);
  const std::vector<Outcome>* outcomes = spec ? &spec->outcomes : nullptr;
  if (!spec && ops[0].kind == OperandKind::Symbol)
    if (const FuncId f = ctx_.program.definition(unit_id_, ops[0].id); f != kNone && ctx_.summaries[f].ready)
      outcomes = &ctx_.summaries[f].outcomes;
  return outcomes && std::any_of(outcomes->begin(), outcomes->end(), [&](const Outcome& o) {
           return !o.failure && std::any_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& st) {
             return st.where.root == Place::Root::Arg && st.where.index == a && st.where.field_path.empty() &&
                    st.where.path.size() == 1 && st.where.path[0] == offset;
           });
         });
}

bool Calls::check_arguments(State& s, std::uint32_t index, const FunctionSpec* spec, const std::vector<TermId>& args) {
  const std::string callee = trail_.callee_name(body_.instrs[index]);
  if (gc_) props().collector->gc_argument_order(s, index, args);
  // Releasing has checks of its own: a second release is no "use".
  bool releases = false;
  if (spec)
    for (const Outcome& o : spec->outcomes)
      for (const specs::CountChange& c : o.counts) releases = releases || (c.delta < 0 && c.object.path.empty());
  // A NULL that is not the last argument ends the list of objects before its time.
  if (spec && spec->varargs == specs::VarargKind::UntilNull)
    for (std::size_t a = spec->params.size(); a + 1 < args.size(); ++a)
      if (!terms_.is_const(args[a]) || s.exception == ExcState::Set)
        if (s.facts.known_zero(terms_, args[a]) && body_.ops(body_.instrs[index])[a + 1].kind != OperandKind::Null) {
          if (Event* e = trail_.emit(EventKind::NullArgument, s, nullptr, index, callee))
            e->argument = static_cast<std::uint32_t>(a), e->ends_list = true;
          return false;
        }
  for (std::size_t a = 0; a < args.size(); ++a) {
    const bool may_be_null = args[a] == props().pointers->nullable_ && !s.facts.known_nonzero(terms_, args[a]);
    if (spec && a < spec->params.size() && spec->params[a].null_crashes &&
        (may_be_null || s.facts.known_zero(terms_, args[a]))) {
      if (Event* e = trail_.emit(EventKind::NullArgument, s, s.object(args[a]), index, callee)) {
        e->argument = static_cast<std::uint32_t>(a);
        e->by_contract = args[a] == props().pointers->nullable_;
        e->giver = trail_.giver_of(body_.ops(body_.instrs[index])[a + 1]);
      }
      if (may_be_null && s.facts.assume_cmp(terms_, CmpPred::Ne, args[a], terms_.zero())) continue;
      if (!releases) return false;  // a release of NULL is worth looking beyond: what else does this path forget?
      s.helped = true;              // but an exception that is left then is the same mistake
    }
    // What the call dereferences was no NULL, or we would not get any further.
    if (spec && a < spec->params.size() && spec->params[a].null_crashes && !terms_.is_const(args[a])) {
      props().pointers->note_dereference(s, args[a]);
      s.facts.assume_cmp(terms_, CmpPred::Ne, args[a], terms_.zero());
    }
    if (!releases) {
      props().references->use(s, terms_.root(args[a]), index, callee);
      // The part of a structure that it lives by.
      if (const Obj* o = subject_.embedded(args[a]) ? s.object(args[a]) : nullptr;
          o && o->kind == ObjKind::New && o->life == Life::Released)
        props().references->use(s, args[a], index, callee);
    }
    if (gc_ && !(spec && spec->conditional())) props().collector->gc_use(s, terms_.root(args[a]), index, callee);
    // Pointers into an object, kept in an array that is passed on, unless the call is to write there.
    if (terms_[args[a]].kind == TermKind::Slot)
      for (std::size_t k = 0; k < s.memory.size(); ++k)
        if (const Cell c = s.memory[k]; c.base == args[a] && !fills(index, spec, a, c.offset) &&
                                        (terms_.root(c.value) != c.value || is_interior(s, c.value)))
          props().references->use(s, terms_.root(c.value), index, callee);
    if (spec && !releases && terms_[args[a]].kind == TermKind::Undef && object_parameter(index, a)) {
      trail_.emit(EventKind::UninitUse, s, nullptr, index, callee);
      return false;
    }
  }
  return true;
}

// Does the function look at what this call returned, or hand it on as a value? Asked whenever the call is executed.
bool Calls::result_tested(std::uint32_t index) {
  const auto [known, fresh] = results_tested_.try_emplace(index, false);
  if (fresh) known->second = find_result_test(index);
  return known->second;
}

bool Calls::find_result_test(std::uint32_t index) const {
  std::vector<model::ValueId> values{body_.instrs[index].result};
  if (values[0] == kNone) return false;
  for (std::uint32_t n = 0; n < body_.instrs.size(); ++n) {
    const Instr& i = body_.instrs[n];
    for (const model::Operand& o : body_.ops(i)) {
      if (o.kind != OperandKind::Value || std::find(values.begin(), values.end(), o.id) == values.end()) continue;
      const bool pointer = unit_.type(body_.instrs[index].type).kind == model::TypeKind::Pointer;
      if (i.op == model::Op::Cast || i.op == model::Op::Phi || i.op == model::Op::Select) {
        if (std::find(values.begin(), values.end(), i.result) == values.end()) values.push_back(i.result);
      } else if (i.op == model::Op::Cmp) {
        for (const model::Operand& with : body_.ops(i))
          if (with.kind == OperandKind::Null || with.kind == OperandKind::Int) return true;
      } else if (i.op == model::Op::Arith || i.op == model::Op::Switch || (i.op == model::Op::Ret && !pointer)) {
        return true;
      }
      break;
    }
  }
  return false;
}

}  // namespace reckon::engine
