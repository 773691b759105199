// The rest of a function that stands in a helper of its own.
//
// The problem: somebody moves the second half of a function into a static function and ends the first half with
// `return rest(a, b);`. Nothing changes, but each half is then judged without the other: the rest does not know what
// was made, compared and taken before, and its caller sees outcomes where it saw paths. The method: before units are
// linked, the only call of such a function becomes its body. Places stay those of the source.
//
// A helper is a rest if it is static, its address is never taken, one call names it and the caller ends right after
// that call with its result, by a `return` that says nothing else. Rests may have rests.
//
// Limits: C only; functions that headers, specs or attributes describe stay functions, as do those with structs by
// value, variable arguments, or so much code that both together would not be looked at path by path.
#pragma once

#include "program/named_calls.h"

namespace reckon::program {

// The unit, or, if it has such functions, a copy in which callers go on with the rest. A rest stays a function that is
// summed up as any other; what is found in it is judged where it is part of its caller.
std::shared_ptr<const model::Unit> with_rests(std::shared_ptr<const model::Unit> unit, const specs::SpecSet& specs);

// All that is rewritten before units are linked: rests first, as calls are named by what the first half has read.
Units ready_to_link(Units units, const specs::SpecSet& specs);
// The same for units that are read when they are asked for. The specs have to live as long as the store.
struct ReadyUnits {
  std::shared_ptr<const UnitStore> units;
  std::string naming;  // equal texts: calls of the same unit are named alike, if the specs are the same
};
ReadyUnits ready_to_link(std::size_t count, std::size_t most, UnitStore::Read read, const CallNamer::Lookups& lookups,
                         const specs::SpecSet& specs);

}  // namespace reckon::program
