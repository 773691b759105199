// The page over all packages of a fleet: a table with a link to the report of each.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace reckon::report {

struct FleetRow {
  std::string name, kind;
  std::string link;    // to its report, relative to the page; "": there is none
  std::string reason;  // why it was not analysed; "": it was
  std::size_t units = 0, units_failed = 0;
  double cpu = 0;                             // seconds
  std::map<std::string, std::size_t> checks;  // findings of each
  std::size_t fresh = 0, gone = 0;            // since the run that is compared with
  std::size_t findings() const;
};

struct FleetRun {
  std::vector<FleetRow> rows;
  std::string compared_with;  // the earlier run; "": there is none
  std::string version;        // of Reckon
};

// Packages with most findings first, then those without, then what was not analysed.
void sort_rows(std::vector<FleetRow>& rows);

// The page, and the files that it needs: name and text.
std::vector<std::pair<std::string, std::string>> fleet_pages(const FleetRun& fleet);

}  // namespace reckon::report
