// Which of a compiler call's flags may reach Clang.
//
// A compilation database can come from a stranger, and Clang has flags that run a program (tools that ask for the GPU
// of the machine), load code (plugins) or write a file (statistics, modules, dependency lists). So flags are not
// refused one by one: a flag passes if it is on the list of those that change the program that is seen (definitions,
// include paths, language, target and ABI), all others are left out. The list holds for flags behind -Wp, and
// -Xpreprocessor, too, and with a few more names for those behind -Xclang.
//
// Limits: values are not looked at except those of languages, targets and driver modes, as no other choose what Clang
// runs. Paths are read as they are given.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/Option.h"

namespace reckon::capture {

enum class FlagLevel { Driver, Frontend };  // as written, or behind -Xclang

bool is_allowed(const llvm::opt::Option& option, FlagLevel level);

// Flags of nearly every call that have nothing to do with the program (-c, -o, -Wall, -g, -MD, libraries): they are
// left out without a word.
bool is_left_out_in_silence(const llvm::opt::Option& option);

// C or C++, as a value of -x.
bool is_allowed_language(llvm::StringRef language);

// A processor and a system that C programs run on. Clang's support of GPUs runs tools to find out which one is there.
bool is_allowed_target(llvm::StringRef triple);

}  // namespace reckon::capture
