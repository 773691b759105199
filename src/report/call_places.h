// Where a call stands in the text of its file: from the name that is called to the closing bracket. Where the name is a
// macro's, the place is that of the macro's use.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/finding.h"
#include "report/repair_text.h"
#include "report/sources.h"

namespace reckon::report {

struct CallPlace {
  std::string name;                    // as it is written: "PyList_New", "ns::make"
  Edit extent;                         // the whole call, with no text
  std::string text;                    // the same as one line, without comments
  std::vector<std::string> arguments;  // likewise
  std::string assigned_to = {};        // the variable that takes its result: `v = f()`; "" if there is none
};

class CallPlaces {
 public:
  explicit CallPlaces(Sources& sources) : sources_(sources) {}

  // nullopt: there is no call at that place, or lines of the preprocessor stand inside it.
  std::optional<CallPlace> at(const SourceLoc& loc);
  // The calls of `names` in a file, in order of place.
  std::vector<CallPlace> calls_of(const std::string& file, const std::vector<std::string>& names);
  // The places behind the opening brace of the function around `loc` and before its closing one; nullopt: no function.
  std::optional<std::pair<Edit, Edit>> body(const SourceLoc& loc);

 private:
  using Index = RepairText::Index;
  RepairText& text(const std::string& file);
  std::optional<CallPlace> read(const std::string& file, Index first);
  // Tokens first..last as one line; nullopt: a line of the preprocessor is among them.
  static std::optional<std::string> one_line(const RepairText& text, Index first, Index last);

  Sources& sources_;
  std::map<std::string, std::unique_ptr<RepairText>> texts_;
};

}  // namespace reckon::report
