// What the analysis of any function may look at: the program, the specs, and the outcomes of functions that
// were analysed before. Immutable while functions run in parallel, except for the summaries, which the
// scheduler publishes before any caller starts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "program/classify.h"
#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::engine {

using program::FuncId;
using specs::CountId;
using specs::DomainId;

// An end of a function for those who add up what two halves do to named counts (checks/kinds/halves.cpp): conditions,
// result, counts and stores only, and nothing merged.
struct CountExit {
  // What is left of counts of one kind whose objects no outcome can name, all together.
  struct Unnamed {
    std::string kind, object;  // a name of one of them, for people
    int delta = 0;
    bool operator==(const Unnamed&) const = default;
  };
  specs::Outcome what;
  std::vector<Unnamed> unnamed;
  bool after_failure = false;  // some call on the way failed, whatever this end says
  bool operator==(const CountExit&) const = default;
};

// A parameter that a function gives up, and the parameters that it looks at after that wherever it does so.
struct LateUse {
  std::uint32_t given_up = 0;
  std::uint32_t used = 0;  // bits
  bool operator==(const LateUse&) const = default;
};

struct Summary {
  bool tried = false;              // a round of the analysis is over
  bool known = false;              // computed; else callers treat the function as unknown
  bool may_throw = false;          // C++: may leave by an exception at any time; else only as `thrown` says
  bool runs_code = false;          // may run arbitrary code
  bool pure = false;               // does nothing but answer, and the same for the same arguments
  bool complete = true;            // false: cut short, or outcomes were merged away
  std::uint32_t dereferences = 0;  // bits of the parameters that are dereferenced without a test on some path
  std::uint32_t kept_blocks = 0;   // of those that lead to memory which somebody else may have after some path
  specs::Ready ready_result;       // when it gives an object that is there anyway
  std::vector<LateUse> late_uses;
  std::vector<specs::Outcome> outcomes;
  std::vector<specs::Outcome> thrown;  // C++: when it leaves by an exception, and what it has done then
  std::vector<std::string> disputed;   // named counts that ends which callers cannot tell apart leave differently
  std::vector<CountExit> count_exits;  // of a function that changes named counts, unless there are very many
  std::vector<std::string> disputed_on_success;  // named counts that succeeding ends change in ways not told there
  std::vector<std::string> open_sums;  // named counts of which `count_exits` does not tell all, not even without names
};

// What a function promises to whoever calls it through a table: the properties of the contract that a `slot` line of
// the specs names (specs/contract.h), and questions that several of them answer together.
struct Contract : specs::ContractFlags {
  bool given = false;            // not an ordinary function
  bool result_goes_out = false;  // no entry point: what it returns goes straight out of one that gives new references

  bool plain() const { return !given || result_goes_out; }
  bool null_needs_exception() const { return gives_new && !may_end; }
  // An entry point of which nothing is said about the result.
  bool leaves_result_open() const { return entry && !gives_new && !fails_by_minus_one; }
  bool releases_alone() const { return releases && !lent; }
  bool acquires_lent() const { return acquires && lent; }
  // One bit for each property, for keys of kept results.
  std::uint32_t bits() const {
    std::uint32_t out = std::uint32_t{given} | std::uint32_t{result_goes_out} << 1, at = 2;
    for (const specs::ContractWord& word : specs::kContractWords) out |= std::uint32_t{this->*word.flag} << at++;
    return out;
  }
};

// ---- What is known of the program before functions are looked at, by topic. analysis/learn/ fills it.

// Which spec holds for which symbol.
struct SpecKnowledge {
  // Per unit and symbol: the spec of that function, nullptr if none. Looked up once.
  std::vector<std::vector<const specs::FunctionSpec*>> spec_of;
  std::vector<std::unique_ptr<specs::FunctionSpec>> from_source;  // specs that attributes in the source give
  std::vector<specs::SpecError> source_errors;                    // what was wrong with such attributes
};

// Which domain a unit belongs to.
struct DomainKnowledge {
  // Per unit: the domain it belongs to (its headers say so, or most of the calls that specs name), and whether
  // it belongs to any at all.
  std::vector<DomainId> unit_domain;
  std::vector<char> unit_concerned;
  std::vector<std::string> unit_version;  // of the domain's headers, "" if they do not tell
  // Per unit: does it define functions that specs describe by named counts? It keeps those counts itself.
  std::vector<char> unit_implements;
  // Per unit and type: the domain whose counted type it points to, kNone if none.
  std::vector<std::vector<DomainId>> counted_domain;

  bool counted(program::UnitId unit, model::TypeId type) const { return counted_domain[unit][type] != model::kNone; }
};

// What every call in sight gives for an argument of a static function.
struct GivenArgument {
  enum class Kind : std::uint8_t {
    Open,
    Number,    // `number`
    Global,    // what the constant global `global` holds
    Argument,  // what the argument with the number `number` is, too
  };
  Kind kind = Kind::Open;
  std::int64_t number = 0;
  std::string global;
  bool operator==(const GivenArgument&) const = default;
};

// What callers out of sight, or all callers in sight, expect and give; by FuncId.
struct ContractKnowledge {
  std::vector<Contract> contracts;
  std::vector<std::uint32_t> null_params;      // bits of the parameters that are always NULL
  std::vector<char> private_params;            // all but the first are made for the call (tuple and dict of arguments)
  std::vector<std::uint32_t> borrowed_params;  // bits of the parameters that every call in sight only lends
  std::vector<std::vector<GivenArgument>> given_arguments;  // by parameter; empty: nothing is known
};

// Objects of the program's own types: who ends them, and what their members do with objects.
struct TypeKnowledge {
  std::vector<char> ends_objects;   // by FuncId: destroys or clears objects, or is called by a function that does
  std::vector<char> of_both_types;  // by FuncId: deallocates objects of static types and of types made at run time
  std::vector<std::string> type_records;  // structs that describe types: those with a slot for a deallocator
  // By the name of a global type object: where its deallocator reads objects from its own.
  std::unordered_map<std::string, std::vector<std::int64_t>> released_members;
  std::unordered_set<std::string> released_fields;        // "RECORD.PATH": members that some deallocator releases
  std::unordered_set<std::string> lasting_fields;         // "RECORD.PATH": members that remember objects
  std::unordered_map<std::string, std::string> interned;  // variable -> text of the one object it ever holds
};

// Counts with a name.
struct CountKnowledge {
  std::vector<std::string> count_names{""};            // by CountId
  std::vector<DomainId> count_domains = {DomainId{}};  // the domain whose specs speak of each
  // By FuncId: what functions have to do with counts; empty unless some unit is of a domain of counts alone. In such
  // units those that neither change counts nor steer what changes them get a short look.
  std::vector<program::Class> classes;
  std::vector<char> without_counts;
  // "RECORD.PATH": members that say whether counts are held, and which.
  std::unordered_map<std::string, std::vector<CountId>> hold_flags;

  CountId count_id(std::string_view name) const;
};

// When functions run; by FuncId.
enum class Phase : std::uint8_t {
  Run,       // again and again, or not known
  Init,      // while a module, a driver or a device is set up
  Teardown,  // while something is given up for good
  Uncalled,  // never: nothing calls it in a program that is not entered there
};
struct PhaseKnowledge {
  std::vector<Phase> phases;
};

// What the analysis of functions has given so far; by FuncId.
struct SummaryKnowledge {
  std::vector<Summary> summaries;
  // Position in the order of work: only what comes before is known (set when the run starts).
  std::vector<std::uint32_t> component_of;

  // The outcomes of `f` as far as `user`, which need not call it, may look at them; nullptr: not known.
  const std::vector<specs::Outcome>* outcomes_before(FuncId f, FuncId user) const {
    const bool earlier = f != program::kNone && component_of[f] < component_of[user];
    return earlier && summaries[f].known ? &summaries[f].outcomes : nullptr;
  }
};

// What a spec is to the body of its function. Callers go by the spec either way.
struct Promise {
  const specs::FunctionSpec* spec = nullptr;  // the body has to do this; nullptr: no spec speaks of it
  bool primitive = false;                     // keeps a count itself, so that there is nothing to compare
  std::uint32_t given = 0;  // bits of the parameters that come with a reference, whatever the function does

  bool gives(std::uint32_t param) const { return param < 32 && (given >> param & 1) != 0; }
};

// All of it. The topics are bases, so that a reader of one table need not know its topic.
struct Context : SpecKnowledge,
                 DomainKnowledge,
                 ContractKnowledge,
                 TypeKnowledge,
                 CountKnowledge,
                 PhaseKnowledge,
                 SummaryKnowledge {
  const program::Program& program;
  const specs::SpecSet& specs;
  bool free_threaded = false;
  std::map<FuncId, std::uint32_t> asked_lines;  // functions that --why-not asks about, and the line
  std::vector<Promise> promises;                // by FuncId

  Context(const program::Program& p, const specs::SpecSet& s) : program(p), specs(s) {}
  // Has a body, in a unit of some domain, and no spec that says what it does anyway?
  bool worth_analysing(FuncId f) const;
  bool known_by_spec(FuncId f) const;
  DomainId domain_id(std::string_view name) const;
};

}  // namespace reckon::engine
