#include "capture/preamble.h"

#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "capture/attributes.h"
#include "capture/compiler.h"
#include "capture/records.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/InMemoryModuleCache.h"
#include "clang/Serialization/ModuleFile.h"
#include "clang/Serialization/ModuleManager.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "support/archive.h"
#include "support/hash.h"

namespace reckon::capture {
namespace {

// In the file: the sizes of both parts as text of a fixed length, the facts, and from a page's start the precompiled
// header. The sizes are written last, so that a file whose writer was killed has none.
constexpr std::size_t kHeadBytes = 64, kPage = 4096;
constexpr const char* kPchPath = "/reckon-preamble/start.pch";  // in a file system of our own

template <typename Archive>
void code(Archive& a, PreambleFacts& facts) {
  a.text(facts.key);
  a.text(facts.text);
  a.number(facts.ends_at_line_start);
  a.list(facts.files, [&](PreambleFacts::File& f) { a.text(f.path), a.text(f.state); });
  a.list(facts.names, [&](std::string& name) { a.text(name); });
  a.list(facts.uses, [&](PreambleFacts::Use& u) { a.number(u.place), a.number(u.name); });
  a.list(facts.records, [&](PreambleFacts::Record& r) { a.text(r.name), a.number(r.id); });
}

std::string key_of(const Request& request) {
  support::Hasher hasher;
  hasher.text(CLANG_VERSION_STRING);
  hasher.text(request.directory);
  hasher.text(request.file);
  for (const std::string& argument : request.arguments) hasher.text(argument);
  return hasher.finish().hex();
}

std::int64_t nanoseconds(const timespec& t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

// Size and time of a file, or the hash of the text that the editor has for it.
// "": there is none, or it was changed at `before` or later, and nobody knows which text was read.
std::string state_of(const Request& request, const std::string& path, std::int64_t before) {
  if (const auto text = request.texts.find(path); text != request.texts.end())
    return support::hash128(text->second).hex();
  struct stat info{};
  if (stat(path.c_str(), &info) != 0 || nanoseconds(info.st_mtim) >= before) return "";
  return std::to_string(info.st_size) + " " + std::to_string(nanoseconds(info.st_mtim));
}

std::string absolute(const Request& request, llvm::StringRef path) {
  llvm::SmallString<256> full;
  if (!llvm::sys::path::is_absolute(path)) full = request.directory;
  llvm::sys::path::append(full, path);
  llvm::sys::path::remove_dots(full, true);
  return std::string(full);
}

class AllFiles : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
};

// Parses the start of a file and keeps the precompiled header in memory.
class BuildAction : public clang::ASTFrontendAction {
 public:
  BuildAction(const Request& request, PreambleFacts& facts)
      : request_(request), facts_(facts), buffer_(std::make_shared<clang::PCHBuffer>()) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);  // which stamps files
    start_ = nanoseconds(now);
  }

  bool written() const { return buffer_->IsComplete; }
  llvm::StringRef bytes() const { return {buffer_->Data.data(), buffer_->Data.size()}; }

 private:
  class Generator : public clang::PCHGenerator {
   public:
    Generator(BuildAction& action, clang::CompilerInstance& compiler)
        : PCHGenerator(compiler.getPreprocessor(), compiler.getModuleCache(), kPchPath, "", action.buffer_, {}),
          action_(action) {}

    void HandleTagDeclDefinition(clang::TagDecl* tag) override {
      if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(tag)) met_.push_back(record);
    }
    void HandleTranslationUnit(clang::ASTContext& ast) override {
      PCHGenerator::HandleTranslationUnit(ast);
      if (!hasEmittedPCH()) return;
      llvm::StringMap<bool> seen;
      for (const clang::RecordDecl* record : met_) {
        const std::string name = Records::name_of(*record);
        if (!name.empty() && seen.try_emplace(name).second)
          action_.facts_.records.push_back({name, getWriter().getDeclID(record).getRawValue()});
      }
    }

   private:
    BuildAction& action_;
    std::vector<const clang::RecordDecl*> met_;
  };

  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    rename_attributes(compiler.getPreprocessor());
    compiler.getPreprocessor().addPPCallbacks(record_macros(macros_));
    files_->attachToPreprocessor(compiler.getPreprocessor());
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<Generator>(*this, compiler);
  }
  void EndSourceFileAction() override {
    llvm::DenseMap<const clang::IdentifierInfo*, std::uint32_t> numbers;
    for (const auto& [place, id] : macros_) {
      const auto [known, fresh] = numbers.try_emplace(id, static_cast<std::uint32_t>(facts_.names.size()));
      if (fresh) facts_.names.push_back(id->getName().str());
      facts_.uses.push_back({place.getRawEncoding(), known->second});
    }
    const std::string main = absolute(request_, request_.file);
    for (const std::string& path : files_->getDependencies())
      if (const std::string full = absolute(request_, path); !llvm::StringRef(path).starts_with("<") && full != main)
        facts_.files.push_back({full, state_of(request_, full, start_)});
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

  const Request& request_;
  PreambleFacts& facts_;
  std::shared_ptr<clang::PCHBuffer> buffer_;
  std::shared_ptr<AllFiles> files_ = std::make_shared<AllFiles>();
  MacroLog macros_;
  std::int64_t start_ = 0;
};

bool put(int fd, llvm::StringRef bytes, off_t at) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd, bytes.data(), bytes.size(), at);
    if (written <= 0) return false;
    bytes = bytes.drop_front(static_cast<std::size_t>(written));
    at += written;
  }
  return true;
}

bool write(int fd, PreambleFacts& facts, llvm::StringRef pch) {
  support::Writer writer;
  code(writer, facts);
  const std::string& text = writer.bytes();
  const std::size_t start = (kHeadBytes + text.size() + kPage - 1) / kPage * kPage;
  std::string head = "reckon " + std::to_string(text.size()) + " " + std::to_string(start) + " ";
  head.resize(kHeadBytes, ' ');
  return ftruncate(fd, 0) == 0 && put(fd, text, kHeadBytes) && put(fd, pch, static_cast<off_t>(start)) &&
         put(fd, head, 0);
}

// Parses only the start of the file. False if there are errors in it: the whole file will tell them.
bool build(const Request& request, const clang::CompilerInvocation& invocation, Preamble::Files files,
           PreambleFacts& facts) {
  auto own = std::make_shared<clang::CompilerInvocation>(invocation);
  own->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  own->getLangOpts().CompilingPCH = true;
  own->getPreprocessorOpts().GeneratePreamble = true;
  own->getPreprocessorOpts().PrecompiledPreambleBytes = {0, false};
  const std::string main = own->getFrontendOpts().Inputs.front().getFile().str();
  own->getPreprocessorOpts().addRemappedFile(main, llvm::MemoryBuffer::getMemBufferCopy(facts.text, main).release());
  std::string ignored;
  llvm::raw_string_ostream errors(ignored);
  const std::unique_ptr<clang::CompilerInstance> compiler = make_compiler(own, std::move(files), errors);
  BuildAction action(request, facts);
  return compiler->ExecuteAction(action) && action.written() && write(request.preamble, facts, action.bytes());
}

}  // namespace

std::unique_ptr<Preamble> Preamble::read(const Request& request) {
  std::string head(kHeadBytes, ' ');
  if (pread(request.preamble, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) return nullptr;
  const auto [mark, sizes] = llvm::StringRef(head).split(' ');
  const auto [first, rest] = sizes.split(' ');
  std::size_t size = 0, start = 0;
  struct stat info{};
  if (mark != "reckon" || first.getAsInteger(10, size) || rest.split(' ').first.getAsInteger(10, start) ||
      fstat(request.preamble, &info) != 0 || kHeadBytes + size > start ||
      start >= static_cast<std::size_t>(info.st_size))
    return nullptr;
  std::string text(size, '\0');
  if (pread(request.preamble, text.data(), size, kHeadBytes) != static_cast<ssize_t>(size)) return nullptr;
  auto out = std::make_unique<Preamble>();
  support::Reader reader(text);
  code(reader, out->facts_);
  auto bytes = llvm::MemoryBuffer::getOpenFileSlice(
      request.preamble, kPchPath, static_cast<std::uint64_t>(info.st_size) - start, static_cast<std::int64_t>(start));
  if (!reader.ok() || !bytes) return nullptr;
  out->bytes_ = std::move(*bytes);
  for (const PreambleFacts::Record& record : out->facts_.records) out->records_[record.name] = record.id;
  return out;
}

bool Preamble::fits(const Request& request, const std::string& key, llvm::StringRef text) const {
  if (facts_.key != key || facts_.text != text) return false;
  for (const PreambleFacts::File& file : facts_.files)
    if (file.state.empty() || file.state != state_of(request, file.path, INT64_MAX)) return false;
  return true;
}

std::unique_ptr<Preamble> Preamble::ready(const Request& request, const clang::CompilerInvocation& invocation,
                                          Files files) {
  if (invocation.getFrontendOpts().Inputs.size() != 1 || !invocation.getFrontendOpts().Inputs.front().isFile())
    return nullptr;
  const auto source = files->getBufferForFile(invocation.getFrontendOpts().Inputs.front().getFile());
  if (!source) return nullptr;
  const clang::PreambleBounds bounds = clang::Lexer::ComputePreamble((*source)->getBuffer(), invocation.getLangOpts());
  const llvm::StringRef text = (*source)->getBuffer().take_front(bounds.Size);
  if (!text.contains("include")) return nullptr;
  const std::string key = key_of(request);
  std::unique_ptr<Preamble> kept = read(request);
  if (kept && kept->fits(request, key, text)) return kept;
  kept.reset();  // the file is not mapped while it is written
  PreambleFacts facts{key, text.str(), bounds.PreambleEndsAtStartOfLine, {}, {}, {}, {}};
  return build(request, invocation, std::move(files), facts) ? read(request) : nullptr;
}

void Preamble::use(clang::CompilerInvocation& invocation, Files& files) const {
  clang::PreprocessorOptions& options = invocation.getPreprocessorOpts();
  options.PrecompiledPreambleBytes = {static_cast<unsigned>(facts_.text.size()), facts_.ends_at_line_start};
  options.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;  // fits() has looked
  options.ImplicitPCHInclude = kPchPath;
  options.UsePredefines = false;
  auto own = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  own->addFile(kPchPath, 0, llvm::MemoryBuffer::getMemBuffer(bytes_->getMemBufferRef(), false));
  auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  all->pushOverlay(own);
  files = all;
}

void Preamble::add_macros(clang::CompilerInstance& compiler, MacroLog& log) const {
  const llvm::IntrusiveRefCntPtr<clang::ASTReader> reader = compiler.getASTReader();
  if (!reader) return;
  clang::serialization::ModuleFile& module = reader->getModuleManager().getPrimaryModule();
  std::vector<const clang::IdentifierInfo*> ids;
  for (const std::string& name : facts_.names) ids.push_back(compiler.getPreprocessor().getIdentifierInfo(name));
  log.reserve(log.size() + facts_.uses.size());
  for (const PreambleFacts::Use& use : facts_.uses)
    if (use.name < ids.size())
      log.emplace_back(reader->TranslateSourceLocation(module, clang::SourceLocation::getFromRawEncoding(use.place)),
                       ids[use.name]);
}

const clang::RecordDecl* Preamble::record(clang::CompilerInstance& compiler, llvm::StringRef name) const {
  const auto known = records_.find(name);
  const llvm::IntrusiveRefCntPtr<clang::ASTReader> reader = compiler.getASTReader();
  if (known == records_.end() || !reader) return nullptr;
  clang::serialization::ModuleFile& module = reader->getModuleManager().getPrimaryModule();
  const auto id = clang::LocalDeclID::get(*reader, module, known->second);
  return llvm::dyn_cast_or_null<clang::RecordDecl>(reader->GetLocalDecl(module, id));
}

}  // namespace reckon::capture
