// Values and memory: what instructions that do not fork compute, read and write.
//
// Limits: memory is tracked by (base, offset) with bases assumed not to alias; an unknown callee is assumed not
// to change memory it was not given the address of; elements at a variable index are tracked only as long as
// the index is the same value.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "engine/core/module.h"

namespace reckon::engine {

class Memory : public Module {
 public:
  using Module::Module;

  bool simple(State& s, InstrId instr);  // everything that does not fork; false: the path ends here
  TermId eval(State& s, const model::Operand& o, InstrId instr);
  bool reach(State& s, TermId address, InstrId instr);
  TermId read(State& s, TermId address, model::TypeId type, InstrId instr);
  void write(State& s, TermId address, TermId value, InstrId instr);
  void renew(State& s, InstrId instr);  // the instruction makes its symbols anew
  void bind(State& s, InstrId instr, TermId t);
  void remember_name(TermId t, model::ValueId v);
  bool is_array(TermId slot) const;
  void fill_member(State& s, TermId address, InstrId index, std::uint32_t symbol);
  void clobber(State& s, TermId address, InstrId index);
  bool memory_function(State& s, InstrId instr, std::string_view name, const std::vector<TermId>& args);
  void set_bytes(State& s, InstrId instr, const std::vector<TermId>& args);
  void copy_bytes(State& s, InstrId instr, const std::vector<TermId>& args);
  void forget_bytes(State& s, TermId base, std::int64_t offset, std::int64_t size);
  // Structs by value (aggregates.cpp): the one that is returned here, if it is one, and a member of one.
  TermId returned_whole(State& s, InstrId ret);
  void insert(State& s, InstrId index);
  void extract(State& s, InstrId index);
  bool extract_argument(State& s, InstrId index);
  bool holds_objects(const model::Type& type) const;
  bool is_whole(TermId t) const;

  std::map<TermId, TermId> slot_of_;  // value -> the local it was stored in
};

}  // namespace reckon::engine
