// What must happen for findings to show: which calls on their paths must fail, and where their functions begin.
//
// A call that failed inside a callee stands for the callee's own failure: the callee then fails by itself, whole. A
// callee that fails without such a call is made to fail where it is called, with the value that its summary names.
#pragma once

#include <string>
#include <vector>

#include "report/call_places.h"
#include "report/finding.h"
#include "report/run.h"

namespace reckon::confirm {

// A call that can be made to end in one certain way.
struct Site {
  unsigned id = 0;
  report::SourceLoc loc;
  std::string function;  // the linker's name
  report::CallEnd end;
  report::CallPlace place;
  bool in_macro = false;  // the name at the place is that of a macro whose expansion has the call
};

// A function that findings are in.
struct Entry {
  unsigned id = 0;
  std::string function;
  report::SourceLoc loc;  // somewhere in it
  report::Edit begin, end;
};

// A call that gave the object of a leak: a run can look whether that object is still there.
struct Maker {
  unsigned id = 0;
  report::CallPlace place;
};

struct Plan {
  const report::Finding* finding = nullptr;
  report::Confirmation* result = nullptr;
  report::Harm harm = report::Harm::None;
  unsigned entry = 0;
  unsigned maker = 0;                           // 0: none is known
  std::vector<std::vector<unsigned>> attempts;  // sites to fail together, the best guess first; one is empty if no
                                                // call must fail
  std::string untried;                          // why it cannot be tried; "" if it can
};

struct Plans {
  std::vector<Site> sites;
  std::vector<Entry> entries;
  std::vector<Maker> makers;
  std::vector<Plan> plans;
  const Site* site(unsigned id) const;
};

// A finding and what is known of its check.
struct Subject {
  const report::Finding* finding = nullptr;
  report::Confirmation* result = nullptr;
  std::string domain;
  report::Harm harm = report::Harm::None;
};

Plans make_plans(const std::vector<Subject>& subjects, const report::Run& run, report::Sources& sources);

// "PyList_New() at spam.c:12"
std::string shown(const Site& site, const std::string& base);

}  // namespace reckon::confirm
