// The second stage: captured units linked to a program.
//
// Units that are in memory are linked as they are. Of a large program the others stay in the cache; it is linked from
// records (program/record.h), which the cache keeps beside the units, and a unit is read when one of its functions is
// analysed.
#pragma once

#include <stdexcept>
#include <string>

#include "driver/capture_stage.h"
#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::driver {

// A unit that the cache had when the run began cannot be read from there any more.
struct UnitGone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `fingerprint` stands for the specs. Specs and `captured` have to live as long as the program (UnitGone).
program::Program link_captured(Captured& captured, const specs::SpecSet& specs, const std::string& fingerprint,
                               unsigned jobs);

// Makes sure that the cache has what each unit does with variables (program/looked_up.h), which their names in records
// depend on.
void keep_lookups(const Captured& captured);

// Makes sure that the cache has the records of these units, those that stay there: from the first to the one before the
// end.
void keep_records(const Captured& captured, const specs::SpecSet& specs, const std::string& fingerprint,
                  std::size_t first, std::size_t end);

}  // namespace reckon::driver
