#include "capture/error_text.h"

#include <deque>
#include <optional>
#include <string>

#include "clang/Frontend/TextDiagnostic.h"
#include "llvm/ADT/SmallString.h"
#include "support/terminal_text.h"

namespace reckon::capture {
namespace {

constexpr std::size_t kLongest = 2000;  // bytes of a message or a name

std::string one_line(llvm::StringRef text) {
  std::string out = support::printable(std::string_view(text.substr(0, kLongest)));
  if (text.size() > kLongest) out += "...";
  return out;
}

class Renderer : public clang::TextDiagnostic {
 public:
  using TextDiagnostic::TextDiagnostic;

 protected:
  void emitDiagnosticMessage(clang::FullSourceLoc loc, clang::PresumedLoc place, clang::DiagnosticsEngine::Level level,
                             llvm::StringRef message, llvm::ArrayRef<clang::CharSourceRange> ranges,
                             clang::DiagOrStoredDiag about) override {
    TextDiagnostic::emitDiagnosticMessage(loc, named(place), level, one_line(message), ranges, about);
  }
  void emitDiagnosticLoc(clang::FullSourceLoc loc, clang::PresumedLoc place, clang::DiagnosticsEngine::Level level,
                         llvm::ArrayRef<clang::CharSourceRange> ranges) override {
    TextDiagnostic::emitDiagnosticLoc(loc, named(place), level, ranges);
  }
  void emitIncludeLocation(clang::FullSourceLoc loc, clang::PresumedLoc place) override {
    TextDiagnostic::emitIncludeLocation(loc, named(place));
  }

 private:
  // The place under a name that fits into a line.
  clang::PresumedLoc named(clang::PresumedLoc place) {
    if (place.isInvalid()) return place;
    const std::string& name = names_.emplace_back(one_line(place.getFilename()));
    return {name.c_str(), place.getFileID(), place.getLine(), place.getColumn(), place.getIncludeLoc()};
  }

  std::deque<std::string> names_;  // places point into it
};

class ErrorText : public clang::DiagnosticConsumer {
 public:
  ErrorText(llvm::raw_ostream& out, clang::DiagnosticOptions& options) : out_(out), options_(options) {}

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override {
    renderer_.emplace(out_, language, &options_, preprocessor);
  }
  void EndSourceFile() override { renderer_.reset(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& about) override {
    DiagnosticConsumer::HandleDiagnostic(level, about);  // counts
    llvm::SmallString<256> message;
    about.FormatDiagnostic(message);
    if (about.getLocation().isValid() && renderer_)
      renderer_->emitDiagnostic(clang::FullSourceLoc(about.getLocation(), about.getSourceManager()), level, message,
                                about.getRanges(), about.getFixItHints());
    else
      without_place(level, message);
    out_.flush();
  }

 private:
  void without_place(clang::DiagnosticsEngine::Level level, llvm::StringRef message) {
    clang::TextDiagnostic::printDiagnosticLevel(out_, level, false);
    out_ << one_line(message) << '\n';
  }

  llvm::raw_ostream& out_;
  clang::DiagnosticOptions& options_;
  std::optional<Renderer> renderer_;
};

}  // namespace

std::unique_ptr<clang::DiagnosticConsumer> make_error_text(llvm::raw_ostream& out, clang::DiagnosticOptions& options) {
  return std::make_unique<ErrorText>(out, options);
}

}  // namespace reckon::capture
