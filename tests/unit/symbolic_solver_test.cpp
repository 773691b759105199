// The solver: only its "no" counts, and it is asked only about what ranges cannot decide.
#include <gtest/gtest.h>

#include "symbolic/smt.h"

namespace reckon::symbolic {
namespace {

using model::ArithOp;
using model::CmpPred;

class Solver : public ::testing::Test {
 protected:
  // Can the condition hold, given what was assumed before?
  int possible(TermId condition) {
    EXPECT_TRUE(facts.assume(t, condition, true)) << "ranges decide this already";
    return smt.possible(t, facts, condition, [](TermId) { return SymbolType{4, true}; });
  }
  TermId equals(TermId a, std::int64_t n) { return t.cmp(CmpPred::Eq, a, t.constant(n)); }

  TermArena t;
  Facts facts;
  Smt smt;
  TermId x = t.param(0), y = t.param(1);
};

TEST_F(Solver, SquaresHaveRoots) { EXPECT_EQ(possible(equals(t.arith(ArithOp::Mul, x, x), 49)), 1); }

TEST_F(Solver, ThreeIsNoSquare) {
  EXPECT_EQ(possible(equals(t.arith(ArithOp::Mul, x, x), 3)), 0);
  EXPECT_EQ(smt.figures().impossible, 1u);
}

TEST_F(Solver, TwoNamesForOneBit) {
  ASSERT_TRUE(facts.assume_cmp(t, CmpPred::Sge, x, t.zero()));
  EXPECT_NE(possible(equals(t.arith(ArithOp::And, x, t.constant(1)), 1)), 0);
  EXPECT_EQ(possible(equals(t.arith(ArithOp::Rem, x, t.constant(2)), 0)), 0);
}

TEST_F(Solver, FactsOfOtherSymbolsDoNotMatter) {
  ASSERT_TRUE(facts.assume_cmp(t, CmpPred::Sgt, y, t.constant(5)));
  EXPECT_EQ(possible(equals(t.arith(ArithOp::Mul, x, x), 4)), 1);
}

TEST_F(Solver, TheSameQuestionIsAskedOnce) {
  const TermId square = equals(t.arith(ArithOp::Mul, x, x), 3);
  ASSERT_EQ(possible(square), 0);
  EXPECT_EQ(smt.possible(t, facts, square, [](TermId) { return SymbolType{4, true}; }), 0);
  EXPECT_EQ(smt.figures().queries, 1u);
  EXPECT_EQ(smt.figures().repeated, 1u);
}

TEST_F(Solver, RangesNeedNoSolver) {
  EXPECT_FALSE(Smt::beyond_ranges(t, t.cmp(CmpPred::Slt, x, t.constant(5))));
  EXPECT_TRUE(Smt::beyond_ranges(t, t.cmp(CmpPred::Slt, x, y))) << "comparisons may form chains";
  EXPECT_TRUE(Smt::beyond_ranges(t, equals(t.arith(ArithOp::Mul, x, y), 6)));
  EXPECT_TRUE(Smt::beyond_ranges(t, equals(t.arith(ArithOp::And, x, t.constant(6)), 2)));
}

}  // namespace
}  // namespace reckon::symbolic
