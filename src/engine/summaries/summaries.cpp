// The ends of a function as its summary.
//
// Two passes go over the ends. The first judges them against each other: two ends that callers cannot tell apart, a
// result that is sometimes new and sometimes borrowed, an end that contradicts the annotation. The second sums up: it
// settles which ends are failures, merges outcomes that callers need not tell apart, and says what the merged ones
// have in common.
//
// Limits: a function with more outcomes than support::kLimits.outcomes.per_function has no summary, and callers treat
// it as unknown.

#include <algorithm>
#include <deque>

#include "engine/core/causes.h"
#include "engine/core/conditions.h"
#include "engine/core/loop.h"
#include "engine/core/subject.h"
#include "engine/properties/blocks/blocks.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/pointers/pointers.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/exits.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/summaries/summing.h"
#include "program/values.h"
#include "specs/effects.h"
#include "support/limits.h"

namespace reckon::engine {

using specs::Outcome;
using specs::Place;

namespace {

const specs::Condition kNotZero{{.root = Place::Root::Result}, ~std::uint64_t{0}, specs::Pred::Ne, 0, {}, false};

bool excludes_zero(const specs::CoreEffects& o) {
  using Kind = specs::Value::Kind;
  if (o.result.kind == Kind::Int) return o.result.imm != 0;
  if (o.result.kind == Kind::Range && (o.result.imm > 0 || o.result.hi < 0)) return true;
  return std::find(o.when.begin(), o.when.end(), kNotZero) != o.when.end();
}

// Which results outcomes may differ in and still be told as one.
enum class Results : std::uint8_t { Same, ZeroOrNot, AnyNumber };

// Of numbers that are not known it does not matter much between what they are.
bool both_open(const specs::Value& a, const specs::Value& b) {
  auto open = [](const specs::Value& v) {
    return v.kind == specs::Value::Kind::Range || v.kind == specs::Value::Kind::Unknown;
  };
  return open(a) && open(b);
}
bool alike(const std::vector<specs::StoreEffect>& a, const std::vector<specs::StoreEffect>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const specs::StoreEffect& x, const specs::StoreEffect& y) {
                      return x.where == y.where && (x.value == y.value || both_open(x.value, y.value));
                    });
}

// Outcomes that differ only in conditions, and in their results as far as is said. `loosely`: and in what need not be
// told of both.
bool same_effects(const Outcome& a, const Outcome& b, Results may_differ, bool loosely = false) {
  const bool any_number = may_differ != Results::Same;
  auto numeric = [](const specs::Value& v) {
    return v.kind == specs::Value::Kind::Int || v.kind == specs::Value::Kind::Range ||
           v.kind == specs::Value::Kind::Unknown;
  };
  // Zero means success in most places: callers ask for nothing so often.
  const bool results =
      a.result == b.result || (any_number && numeric(a.result) && numeric(b.result) && a.failure == b.failure &&
                               (may_differ == Results::AnyNumber || excludes_zero(a) == excludes_zero(b)));
  if (!results) return false;
  bool same = true;
  specs::each_effect([&](auto effect) {
    using specs::Merge;
    if constexpr (effect.merge == Merge::Common)
      same = same && (loosely || a.*effect.field == b.*effect.field);
    else if constexpr (effect.index == specs::effect_rows::stores)
      same = same && (loosely ? alike(a.stores, b.stores) : a.stores == b.stores);
    else if constexpr (effect.merge == Merge::Equal || effect.merge == Merge::Union)
      same = same && ((any_number && effect.merge == Merge::Union) || a.*effect.field == b.*effect.field);
  });
  return same;
}

void unite(bool& into, bool from) { into = into || from; }
void unite(std::vector<Place>& into, const std::vector<Place>& from) {
  for (const Place& p : from)
    if (std::find(into.begin(), into.end(), p) == into.end()) into.push_back(p);
}

void merge_into(Outcome& into, const Outcome& from) {
  using Kind = specs::Value::Kind;
  const bool not_zero = excludes_zero(into) && excludes_zero(from);
  if (!(into.result == from.result)) {
    auto bounds = [](const specs::Value& v) -> std::pair<std::int64_t, std::int64_t> {
      if (v.kind == Kind::Int) return {v.imm, v.imm};
      if (v.kind == Kind::Range) return {v.imm, v.hi};
      return {kMin, kMax};
    };
    const auto [l1, h1] = bounds(into.result);
    const auto [l2, h2] = bounds(from.result);
    specs::Value v;
    v.kind = Kind::Range;
    v.imm = std::min(l1, l2);
    v.hi = std::max(h1, h2);
    if (v.imm == kMin && v.hi == kMax) v = specs::Value{};
    into.result = v;
  }
  into.when = weaken(into.when, from.when);
  if (not_zero && !excludes_zero(into)) into.when.push_back(kNotZero);
  specs::each_effect([&](auto effect) {
    using specs::Merge;
    auto& field = into.*effect.field;
    const auto& other = from.*effect.field;
    if constexpr (effect.merge == Merge::Union) unite(field, other);
    if constexpr (effect.merge == Merge::Common)
      std::erase_if(field, [&](const auto& x) { return std::find(other.begin(), other.end(), x) == other.end(); });
    if constexpr (effect.merge == Merge::And) field = field && other;
    if constexpr (effect.merge == Merge::Easiest) field = easier(field, other);
    if constexpr (effect.merge == Merge::Both)
      if (!specs::is_set(other)) field = {};
  });
  for (std::size_t n = 0; n < into.stores.size(); ++n)
    if (!(into.stores[n] == from.stores[n])) into.stores[n].value = {};
}

// A count of a place that holds NULL does nothing, nor does storing NULL there. So of two ends that differ only in that
// one gives up what a place holds, which is NULL in the other, the first tells of both (a helper that releases several
// members, each if there is one). True: `a` now does.
bool covers_null(Outcome& a, const Outcome& b) {
  if (a.counts.size() != b.counts.size() + 1 || a.when.size() != b.when.size() ||
      a.out_of_memory_only != b.out_of_memory_only || !(a.result == b.result))
    return false;
  // Nearly all pairs differ in something else, so that is looked at before anything is copied.
  bool same = true;
  specs::each_effect([&](auto effect) {
    using specs::Merge;
    constexpr bool compared_below =
        effect.index == specs::effect_rows::counts || effect.index == specs::effect_rows::stores;
    if constexpr (!compared_below &&
                  (effect.merge == Merge::Common || effect.merge == Merge::Equal || effect.merge == Merge::Union))
      same = same && a.*effect.field == b.*effect.field;
  });
  if (!same) return false;
  auto compares_null = [](const specs::Condition& c, specs::Pred pred) {
    return c.pred == pred && c.imm == 0 && c.mask == ~std::uint64_t{0} && !c.other && !c.known;
  };
  for (const specs::CountChange& count : a.counts) {
    auto about = [&](specs::Pred pred) {
      return [&, pred](const specs::Condition& c) { return compares_null(c, pred) && c.place == count.object; };
    };
    auto stores_null = [&](const specs::StoreEffect& s) {
      return s.where == count.object && s.value.kind == specs::Value::Kind::Int && s.value.imm == 0;
    };
    if (!count.kind.empty() || count.object.address ||
        std::none_of(a.when.begin(), a.when.end(), about(specs::Pred::Ne)) ||
        std::none_of(b.when.begin(), b.when.end(), about(specs::Pred::Eq)))
      continue;
    auto counts = a.counts;
    std::erase(counts, count);
    auto more = a.stores, less = b.stores;
    std::erase_if(more, stores_null);
    std::erase_if(less, stores_null);
    if (counts != b.counts || more != less) continue;
    auto with = a.when, without = b.when;
    std::erase_if(with, about(specs::Pred::Ne));
    std::erase_if(without, about(specs::Pred::Eq));
    if (!std::is_permutation(with.begin(), with.end(), without.begin(), without.end())) continue;
    a.when = std::move(with);
    return true;
  }
  return false;
}

bool holds_zero(const specs::CoreEffects& o) {
  return (o.result.kind == specs::Value::Kind::Int && o.result.imm == 0) ||
         (o.result.kind == specs::Value::Kind::Range && o.result.imm <= 0 && o.result.hi >= 0);
}

bool may_raise(const specs::ExceptionEffects& o) {
  return o.exception == specs::Exception::Set || o.exception == specs::Exception::MaybeSet;
}

bool fails_with(const specs::CoreEffects& o, std::int64_t value) {
  return o.failure && o.result.kind == specs::Value::Kind::Int && o.result.imm == value;
}

// Zero is success for a function that returns numbers and gives zero without an exception, too.
void zero_is_success(Ends& ends) {
  if (std::none_of(ends.begin(), ends.end(), [](const auto& x) { return holds_zero(x.first) && !may_raise(x.first); }))
    return;
  for (auto& [o, e] : ends)
    if (o.failure && holds_zero(o)) o.failure = false;
}

// A function may say that it failed by what it leaves in an argument: NULL where it leaves an object otherwise. Not if
// its result says something, too.
void failure_in_argument(Ends& ends) {
  const auto differs = [&](const auto& x) { return !(x.first.result == ends.front().first.result); };
  if (ends.empty() || std::any_of(ends.begin(), ends.end(), differs)) return;
  auto leaves_object = [&](const Place& where) {
    return std::any_of(ends.begin(), ends.end(), [&](const auto& x) {
      return !may_raise(x.first) &&
             std::any_of(x.first.stores.begin(), x.first.stores.end(), [&](const specs::StoreEffect& s) {
               return s.where == where && s.value.kind == specs::Value::Kind::Object;
             });
    });
  };
  for (auto& [o, e] : ends)
    o.failure =
        o.failure || (o.exception == specs::Exception::Set &&
                      std::any_of(o.stores.begin(), o.stores.end(), [&](const specs::StoreEffect& s) {
                        return s.value.kind == specs::Value::Kind::Int && s.value.imm == 0 && leaves_object(s.where);
                      }));
}

// Some negative number together with an exception is what a system call gave: minus one.
void negative_failure_is_minus_one(Ends& ends) {
  for (auto& [o, e] : ends)
    if (o.failure && o.result.kind == specs::Value::Kind::Range && o.result.imm <= -1 && o.result.hi == -1) {
      o.result = {specs::Value::Kind::Int, -1, 0, {}, 0};
      std::erase_if(o.when, [](const specs::Condition& c) { return c.place.root == Place::Root::Result; });
    }
}

// A failure value that comes with an exception elsewhere, here after calls that might have raised: whether one is
// set now is more than callers should rely on.
void failure_value_may_raise(Ends& ends) {
  for (auto& [o, e] : ends) {
    if (o.failure || o.result.kind != specs::Value::Kind::Int || e->state.exception == ExcState::Entry) continue;
    const std::int64_t value = o.result.imm;
    if (std::any_of(ends.begin(), ends.end(), [&](const auto& x) { return fails_with(x.first, value); }))
      o.exception = specs::Exception::MaybeSet;
  }
}

// Merges outcomes with the same effects; with `exactly` only where one condition says what both of theirs said.
void merge_alike(Ends& ends, bool exactly, Results may_differ) {
  Ends out;
  for (auto& [o, e] : ends) {
    auto it = std::find_if(out.begin(), out.end(), [&, &o = o](const auto& x) {
      return same_effects(x.first, o, may_differ, !exactly) && (!exactly || unite_exactly(x.first.when, o.when));
    });
    if (it == out.end())
      out.emplace_back(std::move(o), e);
    else
      merge_into(it->first, o);
  }
  ends = std::move(out);
}

// Drops ends that another one tells of since a place is NULL there, until none is left.
void merge_nulls(Ends& ends) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < ends.size(); ++i)
      for (std::size_t k = 0; k < ends.size(); ++k)
        if (i != k && covers_null(ends[i].first, ends[k].first)) {
          ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(k));
          again = true;
          i -= k < i ? 1 : 0;
          k = ends.size();
        }
  }
}

// Different numbers stay apart while there are few: the number tells callers which conditions held.
void merge(Ends& ends) {
  constexpr std::size_t kFewOutcomes = support::kLimits.outcomes.few, kManyOutcomes = support::kLimits.outcomes.many;
  merge_alike(ends, true, Results::Same);
  if (ends.size() > kFewOutcomes) merge_nulls(ends);
  if (ends.size() > kFewOutcomes) merge_alike(ends, false, Results::Same);
  if (ends.size() > kFewOutcomes) merge_alike(ends, false, Results::ZeroOrNot);
  if (ends.size() > kManyOutcomes) merge_alike(ends, false, Results::AnyNumber);
}

// A function that reports failure by a negative value means success by all others, even where we could not bound them.
void others_succeed_above_zero(std::vector<Outcome>& outcomes) {
  if (std::none_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
        return o.failure && o.result.kind == specs::Value::Kind::Int && o.result.imm < 0;
      }))
    return;
  for (Outcome& o : outcomes) {
    if (o.failure || may_raise(o)) continue;
    if (o.result.kind == specs::Value::Kind::Unknown) o.result = {specs::Value::Kind::Range, 0, kMax, {}, 0};
    if (o.result.kind == specs::Value::Kind::Range && o.result.hi >= 0)
      o.result.imm = std::max<std::int64_t>(o.result.imm, 0);
  }
}

// One that reports failure by NULL means success by all other pointers.
void others_succeed_with_a_pointer(std::vector<Outcome>& outcomes) {
  if (std::none_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return fails_with(o, 0); })) return;
  for (Outcome& o : outcomes)
    if (!o.failure && (o.result.kind == specs::Value::Kind::Unknown || o.result.kind == specs::Value::Kind::Place))
      o.when.push_back(kNotZero);
}

}  // namespace

// What exceptions that are thrown out of the function leave behind, while those can be told one by one.
void Summing::tell_thrown(Summary& sum) const {
  for (const Exit& e : exits_)
    if (e.by_exception && !sum.may_throw) sum.thrown.push_back(outcome_of(e, sum.complete));
  if (sum.thrown.size() > support::kLimits.outcomes.per_function) {
    sum.thrown.clear();
    sum.may_throw = true;
  }
}

// Every way to return, in the callers' terms. An end whose facts are a choice of several is several ends to callers:
// `cases` keeps those.
Ends Summing::tell_ends(std::deque<Exit>& cases, bool& complete) const {
  Ends ends;
  for (const Exit& e : exits_) {
    if (e.by_exception) continue;
    std::vector<Facts> choice = e.state.facts.alternatives();
    if (choice.size() == 1) {
      ends.emplace_back(outcome_of(e, complete), &e);
      continue;
    }
    for (Facts& f : choice) {
      Exit& one = cases.emplace_back(e);
      one.state.facts = std::move(f);
      ends.emplace_back(outcome_of(one, complete), &one);
    }
  }
  return ends;
}

// The first pass: what is wrong with the ends beside each other. The ends of counts are noted in between, since
// check_pairs() says which counts are disputed, and check_mixed_result() hides from callers what nobody can use.
void Summing::judge(Ends& ends, Summary& sum) {
  if (!contract_.frees_object) props().counts->check_pairs(ends);
  props().counts->note_count_exits(ends, sum);
  props().reference_exits->check_mixed_result(ends);
  check_annotation(ends);
}

// An end alone cannot always say whether it is a failure, and by which value: the others help.
void Summing::correct_failures(Ends& ends) const {
  if (unit_.type(fn_.result).kind == model::TypeKind::Int) zero_is_success(ends);
  failure_in_argument(ends);
  negative_failure_is_minus_one(ends);
  failure_value_may_raise(ends);
}

// A function of which every way ends in an error: it does not return, but callers' objects were in danger before.
void Summing::tell_endless_error(Summary& sum) const {
  Outcome& never = sum.outcomes.emplace_back();
  never.never_returns = never.allocates = true;
  for (std::uint32_t p = 0; p < fn_.params.size() && p < 64; ++p)
    if (props().protection_exits->endangered_at_error_ >> p & 1) {
      Place place;
      place.index = p;
      never.exposes.push_back(place);
      never.endangers.push_back(place);
    }
}

// The second pass: the ends as outcomes for callers.
void Summing::sum_up(Ends& ends, Summary& sum) {
  correct_failures(ends);
  merge(ends);
  if (!manner_.counts_objects && ends.empty() && props().protection_exits->endangered_at_error_ != 0)
    tell_endless_error(sum);
  for (auto& [o, e] : ends) {
    sum.outcomes.push_back(std::move(o));
    outcome_exits_.push_back({e->state.path, e->instr});
  }
  others_succeed_above_zero(sum.outcomes);
  if (subject_.counted(fn_.result) || unit_.type(fn_.result).kind == model::TypeKind::Pointer)
    others_succeed_with_a_pointer(sum.outcomes);
  if (sum.outcomes.empty() && sum.known) {
    Outcome never;
    never.never_returns = true;
    sum.outcomes.push_back(never);
  }
  if (sum.outcomes.size() > support::kLimits.outcomes.per_function) {
    sum.complete = false;
    sum.known = false;  // too many ways to end: callers treat it as unknown rather than as one of a few
  }
}

// Does the body read nothing but locals and what arguments point to, write to nothing but locals, and call only
// functions that do nothing but answer?
bool Summing::only_answers() const {
  const program::ValueDefs defs(body_);
  // Memory of a local, or (`arguments`) what an argument points to.
  auto in_sight = [&](model::Operand o, bool arguments) {
    for (int fuel = support::kLimits.operands.null_steps; fuel > 0 && o.kind == model::OperandKind::Value; --fuel) {
      const model::Instr* def = defs.def(o.value_id());
      if (!def) return arguments;
      if (def->op == model::Op::Alloca) return true;
      if (def->op != model::Op::Field && def->op != model::Op::Index && def->op != model::Op::Cast) return false;
      o = body_.ops(*def)[0];
    }
    return false;
  };
  return fn_.result != 0 && std::all_of(body_.instrs.begin(), body_.instrs.end(), [&](const model::Instr& i) {
           const auto ops = body_.ops(i);
           if (i.op == model::Op::Store) return in_sight(ops[0], false);
           if (i.op == model::Op::Load) return in_sight(ops[0], true);
           if (i.op != model::Op::Call) return true;
           if (ops[0].kind != model::OperandKind::Symbol) return false;
           if (const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][ops[0].id]) return spec->pure;
           const FuncId f = ctx_.program.definition(unit_id_, ops[0].symbol_id());
           return f != program::kNone && ctx_.component_of[f] < ctx_.component_of[id_] && ctx_.summaries[f].known &&
                  ctx_.summaries[f].pure;
         });
}

Summary Summing::summarise() {
  Summary sum;
  sum.ready_result = props().reference_exits->ready_result();
  sum.known = !result_.cut_short && !loop_.walks_members_;
  sum.runs_code = loop_.runs_code_;
  sum.pure = only_answers();
  sum.dereferences = props().pointers->dereferences_;
  sum.kept_blocks = props().blocks->kept_;
  sum.late_uses = props().references->late_uses();
  sum.may_throw = loop_.may_throw_;
  tell_thrown(sum);
  std::deque<Exit> cases;
  Ends ends = tell_ends(cases, sum.complete);
  judge(ends, sum);
  sum_up(ends, sum);
  return sum;
}

}  // namespace reckon::engine
