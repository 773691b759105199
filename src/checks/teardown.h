// How objects of the program's own classes end: which functions see to that, and what of an object these mention.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/context.h"

namespace reckon::checks {

using FieldSet = std::set<std::pair<std::string, std::string>>;  // struct and path

// One struct of a class, with what the functions that end its objects mention on their way.
struct ClassEnd {
  program::UnitId unit;
  std::string record;
  engine::FuncId last;    // of these functions, the one that runs last
  FieldSet mentioned;     // by them and by what they call
  bool hands_on = false;  // they hand the object to a described function, behind its first argument
};

// What a function in a table promises as one that ends objects.
specs::ContractFlags role_of(const engine::Context& ctx, engine::FuncId f);

// Is it one of those that end objects in two steps, GObject's dispose and finalize?
bool ends_in_steps(const specs::ContractFlags& role);

// The class that a struct belongs to, by its name: its own, or the one whose private struct it is.
std::string_view class_of_record(std::string_view record);

// The classes whose ends are in sight. One whose functions mention none of its fields is not among them.
std::vector<ClassEnd> ends_of_classes(const engine::Context& ctx);

}  // namespace reckon::checks
