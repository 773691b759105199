// What a check is: an id, and a function that turns events of the engine into findings.
//
// A check sees a View: the event, and names, places and the path in the reader's terms. It never touches the
// engine's state. To add one: a file in kinds/, a row in kinds.def, a page in docs/checks/, a test in tests/golden/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"
#include "report/confirmation.h"
#include "report/finding.h"

namespace reckon::checks {

class View {
 public:
  View(const engine::Trace& trace, const engine::Event& event) : trace_(trace), event_(event) {}

  const engine::Event& event() const { return event_; }
  const engine::EventObject& object() const { return event_.object; }
  std::string object_name() const;                    // `item`, `self->cache`, or what made it: "PyList_New()"
  std::string quoted_object() const;                  // "`item`", or "the result of PyList_New()"
  std::string reference() const;                      // behind "borrowed reference": "`item`" or "from list_item()"
  std::string origin_call() const;                    // the call the object came from, or ""
  std::string failing_call() const;                   // the last call on the path that failed, or ""
  std::string domain() const;                         // "python"
  std::string callee_of(model::InstrId instr) const;  // "" if it is no call, or of an unknown pointer
  bool no_case_fits() const;          // the way here passes two switches over one value, and none has a case for it
  bool decided_out_of_sight() const;  // what led to the end was settled by a helper's result, or by no case of a switch
  bool unnamed_in_callee() const;     // the object has no name here, and a function of the program changed its count
  bool argument_from_memory() const;  // the argument concerned was read from memory that is no local
  bool failed_by_member(bool helpers_too) const;  // the last call that failed did so for what a member holds
  bool found_elsewhere() const;  // the object, or its owner, was found in something that holds it as well
  bool code_unknown() const;     // the helper that failed last gave some number of several
  bool is_immortal() const;      // the object's count has no effect in the version the unit is compiled for
  bool fails_by_errno()
      const;  // the domain tells failures by error numbers: structs and callers have rules of their own
  bool unproven_pointer()
      const;  // nobody has shown the NULL: no call that a spec describes gave it, or such calls seldom do
  std::string source_name(model::InstrId instr) const;
  report::SourceLoc loc(model::InstrId instr) const;
  std::string_view function_at(const report::SourceLoc& place) const;

  // The way to a node of the path.
  std::vector<report::Step> steps(engine::PathId last) const;
  // The way that ends differently; its last step is that end.
  std::vector<report::Step> other_path() const;

  // What must happen for this to show.
  report::Trigger trigger() const;

  // A finding with everything but message and severity filled in.
  report::Finding finding(std::string_view kind) const;

 private:
  engine::PathId last_failure() const;
  bool read_from_memory(const model::Operand& value) const;
  bool calls_helper(model::InstrId instr) const;
  bool ends_clearly(const engine::PathNode& call) const;

  const engine::Trace trace_;
  const engine::Event& event_;
};

struct WholeProgram;

// Turns an event into a finding; nothing: this event is not the check's, or not worth telling.
struct Rule {
  engine::EventKind event;
  std::optional<report::Finding> (*report)(const View&);
};

// When do two findings of one function tell of the same mistake?
enum class Grouping : std::uint8_t {
  ByPlace,   // one wrong release, use or return is one mistake, whatever it may concern
  ByObject,  // leaks: one return can leak several things, and shows what was lost anywhere before
  ByCount,   // one end can leave several counts wrong: what another function takes is another mistake
  ByMaker,   // what one call made and nobody protects is one mistake, however much it is and whatever happens to it
};

struct Check {
  std::string_view kind;     // the id is DOMAIN-KIND
  std::string_view summary;  // one line for list-checks
  std::span<const Rule> rules = {};
  // For what no event tells: looks at a function's own body, where the function is analysed.
  void (*function)(const engine::Context&, engine::FuncId, std::vector<report::Finding>&) = nullptr;
  // Looks at the whole program once, and at no body.
  void (*program)(const WholeProgram&, std::vector<report::Finding>&) = nullptr;
  Grouping grouping = Grouping::ByPlace;
  report::Repair repair = report::Repair::None;
  report::Harm harm = report::Harm::None;  // what a run of the program can show of it
  bool on_request = false;                 // runs only if a glob of --checks names it
  bool of_named_counts = false;            // a count that a user's spec names has a check of its own: DOMAIN-COUNT-KIND
  bool tells_lock_user = false;            // the path goes on into the callee, to the call that needs the lock
};

std::span<const Check> all_checks();

// The check that reports with this id; nullptr: none does.
const Check* check_of(std::string_view id);

// Does a glob of --checks or reckon.toml name the check `id`? It may leave the domain out.
bool names_check(const std::string& glob, const std::string& id);

// The id of this check's findings in a domain.
std::string id_in(std::string_view domain, const Check& check);

// The check of a count that is left as it must not be: `fuse` of the domain mylib gives mylib-fuse-leak.
std::string named_leak(std::string_view domain, std::string_view count);

// What the first check with a rule for the event says.
std::optional<report::Finding> finding_for(const View& view);

}  // namespace reckon::checks
