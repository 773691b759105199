// Clang's errors as text for people.
//
// The problem: names of files (`#line 1 "..."`) and the words of an error (`#error`, static_assert, attributes, strings
// of asm) come from the code that is read, and can hold line ends, which would forge a line of our own output. The
// method: Clang's own printer, given each name and each message with such characters spelt out and cut to a bearable
// length. The lines of the source that Clang quotes hold no line end; it spells out their control characters itself.
#pragma once

#include <memory>

#include "clang/Basic/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

namespace reckon::capture {

// `out` and `options` outlive it.
std::unique_ptr<clang::DiagnosticConsumer> make_error_text(llvm::raw_ostream& out, clang::DiagnosticOptions& options);

}  // namespace reckon::capture
