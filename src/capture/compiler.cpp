#include "capture/compiler.h"

#include "capture/error_text.h"

namespace reckon::capture {
namespace {

// A source can ask for modules without any flag (#pragma clang module build, import), and Clang would write a file for
// each.
class Compiler : public clang::CompilerInstance {
 public:
  void createModuleFromSource(clang::SourceLocation place, llvm::StringRef, llvm::StringRef) override {
    clang::DiagnosticsEngine& diagnostics = getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "modules are not built"));
  }
  clang::ModuleLoadResult loadModule(clang::SourceLocation place, clang::ModuleIdPath,
                                     clang::Module::NameVisibilityKind, bool) override {
    clang::DiagnosticsEngine& diagnostics = getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "modules are not read"));
    return {};
  }
};

}  // namespace

std::unique_ptr<clang::CompilerInstance> make_compiler(std::shared_ptr<clang::CompilerInvocation> invocation,
                                                       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                       llvm::raw_ostream& errors) {
  auto compiler = std::make_unique<Compiler>();
  compiler->setInvocation(invocation);
  compiler->createDiagnostics(make_error_text(errors, compiler->getDiagnosticOpts()).release());  // which owns it
  compiler->createFileManager(  // -ivfsoverlay in force
      clang::createVFSFromCompilerInvocation(*invocation, compiler->getDiagnostics(), std::move(files)));
  compiler->setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());  // "2 errors generated."
  return compiler;
}

}  // namespace reckon::capture
