// What events of protection tell beside what all events do.
#pragma once

namespace reckon::engine {

// DepthAtExit.
struct DepthFacts {
  int left = 0;  // objects more than at the start, fewer if negative; 0: not known how many
};

}  // namespace reckon::engine
