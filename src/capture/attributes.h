// Attributes that Clang does not know but people write for checkers like this one.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace reckon::capture {

// Such an attribute becomes an `annotate` whose text is this prefix and the attribute's name.
inline constexpr llvm::StringLiteral kForeignAttribute = "reckon-attribute:";

// Makes sure they are known to Clang's parser.
void know_foreign_attributes();

}  // namespace reckon::capture
