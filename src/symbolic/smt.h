// The solver behind the cheap constraints.
//
// The problem: facts (facts.h) are ranges and differences, each alone; that `x * x` is no 3, or that `x % 2` and `x &
// 1` are about the same bit, they cannot tell. The method: when something is to be reported, the function is run once
// more, and where a branch brings in a condition beyond ranges, all facts that have symbols in common with it are
// handed to Z3 as bit-vectors, unless a few sample values already satisfy them. Only a "no" counts. Answers are kept
// for the run by the text of the query, which names symbols by their order; the effort is limited by Z3's own count of
// steps, so an answer never depends on the clock, on the number of threads, or on what was asked before. Steps do not
// bound memory: products are written out as circuits, some megabytes each. Z3 counts memory for the whole process, so a
// question that met the limit beside others is asked once more alone.
//
// Limits: terms have no width of their own. All arithmetic is done in 64 bits, with symbols bounded by their type's
// width, signed or not; so what would need a product or sum to wrap around in 32 bits counts as impossible. Division,
// remainder and right shifts of values that may be negative are followed only where all symbols are signed, or none is.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/limits.h"
#include "symbolic/facts.h"

namespace reckon::symbolic {

struct SymbolType {
  std::uint8_t bytes = 0;  // 0: not an integer, or not known
  bool is_signed = false;
};

// What the solver was asked in a run, and what that cost.
struct SmtFigures {
  std::size_t queries = 0;     // reached Z3
  std::size_t repeated = 0;    // answered from memory
  std::size_t impossible = 0;  // of both
  std::size_t undecided = 0;   // the budget ran out
  double seconds = 0;          // CPU
};

class Smt {
 public:
  explicit Smt(const support::SolverLimits& limits = support::kLimits.solver);
  ~Smt();
  Smt(const Smt&) = delete;
  Smt& operator=(const Smt&) = delete;

  using TypeOf = std::function<SymbolType(TermId)>;
  // Can all that the facts say of the symbols in `about` hold together? 1 yes, 0 no, -1 undecided. Threads may ask at
  // the same time.
  int possible(const TermArena& terms, const Facts& facts, TermId about, const TypeOf& type_of);
  SmtFigures figures() const;

  // Does deciding this condition take more than ranges and differences of two symbols?
  static bool beyond_ranges(const TermArena& terms, TermId condition);

 private:
  int ask(const std::string& query);  // 1 possible, 0 impossible, -1 undecided
  struct Shared;
  support::SolverLimits limits_;
  std::unique_ptr<Shared> shared_;
};

// What happens at the branches of one or more looks at a function: whether they need the solver is noted, and with a
// solver they are put to it.
class AtBranches {
 public:
  explicit AtBranches(Smt* solver) : solver_(solver) {}
  AtBranches(const AtBranches&) = delete;
  AtBranches& operator=(const AtBranches&) = delete;

  bool beyond_ranges() const { return beyond_ranges_; }
  // Facts about `condition` have just been added: is there still a way for all of them to hold?
  bool possible(const TermArena& terms, const Facts& facts, TermId condition, const Smt::TypeOf& type_of);

 private:
  Smt* solver_;
  std::uint32_t asked_ = 0, undecided_ = 0;
  bool beyond_ranges_ = false;
};

}  // namespace reckon::symbolic
