// The identity of a finding: a hash that stays the same while the code around it changes.
//
// The problem: lines move, code is reformatted, functions come and go, and still a tool that compares two runs must
// know which findings are the same. The method: hash what a finding is about, not where it stands: the check, the name
// of the file without its folders, the function, the call the object came from, and the tokens of that expression
// (of the place where it goes wrong, if no call is known), comments and white space left out. Findings that are equal
// in all this are numbered in the order of the source.
//
// Limits: renaming the function or the file, or rewriting the expression itself, makes a new finding of it; of two
// findings that differ in nothing but their order, the first one's repair makes the second look like the first.
#pragma once

#include <string>
#include <vector>

#include "report/finding.h"
#include "report/sources.h"

namespace reckon::report {

// Fills Finding::fingerprint: 32 hexadecimal digits, different for each of `findings`.
void assign_fingerprints(std::vector<Finding>& findings, Sources& sources);

// For each finding what it shares with those that nothing but their order tells apart from it.
std::vector<std::string> kin_of(const std::vector<Finding>& findings, Sources& sources);

}  // namespace reckon::report
