// The start of a file, precompiled: its #include lines and all that they bring, for an editor that asks about the same
// file again and again.
//
// The problem: a module of five lines includes headers of C++ that take Clang two seconds to read, and an edit rarely
// touches them. The method is clangd's: the lines before the first declaration are parsed once and written as a
// precompiled header, with which the rest of the file is parsed. What listened to the parser meanwhile (macro uses,
// records, files) is written beside it, since nobody will hear it again.
//
// Limits: a header that comes to be there and would be found before the one that was read is not noticed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "capture/facts.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace reckon::capture {

// What is kept beside the precompiled header.
struct PreambleFacts {
  struct File {
    std::string path;  // absolute
    std::string state;
  };
  struct Use {
    std::uint32_t place = 0;  // raw source location
    std::uint32_t name = 0;   // index into names
  };
  struct Record {
    std::string name;
    std::uint64_t id = 0;  // of the declaration
  };
  std::string key;   // of the compiler call
  std::string text;  // the start of the file
  bool ends_at_line_start = false;
  std::vector<File> files;
  std::vector<std::string> names;  // of macros
  std::vector<Use> uses;
  std::vector<Record> records;  // the first of each name
};

class Preamble {
 public:
  using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

  // Reads request.preamble if it fits the call and all files are as they were; else makes it anew and writes it there.
  // nullptr: there is none (no #include, errors in it, the file cannot be written).
  static std::unique_ptr<Preamble> ready(const Request& request, const clang::CompilerInvocation& invocation,
                                         Files files);

  // Lets an invocation start behind the preamble. The preamble must outlive the compiler.
  void use(clang::CompilerInvocation& invocation, Files& files) const;

  const PreambleFacts& facts() const { return facts_; }
  // Of the compiler that uses it: macro uses as if they had been heard, and the first record of a name.
  void add_macros(clang::CompilerInstance& compiler, MacroLog& log) const;
  const clang::RecordDecl* record(clang::CompilerInstance& compiler, llvm::StringRef name) const;

 private:
  static std::unique_ptr<Preamble> read(const Request& request);
  bool fits(const Request& request, const std::string& key, llvm::StringRef text) const;

  PreambleFacts facts_;
  llvm::StringMap<std::uint64_t> records_;
  std::unique_ptr<llvm::MemoryBuffer> bytes_;  // of the precompiled header
};

}  // namespace reckon::capture
