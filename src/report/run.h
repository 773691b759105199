// A run: all that a writer gets to see. Findings, what was covered and what was not, and the checks' pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/confirmation.h"
#include "report/finding.h"

namespace reckon::report {

// How far the analysis of a function got. Silence about a function is good news only if it was Full.
enum class Depth : std::uint8_t {
  Full,           // every path
  CutShort,       // a budget ran out
  NotAnalysed,    // meant to be analysed, and was not
  WithoutCounts,  // neither changes nor steers a count, and too long for the short look that such a function gets
  BySpec,         // not looked into, because a spec says what it does
  Unconcerned,    // in a unit that belongs to no domain
  Primitive,      // keeps a count itself, so that it is not judged by what it does to that
};

const char* name_of(Depth depth);  // "analysed in full", "cut short", ...

struct FunctionCoverage {
  std::string name;  // display name
  std::string file;  // absolute
  std::uint32_t line = 0, end_line = 0;
  Depth depth = Depth::Full;
  std::string reason;  // for CutShort and NotAnalysed
};

struct FailedUnit {
  std::string path;  // absolute
  std::string reason;
};

// What functions have to do with counts, where only counts matter (RID's table 1).
struct CountClasses {
  std::size_t changing = 0;                // change counts, themselves or by what they call
  std::size_t affecting = 0;               // steer those, and are analysed
  std::size_t affecting_not_analysed = 0;  // steer those, and are not: a spec, or cut short
  std::size_t other = 0;
};

struct Coverage {
  std::vector<FunctionCoverage> functions;  // in order of file and line
  std::size_t functions_reused = 0;         // of those analysed: as an earlier run found them
  CountClasses classes;
  std::size_t units_compiled = 0;
  std::size_t units_from_cache = 0;
  std::vector<FailedUnit> units_failed;
  std::size_t entries_unusable = 0;  // of the compilation database
  std::size_t entries_other_language = 0;
  std::vector<std::string> not_known;  // of how the program is built, because nothing of it was run
  std::string build_failure;           // how the recorded build ended; "" if well, or if there was none
  std::string empty_because;           // the filter that has left nothing to do; "" if there was something

  std::size_t count(Depth depth) const;
  std::size_t units() const { return units_compiled + units_from_cache; }  // that were analysed
  bool complete() const;                                                   // nothing failed, was cut short or left out
  // No unit at all could be looked at, though some should have been; or the build failed. Silence says nothing then.
  bool failed() const;
  // What is missing, as one line; "" if all is there.
  std::string shortfall() const;
};

// A check by its id, for writers that explain.
struct CheckInfo {
  std::string id;       // "python-leak"
  std::string kind;     // "leak": its page is docs/checks/leak.md
  std::string summary;  // one line
  std::string page;     // Markdown; "" if there is none
};

// A comment that should have suppressed something and did not, or has no reason.
struct SuppressionProblem {
  SourceLoc loc;
  std::string text;
};

// Calls that may collect garbage, each once, by file (absolute) and line.
using Collections = std::map<std::string, std::map<std::uint32_t, std::vector<std::string>>>;

struct Run {
  std::vector<Finding> findings;  // in the order of reports; suppressed ones and those of the baseline, too
  Coverage coverage;
  Collections collections;        // for the formats that show them
  std::vector<CheckInfo> checks;  // every check that has a finding, by id
  std::vector<SuppressionProblem> suppression_problems;
  std::vector<std::string> disappeared;  // of the baseline: what is no longer found, one line each
  bool has_baseline = false;
  std::string compared_with;        // the state before the change, as people call it; "" if there is no comparison
  std::set<std::string> remaining;  // fingerprints of what was found there, too; Finding::in_baseline is set for them
  std::vector<Finding> gone;        // what was found there and is not found now, in the order of that state's places
  std::set<std::string> repaired;   // fingerprints of what --fix has repaired in this run
  std::map<std::string, std::string> originals;  // text of the files that --fix has changed, as it was
  std::size_t system_left_out = 0;               // findings in headers that are not the project's
  std::size_t unsure_left_out = 0;               // findings of less confidence than was asked for
  std::size_t harmless_left_out = 0;             // findings of less severity than was asked for
  std::size_t occasion_left_out = 0;             // findings that take something that was not asked for
  // How calls on the paths end, by Step::callee and Step::outcome, where a spec says it.
  std::map<std::pair<std::string, std::uint32_t>, CallEnd> call_ends;
  std::map<std::string, Confirmation> confirmations;  // by fingerprint; none: nobody tried
  std::string base;                                   // folder below which paths are shown relative; absolute
  std::string version;                                // of Reckon
  std::vector<std::string> arguments;                 // the command line
};

// Neither suppressed nor known before, by a baseline or by a comparison.
bool is_active(const Finding& finding);
bool is_repaired(const Run& run, const Finding& finding);
// Active and not repaired by this run: a reason to fail.
bool counts(const Run& run, const Finding& finding);

// nullptr: nobody tried to confirm it.
const Confirmation* confirmation_of(const Run& run, const Finding& finding);
const CallEnd* end_of(const Run& run, const Step& step);  // nullptr: it is no call, or its end is not known

const CheckInfo* find_check(const Run& run, const std::string& id);

// `path` relative to `base` if it is below it.
std::string shown_path(const std::string& path, const std::string& base);

// By file, line, column, check, and then everything else. Reports put what shows when nothing fails first
// (occasion.h), and keep this order among equal ones.
void sort_findings(std::vector<Finding>& findings);

}  // namespace reckon::report
