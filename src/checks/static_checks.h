// Checks that need no path: they look at each call of a function, or at the tables and types of the whole program.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "checks/check.h"
#include "checks/globals.h"
#include "engine/core/context.h"
#include "engine/core/frame.h"
#include "report/finding.h"

namespace reckon::checks {

// A call of native code that stands in a script: `.Call(C_sum, x, y)`.
struct NativeCall {
  std::string interface;  // ".Call"
  std::string name;       // as written, without quotes
  bool by_text = false;   // a text, for which the interpreter looks up a routine or else a function of that name
  int arguments = -1;     // -1: not known
  std::string file;
  std::uint32_t line = 0;
};

using RoutineNames = std::set<std::string, std::less<>>;

// The scripts that belong to the program. Without any, nothing is known of who calls its routines.
struct Scripts {
  std::vector<NativeCall> calls;
  RoutineNames names;  // all that the scripts name, whatever for
  std::string start;   // the function that the interpreter calls when it loads the library; "": not known
};

// A function that keeps references in a member (FunctionResult::owned_members).
struct MemberStore {
  engine::FuncId function;
  engine::OwnedMember member;
  auto operator<=>(const MemberStore&) const = default;
};

// What a function does to a global.
struct GlobalUser {
  engine::FuncId function;
  GlobalShare share;
};

// What such a check may look at. All functions have been analysed. It reads no bodies: of functions it knows what
// notes say (program/notes.h), what came out of their analysis, and what is given here.
struct WholeProgram {
  const engine::Context& ctx;
  const Scripts& scripts;
  const std::vector<MemberStore>& stores;  // in order
  const std::vector<GlobalUser>& globals;  // in order
};

// All of them. Some findings may come twice (a header's table in two units).
void run_static_checks(const WholeProgram& program, std::vector<report::Finding>& out);

// What such checks say of one function. All that it calls has been analysed.
void run_function_checks(const engine::Context& ctx, engine::FuncId f, std::vector<report::Finding>& out);

// What a mistake in this call takes to show: a call that only raises an exception is made when there is one to raise.
report::Trigger trigger_of_raising(const engine::Context& ctx, program::FuncId f, model::InstrId call);

report::SourceLoc source_loc(const model::Unit& unit, const model::Loc& loc);

}  // namespace reckon::checks
