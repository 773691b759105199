// The way to a state and what goes wrong on it: path nodes, changes for reports, events, and names for all that.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/core/module.h"
#include "engine/core/silence.h"

namespace reckon::engine {

// A place in memory that is a member of a struct.
struct Member {
  model::TypeId record{};         // the struct
  std::string_view path;          // the field, also through embedded structs: "a.b"
  model::TypeId type{};           // of the field
  InstrId stored = model::kNone;  // only callees look at it, and this call stored there
};

class Trail : public Module {
 public:
  using Module::Module;

  // Name of the callee of a call instruction as people write it; "" if through an unknown pointer.
  std::string callee_name(const model::Instr& call) const;
  // The name a programmer would use for this term: a variable, `self->field`, `PyList_New()`; "" if none.
  std::string describe(TermId t) const;
  std::string variable(TermId t) const;
  std::string name_of_answer(TermId t) const;
  // The call that an operand's value came from, "" if it came from elsewhere or from several.
  std::string giver_of(const model::Operand& o) const;
  bool in_container(TermId t) const;
  // The member that an address is, nullptr if it is none or nobody has said which.
  const Member* member_at(TermId address) const;
  const Member* member_at(TermId base, std::int64_t offset) const;
  // "struct.field", as tables of fields know it.
  std::string full_name(const Member& m) const;
  void name_member(TermId address, const model::FieldName& field);
  // The same where a callee stored: `struct_pointer` is the type that it knows the base by.
  void name_member(TermId address, model::TypeId struct_pointer, InstrId call);
  // nullptr: this was said before.
  Event* emit(EventKind kind, const State& s, const EventObject* o, InstrId instr, std::string callee = {});
  void note(State& s, PathNode node);
  void note_changes(const State& before, State& after, InstrId instr);
  void note_state(State& s, InstrId instr);  // after a property changed nothing but what every change tells
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

 private:
  std::map<TermId, Member> members_;  // by address
  std::set<std::string> paths_;       // of members that no instruction of the body names
};

}  // namespace reckon::engine
