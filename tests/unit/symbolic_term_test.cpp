#include "symbolic/term.h"

#include <gtest/gtest.h>

namespace reckon::symbolic {
namespace {

using model::ArithOp;
using model::CmpPred;

TEST(Term, EqualTermsHaveEqualIds) {
  TermArena t;
  const TermId p = t.param(0);
  EXPECT_EQ(t.offset(p, 8), t.offset(t.offset(p, 4), 4));
  EXPECT_EQ(t.offset(t.offset(p, 8), -8), p);
  EXPECT_EQ(t.arith(ArithOp::Add, p, t.param(1)), t.arith(ArithOp::Add, t.param(1), p));
  EXPECT_NE(t.arith(ArithOp::Sub, p, t.param(1)), t.arith(ArithOp::Sub, t.param(1), p));
}

TEST(Term, ConstantIndexIsAnOffset) {
  TermArena t;
  const TermId p = t.param(0);
  EXPECT_EQ(t.index(p, t.constant(3), 8), t.offset(p, 24));
  // v[i + 1] is 8 bytes behind v[i]
  EXPECT_EQ(t.index(p, t.offset(t.param(1), 1), 8), t.offset(t.index(p, t.param(1), 8), 8));
}

TEST(Term, ComparisonsAreNormalised) {
  TermArena t;
  const TermId p = t.param(0);
  const TermId zero = t.zero();
  const TermId is_null = t.cmp(CmpPred::Eq, p, zero);
  EXPECT_EQ(t.cmp(CmpPred::Eq, zero, p), is_null);
  EXPECT_EQ(t.cmp(CmpPred::Ne, is_null, zero), is_null);                      // (p == 0) != 0
  EXPECT_EQ(t.cmp(CmpPred::Eq, is_null, zero), t.cmp(CmpPred::Ne, p, zero));  // (p == 0) == 0
  EXPECT_EQ(t.cmp(CmpPred::Eq, t.offset(p, 3), t.constant(5)), t.cmp(CmpPred::Eq, p, t.constant(2)));
  EXPECT_EQ(t.cmp(CmpPred::Slt, t.offset(p, 1), t.offset(p, 2)), t.constant(1));
}

TEST(Term, ArithmeticOfConstantsWraps) {
  TermArena t;
  const TermId max = t.constant(INT64_MAX);
  EXPECT_EQ(t.arith(ArithOp::Add, max, t.constant(1)), t.constant(INT64_MIN));
  EXPECT_EQ(t.arith(ArithOp::Shl, t.constant(1), t.constant(64)), t.zero());
  EXPECT_EQ(t.arith(ArithOp::Sar, t.constant(-8), t.constant(1)), t.constant(-4));
}

TEST(Term, NeighboursOfABitFieldThatIsWrittenStay) {
  TermArena t;
  const TermId word = t.param(0), bit = t.cmp(CmpPred::Eq, t.param(1), t.zero());
  auto c = [&](std::int64_t v) { return t.constant(v); };
  const TermId written = t.arith(ArithOp::Or, t.arith(ArithOp::And, word, c(-2)), bit);
  EXPECT_EQ(t.arith(ArithOp::And, written, c(4)), t.arith(ArithOp::And, word, c(4)));
  EXPECT_EQ(t.arith(ArithOp::And, t.arith(ArithOp::Shr, written, c(1)), c(1)),
            t.arith(ArithOp::And, t.arith(ArithOp::Shr, word, c(1)), c(1)));
  EXPECT_EQ(t.arith(ArithOp::Shr, written, c(7)), t.arith(ArithOp::Shr, word, c(7)));
  EXPECT_EQ(t.arith(ArithOp::And, written, c(1)), bit);
  EXPECT_EQ(t.arith(ArithOp::And, t.arith(ArithOp::Shl, bit, c(1)), c(1)), t.zero());
  // Both sides have a part in these bits.
  EXPECT_NE(t.arith(ArithOp::And, written, c(3)), t.arith(ArithOp::And, word, c(3)));
}

TEST(Term, SubstituteReachesInside) {
  TermArena t;
  const TermId fresh = t.fresh(InstrId(7), 0, 0), old = t.fresh(InstrId(7), 1, 0);
  const TermId inside = t.initial(t.offset(fresh, 16), 8, 0);
  EXPECT_TRUE(t.contains(inside, fresh));
  const TermId renamed = t.substitute(inside, fresh, old);
  EXPECT_FALSE(t.contains(renamed, fresh));
  EXPECT_EQ(renamed, t.initial(t.offset(old, 16), 8, 0));
}

TEST(Term, RootsOfAddresses) {
  TermArena t;
  const TermId p = t.param(0);
  const TermId element = t.offset(t.index(t.initial(p, 24, 0), t.param(1), 8), 4);
  EXPECT_EQ(t.root(element), t.initial(p, 24, 0));
  EXPECT_EQ(t.owner_root(element), p);
}

TEST(Term, WeightSaturatesInsteadOfOverflowing) {
  TermArena t;
  TermId x = t.param(0);
  for (int i = 0; i < 40; ++i) x = t.arith(ArithOp::Mul, x, t.arith(ArithOp::Xor, x, t.param(1)));
  EXPECT_EQ(t.weight(x), 0xffff);
}

}  // namespace
}  // namespace reckon::symbolic
