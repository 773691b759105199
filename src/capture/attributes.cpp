// Clang drops attributes it does not know while parsing, so those of the GCC plugin cpychecker, which
// extensions carry in their headers, have to be declared to it. They are kept on the declaration as
// annotations and told apart from the programmer's own by a prefix.
#include "capture/attributes.h"

#include <string>
#include <vector>

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace reckon::capture {
namespace {

using Syntax = clang::AttributeCommonInfo::Syntax;

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

// Registers by existing; the registry is Clang's.
const clang::ParsedAttrInfoRegistry::Add<ForeignAttribute> kRegistered("reckon",
                                                                       "attributes of reference-count checkers");

}  // namespace

void know_foreign_attributes() { (void)kRegistered; }

}  // namespace reckon::capture
