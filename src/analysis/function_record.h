// All that the analysis of one function gives, and its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/context.h"
#include "checks/globals.h"
#include "engine/executor.h"
#include "engine/summaries/summary_bytes.h"
#include "report/finding.h"
#include "support/archive.h"

namespace reckon::analysis {

// The reason of a record that depends on the machine, so that the next process should try again.
inline constexpr const char* kStarved = "memory ran out";

struct FunctionRecord {
  Summary summary;
  bool cut_short = false;
  std::string reason;
  std::uint32_t steps = 0;
  std::vector<OwnedMember> owned;
  std::vector<report::Finding> findings;
  std::vector<checks::GlobalShare> globals = {};
};

// `base`: the first line of the function, if its lines are kept relative to it, else 0.
void write_record(support::Writer& out, FunctionRecord& record, std::uint32_t base, const GlobalNames& names);
// Not ok() afterwards: damaged, or a global has gone.
void read_record(support::Reader& in, FunctionRecord& record, std::uint32_t base, const GlobalNames& names);

}  // namespace reckon::analysis
