#include "driver/earlier_runs.h"

#include <fmt/core.h>

#include "driver/version.h"

namespace reckon::driver {

EarlierRuns::EarlierRuns(const Captured& captured, const Options& options, const std::string& specs,
                         host::Console& console)
    : console_(console), cache_(captured.cache), request_keys_(captured.request_keys) {
  usable_ = cache_.enabled() && options.analysis.dump != "states" && options.analysis.why_not.empty();
  if (!usable_) return;
  std::string wishes = options.analysis.no_smt ? "no-smt " : "";
  for (const std::string& domain : options.analysis.domains) wishes += domain + ",";
  earlier_.environment = fmt::format("{}\n{}\n{}", analysis_version(), specs, wishes);
  earlier_.kept.resize(request_keys_.size());
  for (std::size_t u = 0; u < request_keys_.size(); ++u) cache_.load_blob(key_of(u), earlier_.kept[u]);
}

// By the compiler call, not by its content: what did not change in a file that did is found again. Another version of
// the analysis would find nothing there, so it has a place of its own.
std::string EarlierRuns::key_of(std::size_t unit) const {
  return fmt::format("outcomes {} {}", analysis_version(), request_keys_[unit]);
}

void EarlierRuns::save() {
  if (!usable_) return;
  const std::size_t damaged = earlier_.damaged.size() + cache_.damaged();
  if (damaged > 0)
    console_.warning(
        fmt::format("what earlier runs found out about {} of the units is damaged; it was computed again", damaged));
  if (!cache_.writable()) return;
  for (const auto& [unit, bytes] : earlier_.fresh)
    if (!cache_.store_blob(key_of(unit), bytes)) {
      console_.warning(fmt::format("the cache cannot be written: {}", cache_.problem()));
      break;
    }
  if (!earlier_.fresh.empty()) cache_.evict();
}

}  // namespace reckon::driver
