// NULL and uninitialised pointers: where one is dereferenced the path ends, and that is told.

#include <algorithm>
#include <cstdlib>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/conditions.h"
#include "engine/core/header_structs.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/pointers/pointers.h"
#include "program/values.h"
#include "support/limits.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::Op;
using model::OperandKind;
using specs::Outcome;
using specs::Place;

namespace {
// Does the instruction access the struct that has the counter, as macros for an object's type and count do?
bool accesses_header(const model::Unit& unit, const model::Body& body, const specs::SpecSet& specs, InstrId instr) {
  const auto ops = body.ops(body.instrs[instr]);
  const program::ValueDefs defs(body);
  const Instr* field = ops[0].kind == OperandKind::Value ? defs.def(ops[0].value_id()) : nullptr;
  return field && field->op == Op::Field && names_header(specs, unit, body, *field);
}
constexpr std::int64_t kNullPage = 4096;  // accesses below are through a null pointer
}  // namespace

namespace {
bool excludes_null(const Outcome& o, std::size_t argument) {
  if (o.never_returns) return true;
  Place p;
  p.root = Place::Root::Arg;
  p.index = static_cast<std::uint32_t>(argument);
  const PlaceRanges ranges = ranges_of(o.when);
  const Range* range = find_range(ranges, {&p, ~std::uint64_t{0}, {}});
  return range && !range->allows(0);
}
}  // namespace

// Does the spec say that NULL will do here, for what the other arguments are? Of an array without elements, say.
bool Pointers::may_be_absent(const State& s, const Call& call, std::size_t a) {
  Place p;
  p.root = Place::Root::Arg;
  p.index = static_cast<std::uint32_t>(a);
  auto is_null = [&](const specs::Condition& c) {
    return c.place == p && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other && c.mask == ~std::uint64_t{0};
  };
  return std::any_of(call.spec->outcomes.begin(), call.spec->outcomes.end(), [&](const Outcome& o) {
    if (std::none_of(o.when.begin(), o.when.end(), is_null)) return false;
    State t = s;
    const Applying absent{.index = call.index, .outcome = &o, .spec = call.spec, .args = &call.args};
    return std::all_of(o.when.begin(), o.when.end(), [&](const specs::Condition& c) {
      return is_null(c) || calls_.assume_condition(t, absent, c, kNoTerm);
    });
  });
}

// A pointer nobody has tested is about to be dereferenced.
void Pointers::note_dereference(const State& s, TermId t) {
  const Term& x = terms_[t];
  if (x.kind == TermKind::Param && x.a < 32 && !s.facts.known_nonzero(terms_, t)) dereferences_ |= 1u << x.a;
}

// Was the argument read from a member that this function has set to NULL?
bool Pointers::set_to_null(InstrId index, std::size_t a, TermId value) const {
  if (!terms_.is_const(value)) return false;
  const program::ValueDefs defs(body_);
  model::Operand o = body_.ops(body_.instrs[index])[a + 1];
  bool loaded = false;
  for (int fuel = support::kLimits.operands.null_steps; fuel > 0 && o.kind == OperandKind::Value; --fuel) {
    const Instr* def = defs.def(o.value_id());
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
bool Pointers::crash_on_null(State& s, InstrId index, FuncId f, const std::vector<TermId>& args) {
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
    // stored by this function where it is read, or is what a call left in a variable that it was to fill in.
    const Term& given = terms_[args[a]];
    const bool left_as_it_was = given.kind == TermKind::Fresh && given.imm >= kOutParam;
    if (!by_contract && !left_as_it_was && !s.failed && !set_to_null(index, a, args[a])) return true;
    // Iterators and elements of containers: whether there are any is more than is known of those.
    std::string giver = trail_.giver_of(body_.ops(body_.instrs[index])[a + 1]);
    if (cxx_library_shown(giver)) return true;
    if (Event* e =
            trail_.emit(EventKind::NullArgument, s, s.object(args[a]), index, trail_.callee_name(body_.instrs[index])))
      e->get<NullFacts>() = {
          .giver = std::move(giver), .by_contract = by_contract, .argument = static_cast<std::uint32_t>(a)};
    return true;
  }
  return false;
}

// A load or store through `address`: false if the path ends here (NULL).
bool Pointers::dereference(State& s, TermId address, InstrId instr) {
  const TermId root = terms_.root(address);
  const Term& r = terms_[root];
  if (r.kind == TermKind::Const) {
    if (std::llabs(r.imm) < kNullPage) {
      // Iterators and elements of containers: whether there are any is more than is known of those.
      std::string giver = trail_.giver_of(body_.ops(body_.instrs[instr])[0]);
      if (cxx_library_shown(giver)) return false;
      if (Event* e = trail_.emit(EventKind::NullDereference, s, nullptr, instr))
        e->get<NullFacts>() = {.giver = std::move(giver),
                               .of_header = accesses_header(unit_, body_, ctx_.specs, instr)};
      return false;
    }
    return true;
  }
  if (r.kind == TermKind::Undef) {
    trail_.emit(EventKind::UninitUse, s, nullptr, instr);
    return false;
  }
  if (r.kind == TermKind::Slot || r.kind == TermKind::Global) return true;
  if (s.facts.known_zero(terms_, root)) {
    if (Event* e = trail_.emit(EventKind::NullDereference, s, s.object(root), instr)) {
      auto& null = e->get<NullFacts>();
      null.by_contract = root == nullable_;
      // An argument that a call was to fill in and has left as it was.
      if (r.kind == TermKind::Fresh && r.imm >= kOutParam && r.a < body_.instrs.size()) {
        null.by_contract = true;
        e->callee = trail_.callee_name(body_.instrs[r.a]);
      }
      null.of_header = accesses_header(unit_, body_, ctx_.specs, instr);
    }
    return false;
  }
  return true;
}

void Pointers::dereferenced(State& s, TermId address, InstrId instr) {
  const TermId root = terms_.root(address);
  note_dereference(s, root);
  if (root == nullable_ && !s.facts.known_nonzero(terms_, root))
    if (Event* e = trail_.emit(EventKind::NullDereference, s, s.object(root), instr))
      e->get<NullFacts>().by_contract = true;
  // Whoever dereferences a pointer takes it to be valid from here on.
  if (address != root || terms_[root].kind != TermKind::Index)
    s.facts.assume_cmp(terms_, model::CmpPred::Ne, root, terms_.zero());
}

void Pointers::begin(State& s) {
  const std::uint32_t nulls = id_ < ctx_.null_params.size() ? ctx_.null_params[id_] : 0;
  for (std::uint32_t p = 0; p < fn_.params.size() && p < 32; ++p)
    if (nulls >> p & 1) {
      if (!ctx_.program.roles(id_).empty()) nullable_ = terms_.param(p);  // by its contract, not by what callers do
      s.facts.assume_cmp(terms_, CmpPred::Eq, terms_.param(p), terms_.zero());
    }
  if (contract_.value_or_null)
    for (std::uint32_t p = 1; p < fn_.params.size(); ++p)
      if (subject_.counted(fn_.params[p].type)) nullable_ = terms_.param(p);
}

// A NULL that is not the last argument ends the list of objects before its time.
bool Pointers::arguments(State& s, const Call& call) {
  if (!call.spec || call.spec->varargs != specs::VarargKind::UntilNull) return true;
  for (std::size_t a = call.spec->params.size(); a + 1 < call.args.size(); ++a) {
    if (terms_.is_const(call.args[a]) && s.exception != ExcState::Set) continue;
    if (!s.facts.known_zero(terms_, call.args[a]) ||
        body_.ops(body_.instrs[call.index])[a + 1].kind == OperandKind::Null)
      continue;
    if (Event* e = trail_.emit(EventKind::NullArgument, s, nullptr, call.index, call.callee))
      e->get<NullFacts>() = {.giver = {}, .ends_list = true, .argument = static_cast<std::uint32_t>(a)};
    return false;
  }
  return true;
}

bool Pointers::argument(State& s, const Call& call, std::size_t a) {
  const TermId t = call.args[a];
  if (!call.spec) return true;
  // One of several objects, of which another argument gives the number: each of them is taken to be there.
  const bool counted = a >= call.spec->params.size() && call.spec->varargs == specs::VarargKind::Counted;
  if (!call.releases && terms_[t].kind == TermKind::Undef && (counted || calls_.object_parameter(call.index, a))) {
    trail_.emit(EventKind::UninitUse, s, nullptr, call.index, call.callee);
    return false;
  }
  if (!counted && (a >= call.spec->params.size() || !call.spec->params[a].null_crashes)) return true;
  if (!counted && may_be_absent(s, call, a)) return true;
  const bool may_be_null = t == nullable_ && !s.facts.known_nonzero(terms_, t);
  if (may_be_null || s.facts.known_zero(terms_, t)) {
    if (Event* e = trail_.emit(EventKind::NullArgument, s, s.object(t), call.index, call.callee))
      e->get<NullFacts>() = {.giver = trail_.giver_of(body_.ops(body_.instrs[call.index])[a + 1]),
                             .by_contract = t == nullable_,
                             .argument = static_cast<std::uint32_t>(a)};
    if (may_be_null && s.facts.assume_cmp(terms_, CmpPred::Ne, t, terms_.zero())) return true;
    if (!call.releases) return false;  // a release of NULL is worth looking beyond: what else does this path forget?
    s.exception_settled = true;        // but an exception that is left then is the same mistake
  }
  // What the call dereferences was no NULL, or we would not get any further.
  if (!terms_.is_const(t)) {
    note_dereference(s, t);
    s.facts.assume_cmp(terms_, CmpPred::Ne, t, terms_.zero());
  }
  return true;
}

bool Pointers::target(State& s, const Call& call, FuncId f) { return !crash_on_null(s, call.index, f, call.args); }

}  // namespace reckon::engine
