// What a function does to globals that keep objects of a collector: the share of one function in what the check
// `global` says of all of them. It is made where the function is analysed, when all that it calls is known, and goes
// with its results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/context.h"
#include "report/finding.h"

namespace reckon::checks {

// A fresh object, or an argument, is put there, and nobody keeps it.
struct GlobalStore {
  report::SourceLoc loc;
  bool argument = false;    // of the function
  bool if_entered = false;  // unsafe only if the function is an entry point, whose arguments are not protected
  bool operator==(const GlobalStore&) const = default;
};

struct GlobalShare {
  std::string name;         // as the engine spells it, with the unit if it is private to one
  std::int64_t offset = 0;  // of the field; an array is one place
  std::vector<GlobalStore> unsafe;
  bool sets = false;     // stores to it whatever it holds
  bool reads = false;    // uses what it finds in it
  bool kept = false;     // gives what it holds to somebody who keeps it
  bool lasting = false;  // some use asks for a kind of object that others mostly keep (`kept-in %type=4`)
  bool operator==(const GlobalShare&) const = default;
};

// Does the function belong to a unit whose domain protects objects from a collector?
bool concerns_globals(const engine::Context& ctx, engine::FuncId f);

// In order of names; empty for one that does not.
std::vector<GlobalShare> global_shares(const engine::Context& ctx, engine::FuncId f);

}  // namespace reckon::checks
