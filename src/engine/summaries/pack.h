// Packs: the outcomes of a library's functions as a spec file, for runs that do not see the library's source.
#pragma once

#include <string>
#include <vector>

#include "engine/core/context.h"

namespace reckon::engine {

struct Pack {
  std::string text;                   // a spec file; every function in it is marked `computed`
  std::size_t functions = 0;          // written
  std::size_t nothing_to_say = 0;     // no effect, and a result nobody can tell anything about
  std::vector<std::string> left_out;  // "name: why": cut short, or not to be said in the language
};

// Of the functions other units can call. `context` holds the summaries of a finished run. The text depends on
// the program alone. `known`: also of those that a spec describes, if their bodies were analysed.
Pack make_pack(const Context& context, bool known);
bool has_body(const Context& context, FuncId f);

}  // namespace reckon::engine
