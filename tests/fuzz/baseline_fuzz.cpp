// Baselines: any text gives entries or an error.
#include "harness.h"
#include "report/baseline.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  const report::Baseline baseline = report::parse_baseline(fuzz::text_of(data, size));
  for (const report::BaselineEntry& entry : baseline.entries)
    fuzz::require(!entry.fingerprint.empty(), "an entry has a fingerprint");
  return 0;
}
