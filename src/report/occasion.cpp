#include "report/occasion.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace reckon::report {

const char* name_of(Trigger trigger) {
  switch (trigger) {
    case Trigger::Normal: return "normal";
    case Trigger::Input: return "input";
    case Trigger::Outside: return "outside";
    case Trigger::Race: return "race";
    case Trigger::Memory: return "memory";
  }
  return "";
}

const char* name_of(Place place) {
  switch (place) {
    case Place::Run: return "run";
    case Place::Teardown: return "teardown";
    case Place::Init: return "init";
    case Place::Uncalled: return "uncalled";
  }
  return "";
}

std::span<const Trigger> all_triggers() {
  static constexpr std::array kAll = {Trigger::Normal, Trigger::Input, Trigger::Outside, Trigger::Race,
                                      Trigger::Memory};
  return kAll;
}

std::span<const Place> all_places() {
  static constexpr std::array kAll = {Place::Run, Place::Teardown, Place::Init, Place::Uncalled};
  return kAll;
}

std::string occasion_of(const Finding& finding) {
  std::string out;
  switch (finding.trigger) {
    case Trigger::Normal: out = "when nothing fails"; break;
    case Trigger::Input: out = "for some input"; break;
    case Trigger::Outside: out = "when something outside fails (a device, a file, a server)"; break;
    case Trigger::Race: out = "when two threads meet"; break;
    case Trigger::Memory: out = "when memory runs out"; break;
  }
  switch (finding.place) {
    case Place::Run: break;
    case Place::Teardown: out += ", while things are torn down"; break;
    case Place::Init: out += ", while things are set up"; break;
    case Place::Uncalled: out += ", in a function that nothing here calls"; break;
  }
  return out;
}

void sort_by_occasion(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.trigger, a.place) < std::tie(b.trigger, b.place);
  });
}

}  // namespace reckon::report
