// What attributes in the source say of a function, against its body.
//
// Callers trust an annotation, so a body that does something else makes every caller wrong. Each end of the function
// is compared with the alternatives that its result allows: whose is the returned reference, which arguments were
// taken over, is an exception set. One alternative that fits is enough. Limits: an end whose result fits no
// alternative says nothing, and so does an argument that was handed to code out of sight.
#include <algorithm>

#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/summaries/summing.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;
using Does = AnnotationFacts::Does;
using Kind = specs::Value::Kind;

namespace {

// Can a result that the body gives be meant by this alternative?
bool same_result(const Outcome& body, const Outcome& said) {
  auto integer = [](const specs::Value& v, std::int64_t& lo, std::int64_t& hi) {
    if (v.kind != Kind::Int && v.kind != Kind::Range) return false;
    lo = v.imm;
    hi = v.kind == Kind::Int ? v.imm : v.hi;
    return true;
  };
  std::int64_t lo = 0, hi = 0, said_lo = 0, said_hi = 0;
  const bool number = integer(body.result, lo, hi);
  if (integer(said.result, said_lo, said_hi)) {
    if (body.result.kind == Kind::Object)
      return said_lo == 0 && said_hi == 0 && body.objects[body.result.object].maybe_null;
    return !number || (lo <= said_hi && said_lo <= hi);
  }
  const bool null = number && lo == 0 && hi == 0;
  if (said.result.kind == Kind::Object) return !null || said.objects[said.result.object].maybe_null;
  return std::none_of(said.when.begin(), said.when.end(), [&](const specs::Condition& c) {
    return null && c.place.root == Place::Root::Result && c.pred == specs::Pred::Ne && c.imm == 0;
  });
}

bool is(const Place& p, std::uint32_t arg) {
  return p.root == Place::Root::Arg && p.index == arg && p.path.empty() && p.field_path.empty();
}

// References of the caller to this argument that are gone afterwards; nullopt: out of sight.
std::optional<int> taken(const Outcome& o, std::uint32_t arg) {
  for (const Place& p : o.escapes)
    if (is(p, arg)) return std::nullopt;
  int n = 0;
  for (const specs::CountChange& c : o.counts)
    if (c.kind.empty() && is(c.object, arg)) n -= c.delta;
  for (const specs::Hold& h : o.holds)
    if (h.steals && is(h.object, arg)) ++n;
  return n;
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

}  // namespace

// What the body does at this end and the alternative does not say.
AnnotationFacts Summing::contradiction(const Outcome& body, const Outcome& said, const State& s) const {
  const auto is_new = owned_result(body), should = owned_result(said);
  if (is_new && should && *is_new != *should)
    return {.does = *should ? Does::ReturnsBorrowed : Does::ReturnsNew, .parameter = {}};
  for (std::uint32_t a = 0; a < fn_.params.size(); ++a) {
    if (!subject_.counted(fn_.params[a].type)) continue;
    const auto done = taken(body, a);
    const int meant = taken(said, a).value_or(0);
    if (!done || *done == meant) continue;
    const Place p{Place::Root::Arg, a};
    const bool null = std::any_of(body.when.begin(), body.when.end(), [&](const specs::Condition& c) {
      return c.place == p && c.pred == specs::Pred::Eq && c.imm == 0;
    });
    if (null || (body.result.kind == Kind::Place && is(body.result.place, a))) continue;
    return {.does = *done < meant ? Does::NotTakenOver : Does::TakenOver,
            .parameter = std::string(unit_.str(fn_.params[a].name))};
  }
  if (!s.exception_settled && said.exception == specs::Exception::Set &&
      (body.exception == specs::Exception::Unchanged || body.exception == specs::Exception::Cleared))
    return {.does = Does::SetsNoException, .parameter = {}};
  return {};
}

void Summing::check_annotation(const std::vector<std::pair<Outcome, const Exit*>>& exits) {
  const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][fn_.symbol];
  if (!spec || !spec->from_source) return;
  for (const auto& [outcome, exit] : exits) {
    AnnotationFacts problem;
    bool agrees = false;
    for (const Outcome& said : spec->outcomes) {
      if (!same_result(outcome, said)) continue;
      AnnotationFacts here = contradiction(outcome, said, exit->state);
      agrees = agrees || here.does == Does::Agrees;
      if (problem.does == Does::Agrees) problem = std::move(here);
    }
    if (agrees || problem.does == Does::Agrees) continue;
    if (Event* e = trail_.emit(EventKind::AnnotationBroken, exit->state, nullptr, exit->instr))
      e->get<AnnotationFacts>() = std::move(problem);
  }
}

}  // namespace reckon::engine
