// Two states of the same code: which findings are new, which are gone, which remain?
//
// The problem: a change moves lines, renames functions and files, and repairs one of two findings that look alike. The
// method: findings of the same kin (fingerprint.h) belong together. Where one state has more of a kin than the other,
// those whose lines the change maps to each other are the same, then the others in their order. What is left after
// that, in functions or files that were renamed, is the same if the check is and the line maps to the other's; and if a
// function of the same name says the same in another file now, it has moved there.
//
// Limits: of a finding whose function is renamed and whose line is rewritten by the same change, both count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/finding.h"

namespace reckon::report {

// Where a place of the earlier state is now: file and line; nullopt if it is nowhere.
using PlaceNow = std::function<std::optional<std::pair<std::string, std::uint32_t>>(const SourceLoc&)>;

struct State {
  std::vector<Finding> findings;
  std::vector<std::string> kin;  // of each, see fingerprint.h
};

struct Difference {
  std::vector<Finding> gone;  // in the order of the earlier state; not what a comment suppressed there
  std::set<std::string>
      remaining;  // fingerprints, of the later state; not what a comment suppressed in the earlier one
};

Difference compare(const State& before, const State& now, const PlaceNow& place_now);

}  // namespace reckon::report
