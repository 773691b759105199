#include "driver/analysis_stage.h"

#include "driver/analysis_progress.h"
#include "driver/earlier_runs.h"
#include "driver/shard_store.h"

namespace reckon::driver {

analysis::Analysis analyse_captured(const program::Program& program, const Captured& captured,
                                    const specs::SpecSet& specs, const std::string& spec_fingerprint,
                                    const Options& options, analysis::Options wishes, host::Console& console) {
  analysis::ShardRecords known;
  if (options.analysis.shards > 0) {
    ShardStore(captured, options, spec_fingerprint).load_all(known, console);
    wishes.known = &known;
  }
  EarlierRuns earlier(captured, options, spec_fingerprint, console);
  // To tell what has changed takes all units at once.
  wishes.earlier = options.analysis.shards > 0 || !captured.all_in_memory() ? nullptr : earlier.get();
  AnalysisProgress progress(console);
  wishes.progress = &progress.state();
  analysis::Analysis analysis = analysis::analyse(program, specs, wishes);
  progress.end();
  earlier.save();
  return analysis;
}

}  // namespace reckon::driver
