// Clang drops attributes it does not know while parsing, so those of the GCC plugin cpychecker, which
// extensions carry in their headers, have to be declared to it. They are kept on the declaration as
// annotations and told apart from the programmer's own by a prefix.
//
// GCC's `malloc(FREE, N)`, which says who gives back what a function hands out, is an error for Clang, whose own
// `malloc` takes no arguments. The parser is given another name for it, that of an attribute of ours, wherever the
// tokens come from, a macro of a header included.
#include "capture/attributes.h"

#include <string>
#include <vector>

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace reckon::capture {
namespace {

using Syntax = clang::AttributeCommonInfo::Syntax;

constexpr llvm::StringLiteral kOurMalloc = "reckon_malloc";

constexpr clang::ParsedAttrInfo::Spelling kSpellings[] = {
    {Syntax::AS_GNU, "cpychecker_returns_borrowed_ref"},
    {Syntax::AS_GNU, "cpychecker_steals_reference_to_arg"},
    {Syntax::AS_GNU, "cpychecker_sets_exception"},
    {Syntax::AS_GNU, "cpychecker_negative_result_sets_exception"},
    {Syntax::AS_GNU, "cpychecker_null_result_sets_exception"},
    {Syntax::AS_GNU, "cpychecker_type_object_for_typedef"},
};

struct ForeignAttribute : clang::ParsedAttrInfo {
  ForeignAttribute() {
    Spellings = kSpellings;
    OptArgs = 15;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* decl, const clang::ParsedAttr& attr) const override {
    std::vector<clang::Expr*> arguments;
    for (unsigned i = 0; i < attr.getNumArgs(); ++i)
      if (attr.isArgExpr(i)) arguments.push_back(attr.getArgAsExpr(i));
    std::string text = (kForeignAttribute + attr.getAttrName()->getName()).str();
    sema.AddAnnotationAttr(decl, attr, text, arguments);
    return AttributeApplied;
  }
};

constexpr clang::ParsedAttrInfo::Spelling kMallocSpellings[] = {
    {Syntax::AS_GNU, kOurMalloc.data()},    {Syntax::AS_CXX11, "gnu::reckon_malloc"},
    {Syntax::AS_C23, "gnu::reckon_malloc"}, {Syntax::AS_CXX11, kOurMalloc.data()},  // asked for without its scope, too
    {Syntax::AS_C23, kOurMalloc.data()},
};

// `malloc`, with whom its result has to be given to, and as which argument (the first, if that is not said).
struct MallocAttribute : clang::ParsedAttrInfo {
  MallocAttribute() {
    Spellings = kMallocSpellings;
    OptArgs = 2;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* decl, const clang::ParsedAttr& attr) const override {
    std::vector<clang::Expr*> arguments;
    if (const std::string name = deallocator(attr); !name.empty()) arguments.push_back(text(sema, name, attr.getLoc()));
    if (attr.getNumArgs() > 1 && attr.isArgExpr(1)) arguments.push_back(attr.getArgAsExpr(1));
    sema.AddAnnotationAttr(decl, attr, (kForeignAttribute + "malloc").str(), arguments);
    return AttributeApplied;
  }

 private:
  // As people call it. A name alone comes as it stands; the function need not be declared.
  static std::string deallocator(const clang::ParsedAttr& attr) {
    if (attr.getNumArgs() == 0) return "";
    if (attr.isArgIdent(0)) return attr.getArgAsIdent(0)->Ident->getName().str();
    const clang::Expr* said = attr.getArgAsExpr(0)->IgnoreParenImpCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(said);
        address != nullptr && address->getOpcode() == clang::UO_AddrOf)
      said = address->getSubExpr()->IgnoreParenImpCasts();
    const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(said);
    return named != nullptr ? named->getDecl()->getQualifiedNameAsString() : "";
  }

  static clang::Expr* text(clang::Sema& sema, const std::string& name, clang::SourceLocation place) {
    clang::ASTContext& ast = sema.Context;
    return clang::StringLiteral::Create(ast, name, clang::StringLiteralKind::Ordinary, /*Pascal=*/false,
                                        ast.getStringLiteralArrayType(ast.CharTy, static_cast<unsigned>(name.size())),
                                        place);
  }
};

// Where the parser is, as far as the names of attributes go.
class AttributeNames {
 public:
  explicit AttributeNames(clang::Preprocessor& preprocessor)
      : gnu_(preprocessor.getIdentifierInfo("gnu")),
        malloc_(preprocessor.getIdentifierInfo("malloc")),
        malloc_too_(preprocessor.getIdentifierInfo("__malloc__")),
        ours_(preprocessor.getIdentifierInfo(kOurMalloc)) {}

  void read(clang::Token& token) {
    namespace tok = clang::tok;
    if (token.is(tok::kw___attribute)) {
      inside_ = true;
      depth_ = 0;
    } else if (token.is(tok::l_paren)) {
      ++depth_;
    } else if (token.is(tok::r_paren)) {
      if (--depth_ <= 0) inside_ = false;
    } else if (token.is(tok::l_square)) {
      if (before_ == tok::l_square) brackets_ = true, all_gnu_ = false;
    } else if (token.is(tok::colon)) {
      if (before_ == tok::identifier && scope_ == gnu_) all_gnu_ = brackets_;  // [[using gnu: ...]]
    } else if (token.is(tok::r_square)) {
      if (before_ == tok::r_square) brackets_ = false;
    } else if (token.is(tok::identifier)) {
      clang::IdentifierInfo* const name = token.getIdentifierInfo();
      const bool first = before_ == tok::l_paren || before_ == tok::comma || before_ == tok::colon;
      const bool after_gnu = brackets_ && ((before_ == tok::coloncolon && scope_ == gnu_) || (all_gnu_ && first));
      if ((name == malloc_ || name == malloc_too_) && (after_gnu || (inside_ && depth_ == 2 && first)))
        token.setIdentifierInfo(ours_);
      scope_ = name;
    }
    before_ = token.getKind();
  }

 private:
  clang::IdentifierInfo *gnu_, *malloc_, *malloc_too_, *ours_;
  const clang::IdentifierInfo* scope_ = nullptr;                   // the last name
  clang::tok::TokenKind before_ = clang::tok::TokenKind::unknown;  // the last token
  bool inside_ = false;                                            // __attribute__((...))
  bool all_gnu_ = false;                                           // [[using gnu: ...]]
  bool brackets_ = false;                                          // [[...]]
  int depth_ = 0;                                                  // of parentheses
};

// These register by existing; the registry is Clang's.
const clang::ParsedAttrInfoRegistry::Add<MallocAttribute> kMallocRegistered("reckon-malloc", "malloc(FREE, N)");
const clang::ParsedAttrInfoRegistry::Add<ForeignAttribute> kRegistered("reckon",
                                                                       "attributes of reference-count checkers");

}  // namespace

void know_foreign_attributes() { (void)kRegistered, (void)kMallocRegistered; }

void rename_attributes(clang::Preprocessor& preprocessor) {
  // The token that a watcher is shown is the parser's own, and no constant.
  preprocessor.setTokenWatcher([names = AttributeNames(preprocessor)](const clang::Token& token) mutable {
    names.read(const_cast<clang::Token&>(token));
  });
}

}  // namespace reckon::capture
