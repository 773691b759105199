// The parts of type-dealloc that look at all types of the program.
#pragma once

#include <vector>

#include "checks/static_checks.h"

namespace reckon::checks {

// members.cpp: do a type's functions release and show to the collector what its members hold?
void check_members(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                   std::vector<report::Finding>& out);

// type_slots.cpp: does a type have the functions that it owes the collector?
void check_type_slots(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                      std::vector<report::Finding>& out);

// finalizers.cpp: is what an object's members hold released by the functions that end it, and once?
void check_finalizers(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                      std::vector<report::Finding>& out);

}  // namespace reckon::checks
