// Each part of a state by itself: when it is the same, what a join makes of it, and how it ages.
#include <gtest/gtest.h>

#include "engine/core/symbol_sets.h"
#include "engine/state.h"

namespace reckon::engine {
namespace {

class PartsTest : public ::testing::Test {
 protected:
  TermArena t;
  TermId p = t.param(0);
  TermId made = t.fresh(InstrId(5), 0, 0);
  TermId old = t.fresh(InstrId(5), 1, 0);

  // Equal parts must hash equal.
  template <class P>
  bool same(const State& a, const State& b, bool strict = false) {
    const bool equal = P::same(t, a, b, strict);
    Hasher x, y;
    P::hash(t, a, x);
    P::hash(t, b, y);
    EXPECT_TRUE(!equal || x.hash() == y.hash()) << "equal parts with different hashes are never joined";
    return equal;
  }
  // What a join makes of the part; true: the state has to be looked at again.
  template <class P>
  bool join(State& into, State from, std::vector<Difference> differences = {}) {
    const State before = into;
    typename P::JoinNotes notes;
    P::before_join(t, into, from, notes);
    P::join(Meeting<P>{t, into, before, from, differences}, notes);
    return into.P::changed(before, notes);
  }
  template <class P>
  void age(State& s) {
    s.P::forget_old(t, made, old);
    s.P::substitute(t, made, old);
  }
  Obj object(TermId term, ObjKind kind, int owned) {
    Obj o;
    o.term = term;
    o.kind = kind;
    o.owned = static_cast<std::int8_t>(owned);
    return o;
  }
  GcObject fresh(TermId term) {
    GcObject o;
    o.term = term;
    o.fresh = true;
    return o;
  }
  State collected() {
    State s;
    s.gc.on = true;
    return s;
  }
};

// ---------------------------------------------------------------- references

TEST_F(PartsTest, ReferencesAreTheSameByObjectsAndBindings) {
  State a, b;
  a.add_object(object(made, ObjKind::New, 1));
  EXPECT_FALSE(same<ReferencesPart>(a, b));
  b.add_object(object(made, ObjKind::New, 1));
  EXPECT_TRUE(same<ReferencesPart>(a, b));
  a.bind(model::ValueId(1), made);
  EXPECT_FALSE(same<ReferencesPart>(a, b)) << "only one of the two can still release it";
  b.bind(model::ValueId(1), made);
  b.add_object(object(p, ObjKind::Param, 0));
  EXPECT_TRUE(same<ReferencesPart>(a, b)) << "what is merely lent is no part of the property";
  EXPECT_FALSE(a.ReferencesPart::same_execution(b));
  b.set_deferral({p, true, false});
  EXPECT_FALSE(same<ReferencesPart>(a, b));
}

TEST_F(PartsTest, AStrictLookTellsVacuousChangesApart) {
  State released, null;
  released.add_object(object(p, ObjKind::Param, -1));
  ASSERT_TRUE(null.facts.assume_cmp(t, model::CmpPred::Eq, p, t.zero()));
  EXPECT_TRUE(same<ReferencesPart>(released, null));
  EXPECT_FALSE(same<ReferencesPart>(released, null, true));
}

TEST_F(PartsTest, AJoinOfReferencesKeepsWhatBothSidesSay) {
  State a, b;
  a.add_object(object(made, ObjKind::New, 1)).preexisting = true;
  b.add_object(object(made, ObjKind::New, 1));
  a.add_object(object(p, ObjKind::Param, 0));
  EXPECT_TRUE(join<ReferencesPart>(a, b));
  ASSERT_NE(a.object(made), nullptr);
  EXPECT_FALSE(a.object(made)->preexisting) << "on one of the ways it was made for us";
  EXPECT_EQ(a.object(p), nullptr) << "one side knows nothing of it";
  EXPECT_FALSE(join<ReferencesPart>(a, b)) << "nothing is left to change";
}

TEST_F(PartsTest, APointerThatIsLentOnBothSidesIsLentAfterwards) {
  State a, b;
  const TermId q = t.param(1), joined = t.join(model::BlockId(3), 1);
  a.add_object(object(p, ObjKind::Param, 0));
  b.add_object(object(q, ObjKind::Borrowed, 0));
  join<ReferencesPart>(a, b, {{true, model::ValueId(1), {}, 0, p, q, joined, {}, {}}});
  ASSERT_NE(a.object(joined), nullptr);
  EXPECT_EQ(a.object(joined)->kind, ObjKind::Loaded) << "neither an argument nor lent by a call";
}

TEST_F(PartsTest, LossesOfBothSidesAreKept) {
  State a, b;
  b.lost.push_back({object(made, ObjKind::New, 1), PathId(7), false, true});
  EXPECT_TRUE(join<ReferencesPart>(a, b));
  EXPECT_FALSE(join<ReferencesPart>(a, b)) << "the same loss is told once";
  b.lost[0].failed = false;
  EXPECT_TRUE(join<ReferencesPart>(a, b)) << "a plainer way is worth another look";
  EXPECT_EQ(a.lost.size(), 2u);
}

TEST_F(PartsTest, ReferencesAge) {
  State s;
  s.add_object(object(old, ObjKind::New, 1));
  s.add_object(object(made, ObjKind::New, 2));
  s.add_object(object(p, ObjKind::Param, 0)).holders = {made};
  s.set_deferral({made, true, false});
  MadeSymbols found(t, InstrId(5));
  s.ReferencesPart::scan(found);
  EXPECT_EQ(found.found(), std::vector<TermId>{made});
  age<ReferencesPart>(s);
  EXPECT_EQ(s.object(made), nullptr);
  ASSERT_NE(s.object(old), nullptr);
  EXPECT_EQ(s.object(old)->owned, 2) << "the older one is forgotten";
  EXPECT_EQ(s.object(p)->holders, std::vector<TermId>{old});
  EXPECT_TRUE(s.deferrals.empty());
}

TEST_F(PartsTest, WhatIsOutOfSightIsNotJudged) {
  State s;
  s.add_object(object(made, ObjKind::New, 1));
  s.ReferencesPart::out_of_sight(p);
  EXPECT_FALSE(s.object(made)->escaped);
  s.ReferencesPart::out_of_sight(made);
  EXPECT_TRUE(s.object(made)->escaped);
}

// ---------------------------------------------------------------- counts

constexpr specs::CountId kPower(1);  // some named count

TEST_F(PartsTest, CountsAreTheSameByObjectKindAndChange) {
  State a, b;
  a.change_count(p, kPower, 1, InstrId(10));
  EXPECT_FALSE(same<CountsPart>(a, b));
  b.change_count(p, kPower, 1, InstrId(20));
  EXPECT_TRUE(same<CountsPart>(a, b)) << "where it was changed does not matter";
  b.change_count(p, kPower, 1, InstrId(20));
  EXPECT_FALSE(same<CountsPart>(a, b));
}

TEST_F(PartsTest, AJoinRemembersWhatALoopLetGo) {
  State a, b;
  b.coarsened = kind_bit(specs::CountId(2));
  EXPECT_FALSE(join<CountsPart>(a, b)) << "no reason to look at the state again";
  EXPECT_EQ(a.coarsened, kind_bit(specs::CountId(2)));
}

TEST_F(PartsTest, CountsAge) {
  State s;
  s.change_count(old, kPower, 1, InstrId(10));
  s.change_count(made, kPower, -1, InstrId(11));
  age<CountsPart>(s);
  EXPECT_EQ(s.count(made, kPower), 0);
  EXPECT_EQ(s.count(old, kPower), -1);
}

// ---------------------------------------------------------------- protection

TEST_F(PartsTest, ProtectionIsTheSameByWhatIsInDanger) {
  State a = collected(), b = collected();
  a.gc.add(fresh(made));
  EXPECT_FALSE(same<ProtectionPart>(a, b));
  a.gc.object(made)->slots = {Linear{0, {}}};
  EXPECT_TRUE(same<ProtectionPart>(a, b)) << "a protected object is in no danger";
  a.gc.depth->constant = 1;
  EXPECT_FALSE(same<ProtectionPart>(a, b)) << "no counter explains the depth";
  EXPECT_TRUE(ProtectionPart::same_dangers(t, a, b));
}

TEST_F(PartsTest, DepthsThatDifferAsACounterDoesAreOne) {
  Counters counters;
  counters.values = {0, 1};
  State a = collected(), b = collected();
  for (auto& [s, depth] : {std::pair(&a, 0), std::pair(&b, 1)}) {
    s->gc.counters = &counters;
    s->gc.depth->constant = depth;
    s->bind(model::ValueId(1), t.constant(depth));
  }
  ASSERT_TRUE(same<ProtectionPart>(a, b));
  EXPECT_TRUE(join_states(t, a, b, model::BlockId(3), false));
  ASSERT_TRUE(a.gc.depth.has_value());
  EXPECT_EQ(*a.gc.depth, linear_of(t, a.value(model::ValueId(1))));
}

TEST_F(PartsTest, AJoinOfProtectionKeepsSlotsOfBothSides) {
  State a = collected(), b = collected();
  a.gc.add(fresh(made)).slots = {Linear{0, {}}, Linear{1, {}}};
  b.gc.add(fresh(made)).slots = {Linear{1, {}}};
  b.gc.exposed_params = 2;
  EXPECT_TRUE(join<ProtectionPart>(a, b));
  ASSERT_NE(a.gc.object(made), nullptr);
  EXPECT_EQ(a.gc.object(made)->slots, (std::vector<Linear>{Linear{1, {}}}));
  EXPECT_EQ(a.gc.exposed_params, 2u);
  EXPECT_FALSE(join<ProtectionPart>(a, b));
}

TEST_F(PartsTest, ProtectionAges) {
  State s = collected();
  s.gc.add(fresh(made)).slots = {linear_of(t, made)};
  s.gc.depth = linear_of(t, t.offset(made, 1));
  MadeSymbols found(t, InstrId(5));
  s.ProtectionPart::scan_later(found);
  EXPECT_EQ(found.found(), std::vector<TermId>{made});
  Mentioned mentioned(t);
  s.ProtectionPart::mention(mentioned);
  EXPECT_TRUE(mentioned.has(made));
  age<ProtectionPart>(s);
  ASSERT_NE(s.gc.object(old), nullptr);
  EXPECT_EQ(s.gc.object(old)->slots, (std::vector<Linear>{linear_of(t, old)}));
  EXPECT_EQ(*s.gc.depth, linear_of(t, t.offset(old, 1)));
  age<ProtectionPart>(s);
  EXPECT_FALSE(s.gc.depth.has_value()) << "it spoke of a symbol that is gone";
}

// ---------------------------------------------------------------- exceptions, lock, types

TEST_F(PartsTest, ExceptionsAreTheSameByTheirState) {
  State a, b;
  a.exception = ExcState::Set;
  EXPECT_FALSE(same<ExceptionsPart>(a, b));
  b.exception = ExcState::Set;
  b.exception_settled = true;
  EXPECT_TRUE(same<ExceptionsPart>(a, b));
  EXPECT_FALSE(a.ExceptionsPart::same_execution(b));
}

TEST_F(PartsTest, AJoinTakesForGrantedWhatBothSidesDid) {
  State a, b;
  a.pending = b.pending = specs::Pending::Raised;
  b.exception_settled = true;
  EXPECT_FALSE(join<ExceptionsPart>(a, b)) << "no reason to look at the state again";
  EXPECT_EQ(a.pending, specs::Pending::Raised);
  EXPECT_TRUE(a.exception_settled);
  b.pending = specs::Pending::Clear;
  join<ExceptionsPart>(a, b);
  EXPECT_EQ(a.pending, specs::Pending::Any);
}

TEST_F(PartsTest, TheLockIsNeededWhereAllWaysNeedIt) {
  State a, b;
  a.needs_lock = InstrId(4);
  EXPECT_TRUE(same<LockPart>(a, b));
  EXPECT_FALSE(a.LockPart::same_execution(b));
  EXPECT_TRUE(join<LockPart>(a, b));
  EXPECT_EQ(a.needs_lock, model::kNone);
  a.lock = after_step(0, LockStep::Gave);
  EXPECT_FALSE(same<LockPart>(a, b));
}

TEST_F(PartsTest, ATypeIsKeptWhereBothSidesKeepIt) {
  State a, b;
  a.type_held = b.type_held = made;
  b.self_freed = true;
  EXPECT_TRUE(same<TypesPart>(a, b));
  join<TypesPart>(a, b);
  EXPECT_TRUE(a.self_freed);
  EXPECT_EQ(a.type_held, made);
  b.type_held = p;
  join<TypesPart>(a, b);
  EXPECT_EQ(a.type_held, kNoTerm);
}

// ---------------------------------------------------------------- all of them

TEST_F(PartsTest, AChangeIsARecordOfEachPart) {
  State before, after;
  after.add_object(object(made, ObjKind::New, 1));
  after.exception = ExcState::Set;
  after.lock = after_step(0, LockStep::Gave);
  State::Change change;
  bool changed = false;
  State::for_each_part([&]<class P>(std::type_identity<P>) {
    if (after.P::describe_change(t, before, change)) changed = true;
  });
  EXPECT_TRUE(changed);
  ASSERT_EQ(change.objects.size(), 1u);
  EXPECT_TRUE(change.counts.empty());
  EXPECT_EQ(change.exception, ExcState::Set);
  EXPECT_TRUE(change.unlocked);
  EXPECT_FALSE(change.protection);
}

}  // namespace
}  // namespace reckon::engine
