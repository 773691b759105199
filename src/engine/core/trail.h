// The way to a state and what goes wrong on it: path nodes, changes for reports, events, and names for all that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/core/module.h"
#include "engine/core/silence.h"

namespace reckon::engine {

class Trail : public Module {
 public:
  using Module::Module;

  // Name of the callee of a call instruction as people write it; "" if through an unknown pointer.
  std::string callee_name(const model::Instr& call) const;
  // The name a programmer would use for this term: a variable, `self->field`, `PyList_New()`; "" if none.
  std::string describe(TermId t) const;
  // The call that an operand's value came from, "" if it came from elsewhere or from several.
  std::string giver_of(const model::Operand& o) const;
  bool in_container(TermId t) const;
  // nullptr: this was said before.
  Event* emit(EventKind kind, const State& s, const Obj* o, InstrId instr, std::string callee = {});
  void note(State& s, PathNode node);
  void note_changes(const State& before, State& after, InstrId instr);
  void note_mode(State& s, ExcState exception, Lock lock, InstrId instr);
  // Nothing more is reported of an object from here on; `record` is what a property keeps of it.
  template <class Record>
  void silence(Record& record, Silence why, InstrId instr = model::kNone) {
    if (!record.escaped) silent(why, record.term, instr);
    record.escaped.because(why);
  }
  // A rule has found something about `object` and does not report it; `other`: the end that it compared with. Returns
  // true, so that a condition can end with it.
  bool silent(Silence why, TermId object, InstrId instr, InstrId other = model::kNone) const;

  std::vector<model::TypeId> term_types_;  // pointee knowledge for symbols, by TermId; 0 unknown
  // For names only:
  std::map<TermId, model::ValueId> term_values_;  // some value that held a term, one with a name if any has
  std::map<TermId, std::uint32_t> field_names_;   // address -> index into Body::fields
};

}  // namespace reckon::engine
