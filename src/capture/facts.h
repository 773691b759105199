// What only the syntax tree knows: which macro a place came from, how a call was written, which variable
// or record a piece of LLVM IR stands for.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/builder.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "model/model.h"

namespace reckon::capture {

// Every macro use in a file (not those inside other macros), in the order the preprocessor met them.
using MacroLog = std::vector<std::pair<clang::SourceLocation, const clang::IdentifierInfo*>>;

std::unique_ptr<clang::PPCallbacks> record_macros(MacroLog& log);

// Source positions as the model wants them.
class Places {
 public:
  Places(const clang::SourceManager& sources, std::string directory, MacroLog& log, Strings& strings);

  model::Loc at(const llvm::DILocation* location);
  model::Loc at(clang::SourceLocation location);
  // Makes the macro uses of the file around `location` known to at().
  void load_macros(clang::SourceLocation location);
  // Line and column the debug info would give.
  std::pair<unsigned, unsigned> line_and_column(clang::SourceLocation location) const;
  model::StrId file(const llvm::DIFile* file);
  std::string absolute(llvm::StringRef path) const;

 private:
  model::StrId file(llvm::StringRef name);
  static std::uint64_t key(unsigned line, unsigned col) { return (std::uint64_t{line} << 20) ^ col; }

  const clang::SourceManager& sources_;
  std::string directory_;
  MacroLog& log_;
  Strings& strings_;
  bool sorted_ = false;
  llvm::DenseMap<const llvm::DIFile*, model::StrId> debug_files_;
  llvm::DenseMap<const char*, model::StrId> presumed_files_;
  llvm::DenseMap<clang::FileID, bool> loaded_;
  // By the number of the file, and the place in it.
  llvm::DenseMap<std::pair<std::uint32_t, std::uint64_t>, const clang::IdentifierInfo*> macros_;
};

// The calls, variables and records of one function body.
class BodyFacts {
 public:
  BodyFacts() = default;
  BodyFacts(const clang::FunctionDecl* function, const Places& places);

  // The call written at a place; `callee` is null for a call through a pointer.
  const clang::CallExpr* call_at(unsigned line, unsigned col, const clang::FunctionDecl* callee) const;
  const clang::VarDecl* variable(llvm::StringRef name, unsigned line) const;
  // Bit-fields and union members that an access at this place selects, outermost first.
  llvm::SmallVector<const clang::FieldDecl*, 2> members_at(unsigned line, unsigned col) const;
  // Has a `switch` at this place a case for each value of its enumeration, and no default?
  bool names_all_values(unsigned line, unsigned col) const;
  // Records whose members are named here, each once.
  const std::vector<const clang::RecordDecl*>& records() const { return records_; }
  // Functions that `__attribute__((cleanup(F)))` of a variable names.
  const std::vector<const clang::FunctionDecl*>& cleanups() const { return cleanups_; }

 private:
  struct Call {
    unsigned line, col;
    const clang::CallExpr* expr;
  };
  struct Member {
    unsigned line, col;
    const clang::FieldDecl* field;
  };
  struct Variable {
    unsigned line;
    const clang::VarDecl* decl;
  };
  void walk(const clang::Stmt* root, const Places& places);

  std::vector<Call> calls_;
  std::vector<Variable> variables_;
  std::vector<Member> members_;
  std::vector<std::pair<unsigned, unsigned>> complete_switches_;
  std::vector<const clang::RecordDecl*> records_;
  std::vector<const clang::FunctionDecl*> cleanups_;
};

}  // namespace reckon::capture
