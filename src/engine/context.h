// What the analysis of any function may look at: the program, the specs, and the outcomes of functions that
// were analysed before. Immutable while functions run in parallel, except for the summaries, which the
// scheduler publishes before any caller starts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::engine {

using program::FuncId;

struct Budget {
  std::uint32_t steps = 120000;          // instructions executed, over all states
  std::uint32_t states_per_block = 48;   // states kept apart at one block
  std::uint32_t outcomes = 12;           // kept per function
  std::uint32_t path_steps = 3000;       // of a first look that keeps paths apart, which short functions end with
  std::uint32_t recheck_steps = 60000;   // of such a look at a longer one, if there is something to report
  std::uint32_t path_states = 400;       // at one block, in both
};

struct Summary {
  bool ready = false;      // computed; else callers treat the function as unknown
  bool may_throw = false;  // C++: may leave by an exception
  bool complete = true;    // false: cut short, or outcomes were merged away
  std::vector<specs::Outcome> outcomes;
};

// What a function promises to whoever calls it through a table (from `slot` lines of the specs).
enum class Contract : std::uint8_t {
  None,        // an ordinary function
  NewOrNull,   // returns a new reference, or NULL with an exception
  NewOrEnd,    // the same, but NULL may come without an exception
  IntError,    // -1 with an exception
  Dealloc,     // its object has no references left
  Other,       // an entry point without a contract on its result
};

struct Context {
  const program::Program& program;
  const specs::SpecSet& specs;
  Budget budget;
  std::vector<Summary> summaries;     // by FuncId
  std::vector<Contract> contracts;    // by FuncId
  std::vector<std::string> count_kinds;    // names of counts; [0] == ""
  std::vector<std::uint8_t> count_domains; // the domain whose specs speak of each

  // Per unit and symbol: the spec of that function, nullptr if none. Looked up once.
  std::vector<std::vector<const specs::FunctionSpec*>> spec_of;
  std::vector<std::unique_ptr<specs::FunctionSpec>> from_source;  // specs that attributes in the source give
  std::vector<specs::SpecError> source_errors;                    // what was wrong with such attributes
  // Per unit and type: 1 + index of the domain whose counted type it points to, 0 if none.
  std::vector<std::vector<std::uint8_t>> counted_domain;

  // Per unit: the domain it belongs to (its headers say so, or most of the calls that specs name), and whether
  // it belongs to any at all.
  std::vector<std::uint8_t> unit_domain;
  std::vector<char> unit_concerned;

  // Is this spec from the sources rather than from a spec file? Then a body is still worth looking at.
  bool is_source_spec(const specs::FunctionSpec* spec) const {
    for (const auto& s : from_source)
      if (s.get() == spec) return true;
    return false;
  }
  // Has a body, in a unit of some domain, and no spec that says what it does anyway?
  bool worth_analysing(FuncId f) const;
  bool known_by_spec(FuncId f) const;
  std::uint16_t count_kind(std::string_view name) const;
  std::uint8_t domain_index(std::string_view name) const;
};

// Fills the tables above (all but summaries' contents). `forced`: domains that are on for every unit.
Context make_context(const program::Program& program, const specs::SpecSet& specs, const std::vector<std::string>& forced);

}  // namespace reckon::engine
