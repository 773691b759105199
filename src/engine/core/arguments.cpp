// What is asked of a call's arguments before its outcomes count: what must not be NULL, used up or unprotected.

#include <algorithm>

#include "engine/composition.h"
#include "engine/core/call_symbols.h"
#include "engine/core/conditions.h"
#include "engine/properties/formats/formats.h"
#include "program/values.h"

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

// A pointer nobody has tested is about to be dereferenced.
void Pointers::note_dereference(const State& s, TermId t) {
  const Term& x = terms_[t];
  if (x.kind == TermKind::Param && x.a < 32 && !s.facts.known_nonzero(terms_, t)) dereferences_ |= 1u << x.a;
}

namespace {
bool excludes_null(const Outcome& o, std::size_t argument) {
  if (o.never_returns) return true;
  Place p;
  p.root = Place::Root::Arg;
  p.index = static_cast<std::uint32_t>(argument);
  const PlaceRanges ranges = ranges_of(o.when);
  auto it = ranges.find({p, ~std::uint64_t{0}});
  return it != ranges.end() && !it->second.allows(0);
}
}  // namespace

// Was the last reference given to a helper that ends it and then looks at the object?
void References::used_by_callee(State& s, std::uint32_t index, FuncId f, const std::vector<TermId>& args) {
  const std::uint32_t uses = ctx_.summaries[f].uses_ended;
  for (std::size_t a = 0; uses != 0 && a < args.size() && a < 32; ++a) {
    Obj* o = uses >> a & 1 ? s.object(args[a]) : nullptr;
    if (!o || o->escaped || o->life != Life::Released || o->released != index) continue;
    trail_.emit(EventKind::UseAfterRelease, s, o, index, trail_.callee_name(body_.instrs[index]));
    o->escaped = true;
  }
}

// Was the argument read from a member that this function has set to NULL?
bool Pointers::set_to_null(std::uint32_t index, std::size_t a, TermId value) const {
  if (!terms_.is_const(value)) return false;
  const program::ValueDefs defs(body_);
  model::Operand o = body_.ops(body_.instrs[index])[a + 1];
  bool loaded = false;
  for (int fuel = 8; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
    const Instr* def = defs.def(o.id);
    if (!def) return loaded;  // a member of an argument
    if (def->op == model::Op::Load && loaded) return true;
    if (def->op != model::Op::Cast && def->op != model::Op::Load && !(def->op == model::Op::Field && loaded))
      return false;
    loaded = loaded || def->op == model::Op::Load;
    o = body_.ops(*def)[0];
  }
  return loaded && o.kind == OperandKind::Symbol;
}

// Is NULL given to a helper that dereferences that argument on every way it can end?
bool Pointers::crash_on_null(State& s, std::uint32_t index, FuncId f, const std::vector<TermId>& args) {
  const Summary& sum = ctx_.summaries[f];
  for (std::size_t a = 0; a < args.size() && a < 32; ++a) {
    if (!(sum.dereferences & (1u << a))) continue;
    const bool by_contract = args[a] == nullable_ && !s.facts.known_nonzero(terms_, args[a]);
    const bool null = by_contract || s.facts.known_zero(terms_, args[a]);
    if (!null && terms_[args[a]].kind != TermKind::Param) continue;
    if (!std::all_of(sum.outcomes.begin(), sum.outcomes.end(), [&](const Outcome& o) { return excludes_null(o, a); }))
      continue;
    note_dereference(s, args[a]);
    if (!null) continue;
    // A NULL that no failure gave (a converter's answer to NULL, a test inside a macro) says little, unless it was
    // stored by this function where it is read.
    if (!by_contract && !s.failed && !set_to_null(index, a, args[a])) return true;
    // Iterators and elements of containers: whether there are any is more than is known of those.
    std::string giver = trail_.giver_of(body_.ops(body_.instrs[index])[a + 1]);
    if (cxx_library_shown(giver)) return true;
    if (Event* e = trail_.emit(EventKind::NullArgument, s, s.object(args[a]), index,
                               trail_.callee_name(body_.instrs[index]))) {
      e->argument = static_cast<std::uint32_t>(a);
      e->by_contract = by_contract;
      e->giver = std::move(giver);
    }
    return true;
  }
  return false;
}

// Arguments that the call may fill in and that need not be given, pointers that are NULL before it, or that may be
// given as NULL.
std::vector<std::size_t> Formats::null_before(State& s, std::uint32_t index, const FunctionSpec& spec,
                                              const std::vector<TermId>& args) {
  const bool parsed = spec.varargs == specs::VarargKind::ParseFormat;
  const std::uint32_t aux = body_.instrs[index].aux;
  if ((!parsed && spec.varargs != specs::VarargKind::OutParams) || aux == kNone) return {};
  const auto text =
      parsed && spec.format_param < args.size() ? calls_.string_constant(args[spec.format_param]) : std::nullopt;
  bool readable = false;
  const std::vector<FormatUnit> units = text ? parse_units(*text, readable) : std::vector<FormatUnit>{};
  const auto& types = body_.calls[aux].arg_types;
  std::vector<std::size_t> out;
  for (std::size_t a = spec.params.size(); a < args.size() && a < types.size(); ++a) {
    const std::size_t number = a - spec.params.size();
    const bool none = parsed && number < units.size() && units[number].letter == 'z' &&
                      units[number].use == UnitUse::Interior;  // None gives NULL
    if (parsed && !none &&
        (number >= units.size() || !units[number].optional || units[number].use == UnitUse::Converter))
      continue;
    const model::Type& t = unit_.type(types[a]);
    const bool pointer = t.kind == model::TypeKind::Pointer && unit_.type(t.elem).kind == model::TypeKind::Pointer;
    if (pointer && terms_[args[a]].kind == TermKind::Slot &&
        (none || s.facts.known_zero(terms_, memory_.read(s, args[a], 0, index))))
      out.push_back(a);
  }
  return out;
}

// What is not given stays NULL: one more state for each that the call has left, from `from` on.
void Formats::leave_null(States& out, std::size_t from, std::uint32_t index, const std::vector<std::size_t>& optional,
                         const std::vector<TermId>& args) {
  for (std::size_t n = from, end = out.size(); !optional.empty() && n < end; ++n) {
    State none = out[n];
    bool left = false;
    for (const std::size_t a : optional) {
      const TermId now = memory_.read(none, args[a], 0, index);
      if (now != terms_.fresh(index, 0, kOutParam + static_cast<std::uint32_t>(a)) ||
          none.facts.known_nonzero(terms_, now))
        continue;
      left = none.facts.assume_cmp(terms_, CmpPred::Eq, now, terms_.zero()) || left;
    }
    if (left) out.push_back(std::move(none));
  }
}

}  // namespace reckon::engine
