// Functions that specs know by the place their address is kept in.
//
// The problem: an API that is loaded at run time is called through a table of addresses (`api[45](...)`), and types are
// asked through the fields of a struct (`type->next(it)`). No symbol says what is called, and half of the checks begin
// with the symbol. The method: before units are linked, such a call becomes a call of a function that bears the name
// the specs have for that place, and an address read from a table becomes that function's. From there on it makes no
// difference how the function was reached.
//
// The specs name a table's entry `TABLE[N]`, where TABLE is what the source calls the variable (a macro that stands for
// nothing but its name included), a field `RECORD.FIELD`, and what a function finds by constant texts
// `FINDER.TEXT.TEXT` (looked_up.h). What they say holds for whatever function is there, so the program's own functions
// in such a field are not looked at for the call.
//
// Constants of the program that hold addresses of functions are read in the same way: `ops.open(x)` calls what `ops`
// was initialised with.
//
// A pointer from a field may come through functions of the same unit that do nothing but give it, and through members
// of locals.
//
// Limits: a table that is reached through a copy of its address, or by an index that is not constant, stays unknown.
// The address in a field is left alone where it is not called: it may be compared with NULL. A struct
// in another one is found only where the unit knows the fields of the outer one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "program/looked_up.h"
#include "program/unit_store.h"
#include "specs/spec_set.h"

namespace reckon::program {

// Names the calls of units, one by one.
class CallNamer {
 public:
  // What a unit says of variables (looked_up.h): what a variable holds, all of them have to say.
  using Lookups = std::function<LookupNotes(UnitId)>;
  CallNamer(std::size_t units, const Lookups& lookups, const specs::SpecSet& specs);
  ~CallNamer();

  // Equal texts: the same unit gets the same names, if the specs are the same.
  std::string identity() const;

  // The unit, or a copy with calls by name if it has such calls. `u`: its number in the store.
  std::shared_ptr<const model::Unit> named(UnitId u, std::shared_ptr<const model::Unit> unit) const;

 private:
  struct Known;
  std::unique_ptr<const Known> known_;
};

// The units, where those that have such calls are replaced by copies with calls by name.
Units with_named_calls(Units units, const specs::SpecSet& specs);

}  // namespace reckon::program
