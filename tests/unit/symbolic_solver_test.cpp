// The solver: only its "no" counts, and it is asked only about what ranges cannot decide.
#include <gtest/gtest.h>

#include <z3.h>

#include <atomic>
#include <chrono>
#include <thread>

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

TEST_F(Solver, FlagsOfOneWordArePutTogether) {
  const TermId low = t.arith(ArithOp::And, x, t.constant(31));
  const TermId flag = t.arith(ArithOp::And, t.arith(ArithOp::Shr, x, t.constant(7)), t.constant(1));
  ASSERT_TRUE(facts.assume(t, equals(low, 19), true));
  EXPECT_EQ(possible(equals(flag, 1)), 1);
  EXPECT_EQ(smt.figures().queries, 0u) << "bits that are set one by one need no solver";
  EXPECT_EQ(possible(equals(t.arith(ArithOp::And, x, t.constant(3)), 2)), 0) << "19 has both bits";
  EXPECT_EQ(smt.figures().queries, 1u);
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

// Circuits of products: 1.8 GB before the count of steps says anything.
class ManyProducts : public Solver {
 protected:
  ManyProducts() {
    const TermId symbols[] = {x, y, t.param(2), t.param(3), t.param(4)};
    for (std::uint32_t fact = 0; fact < 30; ++fact) {
      TermId product = symbols[fact % 5];
      for (std::uint32_t i = 0; i < 14; ++i)
        product = t.arith(ArithOp::Mul, product, t.offset(symbols[(fact * 7 + i * i) % 5], 1 + fact + i));
      last = t.cmp(CmpPred::Eq, product, t.constant(1009 + 2 * fact));
      EXPECT_TRUE(facts.assume(t, last, true));
    }
  }
  int ask(Smt& solver) {
    return solver.possible(t, facts, last, [](TermId) { return SymbolType{8, true}; });
  }
  // The most that Z3 held while `work` ran. It counts for the whole process, and no other test runs meanwhile.
  template <typename Work>
  static std::uint64_t peak_mib(Work work) {
    std::atomic<bool> done = false;
    std::uint64_t most = 0;
    std::thread watcher([&] {
      while (!done) {
        most = std::max(most, Z3_get_estimated_alloc_size() >> 20);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    work();
    done = true;
    watcher.join();
    return most;
  }

  TermId last = kNoTerm;
};

TEST_F(ManyProducts, MemoryOfOneQuestionIsBounded) {
  support::SolverLimits limits;
  limits.memory = 64;
  Smt small(limits);
  int answer = 0;
  EXPECT_LT(peak_mib([&] { answer = ask(small); }), 200u);
  EXPECT_EQ(answer, -1);
  EXPECT_EQ(small.figures().undecided, 1u);
}

// Z3 counts for the whole process: the large question must not cost the small one its answer.
TEST_F(ManyProducts, QuestionsBesideAndAfterOneThatIsTooLargeAreAnswered) {
  support::SolverLimits limits;
  limits.memory = 64;
  Smt small(limits);
  std::thread large([&] { EXPECT_EQ(ask(small), -1); });
  for (int n = 3; n < 40; n += 4) {
    TermArena terms;
    Facts other;
    const TermId square =
        terms.cmp(CmpPred::Eq, terms.arith(ArithOp::Mul, terms.param(0), terms.param(0)), terms.constant(n));
    ASSERT_TRUE(other.assume(terms, square, true));
    EXPECT_EQ(small.possible(terms, other, square, [](TermId) { return SymbolType{4, true}; }), 0) << n;
  }
  large.join();
  Facts other;
  const TermId three = equals(t.arith(ArithOp::Mul, x, x), 3);
  ASSERT_TRUE(other.assume(t, three, true));
  EXPECT_EQ(small.possible(t, other, three, [](TermId) { return SymbolType{4, true}; }), 0);
}

}  // namespace
}  // namespace reckon::symbolic
