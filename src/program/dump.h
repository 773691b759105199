// The program as text for people, in an order that depends on the program alone.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "program/classify.h"
#include "program/program.h"

namespace reckon::program {

// "name", or "name (file.c)" for a function that is private to a unit.
std::string spell(const Program& program, FuncId f);

// Who calls whom: `function` and what it calls and is called by, or the whole graph if it is empty. Says so if
// there is no such function.
std::string dump_callgraph(const Program& program, std::string_view function = {});
// Which functions stand in which field of which table; `filter`: only this record ("PyMethodDef"), record and
// field ("_typeobject.tp_dealloc") or function.
std::string dump_tables(const Program& program, std::string_view filter = {});
// How many functions are of which class, then each function with its class; `function` as above.
std::string dump_classes(const Program& program, std::span<const Class> classes, std::string_view function = {});

}  // namespace reckon::program
