#include "engine/core/state.h"

#include <gtest/gtest.h>

namespace reckon::engine {
namespace {

class StateTest : public ::testing::Test {
 protected:
  TermArena t;
  TermId p = t.param(0);
  TermId made = t.fresh(InstrId(5), 0, 0);
  Obj owned(TermId term) {
    Obj o;
    o.term = term;
    o.kind = ObjKind::New;
    o.owned = 1;
    return o;
  }
};

TEST_F(StateTest, TheLastPointerIsPartOfTheProperty) {
  State a, b;
  a.add_object(owned(made));
  b.add_object(owned(made));
  a.bind(model::ValueId(1), made);
  b.bind(model::ValueId(2), made);
  EXPECT_FALSE(a.same_property(t, b)) << "a join would lose the object";
  b.bind(model::ValueId(1), made);
  a.bind(model::ValueId(2), made);
  EXPECT_TRUE(a.same_property(t, b));
  EXPECT_EQ(a.property_hash(t), b.property_hash(t));
}

TEST_F(StateTest, AWalkThroughAnObjectIsOneState) {
  State head;
  head.add_object(owned(made));
  head.bind(model::ValueId(1), made);
  State first = head;
  head.bind(model::ValueId(2), made);
  first.bind(model::ValueId(2), t.offset(made, 8));
  EXPECT_FALSE(head.same_property(t, first)) << "where it begins could be given back";
  head = first;
  for (int round = 1; round < 4; ++round) {
    State next = head;
    next.bind(model::ValueId(2), t.offset(head.value(model::ValueId(2)), 8));
    ASSERT_TRUE(head.same_property(t, next));
    EXPECT_EQ(head.property_hash(t), next.property_hash(t));
    EXPECT_EQ(join_states(t, head, next, model::BlockId(4), false), round == 1);
    const TermId here = head.value(model::ValueId(2));
    EXPECT_EQ(t.root(here), made);
    EXPECT_NE(here, made);
  }
}

TEST_F(StateTest, PlacesInTwoObjectsAreNoPlaceInEither) {
  State a, b;
  a.add_object(owned(made));
  b.add_object(owned(made));
  a.bind(model::ValueId(2), t.offset(made, 8));
  b.bind(model::ValueId(2), t.offset(p, 8));
  EXPECT_FALSE(a.same_property(t, b));
  a.bind(model::ValueId(2), t.offset(p, 16));
  ASSERT_TRUE(a.same_property(t, b));
  join_states(t, a, b, model::BlockId(4), false);
  EXPECT_NE(t.root(a.value(model::ValueId(2))), p) << "nothing is told of that object that a join could lose";
}

TEST_F(StateTest, AChangeIsVacuousWhereThePointerIsNull) {
  State released, null;
  Obj o;
  o.term = t.initial(p, 16, 0);
  o.kind = ObjKind::Loaded;
  o.owned = -1;
  released.add_object(o);
  EXPECT_FALSE(released.same_property(t, null));
  ASSERT_TRUE(null.facts.assume_cmp(t, model::CmpPred::Eq, o.term, t.zero()));
  EXPECT_TRUE(released.same_property(t, null));
  EXPECT_EQ(released.property_hash(t), null.property_hash(t));
  join_states(t, null, released, model::BlockId(1), false);
  ASSERT_NE(null.object(o.term), nullptr);
  EXPECT_EQ(null.object(o.term)->owned, -1);
}

TEST_F(StateTest, EqualValuesStayEqualThroughAJoin) {
  State a, b;
  const TermId x = t.param(1), y = t.param(2);
  a.bind(model::ValueId(1), x);
  a.bind(model::ValueId(2), x);
  b.bind(model::ValueId(1), y);
  b.bind(model::ValueId(2), y);
  EXPECT_TRUE(join_states(t, a, b, model::BlockId(3), false));
  EXPECT_EQ(a.value(model::ValueId(1)), a.value(model::ValueId(2)));
  EXPECT_NE(a.value(model::ValueId(1)), x);
}

TEST_F(StateTest, OneOfSeveralSingletonsIsNone) {
  State none, other;
  for (auto& [state, name] : {std::pair(&none, "none"), std::pair(&other, "other")}) {
    Obj o;
    o.term = t.global(name);
    o.kind = ObjKind::Global;
    o.singleton = true;
    state->add_object(o);
    state->bind(model::ValueId(1), o.term);
  }
  EXPECT_TRUE(join_states(t, none, other, model::BlockId(3), false));
  ASSERT_NE(none.object(none.value(model::ValueId(1))), nullptr);
  EXPECT_FALSE(none.object(none.value(model::ValueId(1)))->singleton);
}

TEST_F(StateTest, MemoryInEverNewPlacesIsForgotten) {
  State head, round;
  round.write(p, 8, made);
  round.add_object(owned(made));
  EXPECT_TRUE(join_states(t, head, round, model::BlockId(3), true, true));
  EXPECT_EQ(head.cell(p, 8), nullptr);
  EXPECT_NE(head.epoch(p), 0u) << "what it held before is not there any more";
}

TEST_F(StateTest, AConstantIsTheSymbolThatEqualsIt) {
  State given, missing;  // `slot = arg`, where arg is NULL on one side and was written as such
  const TermId arg = t.param(1);
  given.write(p, 8, arg);
  missing.write(p, 8, t.zero());
  ASSERT_TRUE(missing.facts.assume_cmp(t, model::CmpPred::Eq, arg, t.zero()));
  join_states(t, given, missing, model::BlockId(3), false);
  EXPECT_EQ(given.cell(p, 8)->value, arg);
}

TEST_F(StateTest, MemoryWrittenOnOneSideOnlyIsUnknownAfterwards) {
  State a, b;
  a.write(p, 8, t.constant(1));
  EXPECT_TRUE(join_states(t, a, b, model::BlockId(3), false));
  ASSERT_NE(a.cell(p, 8), nullptr);
  EXPECT_NE(a.cell(p, 8)->value, t.constant(1));
}

TEST_F(StateTest, AgeingMakesRoomForTheNextRound) {
  State s;
  s.add_object(owned(made));
  s.bind(model::ValueId(1), made);
  s.bind(model::ValueId(2), t.offset(made, 8));
  const TermId old = t.fresh(InstrId(5), 1, 0);
  s.age(t, made, old);
  EXPECT_EQ(s.value(model::ValueId(1)), old);
  EXPECT_EQ(s.value(model::ValueId(2)), t.offset(old, 8));
  EXPECT_EQ(s.object(made), nullptr);
  ASSERT_NE(s.object(old), nullptr);
  EXPECT_EQ(s.object(old)->owned, 1);
}

TEST_F(StateTest, JoinsReachAFixpoint) {
  State head;
  head.bind(model::ValueId(1), t.constant(0));
  for (int round = 0; round < 10; ++round) {
    State next;
    const TermId i = head.value(model::ValueId(1));
    next.facts = head.facts;
    next.bind(model::ValueId(1), t.offset(i, 1));
    if (!join_states(t, head, next, model::BlockId(4), round > 2)) {
      EXPECT_GE(round, 1);
      EXPECT_EQ(head.facts.range(t, head.value(model::ValueId(1))).lo, 0);
      return;
    }
  }
  FAIL() << "the loop counter never settles";
}

}  // namespace
}  // namespace reckon::engine
