// From a compiler's command line to a clang::CompilerInvocation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace reckon::capture {

struct CommandLine {
  std::shared_ptr<clang::CompilerInvocation> invocation;  // null: see error
  std::vector<std::string> dropped;                       // flags that do not reach Clang, as written
  std::string error;
};

// `files` resolves relative paths; its working directory is request.directory.
CommandLine interpret(const Request& request, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

// Where Clang's own headers (stddef.h, ...) stand; empty if they are nowhere to be found.
std::string resource_directory();

}  // namespace reckon::capture
