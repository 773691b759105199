// Symbols: what the linker would see, told with the programmer's types and attributes.
#include "capture/symbols.h"

#include <algorithm>

#include "capture/attributes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"
#include "support/terminal_text.h"

namespace reckon::capture {

using model::kNone;
using model::Operand;
using model::SymId;

namespace {

model::Linkage linkage_of(const llvm::GlobalValue& global) {
  if (global.hasLocalLinkage()) return model::Linkage::Internal;
  if (global.hasLinkOnceLinkage() || global.hasWeakLinkage() || global.hasCommonLinkage() ||
      global.hasAvailableExternallyLinkage())
    return model::Linkage::Merged;
  return model::Linkage::External;
}

// asm("name") can name a symbol with any bytes; such a name must not end a line of what is printed from it.
std::string printable_name(llvm::StringRef name) { return support::printable(std::string_view(name)); }

// The macro by which the source declares a variable, one that stands for nothing but the name; "" if there is none. So
// the same table has one name in programs that give it to the linker under names of their own.
std::string name_macro(const clang::ASTContext& ast, const clang::VarDecl* decl) {
  const clang::SourceManager& sources = ast.getSourceManager();
  clang::SourceLocation at = decl->getLocation();
  if (!at.isMacroID() || !clang::Lexer::isAtStartOfMacroExpansion(at, sources, ast.getLangOpts()) ||
      !clang::Lexer::isAtEndOfMacroExpansion(at, sources, ast.getLangOpts()))
    return {};
  std::string name;
  for (; at.isMacroID(); at = sources.getImmediateExpansionRange(at).getBegin()) {
    if (!sources.getSLocEntry(sources.getFileID(at)).getExpansion().isMacroBodyExpansion()) return {};
    if (sources.getSLocEntry(sources.getFileID(at)).getExpansion().isFunctionMacroExpansion()) return {};
    name = clang::Lexer::getImmediateMacroName(at, sources, ast.getLangOpts()).str();
  }
  return name;
}

}  // namespace

const clang::FunctionDecl* Symbols::function_decl(const llvm::GlobalValue& global) const {
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(cx_.codegen.GetDeclForMangledName(global.getName()));
}

clang::QualType Symbols::variable_type(const llvm::GlobalValue& global) const {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  if (variable == nullptr) return {};
  if (auto it = statics_.find(variable); it != statics_.end()) return it->second->getType();
  const clang::Decl* decl = cx_.codegen.GetDeclForMangledName(global.getName());
  const auto* v = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
  if (v == nullptr) return {};
  // An array declared without its size gets one from the definition.
  if (const clang::VarDecl* definition = v->getDefinition()) return definition->getType();
  return v->getMostRecentDecl()->getType();
}

clang::QualType Symbols::object_type(const clang::FunctionDecl* decl) const {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(decl);
  if (method == nullptr || !method->isImplicitObjectMemberFunction()) return {};
  return cx_.ast.getPointerType(cx_.ast.getRecordType(method->getParent()));
}

std::string Symbols::display_name(const clang::NamedDecl* decl) const {
  if (!cx_.ast.getLangOpts().CPlusPlus) return decl->getNameAsString();
  std::string text;
  llvm::raw_string_ostream out(text);
  clang::PrintingPolicy policy(cx_.ast.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  decl->getNameForDiagnostic(out, policy, /*Qualified=*/true);
  return text;
}

SymId Symbols::of(const llvm::GlobalValue& given) {
  // An alias of something in this unit is that thing under another name.
  const llvm::GlobalValue* global = &given;
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&given))
    if (const llvm::GlobalObject* object = alias->getAliaseeObject()) global = object;
  auto [it, fresh] = known_.try_emplace(global, static_cast<SymId>(cx_.unit.symbols.size()));
  if (!fresh) return it->second;
  const SymId id = it->second;
  cx_.unit.symbols.emplace_back();
  model::Symbol symbol;
  llvm::StringRef name = global->getName();
  name.consume_front("\1");  // asm("name") labels are marked so
  if (const auto* intrinsic = llvm::dyn_cast<llvm::Function>(global); intrinsic != nullptr && intrinsic->isIntrinsic())
    name = llvm::Intrinsic::getBaseName(intrinsic->getIntrinsicID());
  symbol.name = cx_.strings.intern(printable_name(name));
  symbol.display = symbol.name;
  symbol.linkage = linkage_of(*global);
  symbol.defined = !global->isDeclaration();
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
    describe_variable(symbol, *variable);
    if (variable->hasInitializer()) pending_.push_back(variable);
  } else {
    describe_function(symbol, *global);
  }
  cx_.unit.symbols[id] = std::move(symbol);
  return id;
}

SymId Symbols::alias(const llvm::GlobalAlias& alias, SymId original) {
  model::Symbol symbol = cx_.unit.symbols[original];
  symbol.name = symbol.display = cx_.strings.intern(printable_name(alias.getName()));
  symbol.linkage = linkage_of(alias);
  symbol.address_taken = false;
  cx_.unit.symbols.push_back(std::move(symbol));
  return static_cast<SymId>(cx_.unit.symbols.size() - 1);
}

SymId Symbols::named_function(llvm::StringRef name) {
  if (const llvm::GlobalValue* real = cx_.module.getNamedValue(name)) return of(*real);
  auto [it, fresh] = named_.try_emplace(name, static_cast<SymId>(cx_.unit.symbols.size()));
  if (fresh) {
    model::Symbol symbol;
    symbol.name = symbol.display = cx_.strings.intern(name);
    cx_.unit.symbols.push_back(std::move(symbol));
  }
  return it->second;
}

void Symbols::describe_function(model::Symbol& symbol, const llvm::GlobalValue& global) {
  symbol.kind = model::SymbolKind::Function;
  const auto* function = llvm::dyn_cast<llvm::Function>(&global);
  const clang::FunctionDecl* decl = function_decl(global);
  if (decl != nullptr) {
    symbol.display = cx_.strings.intern(display_name(decl));
    symbol.type = cx_.types.function(decl->getType()->castAs<clang::FunctionType>(), object_type(decl));
    for (model::TypeId p : std::vector<model::TypeId>(cx_.unit.types[symbol.type].params)) cx_.types.complete(p);
    cx_.types.complete(cx_.unit.types[symbol.type].elem);
    const clang::FunctionDecl* definition = decl->getDefinition();
    symbol.loc = cx_.places.at((symbol.defined && definition != nullptr ? definition : decl)->getLocation());
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl)) symbol.is_virtual = method->isVirtual();
    add_attributes(symbol, decl->getMostRecentDecl());
    add_parameter_names(symbol, *decl);
  }
  if (function != nullptr && function->doesNotReturn()) {
    model::Attribute noreturn;
    noreturn.name = cx_.strings.intern("noreturn");
    symbol.attributes.push_back(std::move(noreturn));
  }
}

void Symbols::describe_variable(model::Symbol& symbol, const llvm::GlobalVariable& global) {
  symbol.kind = model::SymbolKind::Variable;
  symbol.is_constant = global.isConstant();
  const clang::VarDecl* decl = nullptr;
  if (auto it = statics_.find(&global); it != statics_.end())
    decl = it->second;
  else
    decl = llvm::dyn_cast_or_null<clang::VarDecl>(cx_.codegen.GetDeclForMangledName(global.getName()));
  if (decl != nullptr) {
    if (const clang::VarDecl* definition = decl->getDefinition()) decl = definition;
    const std::string macro = name_macro(cx_.ast, decl);
    symbol.display = cx_.strings.intern(!macro.empty()          ? macro
                                        : decl->isStaticLocal() ? decl->getNameAsString()
                                                                : display_name(decl));
    symbol.type = cx_.types.used(decl->getType());
    symbol.is_constant = symbol.is_constant || decl->getType().isConstQualified();
    symbol.loc = cx_.places.at(decl->getLocation());
    add_attributes(symbol, decl);
  } else {
    symbol.type = cx_.types.of_llvm(global.getValueType(), cx_.layout);
  }
}

void Symbols::add_attributes(model::Symbol& symbol, const clang::Decl* decl) {
  for (const clang::Attr* attr : decl->attrs()) {
    model::Attribute out;
    auto name = [&](llvm::StringRef text) { out.name = cx_.strings.intern(text); };
    switch (attr->getKind()) {
      case clang::attr::Annotate: {
        const auto* a = llvm::cast<clang::AnnotateAttr>(attr);
        llvm::StringRef text = a->getAnnotation();
        if (text.consume_front(kForeignAttribute)) {
          text.consume_front("__");
          text.consume_back("__");
          name(text);
        } else {
          name("annotate");
          out.text = cx_.strings.intern(text);
        }
        for (const clang::Expr* e : a->args()) {
          clang::Expr::EvalResult result;
          if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(e->IgnoreParenImpCasts());
              literal != nullptr && literal->isOrdinary())
            out.text = cx_.strings.intern(literal->getString());
          else if (!e->isValueDependent() && e->EvaluateAsInt(result, cx_.ast))
            out.args.push_back(result.Val.getInt().getExtValue());
        }
        break;
      }
      case clang::attr::ReturnsNonNull: name("returns_nonnull"); break;
      case clang::attr::NonNull:
        name("nonnull");
        for (const clang::ParamIdx& i : llvm::cast<clang::NonNullAttr>(attr)->args())
          out.args.push_back(i.getSourceIndex());
        break;
      case clang::attr::WarnUnusedResult: name("warn_unused_result"); break;
      case clang::attr::Restrict: name("malloc"); break;
      case clang::attr::Pure: name("pure"); break;
      case clang::attr::Const: name("const"); break;
      case clang::attr::ReturnsTwice: name("returns_twice"); break;
      case clang::attr::Sentinel:
        name("sentinel");
        out.args.push_back(llvm::cast<clang::SentinelAttr>(attr)->getSentinel());
        break;
      case clang::attr::Format: {
        const auto* a = llvm::cast<clang::FormatAttr>(attr);
        name("format");
        out.text = cx_.strings.intern(a->getType()->getName());
        out.args = {a->getFormatIdx(), a->getFirstArg()};
        break;
      }
      case clang::attr::AllocSize: {
        const auto* a = llvm::cast<clang::AllocSizeAttr>(attr);
        name("alloc_size");
        out.args.push_back(a->getElemSizeParam().getSourceIndex());
        if (a->getNumElemsParam().isValid()) out.args.push_back(a->getNumElemsParam().getSourceIndex());
        break;
      }
      case clang::attr::Ownership: {
        const auto* a = llvm::cast<clang::OwnershipAttr>(attr);
        name(a->isReturns() ? "ownership_returns" : a->isTakes() ? "ownership_takes" : "ownership_holds");
        out.text = cx_.strings.intern(a->getModule()->getName());
        for (const clang::ParamIdx& i : a->args()) out.args.push_back(i.getSourceIndex());
        break;
      }
      default: continue;
    }
    symbol.attributes.push_back(std::move(out));
  }
}

// An annotation in the language of specs calls parameters as the declaration does at which it stands.
void Symbols::add_parameter_names(model::Symbol& symbol, const clang::FunctionDecl& function) {
  const auto annotated = [](const clang::FunctionDecl* decl) {
    const auto annotations = decl->specific_attrs<clang::AnnotateAttr>();
    return std::any_of(annotations.begin(), annotations.end(), [](const clang::AnnotateAttr* a) {
      return !a->isInherited() && a->getAnnotation().ltrim().starts_with("reckon:");
    });
  };
  for (const clang::FunctionDecl* decl : function.getMostRecentDecl()->redecls()) {
    if (!annotated(decl)) continue;
    std::string names;
    for (const clang::ParmVarDecl* param : decl->parameters()) names += param->getNameAsString() + ",";
    model::Attribute out;
    out.name = cx_.strings.intern("parameters");
    out.text = cx_.strings.intern(names);
    symbol.attributes.push_back(std::move(out));
    return;
  }
}

void Symbols::cleans_up(const clang::FunctionDecl& function) {
  const llvm::Function* named = function.getIdentifier() ? cx_.module.getFunction(function.getName()) : nullptr;
  if (named == nullptr) return;  // a mangled name, or no call of it was made
  std::vector<model::Attribute>& attributes = cx_.unit.symbols[of(*named)].attributes;
  model::Attribute cleanup;
  cleanup.name = cx_.strings.intern("cleanup");
  if (std::find(attributes.begin(), attributes.end(), cleanup) == attributes.end())
    attributes.push_back(std::move(cleanup));
}

Operand Symbols::operand(const llvm::Constant& constant, bool as_callee) {
  if (const auto* i = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (i->getBitWidth() > 64) return {};
    return Operand::integer(i->getBitWidth() == 1 ? static_cast<std::int64_t>(i->getZExtValue()) : i->getSExtValue());
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return Operand::null();
  if (llvm::isa<llvm::UndefValue>(constant)) return Operand::undef();
  if (constant.getType()->isPointerTy()) {
    llvm::APInt offset(cx_.layout.getIndexTypeSizeInBits(constant.getType()), 0);
    const llvm::Value* base = constant.stripAndAccumulateConstantOffsets(cx_.layout, offset, /*AllowNonInbounds=*/true);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(base)) {
      SymId id = of(*global);
      if (!as_callee && llvm::isa<llvm::Function>(global)) cx_.unit.symbols[id].address_taken = true;
      return Operand::symbol(id, offset.getSExtValue());
    }
    if (llvm::isa<llvm::ConstantPointerNull>(base)) return Operand::integer(offset.getSExtValue());
    if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(base);
        cast != nullptr && cast->getOpcode() == llvm::Instruction::IntToPtr) {
      Operand inner = operand(*cast->getOperand(0));
      if (inner.kind == model::OperandKind::Int || inner.kind == model::OperandKind::Symbol) {
        inner.imm += offset.getSExtValue();
        return inner;
      }
    }
    return {};
  }
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    switch (expression->getOpcode()) {
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::BitCast: return operand(*expression->getOperand(0));
      default: return {};
    }
  }
  return {};
}

}  // namespace reckon::capture
