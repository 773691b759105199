// --why-not FILE:LINE: what the analysis thought at a line of which it reports nothing.
//
// The answer has, for each function that holds the line: how far the look at it got; the objects and counts that were
// known in front of the line, a paragraph for each way of getting there; every silence of the engine with its reason;
// calls of which nothing is known; and how each exit leaves what was counted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/context.h"
#include "analysis/schedule.h"
#include "engine/executor.h"
#include "report/finding.h"

namespace reckon::analysis {

struct AskedLine {
  std::string file;  // absolute, or the last parts of a path
  std::uint32_t line = 0;
  std::string text;  // FILE:LINE as the user wrote it
};

// The functions that hold the line, each with the line of it that has code: this one, or else the next.
std::map<FuncId, std::uint32_t> functions_at(const program::Program& program, const AskedLine& asked);

// Why there is none.
std::string why_nowhere(const program::Program& program, const AskedLine& asked);

// An event that did not become a finding.
struct Unreported {
  InstrId instr = model::kNone;
  engine::Silence why = engine::Silence::None;
};

// What one look thought.
std::string thoughts(const Executor& look, const FunctionResult& result, const std::vector<Unreported>& unreported);

// The whole answer about one function; `thoughts` is "" if nobody looked at it, `shown` says which findings the user
// has asked for.
std::string answer(const Context& ctx, const FunctionReport& report, const AskedLine& asked,
                   const std::string& thoughts, const std::vector<report::Finding>& findings,
                   const std::function<bool(const report::Finding&)>& shown);

}  // namespace reckon::analysis
