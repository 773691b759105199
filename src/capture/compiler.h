// An instance of Clang's compiler as capture wants it.
#pragma once

#include <memory>

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace reckon::capture {

// It builds and reads no modules, whatever the source asks for. Errors are written to `errors`.
std::unique_ptr<clang::CompilerInstance> make_compiler(std::shared_ptr<clang::CompilerInvocation> invocation,
                                                       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                       llvm::raw_ostream& errors);

}  // namespace reckon::capture
