// The problem: a function that fails says why by an object that it stores at an address its caller gave. The object has
// to be released, so the place must be empty before the next call gets it; it is there only after a failure; and a
// function that fails must store one, since its callers look at it without asking.
//
// The method: a domain names the struct (`error-struct`). A parameter that points to a pointer to it is such an
// address. A call that stores its error where an object is still owned overwrites it. A NULL of that type that is
// looked at was never set. The value that a function returns whenever it has set its caller's error means failure: an
// exit that returns it, too, and has neither set the error nor given anybody the chance to, has forgotten it.
//
// Limits: what an error tells is not followed. Where failures return different values, or every exit returns the same,
// nothing is said about errors that are missing.

#include "engine/properties/errors/errors.h"

#include <algorithm>
#include <optional>

#include "engine/core/callee_type.h"
#include "engine/core/calls.h"
#include "engine/core/trail.h"
#include "engine/state.h"

namespace reckon::engine {

using model::OperandKind;
using model::TypeKind;

namespace {
constexpr std::int64_t kNullPage = 4096;  // a member of what NULL points to lies below
}  // namespace

bool Errors::is_error(model::TypeId record) const {
  const auto& names = ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].error_structs;
  return unit_.type(record).kind == TypeKind::Struct &&
         std::find(names.begin(), names.end(), unit_.str(unit_.type(record).name)) != names.end();
}

// Does it point to a pointer to an error?
bool Errors::stores_errors(model::TypeId parameter) const {
  const model::Type& outer = unit_.type(parameter);
  if (outer.kind != TypeKind::Pointer || unit_.type(outer.elem).kind != TypeKind::Pointer) return false;
  return is_error(unit_.type(outer.elem).elem);
}

void Errors::begin(State&) {
  for (std::uint32_t p = 0; p < fn_.params.size(); ++p)
    if (stores_errors(fn_.params[p].type)) asked_ = terms_.param(p);
}

// The path ends here, as for every NULL.
bool Errors::dereference(State& s, TermId address, InstrId instr) {
  const TermId root = terms_.root(address);
  const bool below = terms_.is_const(root) && terms_[root].imm >= 0 && terms_[root].imm < kNullPage;
  if (!below && !s.facts.known_zero(terms_, root)) return true;
  const auto ops = body_.ops(body_.instrs[instr]);
  if (ops.empty() || ops[0].kind != OperandKind::Value) return true;
  const InstrId def = defs_[ops[0].value_id()];
  if (def == model::kNone || body_.instrs[def].op != model::Op::Field || body_.instrs[def].aux == model::kNone ||
      !is_error(body_.fields[body_.instrs[def].aux].record))
    return true;
  trail_.emit(EventKind::ErrorUnset, s, nullptr, instr);
  return false;
}

bool Errors::storing(State& s, TermId address, TermId value, InstrId) {
  if (asked_ != kNoTerm && address == asked_ && !s.facts.known_zero(terms_, value)) s.asked_error = State::Asked::Set;
  return false;
}

// The address itself is kept somewhere.
void Errors::written(State& s, TermId value, InstrId) {
  if (asked_ != kNoTerm && value == asked_ && s.asked_error != State::Asked::Set) s.asked_error = State::Asked::Perhaps;
}

void Errors::overwriting_error(State& s, const Applying& call, std::uint32_t argument, TermId before) {
  const model::Type* callee = callee_type(unit_, body_, call.index);
  if (!callee || argument >= callee->params.size() || !stores_errors(callee->params[argument])) return;
  Obj* x = s.object(before);
  if (!x || x->kind != ObjKind::New || x->owned <= 0 || x->escaped || !s.facts.known_nonzero(terms_, before)) return;
  trail_.emit(EventKind::ErrorOverwritten, s, x, call.index, call.callee);
  x->escaped.because(Silence::Reported);
}

// Does the call give up an error that is there, given as an argument or kept where one points?
bool Errors::drops_error(State& s, const Applying& call) const {
  const model::Type* callee = callee_type(unit_, body_, call.index);
  if (!callee) return false;
  return std::any_of(call.outcome->counts.begin(), call.outcome->counts.end(), [&](const specs::CountChange& c) {
    if (c.delta >= 0 || c.object.root != specs::Place::Root::Arg || c.object.index >= callee->params.size())
      return false;
    const model::TypeId type = callee->params[c.object.index];
    const bool given = unit_.type(type).kind == TypeKind::Pointer && is_error(unit_.type(type).elem);
    if (!given && !stores_errors(type)) return false;
    const auto error = calls_.place(s, c.object, *call.args, call.index, kNoTerm);
    return error && s.facts.known_nonzero(terms_, *error);
  });
}

void Errors::effects(State& s, const Applying& call) {
  const specs::Outcome& o = *call.outcome;
  const std::vector<TermId>& args = *call.args;
  if (asked_ != kNoTerm && s.asked_error == State::Asked::Untouched && drops_error(s, call))
    s.asked_error = State::Asked::Dropped;
  for (std::uint32_t a = 0; a < args.size(); ++a) {
    const specs::Place there{.index = a, .path = {0}};
    const auto st =
        std::find_if(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& x) { return x.where == there; });
    const bool stores = st != o.stores.end();
    const bool unchanged = stores && st->value.kind == specs::Value::Kind::Place && st->value.place == there;
    if (stores && st->value.kind == specs::Value::Kind::Object && o.objects[st->value.object].owned)
      if (const auto before = calls_.place(s, there, args, call.index, kNoTerm)) {
        // Where the address has turned out to be NULL, nothing was stored before, and nothing is now.
        Obj* x = s.facts.known_zero(terms_, args[a]) ? s.object(*before) : nullptr;
        if (x)
          x->escaped.because(Silence::Reported);
        else
          overwriting_error(s, call, a, *before);
      }
    if (asked_ == kNoTerm || args[a] != asked_ || s.asked_error == State::Asked::Set || unchanged) continue;
    // A callee that says nothing of the error has succeeded, or has forgotten it and is judged itself.
    const bool succeeded = (o.result.kind == specs::Value::Kind::Int && o.result.imm > 0) ||
                           (o.result.kind == specs::Value::Kind::Range && o.result.imm > 0) ||
                           o.result.kind == specs::Value::Kind::Object;
    if (stores)
      s.asked_error = State::Asked::Set;
    else if (!succeeded)
      s.asked_error = State::Asked::Perhaps;
  }
}

void Errors::unknown(State& s, const Call& call, const model::Type*) {
  if (asked_ == kNoTerm || s.asked_error == State::Asked::Set) return;
  if (std::find(call.args.begin(), call.args.end(), asked_) != call.args.end()) s.asked_error = State::Asked::Perhaps;
}

void Errors::all_exits() {
  if (asked_ == kNoTerm) return;
  auto value = [&](const Exit& e) -> std::optional<std::int64_t> {
    if (e.by_exception || e.result == kNoTerm) return std::nullopt;
    const Range r = e.state.facts.range(terms_, e.result);
    return r.is_single() ? std::optional(r.lo) : std::nullopt;
  };
  std::optional<std::int64_t> failure;
  bool another = false;  // value than that of a failure
  for (const Exit& e : exits_)
    if (e.state.asked_error == State::Asked::Set) {
      const auto v = value(e);
      if (!v || (failure && *failure != *v) || *v > 0) return;
      failure = v;
    }
  if (!failure) return;
  for (const Exit& e : exits_) another = another || value(e) != failure;
  if (!another) return;
  for (const Exit& e : exits_)
    if ((e.state.asked_error == State::Asked::Untouched || e.state.asked_error == State::Asked::Dropped) &&
        value(e) == failure && !e.state.facts.known_zero(terms_, asked_) && !e.state.for_callers_only())
      if (Event* event = trail_.emit(EventKind::ErrorMissing, e.state, nullptr, e.instr))
        event->doubtful =
            unit_.type(fn_.result).kind == TypeKind::Pointer || e.state.asked_error == State::Asked::Dropped;
}

}  // namespace reckon::engine
