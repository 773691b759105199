// What is known of a unit without the bodies of its functions: small enough that a program is linked from it, and that
// facts about the whole program are learnt from it (notes.h says which).
//
// In a program that is in memory as a whole the frame is the unit itself; in a large one records are written where
// units are captured, and read instead of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "program/notes.h"
#include "program/unit_store.h"

namespace reckon::program {

struct UnitRecord {
  std::shared_ptr<const model::Unit> frame;  // bodies may be there or not: nobody reads them here
  UnitNotes notes;
};

using RecordStore = Store<UnitRecord>;

// The record of a unit that stays in memory.
UnitRecord record_of(std::shared_ptr<const model::Unit> unit);

// A record and its bytes. The frame that is read has no bodies. False: damaged.
std::string encode_record(const model::Unit& unit);
bool decode_record(std::string_view bytes, UnitRecord& record);

}  // namespace reckon::program
