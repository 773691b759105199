// The frontend action that parses a unit, generates LLVM IR for it and turns both into the model.
#pragma once

#include <memory>

#include "capture/capture.h"
#include "capture/facts.h"
#include "capture/preamble.h"
#include "clang/Frontend/FrontendAction.h"

namespace reckon::capture {

class CaptureAction : public clang::ASTFrontendAction {
 public:
  // `preamble`: with which the compiler begins; may be null.
  CaptureAction(const Request& request, Result& result, const Preamble* preamble);
  ~CaptureAction() override;

  // Whether the unit was parsed without error and lowered.
  bool lowered() const { return lowered_; }

 private:
  class Consumer;
  class FileRecorder;

  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override;
  void EndSourceFileAction() override;
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override;
  void record_files(clang::CompilerInstance& compiler);

  const Request& request_;
  Result& result_;
  const Preamble* preamble_;
  MacroLog macros_;
  std::shared_ptr<FileRecorder> files_;
  struct Llvm;
  std::unique_ptr<Llvm> llvm_;
  bool lowered_ = false;
};

}  // namespace reckon::capture
