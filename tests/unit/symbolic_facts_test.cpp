#include "symbolic/facts.h"

#include <gtest/gtest.h>

namespace reckon::symbolic {
namespace {

using model::ArithOp;
using model::CmpPred;

class FactsTest : public ::testing::Test {
 protected:
  TermArena t;
  Facts f;
  TermId x = t.param(0);
  TermId y = t.param(1);
  TermId c(std::int64_t v) { return t.constant(v); }
};

TEST_F(FactsTest, NullnessIsRemembered) {
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Eq, x, t.zero())), -1);
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Ne, x, t.zero()));
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Eq, x, t.zero())), 0);
  EXPECT_FALSE(f.assume_cmp(t, CmpPred::Eq, x, t.zero()));
}

TEST_F(FactsTest, IntervalsMeetAtTheEnds) {
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Sge, x, c(0)));
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Slt, x, c(1)));
  EXPECT_TRUE(f.known_zero(t, x));
  EXPECT_FALSE(f.assume_cmp(t, CmpPred::Sgt, x, c(0)));
}

TEST_F(FactsTest, ExcludedEndsShrinkTheInterval) {
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Sge, x, c(0)));
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Ne, x, c(0)));
  EXPECT_EQ(f.range(t, x).lo, 1);
}

TEST_F(FactsTest, ErrorPointersAreSmallNegatives) {
  // (unsigned long) x > (unsigned long) -4096
  const TermId is_err = t.cmp(CmpPred::Ugt, x, c(-4096));
  Facts good = f;
  ASSERT_TRUE(f.assume(t, is_err, true));
  EXPECT_EQ(f.range(t, x).lo, -4095);
  EXPECT_EQ(f.range(t, x).hi, -1);
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Slt, x, t.zero())), 1);
  ASSERT_TRUE(good.assume(t, is_err, false));
  EXPECT_EQ(good.decide(t, is_err), 0);  // asked again, the same answer
}

TEST_F(FactsTest, TheSameBitTestGivesTheSameAnswer) {
  const TermId bit = t.arith(ArithOp::And, x, c(4));
  ASSERT_TRUE(f.assume(t, bit, true));
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Ne, t.arith(ArithOp::And, x, c(4)), t.zero())), 1);
  EXPECT_EQ(f.decide(t, t.arith(ArithOp::And, x, c(8))), -1);
  EXPECT_TRUE(f.known_nonzero(t, x));
}

TEST_F(FactsTest, DifferencesOfTwoValues) {
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Slt, x, y));
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Sge, x, y)), 0);
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Eq, x, y)), 0);
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Sgt, y, x)), 1);
  EXPECT_EQ(f.decide(t, t.cmp(CmpPred::Slt, t.offset(x, 1), y)), -1);
}

TEST_F(FactsTest, EqualValuesShareTheirInterval) {
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Sge, x, c(5)));
  ASSERT_TRUE(f.assume_cmp(t, CmpPred::Eq, x, y));
  EXPECT_EQ(f.range(t, y).lo, 5);
}

TEST_F(FactsTest, JoinKeepsWhatBothSidesImply) {
  Facts a, b;
  ASSERT_TRUE(a.assume_cmp(t, CmpPred::Eq, x, c(-1)));
  ASSERT_TRUE(b.assume_cmp(t, CmpPred::Eq, x, c(3)));
  ASSERT_TRUE(a.assume_cmp(t, CmpPred::Ne, y, t.zero()));
  a.join(t, b);
  EXPECT_EQ(a.range(t, x).lo, -1);
  EXPECT_EQ(a.range(t, x).hi, 3);
  EXPECT_FALSE(a.range(t, x).allows(0)) << "neither side allows 0";
  EXPECT_TRUE(a.range(t, y).allows(0)) << "the other side knows nothing of y";
}

TEST_F(FactsTest, WideningStopsAtZeroFirst) {
  Facts older, newer;
  older.set_range(x, Range{0, 3, {}});
  newer.set_range(x, Range{0, 4, {}});
  newer.widen_against(t, older);
  EXPECT_EQ(newer.range(t, x).lo, 0);
  EXPECT_EQ(newer.range(t, x).hi, kMax);
}

TEST_F(FactsTest, AStackSlotIsNoArgument) {
  EXPECT_FALSE(f.assume_cmp(t, CmpPred::Eq, t.slot(InstrId(3)), x));
  EXPECT_FALSE(f.assume_cmp(t, CmpPred::Eq, t.slot(InstrId(3)), t.slot(InstrId(4))));
  EXPECT_FALSE(f.assume_cmp(t, CmpPred::Eq, t.slot(InstrId(3)), t.zero()));
}

}  // namespace
}  // namespace reckon::symbolic
