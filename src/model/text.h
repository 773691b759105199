// The textual form of the model: print() and parse() are inverse; golden tests and `reckon dump model` use it.
//
// The grammar by example, one line per entry of a table, in the order of the tables:
//
//   unit "/src/a.c"                                      type t3 = pointer size 8 name "PyObject" elem t2
//   target "x86_64-pc-linux-gnu"                         symbol s0 = function external "list_new" type t5
//   language c                                           const c0 = address t3 PyList_New
//   pointer_size 8
//
//   fn foo(t3 "self", t3 "args") -> t3 at "/src/a.c":10:1 end 14:1 {
//     local l0 t3 "list" at 11:3
//     names %2 "list"
//   b0:
//     %2 = call PyList_New(0) {t5} : t3  ; 11:10
//     %3 = cmp.eq %2, null : t1  ; 12:7 macro=CHECK
//     condbr %3 -> b1, b2
//   ...
//   }
//
// A place follows `;` and leaves out the file if it is the function's; a comment follows `//`. Strings stand where
// they are used; a last section `strings` is there only if the order of the string table is not the order of use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace reckon::model {

// The canonical form of the whole unit (see canonical.h).
std::string print(const Unit& unit);

// For people: C types instead of type numbers, field names spelled out. Shows malformed functions, too.
std::string print(const Unit& unit, const Function& function);

// The type as a C programmer would write it, e.g. "PyObject *" or "int (*)(void)".
std::string spell(const Unit& unit, TypeId type);

// Parses what print(unit) wrote. On failure `error` is "line:col: what was expected".
std::optional<Unit> parse(std::string_view text, std::string& error);

}  // namespace reckon::model
