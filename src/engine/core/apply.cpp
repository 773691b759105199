// What one outcome of a call does to the caller's state, effect by effect.
//
// Places of an outcome speak of memory before the call, so they are all looked up before anything is written.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/asked_again.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/causes.h"
#include "engine/core/conditions.h"
#include "engine/core/error_values.h"
#include "engine/core/hooks.h"
#include "engine/core/memory.h"
#include "engine/core/object_symbol.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using model::kNone;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Place;
using specs::Value;

namespace {

CmpPred to_cmp(specs::Pred p) {
  switch (p) {
    case specs::Pred::Eq: return CmpPred::Eq;
    case specs::Pred::Ne: return CmpPred::Ne;
    case specs::Pred::Lt: return CmpPred::Slt;
    case specs::Pred::Le: return CmpPred::Sle;
    case specs::Pred::Gt: return CmpPred::Sgt;
    case specs::Pred::Ge: return CmpPred::Sge;
  }
  return CmpPred::Eq;
}

// Does the alternative hold for this text, as far as its conditions speak of one?
bool fits_text(const Outcome& o, const std::string& text) {
  return std::all_of(o.when.begin(), o.when.end(), [&](const specs::Condition& c) {
    return !c.other || c.other->root != Place::Root::Text || (text == c.other->global) == (c.pred == specs::Pred::Eq);
  });
}

// The property of an object that is all that a variable ever holds, as the function that interns its text tells it.
std::optional<std::int64_t> interned_property(const Context& ctx, const TermArena& terms, TermId t, std::int64_t step) {
  const Term& x = terms[t];
  if (ctx.interned.empty() || x.kind != TermKind::Initial || x.imm != 0 || terms[x.left()].kind != TermKind::Global ||
      specs::property_name(step).empty())
    return std::nullopt;
  const auto known = ctx.interned.find(std::string(terms.global_name(x.left())));
  if (known == ctx.interned.end()) return std::nullopt;
  for (const auto& f : ctx.specs.functions())
    for (const Outcome& o : f->interns ? std::span<const Outcome>(f->outcomes) : std::span<const Outcome>())
      for (const specs::StoreEffect& st : o.stores)
        if (on_result(st.where) && st.where.path.size() == 1 && st.where.path[0] == step &&
            st.value.kind == Value::Kind::Int && fits_text(o, known->second))
          return st.value.imm;
  return std::nullopt;
}

}  // namespace

std::optional<TermId> Calls::place(State& s, const Place& p, const std::vector<TermId>& args, InstrId index,
                                   TermId result) {
  TermId t = kNoTerm;
  model::TypeId type{};
  switch (p.root) {
    case Place::Root::Arg: {
      if (p.index >= args.size()) return std::nullopt;
      t = args[p.index];
      const Instr& i = body_.instrs[index];
      if (i.aux != kNone && body_.calls[i.aux].type != 0) {
        const model::Type& ft = unit_.type(body_.calls[i.aux].type);
        if (p.index < ft.params.size()) type = ft.params[p.index];
      }
      break;
    }
    case Place::Root::Result:
      t = result;
      if (const Instr& i = body_.instrs[index]; i.aux != kNone && body_.calls[i.aux].type != 0)
        type = unit_.type(body_.calls[i.aux].type).elem;
      break;
    case Place::Root::Global: t = terms_.global(p.global); break;
    case Place::Root::Object: t = terms_.fresh(index, 0, p.index); break;
    case Place::Root::Text: return std::nullopt;  // no value: assume_condition()
  }
  if (t == kNoTerm) return std::nullopt;

  // Steps named by field: turned into offsets with the prototype's types.
  for (std::size_t k = 0; k < p.field_path.size(); ++k) {
    if (type == 0 || unit_.type(type).kind != model::TypeKind::Pointer) return std::nullopt;
    type = unit_.type(type).elem;
    std::int64_t offset = 0;
    std::string_view rest = p.field_path[k];
    while (!rest.empty()) {
      const std::string_view head = rest.substr(0, rest.find('.'));
      rest = head.size() == rest.size() ? std::string_view() : rest.substr(head.size() + 1);
      const model::Type& rec = unit_.type(type);
      auto f = std::find_if(rec.fields.begin(), rec.fields.end(),
                            [&](const model::Field& x) { return unit_.str(x.name) == head; });
      if (f == rec.fields.end()) return std::nullopt;
      offset += static_cast<std::int64_t>(f->offset);
      type = f->type;
    }
    const bool last = k + 1 == p.field_path.size() && p.path.empty();
    const TermId address = terms_.offset(t, offset);
    if (terms_.is_const(t)) return std::nullopt;
    t = last && p.address ? address : memory_.read(s, address, type, index);
  }
  for (std::size_t k = 0; k < p.path.size(); ++k) {
    if (terms_.is_const(t) || terms_[t].kind == TermKind::Undef) return std::nullopt;
    if (const auto told = interned_property(ctx_, terms_, t, p.path[k])) {
      t = terms_.constant(*told);
      continue;
    }
    const TermId address = terms_.offset(t, p.path[k]);
    const specs::DomainSpec::Layout* seen = layout(p.path[k]);
    if (seen && !(k + 1 == p.path.size() && p.address) && !s.cell(t, p.path[k])) {
      t = terms_.arith(model::ArithOp::And, memory_.read(s, terms_.offset(t, seen->offset), {}, index),
                       terms_.constant(seen->mask));
      continue;
    }
    t = k + 1 == p.path.size() && p.address ? address : memory_.read(s, address, {}, index);
  }
  return t;
}

bool Calls::assume_condition(State& s, const Applying& call, const specs::Condition& c, TermId result) {
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  const FunctionSpec* spec = call.spec;
  const std::vector<TermId>& args = *call.args;
  const auto t = place(s, c.place, args, index, result);
  if (!t) return true;
  TermId lhs = *t;
  if (about_error_pointers(c))
    return s.facts.assume_cmp(terms_, c.pred == specs::Pred::Eq ? CmpPred::Uge : CmpPred::Ult, lhs,
                              terms_.constant(kFirstError));
  if (c.mask != ~std::uint64_t{0})
    lhs = terms_.arith(model::ArithOp::And, lhs, terms_.constant(static_cast<std::int64_t>(c.mask)));
  // A text is what a literal says; any other pointer may lead to it, and is not taken to.
  if (c.other && c.other->root == Place::Root::Text)
    return (string_constant(lhs) == c.other->global) == (c.pred == specs::Pred::Eq);
  TermId rhs = terms_.constant(c.imm);
  if (c.other) {
    const auto u = place(s, *c.other, args, index, result);
    if (!u) return true;
    rhs = *u;
  }
  // A value nobody has doubted so far does not become NULL because a callee would mind.
  if (spec && c.pred == specs::Pred::Eq && c.imm == 0 && !c.other && !s.facts.known_zero(terms_, lhs) &&
      (o.failure || hooks_.any<&Property::changes_count>(o)))
    return false;
  if (c.known)
    if (const auto holds = s.facts.decide(terms_, terms_.cmp(to_cmp(c.pred), lhs, rhs)); holds != 1) {
      // Callers may know what we do not: for them the path goes on.
      const bool is_null = !c.other && c.imm == 0;
      if (holds == 0 || c.pred != specs::Pred::Eq || terms_[lhs].kind != TermKind::Param || !(c.other || is_null))
        return false;
      s.note_deed(terms_, {specs::effect_rows::when, lhs, is_null ? kNoTerm : rhs});
      if (!s.for_callers_only()) return false;
    }
  if (c.pred == specs::Pred::Eq && hooks_.any<&Property::differ>(s, lhs, rhs)) return false;
  if (c.other && c.other->root == Place::Root::Global && c.pred == specs::Pred::Eq)
    hooks_.each<&Property::found>(s, lhs);
  return s.facts.assume_cmp(terms_, to_cmp(c.pred), lhs, rhs);
}

TermId Calls::value_of(State& s, const Applying& call, const Value& v, std::uint32_t which) {
  const InstrId index = call.index;
  const std::vector<TermId>& args = *call.args;
  switch (v.kind) {
    case Value::Kind::Int: return terms_.constant(v.imm);
    case Value::Kind::Object:
      return which == kResult && gives_part_again(call, v.object, manner_.counts_objects)
                 ? call.answer
                 : terms_.fresh(index, 0, symbol_of_object(call, v.object));
    case Value::Kind::Place:
      if (const auto t = place(s, v.place, args, index, kNoTerm)) return *t;
      // A number in memory, plus or minus something.
      if (v.place.address && !v.place.path.empty()) {
        Place without = v.place;
        without.path.pop_back();
        without.address = false;
        if (const auto t = place(s, without, args, index, kNoTerm); t && terms_.is_const(*t))
          return terms_.constant(terms_[*t].imm + v.place.path.back());
      }
      return terms_.fresh(index, 0, which);
    case Value::Kind::Range: {
      const TermId t = terms_.fresh(index, 0, which);
      s.facts.set_range(t, Range{v.imm, v.hi});
      return t;
    }
    case Value::Kind::ErrPtr: {
      const TermId t = terms_.fresh(index, 0, which);
      s.facts.set_range(t, Range{kFirstError, kLastError});
      return t;
    }
    case Value::Kind::Interior: {
      const bool again = which == kResult && call.answer != kNoTerm;  // it is what it was when it was asked for before
      const TermId t = again ? call.answer : terms_.fresh(index, 0, which);
      s.facts.assume_cmp(terms_, CmpPred::Ne, t, terms_.zero());
      if (const auto p = place(s, v.place, args, index, kNoTerm)) hooks_.each<&Property::part_of>(s, call, t, v, *p);
      return t;
    }
    case Value::Kind::StackTop:
      if (const auto t = hooks_.first<&Property::special_value>(s)) return *t;
      break;
    case Value::Kind::Unknown: break;
  }
  return terms_.fresh(index, 0, which);
}

// What a callee stored directly in a struct that it was given is a member by the callee's word.
void Calls::name_stored_member(const Applying& call, TermId address) {
  const Instr& i = body_.instrs[call.index];
  if (i.aux == kNone || body_.calls[i.aux].type == 0) return;
  const model::Type& callee = unit_.type(body_.calls[i.aux].type);
  const TermId base = terms_.split(address).first;
  for (std::size_t a = 0; a < call.args->size() && a < callee.params.size(); ++a)
    if ((*call.args)[a] == base) trail_.name_member(address, callee.params[a], call.index);
}

// Writes what the outcome stores, and gives back its result.
TermId Calls::apply_stores(State& s, const Applying& call) {
  const InstrId index = call.index;
  const Outcome& o = *call.outcome;
  const FunctionSpec* spec = call.spec;
  const std::vector<TermId>& args = *call.args;
  std::vector<std::pair<TermId, TermId>> writes;  // values speak of memory before the call, so they come first
  for (const specs::StoreEffect& st : o.stores) {
    Place where = st.where;
    where.address = true;
    if (on_result(where)) continue;  // not there yet
    const auto address = place(s, where, args, index, kNoTerm);
    if (!address || terms_.is_const(*address)) {
      // C++: an element of a container of which too little is known goes somewhere all the same.
      if (!spec && unit_.language == model::Language::Cxx && manner_.lost_stores_escape)
        hooks_.each<&Property::out_of_sight>(
            s, value_of(s, call, st.value, kStored + static_cast<std::uint32_t>(&st - o.stores.data())));
      continue;
    }
    writes.emplace_back(*address,
                        value_of(s, call, st.value, kStored + static_cast<std::uint32_t>(&st - o.stores.data())));
  }
  const TermId result = value_of(s, call, o.result, kResult);
  for (const specs::StoreEffect& st : o.stores) {
    if (!on_result(st.where)) continue;
    Place where = st.where;
    where.address = true;
    const auto address = place(s, where, args, index, result);
    if (address && !terms_.is_const(*address))
      writes.emplace_back(*address,
                          value_of(s, call, st.value, kStored + static_cast<std::uint32_t>(&st - o.stores.data())));
  }
  for (const auto& [address, v] : writes) {
    name_stored_member(call, address);
    memory_.write(s, address, v, index);
    hooks_.each<&Property::stored_by_callee>(s, call, address, v, result);
    if (layouts_.empty()) continue;
    const auto [base, off] = terms_.split(address);
    if (const auto* seen = layout(off))  // the program reads it another way
      s.facts.assume_cmp(
          terms_, CmpPred::Eq,
          terms_.arith(model::ArithOp::And, memory_.read(s, terms_.offset(base, seen->offset), {}, index),
                       terms_.constant(seen->mask)),
          v);
  }
  return result;
}

Calls::Applied Calls::apply(State& s, InstrId index, const Outcome& o, const FunctionSpec* spec,
                            const std::vector<TermId>& args, std::uint32_t number, std::span<const Outcome> all,
                            TermId same_answer) {
  if (o.never_returns && o.when.empty()) {
    hooks_.each<&Property::never_returns>(s, index, args);
    return Applied::Left;
  }
  Applying call{.index = index,
                .outcome = &o,
                .spec = spec,
                .args = &args,
                .written = spec && !spec->computed,
                .all = all,
                .answer = same_answer};
  if (!hooks_.all<&Property::assume>(s, call)) return Applied::Impossible;
  for (const specs::Condition& c : o.when)
    if (!on_result(c.place) && !assume_condition(s, call, c, kNoTerm)) return Applied::Impossible;
  if (o.never_returns) {
    hooks_.each<&Property::never_returns>(s, index, args);
    return Applied::Left;
  }

  const Instr& i = body_.instrs[index];
  call.callee = trail_.callee_name(i);
  call.domain = spec ? ctx_.domain_id(spec->domain) : subject_.domain_of(i.type);
  hooks_.each<&Property::chosen>(s, call);

  // Facts are noted before effects, so that a path reads "when f() fails" and then what that does.
  const bool by_number = (o.result.kind == Value::Kind::Int && o.result.imm < 0) ||
                         (o.result.kind == Value::Kind::Range && o.result.hi < 0);
  const bool set = hooks_.any<&Property::raises>(o);
  const bool raises = set && (spec ? all.size() == 1 : std::all_of(all.begin(), all.end(), [&](const Outcome& other) {
                        return hooks_.any<&Property::raises>(other);
                      }));
  // A function without a result can fail, too (PyBytes_Concat()); one that only raises has done what it is for.
  const bool fails = o.failure ? o.result.kind != Value::Kind::Unknown || (spec && set && !raises)
                               : by_number && subject_.fails_by_errno(call.domain);
  trail_.note(s, {.instr = index,
                  .kind = PathNode::Kind::Call,
                  .which = number,
                  .failure = fails,
                  .raises = raises,
                  .cause = raises  ? Causes(ctx_, id_, path_).of_raising(index, o, spec)
                           : fails ? Causes(ctx_, id_, path_).of_call(index, o, spec)
                                   : o.cause});
  s.failed |= o.failure;
  if (o.failure && s.failures < 0xffff) ++s.failures;
  s.oom |= o.out_of_memory_only;
  s.misused |= o.misuse_only;

  hooks_.each<&Property::effects>(s, call);
  hooks_.each<&Property::make_objects>(s, call);
  TermId result = apply_stores(s, call);
  if (!give_answer(s, call, result)) return Applied::Impossible;
  hooks_.each<&Property::after_stores>(s, call, result);
  for (const Place& p : o.clobbers)
    if (const auto t = place(s, p, args, index, kNoTerm)) {
      // A spec that says so means a change callers can see.
      if (const TermKind k = terms_[terms_.root(*t)].kind; spec && (k == TermKind::Param || k == TermKind::Initial))
        memory_.write(s, *t, terms_.fresh(index, 0, kWritten + static_cast<std::uint32_t>(&p - o.clobbers.data())),
                      index);
      memory_.clobber(s, *t, index);
    }
  if (i.result != kNone) {
    memory_.bind(s, index, result);
    hooks_.each<&Property::result>(s, call, result);
  }
  for (const specs::Condition& c : o.when)
    if (on_result(c.place) && !assume_condition(s, call, c, result)) return Applied::Impossible;
  hooks_.each<&Property::finish>(s, call, result);
  // What a spec does not mention about a local's content (a struct that is filled) is unknown afterwards.
  if (spec && !spec->pure)
    for (std::size_t a = 0; a < args.size() && a < spec->params.size(); ++a)
      if (terms_[args[a]].kind == TermKind::Slot && s.epoch(args[a]) == 0 &&
          std::none_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) { return c.base == args[a]; }))
        s.invalidate(args[a], index + 2);
  hooks_.each<&Property::further_arguments>(s, call);
  return Applied::Done;
}

}  // namespace reckon::engine
