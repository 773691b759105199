// What a function promises to whoever calls it through a table, as `contract` lines of the specs describe it.
//
// A `slot` line names a contract; the contract says which of these hold. The analysis asks for properties, never for
// names, so an API that Reckon has not heard of can describe its own callbacks.
#pragma once

#include <string_view>

namespace reckon::specs {

// What a function that transmits answers if its caller is to keep the packet and try again.
inline constexpr int kBusy = 16;

struct ContractFlags {
  bool entry = false;               // whoever calls it only lends the arguments, and looks at the result
  bool gives_new = false;           // the result is a new reference, or NULL
  bool may_end = false;             // NULL may come without an exception: nothing is left
  bool fails_by_minus_one = false;  // a failure is -1 with an exception
  bool runs_again = false;          // may be called again for an object that was set up before
  bool value_or_null = false;       // the last object it is given may be NULL: it is to be deleted
  bool fills_view = false;          // the first object of the second argument gets a new reference
  bool frees_object = false;        // its object has no references left
  bool drops_type = false;          // that object holds a reference to its type, which goes as well
  bool clears_members = false;      // gives up what its object holds
  bool ends_object = false;         // may be the last to see its object: what that holds need not be kept
  bool memory_only = false;         // of the object only the memory is left: what it held was given up before
  bool visits_members = false;      // shows a visitor what its object holds
  bool visits_type = false;         // and its type
  bool of_state = false;            // its object is a module, and what that holds is the module's state
  bool balanced = false;            // leaves every count as it was, whatever it returns
  bool acquires = false;            // may keep counts when it succeeds; nobody undoes what a failing call did
  bool releases = false;            // ends with no more than it began with: the other half of that
  bool lent = false;                // the caller holds a count that the function may give back in between
  bool consumes = false;            // may end a reference that came with the call
  bool transmits = false;           // ends it, unless it returns kBusy or more
  bool at_init = false;             // runs while a module, a driver or a device is set up
  bool only_entry = false;          // a program that has it is entered by it and by what it hands out, nowhere else
  bool at_teardown = false;         // runs while something is given up for good

  // Its object is of a type that is a variable of the program: no object counts it.
  bool frees_static_object() const { return frees_object && !drops_type; }
  // Nothing is left for others to give up of what the object holds.
  bool destroys_static_object() const { return frees_static_object() && !memory_only; }
  bool only_reports_status() const { return fails_by_minus_one && !runs_again && !value_or_null && !fills_view; }
  bool operator==(const ContractFlags&) const = default;
};

struct ContractWord {
  std::string_view word;
  bool ContractFlags::* flag;
  std::string_view meaning;
};
inline constexpr ContractWord kContractWords[] = {
    {"entry", &ContractFlags::entry,
     "an entry point: arguments are lent by a caller out of sight, who looks at the result"},
    {"gives-new", &ContractFlags::gives_new, "the result is a new reference, or NULL with an exception"},
    {"may-end", &ContractFlags::may_end, "NULL may come without an exception: nothing is left"},
    {"fails-by-minus-one", &ContractFlags::fails_by_minus_one, "a failure is -1 with an exception"},
    {"runs-again", &ContractFlags::runs_again, "may be called again for an object that was set up before"},
    {"value-or-null", &ContractFlags::value_or_null, "the value it is given may be NULL: it is to be deleted"},
    {"fills-view", &ContractFlags::fills_view, "the first object of the second argument gets a new reference"},
    {"frees-object", &ContractFlags::frees_object, "its object has no references left"},
    {"drops-type", &ContractFlags::drops_type, "that object holds a reference to its type, which goes as well"},
    {"clears-members", &ContractFlags::clears_members, "gives up what its object holds"},
    {"ends-object", &ContractFlags::ends_object, "may be the last to see its object"},
    {"memory-only", &ContractFlags::memory_only, "what its object held was given up before, only the memory is left"},
    {"visits-members", &ContractFlags::visits_members, "calls a visitor for each reference that its object holds"},
    {"visits-type", &ContractFlags::visits_type, "that object holds a reference to its type, which is visited as well"},
    {"of-state", &ContractFlags::of_state, "its object is a module: what it sees to is that module's state"},
    {"balanced", &ContractFlags::balanced, "leaves every count as it was, whatever it returns"},
    {"acquires", &ContractFlags::acquires, "may keep counts when it succeeds; nobody undoes what a failing call did"},
    {"releases", &ContractFlags::releases, "ends with no more than it began with: the other half of that"},
    {"lent", &ContractFlags::lent, "the caller holds a count that the function may give back in between"},
    {"consumes", &ContractFlags::consumes, "may end a reference that came with the call"},
    {"transmits", &ContractFlags::transmits,
     "ends that reference, unless it returns 16 or more, which asks the caller to try again"},
    {"at-init", &ContractFlags::at_init,
     "runs while a module, a driver or a device is set up: findings there have the place `init`"},
    {"only-entry", &ContractFlags::only_entry,
     "a program that has such a function is entered by it and by what it hands out: public functions of its domain "
     "that nothing "
     "calls or hands out have the place `uncalled`, and low confidence"},
    {"at-teardown", &ContractFlags::at_teardown,
     "runs while something is given up for good: findings there have the place `teardown`"},
};

}  // namespace reckon::specs
