#include "host/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace reckon::host {

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// The sanitizers reserve more than any limit allows.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanLimit = false;
#else
constexpr bool kCanLimit = true;
#endif

void set_data_limit(rlim_t bytes) {
  if (kCanLimit) set_soft_limit(RLIMIT_DATA, bytes);
}

// Nine tenths of it: what the process has mapped, and its neighbours, need the rest.
std::uint64_t customary_mib() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / kMiB / 10 * 9
                               : 0;
}

}  // namespace

void set_soft_limit(int resource, std::uint64_t wanted) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

bool can_limit_memory() { return kCanLimit; }

void limit_memory(std::optional<std::uint64_t> mib) {
  const std::uint64_t most = mib.value_or(customary_mib());
  if (most != 0) set_data_limit(most * kMiB);
}

void lift_memory_limit() { set_data_limit(RLIM_INFINITY); }

}  // namespace reckon::host
