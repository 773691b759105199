// Checks that need no path: they look at each call and each constant table once, by itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checks/check.h"
#include "engine/core/context.h"
#include "engine/executor.h"
#include "report/finding.h"

namespace reckon::checks {

// For the list of checks: no event leads to them.
inline constexpr std::array kStaticChecks{
    Check{"format", "a format string and the arguments of its call disagree", nullptr},
    Check{"routine", "a registered routine and its function or the calls in R code disagree", nullptr},
    Check{"noreturn", "a function never returns and is not marked so (on request)", nullptr, true},
    Check{"global", "a global keeps an object that nothing protects", nullptr},
    Check{"halves", "two functions that should undo each other do not add up", nullptr},
    Check{"method-table", "a table's flags and functions disagree, or it has no end", nullptr},
};

// A call of native code that stands in a script: `.Call(C_sum, x, y)`.
struct NativeCall {
  std::string interface;  // ".Call"
  std::string name;       // as written, without quotes
  int arguments = -1;     // -1: not known
  std::string file;
  std::uint32_t line = 0;
};

// All of the below. Adds findings in the order of the program; some may come twice (a header's table in two units).
void run_static_checks(const engine::Context& ctx, std::span<const NativeCall> scripts,
                       std::vector<report::Finding>& out);

void check_formats(const engine::Context& ctx, std::vector<report::Finding>& out);
void check_tables(const engine::Context& ctx, std::vector<report::Finding>& out);
void check_routines(const engine::Context& ctx, std::span<const NativeCall> scripts, std::vector<report::Finding>& out);
void check_noreturn(const engine::Context& ctx, std::vector<report::Finding>& out);
void check_globals(const engine::Context& ctx, std::vector<report::Finding>& out);

void check_halves(const engine::Context& ctx, std::vector<report::Finding>& out);

// A function that keeps references in a member (FunctionResult::owned_members).
struct MemberStore {
  engine::FuncId function;
  engine::OwnedMember member;
  auto operator<=>(const MemberStore&) const = default;
};
// These need to know of all of them, in order.
void check_members(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                   std::vector<report::Finding>& out);
void check_type_slots(const engine::Context& ctx, const std::vector<MemberStore>& stores,
                      std::vector<report::Finding>& out);

report::SourceLoc source_loc(const model::Unit& unit, const model::Loc& loc);

}  // namespace reckon::checks
