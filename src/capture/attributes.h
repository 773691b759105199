// Attributes that Clang does not know but people write for checkers like this one.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
}

namespace reckon::capture {

// Such an attribute becomes an `annotate` whose text is this prefix and the attribute's name.
inline constexpr llvm::StringLiteral kForeignAttribute = "reckon-attribute:";

// Makes sure they are known to Clang's parser.
void know_foreign_attributes();

// Lets the parser read those that mean more to GCC than to Clang by names of ours.
void rename_attributes(clang::Preprocessor& preprocessor);

}  // namespace reckon::capture
