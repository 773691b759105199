// Debug locations tie LLVM IR to the syntax tree: Clang gives an instruction the place where the outermost
// macro was used, so (file, line, column) finds both the macro's name and the call expression. Several
// calls out of one macro share a place and are told apart by their callee.
#include "capture/facts.h"

#include <algorithm>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Path.h"

namespace reckon::capture {
namespace {

class MacroRecorder : public clang::PPCallbacks {
 public:
  explicit MacroRecorder(MacroLog& log) : log_(log) {}
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    clang::SourceLocation at = name.getLocation();
    if (at.isFileID()) log_.emplace_back(at, name.getIdentifierInfo());
  }

 private:
  MacroLog& log_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> record_macros(MacroLog& log) { return std::make_unique<MacroRecorder>(log); }

Places::Places(const clang::SourceManager& sources, std::string directory, MacroLog& log, Strings& strings)
    : sources_(sources), directory_(std::move(directory)), log_(log), strings_(strings) {}

std::string Places::absolute(llvm::StringRef path) const {
  llvm::SmallString<256> full;
  if (!llvm::sys::path::is_absolute(path) && !path.starts_with("<")) full = directory_;
  llvm::sys::path::append(full, path);
  llvm::sys::path::remove_dots(full, /*remove_dot_dot=*/true);
  return std::string(full);
}

model::StrId Places::file(llvm::StringRef name) { return strings_.intern(absolute(name)); }

model::StrId Places::file(const llvm::DIFile* file_node) {
  if (file_node == nullptr) return model::StrId{};
  auto [it, fresh] = debug_files_.try_emplace(file_node);
  if (fresh) {
    llvm::SmallString<256> full;
    if (!llvm::sys::path::is_absolute(file_node->getFilename())) full = file_node->getDirectory();
    llvm::sys::path::append(full, file_node->getFilename());
    it->second = file(full.str());
  }
  return it->second;
}

model::Loc Places::at(const llvm::DILocation* location) {
  model::Loc loc;
  if (location == nullptr) return loc;
  loc.file = file(location->getFile());
  loc.line = location->getLine();
  loc.col = location->getColumn();
  if (auto it = macros_.find({loc.file, key(loc.line, loc.col)}); it != macros_.end())
    loc.macro = strings_.intern(it->second->getName());
  return loc;
}

model::Loc Places::at(clang::SourceLocation location) {
  model::Loc loc;
  if (location.isInvalid()) return loc;
  clang::PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(location));
  if (place.isInvalid()) return loc;
  auto [it, fresh] = presumed_files_.try_emplace(place.getFilename());
  if (fresh) it->second = file(llvm::StringRef(place.getFilename()));
  loc.file = it->second;
  loc.line = place.getLine();
  loc.col = place.getColumn();
  return loc;
}

std::pair<unsigned, unsigned> Places::line_and_column(clang::SourceLocation location) const {
  clang::PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(location));
  return place.isValid() ? std::pair{place.getLine(), place.getColumn()} : std::pair{0u, 0u};
}

void Places::load_macros(clang::SourceLocation location) {
  clang::FileID id = sources_.getFileID(sources_.getExpansionLoc(location));
  if (id.isInvalid() || !loaded_.try_emplace(id, true).second) return;
  if (!sorted_) {
    std::sort(log_.begin(), log_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    sorted_ = true;
  }
  clang::SourceLocation begin = sources_.getLocForStartOfFile(id), end = sources_.getLocForEndOfFile(id);
  auto it = std::lower_bound(log_.begin(), log_.end(), begin,
                             [](const auto& a, clang::SourceLocation b) { return a.first < b; });
  for (; it != log_.end() && it->first <= end; ++it) {
    model::Loc loc = at(it->first);
    macros_.try_emplace({loc.file, key(loc.line, loc.col)}, it->second);
  }
}

namespace {
bool has_default(const clang::SwitchStmt& choice) {
  for (const clang::SwitchCase* c = choice.getSwitchCaseList(); c != nullptr; c = c->getNextSwitchCase())
    if (llvm::isa<clang::DefaultStmt>(c)) return true;
  return false;
}
}  // namespace

BodyFacts::BodyFacts(const clang::FunctionDecl* function, const Places& places) {
  for (const clang::ParmVarDecl* p : function->parameters())
    variables_.push_back({places.line_and_column(p->getLocation()).first, p});
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const clang::CXXCtorInitializer* init : constructor->inits())
      if (init->getInit() != nullptr) walk(init->getInit(), places);
  }
  if (function->getBody() != nullptr) walk(function->getBody(), places);
  auto by_place = [](const auto& a, const auto& b) { return std::pair{a.line, a.col} < std::pair{b.line, b.col}; };
  std::stable_sort(calls_.begin(), calls_.end(), by_place);
  std::stable_sort(members_.begin(), members_.end(), by_place);
}

void BodyFacts::walk(const clang::Stmt* root, const Places& places) {
  llvm::SmallPtrSet<const clang::RecordDecl*, 16> seen(records_.begin(), records_.end());
  auto add_record = [&](const clang::RecordDecl* record) {
    if (record != nullptr && seen.insert(record).second) records_.push_back(record);
  };
  std::vector<const clang::Stmt*> todo{root};
  std::vector<const clang::Stmt*> children;
  while (!todo.empty()) {
    const clang::Stmt* s = todo.back();
    todo.pop_back();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s)) {
      auto [line, col] = places.line_and_column(call->getExprLoc());
      calls_.push_back({line, col, call});
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s)) {
      if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())) {
        add_record(field->getParent());
        // A union member has no address computation of its own: it is seen where its union is named.
        const clang::MemberExpr* at = field->isBitField() ? member : nullptr;
        if (field->getParent()->isUnion())
          at = llvm::dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParenImpCasts());
        if (at != nullptr) {
          auto [line, col] = places.line_and_column(at->getExprLoc());
          members_.push_back({line, col, field});
        }
      }
    } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* d : declaration->decls()) {
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d)) {
          variables_.push_back({places.line_and_column(v->getLocation()).first, v});
          if (const auto* cleanup = v->getAttr<clang::CleanupAttr>()) cleanups_.push_back(cleanup->getFunctionDecl());
          if (const auto* record = v->getType()->getAs<clang::RecordType>()) add_record(record->getDecl());
        }
      }
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(s)) {
      if (choice->isAllEnumCasesCovered() && !has_default(*choice))
        complete_switches_.push_back(places.line_and_column(choice->getBeginLoc()));
    } else if (const auto* handler = llvm::dyn_cast<clang::CXXCatchStmt>(s)) {
      if (const clang::VarDecl* v = handler->getExceptionDecl())
        variables_.push_back({places.line_and_column(v->getLocation()).first, v});
    }
    children.clear();
    for (const clang::Stmt* child : s->children())
      if (child != nullptr) children.push_back(child);
    todo.insert(todo.end(), children.rbegin(), children.rend());
  }
}

const clang::CallExpr* BodyFacts::call_at(unsigned line, unsigned col, const clang::FunctionDecl* callee) const {
  auto it = std::lower_bound(calls_.begin(), calls_.end(), std::pair{line, col},
                             [](const Call& a, const auto& b) { return std::pair{a.line, a.col} < b; });
  for (; it != calls_.end() && it->line == line && it->col == col; ++it) {
    const clang::FunctionDecl* direct = it->expr->getDirectCallee();
    if (callee == nullptr) {
      const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(direct);
      if (direct == nullptr || (method != nullptr && method->isVirtual())) return it->expr;
    } else if (direct != nullptr && direct->getCanonicalDecl() == callee->getCanonicalDecl()) {
      return it->expr;
    }
  }
  return nullptr;
}

llvm::SmallVector<const clang::FieldDecl*, 2> BodyFacts::members_at(unsigned line, unsigned col) const {
  llvm::SmallVector<const clang::FieldDecl*, 2> result;
  auto it = std::lower_bound(members_.begin(), members_.end(), std::pair{line, col},
                             [](const Member& a, const auto& b) { return std::pair{a.line, a.col} < b; });
  for (; it != members_.end() && it->line == line && it->col == col; ++it) result.push_back(it->field);
  // the walk meets the innermost base last
  std::reverse(result.begin(), result.end());
  return result;
}

bool BodyFacts::names_all_values(unsigned line, unsigned col) const {
  return std::find(complete_switches_.begin(), complete_switches_.end(), std::pair{line, col}) !=
         complete_switches_.end();
}

const clang::VarDecl* BodyFacts::variable(llvm::StringRef name, unsigned line) const {
  const clang::VarDecl* by_name = nullptr;
  bool several = false;
  for (const Variable& v : variables_) {
    if (v.decl->getIdentifier() == nullptr || v.decl->getName() != name) continue;
    if (v.line == line) return v.decl;
    several = by_name != nullptr;
    by_name = v.decl;
  }
  return several ? nullptr : by_name;
}

}  // namespace reckon::capture
