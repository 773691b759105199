// One compiler call, start to end: interpret the command line, let Clang parse the file once with two
// consumers (LLVM code generation and, at the end, the lowering to the model), collect errors and files.
#include "capture/capture.h"

#include "capture/action.h"
#include "capture/attributes.h"
#include "capture/command_line.h"
#include "capture/compiler.h"
#include "capture/preamble.h"
#include "clang/Basic/Version.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "model/verify.h"
#include "support/file.h"
#include "support/terminal_text.h"

namespace reckon::capture {
namespace {

// We want the program as written: no output, no optimisation, locations for everything. The flags that ask for files,
// plugins and modules did not come this far; where Clang keeps such wishes together, they are cleared all the same.
void prepare(clang::CompilerInvocation& invocation) {
  clang::FrontendOptions frontend;
  frontend.Inputs = invocation.getFrontendOpts().Inputs;
  frontend.DashX = invocation.getFrontendOpts().DashX;
  frontend.ProgramAction = clang::frontend::ParseSyntaxOnly;
  invocation.getFrontendOpts() = std::move(frontend);
  invocation.getDependencyOutputOpts() = {};
  invocation.getPreprocessorOutputOpts() = {};
  invocation.getDiagnosticOpts().DiagnosticSerializationFile.clear();
  invocation.getDiagnosticOpts().DiagnosticLogFile.clear();
  invocation.getDiagnosticOpts().ShowColors = false;
  invocation.getDiagnosticOpts().VerifyDiagnostics = false;
  invocation.getLangOpts().SpellChecking = false;
  invocation.getLangOpts().Modules = false;
  invocation.getLangOpts().ImplicitModules = false;
  invocation.getHeaderSearchOpts().ModuleCachePath.clear();
  invocation.getHeaderSearchOpts().ImplicitModuleMaps = false;
  invocation.getPreprocessorOpts().ImplicitPCHInclude.clear();
  invocation.getPreprocessorOpts().DisablePragmaDebugCrash = true;

  clang::CodeGenOptions& codegen = invocation.getCodeGenOpts();
  codegen.OptimizationLevel = 0;
  codegen.OptimizeSize = 0;
  codegen.DisableO0ImplyOptNone = true;
  codegen.DisableFree = false;
  codegen.DiscardValueNames = true;
  codegen.ClearASTBeforeBackend = false;
  codegen.VerifyModule = false;
  codegen.DebugColumnInfo = true;
  codegen.DwarfVersion = 5;
  codegen.EmitVersionIdentMetadata = false;
  codegen.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
  codegen.setDebugSimpleTemplateNames(llvm::codegenoptions::DebugTemplateNamesKind::Full);
  codegen.SplitDwarfFile.clear();
  codegen.StackUsageOutput.clear();
  codegen.OptRecordFile.clear();
}

// Files as an input may be: regular ones of a bearable size. An include of a pipe would wait for ever, one of a device
// never end.
class RegularFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const llvm::ErrorOr<llvm::vfs::Status> status = ProxyFileSystem::status(path);
    if (!status) return status.getError();
    if (status->isDirectory()) return std::make_error_code(std::errc::is_a_directory);
    if (!status->isRegularFile()) return std::make_error_code(std::errc::not_supported);
    if (status->getSize() > support::kMaxInputBytes) return std::make_error_code(std::errc::file_too_large);
    return ProxyFileSystem::openFileForRead(path);
  }
};

// The files of the disk, with the texts of the request in front of them.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_for(const Request& request) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk(llvm::vfs::createPhysicalFileSystem());
  if (request.texts.empty()) return new RegularFiles(disk);
  auto texts = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, text] : request.texts)
    texts->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  all->pushOverlay(texts);
  return new RegularFiles(all);
}

}  // namespace

std::string clang_version() { return CLANG_VERSION_STRING; }

Result capture_unit(const Request& request) {
  Result result;
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = files_for(request);
  if (!request.directory.empty()) {
    if (std::error_code error = files->setCurrentWorkingDirectory(request.directory)) {
      result.errors = support::printable(request.directory) + ": " + error.message() + "\n";
      return result;
    }
  }
  CommandLine command = interpret(request, files);
  result.dropped_flags = std::move(command.dropped);
  if (command.invocation == nullptr) {
    result.errors = command.error;
    if (!result.errors.ends_with('\n')) result.errors += '\n';
    return result;
  }
  prepare(*command.invocation);
  know_foreign_attributes();

  llvm::raw_string_ostream errors(result.errors);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> seen = files;
  std::unique_ptr<const Preamble> preamble;
  if (request.preamble >= 0) preamble = Preamble::ready(request, *command.invocation, files);
  if (preamble) preamble->use(*command.invocation, seen);
  const std::unique_ptr<clang::CompilerInstance> compiler = make_compiler(command.invocation, seen, errors);

  CaptureAction action(request, result, preamble.get());
  bool ran = compiler->ExecuteAction(action);
  errors.flush();
  result.ok = ran && action.lowered() && !compiler->getDiagnostics().hasErrorOccurred();
  if (!result.ok && result.errors.empty())
    result.errors = support::printable(request.file) + ": Clang could not compile this unit\n";
#ifdef RECKON_VERIFY
  if (result.ok)
    for (const std::string& defect : model::verify(result.unit)) {
      result.ok = false;
      result.errors += request.file + ": internal error: the model is malformed: " + defect + "\n";
    }
#endif
  return result;
}

}  // namespace reckon::capture
