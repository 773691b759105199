// Lists the places of C and C++ files where one edit would likely make a reference bug.
//
// Problem: to know what a checker misses, bugs must be put into real code. A text search would cut statements in half,
// take names in comments, and edit what a macro makes. Clang knows statements, their neighbours and the macros they
// come from.
//
// Method: each statement of a block whose call (or outermost macro) has a name that takes or gives up a reference is
// a site, and so are NULL tests that guard a fresh pointer, and jumps to cleanup labels. For each site the edit is
// printed as one JSON object: kind, function, line, and which bytes of the file become what.
//
// Limits: only edits inside one function and one file; statements that a macro makes together with others are left
// alone; whether the edit is really a bug is for a person to say.
//
// Usage: sites -p DIR RELEASE ACQUIRE FILE...   (RELEASE, ACQUIRE: regular expressions for names; "-" for none)
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Regex.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace clang;

struct Names {
  llvm::Regex release;
  llvm::Regex acquire;
};

struct Range {
  unsigned begin = 0;
  unsigned end = 0;
};

bool ends_block(const Stmt* statement) { return isa<ReturnStmt>(statement) || isa<GotoStmt>(statement); }

class Finder : public RecursiveASTVisitor<Finder> {
 public:
  Finder(ASTContext& context, const Names& names) : context_(context), sources_(context.getSourceManager()), names_(names) {
    text_ = sources_.getBufferData(sources_.getMainFileID());
  }

  bool TraverseFunctionDecl(FunctionDecl* decl) { return inside(decl, [&] { return Base::TraverseFunctionDecl(decl); }); }
  bool TraverseCXXMethodDecl(CXXMethodDecl* decl) { return inside(decl, [&] { return Base::TraverseCXXMethodDecl(decl); }); }

  bool VisitCompoundStmt(CompoundStmt* block) {
    if (function_ == nullptr) return true;
    std::vector<const Stmt*> flat;
    bool after_label = false;
    std::vector<bool> cleanup;
    for (const Stmt* child : block->body()) {
      while (const auto* label = dyn_cast<LabelStmt>(child)) {
        after_label = true;
        child = label->getSubStmt();
      }
      flat.push_back(child);
      cleanup.push_back(after_label);
    }
    bool error_block = block != function_->getBody() && !flat.empty() && ends_block(flat.back());
    for (std::size_t i = 0; i < flat.size(); ++i) {
      const Stmt* next = i + 1 < flat.size() ? flat[i + 1] : nullptr;
      const Stmt* previous = i > 0 && !cleanup[i] ? flat[i - 1] : nullptr;
      if (const auto* branch = dyn_cast<IfStmt>(flat[i])) null_check(branch, previous);
      statement(flat[i], previous, next, error_block || cleanup[i]);
    }
    return true;
  }

  bool VisitIfStmt(IfStmt* branch) {
    if (function_ == nullptr || branch->getElse() != nullptr) return true;
    const Stmt* body = branch->getThen();
    // A release that is the whole body of an if: it may go, but the if needs a body.
    if (std::optional<Range> range = whole(body); range && !isa<CompoundStmt>(body)) {
      if (names_.release.match(name_of(body))) emit("release-removed", body, *range, ";");
    }
    return true;
  }

  bool VisitGotoStmt(GotoStmt* jump) {
    if (function_ != nullptr) jumps_.push_back(jump);
    return true;
  }

  bool VisitLabelStmt(LabelStmt* label) {
    if (function_ != nullptr) labels_.push_back(label);
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    if (function_ == nullptr || !call->getBeginLoc().isMacroID()) return true;
    std::string name = macro_of(call->getBeginLoc());
    if (name != "PROTECT") return true;
    std::optional<Range> range = whole_expression(call);
    if (!range || !text_.substr(range->begin).starts_with("PROTECT")) return true;
    emit("protect-removed", call, {range->begin, range->begin + 7}, "");
    return true;
  }

 private:
  using Base = RecursiveASTVisitor<Finder>;

  template <typename Walk>
  bool inside(FunctionDecl* decl, Walk walk) {
    bool mine = decl->doesThisDeclarationHaveABody() && sources_.isInMainFile(sources_.getExpansionLoc(decl->getLocation())) &&
                !decl->getLocation().isMacroID() && !decl->isTemplated();
    if (!mine) return true;
    FunctionDecl* outer = function_;
    function_ = decl;
    jumps_.clear();
    labels_.clear();
    seen_.clear();
    bool going_on = walk();
    move_jumps();
    function_ = outer;
    return going_on;
  }

  void statement(const Stmt* stmt, const Stmt* previous, const Stmt* next, bool error_path) {
    std::string name = name_of(stmt);
    if (name.empty()) return;
    std::optional<Range> range = whole(stmt);
    if (!range) return;
    std::string shown = text_.substr(range->begin, range->end - range->begin).str();
    if (name == "UNPROTECT") return unprotect(stmt, previous, *range, shown, error_path);
    if (names_.release.match(name)) {
      emit(error_path ? "error-release-removed" : "release-removed", stmt, *range, ";");
      emit("release-doubled", stmt, *range, shown + " " + shown);
      std::string variable = argument_of(shown);
      if (previous != nullptr && !variable.empty()) move_before(stmt, previous, *range, shown, variable, "release-moved-up");
    } else if (names_.acquire.match(name)) {
      emit(next != nullptr && isa<ReturnStmt>(next) ? "acquire-before-return-removed" : "acquire-removed", stmt, *range, ";");
      emit("acquire-doubled", stmt, *range, shown + " " + shown);
    }
  }

  void unprotect(const Stmt* stmt, const Stmt* previous, Range range, const std::string& shown, bool error_path) {
    std::string count = argument_of(shown);
    if (count.size() == 1 && count[0] >= '1' && count[0] <= '8') {
      std::string fewer = shown, more = shown;
      std::size_t at = shown.find(count, shown.find('('));
      fewer.replace(at, 1, std::to_string(count[0] - '0' - 1));
      more.replace(at, 1, std::to_string(count[0] - '0' + 1));
      emit("unprotect-fewer", stmt, range, fewer);
      emit("unprotect-more", stmt, range, more);
    }
    emit(error_path ? "early-unprotect-removed" : "unprotect-removed", stmt, range, ";");
    if (previous != nullptr) move_before(stmt, previous, range, shown, "", "unprotect-moved-up");
  }

  void move_before(const Stmt* stmt, const Stmt* previous, Range range, const std::string& shown, const std::string& used,
                   const char* kind) {
    if (isa<DeclStmt>(previous) || isa<NullStmt>(previous) || ends_block(previous)) return;
    std::optional<Range> before = whole(previous);
    if (!before || before->end > range.begin) return;
    std::string other = text_.substr(before->begin, before->end - before->begin).str();
    if (!used.empty() && other.find(used) == std::string::npos) return;
    emit(kind, stmt, {before->begin, range.end}, shown + " " + other);
  }

  // A jump to a cleanup label goes to the label after it instead: the first cleanup is skipped.
  void move_jumps() {
    for (const GotoStmt* jump : jumps_) {
      for (std::size_t i = 0; i + 1 < labels_.size(); ++i) {
        if (labels_[i]->getDecl() != jump->getLabel()) continue;
        if (std::optional<Range> range = whole(jump)) {
          emit("goto-moved", jump, *range, "goto " + labels_[i + 1]->getDecl()->getName().str() + ";");
        }
      }
    }
  }

  // `if (x == NULL) return ...` right after, or around, `x = call()`. What the condition does besides testing stays.
  void null_check(const IfStmt* branch, const Stmt* previous) {
    if (branch->getElse() != nullptr || branch->getInit() != nullptr || branch->getConditionVariable() != nullptr) return;
    const Stmt* last = branch->getThen();
    if (const auto* block = dyn_cast<CompoundStmt>(last)) last = block->body_empty() ? nullptr : block->body_back();
    if (last == nullptr || !ends_block(last)) return;
    const Expr* tested = tested_for_null(branch->getCond());
    if (tested == nullptr) return;
    const auto* assignment = dyn_cast<BinaryOperator>(tested);
    bool fresh = assignment != nullptr && assignment->getOpcode() == BO_Assign && is_call(assignment->getRHS());
    if (const auto* variable = dyn_cast<DeclRefExpr>(tested)) fresh = previous != nullptr && sets(previous, variable->getDecl());
    if (!fresh) return;
    std::optional<Range> all = whole(branch);
    std::optional<Range> condition = plain(branch->getCond()->getSourceRange());
    if (!all || !condition) return;
    emit("null-check-removed", branch, *all,
         "(void)(" + text_.substr(condition->begin, condition->end - condition->begin).str() + ");");
  }

  static bool is_call(const Expr* value) { return value != nullptr && isa<CallExpr>(value->IgnoreParenCasts()); }

  static bool sets(const Stmt* statement, const ValueDecl* variable) {
    if (const auto* declaration = dyn_cast<DeclStmt>(statement)) {
      for (const Decl* decl : declaration->decls()) {
        if (decl == variable) return is_call(cast<VarDecl>(decl)->getInit());
      }
      return false;
    }
    const auto* assignment = dyn_cast<BinaryOperator>(statement);
    if (assignment == nullptr || assignment->getOpcode() != BO_Assign) return false;
    const auto* target = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    return target != nullptr && target->getDecl() == variable && is_call(assignment->getRHS());
  }

  // The pointer that a condition finds to be NULL, or nullptr.
  const Expr* tested_for_null(const Expr* condition) const {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* negation = dyn_cast<UnaryOperator>(condition)) {
      const Expr* inner = negation->getSubExpr()->IgnoreParenImpCasts();
      return negation->getOpcode() == UO_LNot && inner->getType()->isPointerType() ? inner : nullptr;
    }
    const auto* comparison = dyn_cast<BinaryOperator>(condition);
    if (comparison == nullptr || comparison->getOpcode() != BO_EQ || !comparison->getLHS()->getType()->isPointerType() ||
        comparison->getRHS()->isNullPointerConstant(context_, Expr::NPC_ValueDependentIsNull) == Expr::NPCK_NotNull) {
      return nullptr;
    }
    return comparison->getLHS()->IgnoreParenImpCasts();
  }

  // The outermost macro of a place.
  std::string macro_of(SourceLocation place) const {
    std::string name;
    while (place.isMacroID()) {
      name = Lexer::getImmediateMacroName(place, sources_, context_.getLangOpts()).str();
      place = sources_.getImmediateExpansionRange(place).getBegin();
    }
    return name;
  }

  std::string name_of(const Stmt* stmt) const {
    if (stmt->getBeginLoc().isMacroID()) return macro_of(stmt->getBeginLoc());
    const auto* expression = dyn_cast<Expr>(stmt);
    if (expression == nullptr) return "";
    const auto* call = dyn_cast<CallExpr>(expression->IgnoreParenCasts());
    const FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
    return callee != nullptr && callee->getDeclName().isIdentifier() ? callee->getName().str() : "";
  }

  static std::string argument_of(const std::string& shown) {
    std::size_t open = shown.find('('), close = shown.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close <= open) return "";
    return llvm::StringRef(shown).substr(open + 1, close - open - 1).trim().str();
  }

  std::optional<Range> plain(SourceRange range) const {
    SourceLocation begin = sources_.getExpansionLoc(range.getBegin());
    SourceLocation last = sources_.getExpansionRange(range.getEnd()).getEnd();
    SourceLocation end = Lexer::getLocForEndOfToken(last, 0, sources_, context_.getLangOpts());
    if (!sources_.isInMainFile(begin) || end.isInvalid() || !sources_.isInMainFile(end)) return std::nullopt;
    Range out{sources_.getFileOffset(begin), sources_.getFileOffset(end)};
    return out.begin < out.end ? std::optional(out) : std::nullopt;
  }

  std::optional<Range> whole_expression(const Stmt* stmt) const { return plain(stmt->getSourceRange()); }

  // The bytes of a statement with its semicolon.
  std::optional<Range> whole(const Stmt* stmt) const {
    std::optional<Range> range = plain(stmt->getSourceRange());
    if (!range) return std::nullopt;
    std::size_t after = text_.find_first_not_of(" \t\r\n", range->end);
    if (after != llvm::StringRef::npos && text_[after] == ';') range->end = static_cast<unsigned>(after) + 1;
    return range;
  }

  void emit(const char* kind, const Stmt* stmt, Range range, const std::string& replacement) {
    // Two statements of one macro have one range; the edit is told once.
    if (!seen_.insert({std::string(kind) + ":" + std::to_string(range.begin), true}).second) return;
    unsigned line = sources_.getExpansionLineNumber(stmt->getBeginLoc());
    llvm::json::Object out{{"kind", kind},
                           {"function", function_->getNameAsString()},
                           {"line", line},
                           {"begin", range.begin},
                           {"end", range.end},
                           {"old", llvm::json::fixUTF8(text_.substr(range.begin, range.end - range.begin))},
                           {"new", llvm::json::fixUTF8(replacement)},
                           {"file", sources_.getFileEntryForID(sources_.getMainFileID())->tryGetRealPathName()}};
    llvm::outs() << llvm::json::Value(std::move(out)) << "\n";
  }

  ASTContext& context_;
  SourceManager& sources_;
  const Names& names_;
  llvm::StringRef text_;
  FunctionDecl* function_ = nullptr;
  std::vector<const GotoStmt*> jumps_;
  std::vector<const LabelStmt*> labels_;
  std::map<std::string, bool> seen_;
};

class Consumer : public ASTConsumer {
 public:
  explicit Consumer(const Names& names) : names_(names) {}
  void HandleTranslationUnit(ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    Finder(context, names_).TraverseDecl(context.getTranslationUnitDecl());
  }

 private:
  const Names& names_;
};

class Action : public ASTFrontendAction {
 public:
  explicit Action(const Names& names) : names_(names) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getDiagnostics().setIgnoreAllWarnings(true);
    return std::make_unique<Consumer>(names_);
  }

 private:
  const Names& names_;
};

class Factory : public tooling::FrontendActionFactory {
 public:
  explicit Factory(const Names& names) : names_(names) {}
  std::unique_ptr<FrontendAction> create() override { return std::make_unique<Action>(names_); }

 private:
  const Names& names_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || std::string(argv[1]) != "-p") {
    llvm::errs() << "usage: sites -p DATABASE RELEASE ACQUIRE FILE...\n";
    return 2;
  }
  std::string error;
  auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(argv[2], error,
                                                                        clang::tooling::JSONCommandLineSyntax::Gnu);
  if (!database) {
    llvm::errs() << error << "\n";
    return 2;
  }
  Names names{llvm::Regex(argv[3]), llvm::Regex(argv[4])};
  clang::tooling::ClangTool tool(*database, std::vector<std::string>(argv + 5, argv + argc));
  Factory factory(names);
  return tool.run(&factory);
}
