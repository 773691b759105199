// What a spec or an attribute in the source says of a function, against its body.
//
// Callers trust both, so a body that does something else makes every caller wrong. Each end of the function is compared
// with the alternatives that its result allows: whose is the reference that is returned or left in an out-parameter,
// which arguments were taken over, is an exception set; where objects are protected from a collector, may one run, is
// an argument safe from it, how deep is the stack. One alternative that fits is enough. Arguments that every
// alternative takes over are not compared: they begin with a reference of the function's own, and what becomes of that
// is judged like any other.
//
// Limits: an end whose result fits no alternative says nothing, and so does an argument that was handed to code out of
// sight. Of out-parameters only references are compared; counts with a name are not.
#include <algorithm>

#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/summaries/summing.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;
using Does = AnnotationFacts::Does;
using Kind = specs::Value::Kind;

namespace {

// Can a result that the body gives be meant by this alternative?
bool same_result(const Outcome& body, const Outcome& said, bool pointer) {
  auto integer = [](const specs::Value& v, std::int64_t& lo, std::int64_t& hi) {
    if (v.kind != Kind::Int && v.kind != Kind::Range) return false;
    lo = v.imm;
    hi = v.kind == Kind::Int ? v.imm : v.hi;
    return true;
  };
  const bool something = pointer && (body.result.kind == Kind::Object || body.result.kind == Kind::Place);
  std::int64_t lo = 0, hi = 0, said_lo = 0, said_hi = 0;
  const bool number = integer(body.result, lo, hi);
  if (integer(said.result, said_lo, said_hi)) {
    if (something)  // may be NULL, but not only that
      return said_lo == 0 && said_hi == 0 && body.result.kind == Kind::Object &&
             body.objects[body.result.object].maybe_null;
    return !number || (lo <= said_hi && said_lo <= hi);
  }
  const bool null = number && lo == 0 && hi == 0;
  if (said.result.kind == Kind::ErrPtr) return !something && !null;
  if (said.result.kind == Kind::Object) return !null || said.objects[said.result.object].maybe_null;
  return std::none_of(said.when.begin(), said.when.end(), [&](const specs::Condition& c) {
    return null && c.place.root == Place::Root::Result && c.pred == specs::Pred::Ne && c.imm == 0;
  });
}

bool is(const Place& p, std::uint32_t arg) {
  return p.root == Place::Root::Arg && p.index == arg && p.path.empty() && p.field_path.empty();
}

bool names(const std::vector<Place>& places, std::uint32_t arg) {
  return std::ranges::any_of(places, [&](const Place& p) { return is(p, arg); });
}

// References of the caller to this argument that are gone afterwards; nullopt: out of sight.
std::optional<int> taken(const Outcome& o, std::uint32_t arg) {
  if (names(o.escapes, arg)) return std::nullopt;
  int n = 0;
  for (const specs::CountChange& c : o.counts)
    if (c.kind.empty() && is(c.object, arg)) n -= c.delta;
  for (const specs::Hold& h : o.holds)
    if (h.steals && is(h.object, arg)) ++n;
  return n;
}

// Places of the caller's that point to the argument now: each may have taken one of its references.
int stored(const Outcome& o, std::uint32_t arg) {
  return static_cast<int>(std::ranges::count_if(o.stores, [&](const specs::StoreEffect& s) {
    return s.value.kind == Kind::Place && is(s.value.place, arg) && !s.value.place.address;
  }));
}

// Does somebody remember the argument, by what is said?
bool kept(const Outcome& said, std::uint32_t arg) {
  return names(said.escapes, arg) ||
         std::ranges::any_of(said.holds, [&](const specs::Hold& h) { return !h.steals && is(h.object, arg); });
}

// Does the caller own what is returned? nullopt: not to be seen.
std::optional<bool> owned_result(const Outcome& o) {
  if (o.result.kind == Kind::Object) {
    const specs::Object& made = o.objects[o.result.object];
    if (made.immortal) return std::nullopt;
    return specs::owns(o, o.result.object);
  }
  if (o.result.kind != Kind::Place) return std::nullopt;
  return std::any_of(o.counts.begin(), o.counts.end(), [&](const specs::CountChange& c) {
    return c.kind.empty() && c.object == o.result.place && c.delta > 0;
  });
}

// Does whoever finds this value in an out-parameter own a reference to it? nullopt: not to be seen.
std::optional<bool> owned_store(const Outcome& o, const specs::Value& v) {
  if (v.kind == Kind::Object)
    return o.objects[v.object].immortal ? std::nullopt : std::optional(specs::owns(o, v.object));
  if (v.kind != Kind::Place || v.place.address || v.place.root == Place::Root::Global) return std::nullopt;
  if (std::ranges::find(o.escapes, v.place) != o.escapes.end()) return std::nullopt;
  return std::ranges::any_of(
      o.counts, [&](const specs::CountChange& c) { return c.kind.empty() && c.object == v.place && c.delta > 0; });
}

// What the body leaves in an out-parameter with a reference and the alternative without one, or the other way round.
AnnotationFacts contradicts_stores(const model::Unit& unit, const model::Function& fn, const Outcome& body,
                                   const Outcome& said) {
  for (const specs::StoreEffect& meant : said.stores) {
    if (meant.value.kind != Kind::Object || meant.where.root != Place::Root::Arg || meant.where.path.size() != 1 ||
        meant.where.index >= fn.params.size())
      continue;
    const auto done = std::ranges::find_if(body.stores, [&](const specs::StoreEffect& s) {
      return s.where.root == Place::Root::Arg && s.where.index == meant.where.index && s.where.path == meant.where.path;
    });
    if (done == body.stores.end()) continue;
    const auto owned = owned_store(body, done->value), should = owned_store(said, meant.value);
    if (owned && should && *owned != *should)
      return {.does = *should ? Does::ReturnsBorrowed : Does::ReturnsNew,
              .parameter = std::string(unit.str(fn.params[meant.where.index].name))};
  }
  return {};
}

}  // namespace

// What is returned, with or without a reference: nullopt if that cannot be told.
std::optional<bool> Summing::gives_reference(const Outcome& body, const Exit& e) const {
  const auto told = owned_result(body);
  if (!told) return told;
  State s = e.state;
  const Obj* o = props().references->obj(s, e.result, e.instr);
  if (!o || o->escaped || o->immortal || props().references->from_local(o->term)) return std::nullopt;
  // What memory of the caller's holds as well has one of the references; what was taken out of there came with one.
  if (o->owned - props().references->stored_change(s, *o) > 0) return true;
  // Memory that points to it need not have taken a reference.
  return *told || props().reference_exits->moved_out(s, *o) ? std::nullopt : told;
}

// What the body does at this end to an argument, and the alternative does not say.
AnnotationFacts Summing::contradicts_argument(const Outcome& body, const Outcome& said, const State& s,
                                              std::uint32_t a) const {
  const auto done = taken(body, a);
  const int meant = taken(said, a).value_or(0);
  if (!done || (*done <= meant && meant <= *done + stored(body, a))) return {};
  const Obj* o = s.object(terms_.find_param(a));
  if (*done < meant && (kept(said, a) || (o && o->handed))) return {};
  const Place p{Place::Root::Arg, a};
  const bool null = std::any_of(body.when.begin(), body.when.end(), [&](const specs::Condition& c) {
    return c.place == p && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other;
  });
  if (null || (body.result.kind == Kind::Place && is(body.result.place, a))) return {};
  return {.does = *done > meant ? Does::TakenOver
                  : meant > 0   ? Does::NotTakenOver
                                : Does::Kept,
          .parameter = std::string(unit_.str(fn_.params[a].name))};
}

// The same about objects that are protected from a collector.
AnnotationFacts Summing::contradicts_protection(const Outcome& body, const Outcome& said) const {
  const specs::FunctionSpec& spec = *subject_.promise().spec;
  // Which arguments make it collect is more than most ends can tell.
  const bool may_collect =
      spec.allocates || std::ranges::any_of(spec.outcomes, [](const Outcome& o) { return o.allocates; });
  if (body.allocates && !may_collect) return {.does = Does::Collects, .parameter = {}};
  for (std::uint32_t a = 0; a < fn_.params.size() && a < spec.params.size(); ++a)
    if (spec.params[a].callee_protects && names(body.endangers, a))
      return {.does = Does::Endangers, .parameter = std::string(unit_.str(fn_.params[a].name))};
  auto open = [](const Outcome& o) { return o.depth_unknown || o.unprotects || !o.unprotected.empty(); };
  if (!open(body) && !open(said) && body.protects != said.protects)
    return {.does = Does::LeavesDepth, .parameter = {}, .depth = body.protects - said.protects};
  return {};
}

// What the body does at this end and the alternative does not say.
AnnotationFacts Summing::contradiction(const Outcome& body, const Outcome& said, const Exit& e) const {
  const State& s = e.state;
  if (!manner_.counts_objects) return contradicts_protection(body, said);
  const auto is_new = gives_reference(body, e), should = owned_result(said);
  if (is_new && should && *is_new != *should)
    return {.does = *should ? Does::ReturnsBorrowed : Does::ReturnsNew, .parameter = {}};
  for (std::uint32_t a = 0; a < fn_.params.size(); ++a)
    if (subject_.counted(fn_.params[a].type) && !subject_.promise().gives(a))
      if (AnnotationFacts here = contradicts_argument(body, said, s, a); here.does != Does::Agrees) return here;
  if (AnnotationFacts here = contradicts_stores(unit_, fn_, body, said); here.does != Does::Agrees) return here;
  if (!s.exception_settled && said.exception == specs::Exception::Set &&
      (body.exception == specs::Exception::Unchanged || body.exception == specs::Exception::Cleared))
    return {.does = Does::SetsNoException, .parameter = {}};
  return {};
}

// Are there calls of functions without a spec? What one of them did with an argument, or left of the exception when it
// failed, is known less well than what an API does.
bool Summing::relies_on_callees() const {
  return std::ranges::any_of(body_.instrs, [&](const model::Instr& i) {
    const auto ops = body_.ops(i);
    return i.op == model::Op::Call && !ops.empty() &&
           (ops[0].kind != model::OperandKind::Symbol || !ctx_.spec_of[unit_id_][ops[0].id]);
  });
}

void Summing::check_annotation(const Ends& exits) {
  const specs::FunctionSpec* spec = subject_.promise().spec;
  if (!spec) return;
  const bool pointer = unit_.type(fn_.result).kind == model::TypeKind::Pointer;
  for (const auto& [told, exit] : exits) {
    AnnotationFacts problem;
    bool agrees = false;
    Outcome outcome = told;
    if (exit->result != kNoTerm && exit->state.facts.known_zero(terms_, exit->result))
      outcome.result = {Kind::Int, 0, 0, {}, 0};
    for (const Outcome& said : spec->outcomes) {
      if (!same_result(outcome, said, pointer)) continue;
      AnnotationFacts here = contradiction(outcome, said, *exit);
      agrees = agrees || here.does == Does::Agrees;
      if (problem.does == Does::Agrees) problem = std::move(here);
    }
    if (agrees || problem.does == Does::Agrees) continue;
    State copy = exit->state;
    const bool of_result =
        (problem.does == Does::ReturnsBorrowed || problem.does == Does::ReturnsNew) && problem.parameter.empty();
    const Obj* o = of_result ? props().references->obj(copy, exit->result, exit->instr) : nullptr;
    problem.by_spec = !spec->from_source;
    if (Event* e = trail_.emit(EventKind::AnnotationBroken, exit->state, o, exit->instr)) {
      e->doubtful = relies_on_callees();
      e->get<AnnotationFacts>() = std::move(problem);
    }
  }
}

}  // namespace reckon::engine
