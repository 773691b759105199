// A path as the HTML report shows it: steps at one place are one stop, and stops stand in frames, one for each
// function the path walks through.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/html_highlight.h"
#include "report/run.h"

namespace reckon::report {

struct HtmlStop {
  SourceLoc loc;
  int depth = 0;
  bool essential = false;
  bool end = false;  // where it goes wrong, or where the other path ends
  std::vector<const Step*> steps;
  std::string end_text;
  StateChange change;
  std::size_t number = 0;  // among essential ones, from 1
};

// The functions of the run by file, to find the one around a line.
class FunctionMap {
 public:
  explicit FunctionMap(const Coverage& coverage);
  const FunctionCoverage* around(const std::string& file, std::uint32_t line) const;  // nullptr: none

 private:
  std::unordered_map<std::string, std::vector<const FunctionCoverage*>> files_;
};

// The stops of a path; the end is added as the last one.
std::vector<HtmlStop> html_stops(const std::vector<Step>& path, const SourceLoc& end, std::string end_text);

// Source and notes of one path. `prefix` begins all ids.
std::string html_source(const std::vector<HtmlStop>& stops, const std::vector<SourceLoc>& further,
                        const std::string& prefix, const Run& run, const FunctionMap& functions, HtmlSources& sources);

// The list of steps, callees nested.
std::string html_steps(const std::vector<HtmlStop>& stops, const std::string& prefix, const FunctionMap& functions);

// The stops as a JSON array, for the script.
std::string html_stop_data(const std::vector<HtmlStop>& stops);

}  // namespace reckon::report
