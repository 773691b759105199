// The unit is parsed once; Clang's code generator and our own consumer listen. When the last declaration
// has been seen and the IR is complete, the syntax tree is still there, and everything is lowered at once.
#include "capture/action.h"

#include <algorithm>

#include "capture/attributes.h"
#include "capture/context.h"
#include "capture/lower.h"
#include "capture/records.h"
#include "capture/symbols.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/LLVMContext.h"

namespace reckon::capture {

struct CaptureAction::Llvm {
  llvm::LLVMContext context;
  clang::CodeGenerator* codegen = nullptr;  // owned by the consumer
};

// Everything the preprocessor opens, in order, system headers included.
class CaptureAction::FileRecorder : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
};

namespace {

std::string macro_text(const clang::MacroInfo& macro, const clang::Preprocessor& preprocessor) {
  std::string text;
  for (const clang::Token& token : macro.tokens()) {
    if (!text.empty() && token.hasLeadingSpace()) text += ' ';
    text += preprocessor.getSpelling(token);
  }
  return text;
}

void record_wanted_macros(const std::vector<std::string>& wanted, clang::Preprocessor& preprocessor, Strings& strings,
                          model::Unit& unit) {
  for (const std::string& name : wanted) {
    const clang::IdentifierInfo* id = preprocessor.getIdentifierInfo(name);
    const clang::MacroInfo* macro = id != nullptr && id->hasMacroDefinition() ? preprocessor.getMacroInfo(id) : nullptr;
    if (macro == nullptr || macro->isFunctionLike()) continue;
    unit.macros.push_back(strings.intern(name + "=" + macro_text(*macro, preprocessor)));
  }
}

// An alias of a function is a function of its own to other units: one that calls the original.
void lower_function_aliases(llvm::Module& module, Symbols& symbols, Context& cx) {
  for (const llvm::GlobalAlias& alias : module.aliases()) {
    const auto* original = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject());
    if (original == nullptr || original->isDeclaration()) continue;
    const model::SymId to = symbols.of(*original);
    const model::Function* body = nullptr;
    for (const model::Function& f : cx.unit.functions)
      if (f.symbol == to) body = &f;
    if (body == nullptr) continue;
    model::Function out;
    out.symbol = symbols.alias(alias, to);
    out.params = body->params;
    out.result = body->result;
    out.variadic = body->variadic;
    out.from_header = body->from_header;
    out.loc = out.end = body->loc;
    const bool returns = !original->getReturnType()->isVoidTy();
    model::Body& b = out.body;
    for (const model::Param& p : out.params) b.value_names.push_back(p.name);
    b.num_values = static_cast<std::uint32_t>(out.params.size());
    b.operands.push_back(model::Operand::symbol(to));
    for (model::ValueId v{}; v < b.num_values; ++v) b.operands.push_back(model::Operand::value(v));
    model::CallInfo info;
    info.type = cx.unit.symbols[to].type;
    b.calls.push_back(std::move(info));
    model::Instr call;
    call.op = model::Op::Call;
    call.aux = 0;
    call.num_operands = static_cast<std::uint32_t>(b.operands.size());
    call.loc = out.loc;
    model::Instr ret;
    ret.op = model::Op::Ret;
    ret.loc = out.loc;
    ret.first_operand = static_cast<std::uint32_t>(b.operands.size());
    if (returns) {
      call.type = ret.type = out.result;
      call.result = model::ValueId(b.num_values++);
      b.value_names.emplace_back();
      ret.num_operands = 1;
      b.operands.push_back(model::Operand::value(call.result));
    }
    b.instrs = {call, ret};
    b.blocks = {model::Block{{}, 2}};
    cx.unit.functions.push_back(std::move(out));
  }
}

bool is_llvm_bookkeeping(const llvm::GlobalVariable& variable) { return variable.getName().starts_with("llvm."); }

// Static variables of a function carry the function as their scope; the syntax tree knows the rest.
void find_local_statics(llvm::Module& module, Symbols& symbols, Context& cx) {
  llvm::DenseMap<const llvm::DISubprogram*, const clang::FunctionDecl*> functions;
  for (const llvm::Function& f : module)
    if (const llvm::DISubprogram* program = f.getSubprogram()) functions[program] = symbols.function_decl(f);
  llvm::DenseMap<const clang::FunctionDecl*, BodyFacts> bodies;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    variable.getDebugInfo(expressions);
    if (expressions.empty()) continue;
    const llvm::DIGlobalVariable* described = expressions.front()->getVariable();
    const auto* scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(described->getScope());
    if (scope == nullptr) continue;
    const clang::FunctionDecl* function = functions.lookup(scope->getSubprogram());
    if (function == nullptr || (function = function->getDefinition()) == nullptr) continue;
    auto it = bodies.find(function);
    if (it == bodies.end()) it = bodies.try_emplace(function, BodyFacts(function, cx.places)).first;
    if (const clang::VarDecl* decl = it->second.variable(described->getName(), described->getLine()))
      symbols.local_static(variable, decl);
  }
}

// Static functions and tables of the main file that nothing uses: the code generator would leave them out, but they are
// as wrong as others. What a macro makes, or is inline or marked as unused, is there for those who need it.
class UnusedStatics : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group)
      if (is_wanted(decl)) decl->addAttr(clang::UsedAttr::CreateImplicit(decl->getASTContext()));
    return true;
  }

 private:
  static bool is_wanted(const clang::Decl* decl) {
    const clang::SourceManager& sources = decl->getASTContext().getSourceManager();
    const clang::SourceLocation at = decl->getLocation();
    if (at.isInvalid() || at.isMacroID() || !sources.isWrittenInMainFile(at) || decl->hasAttr<clang::UnusedAttr>() ||
        decl->isInvalidDecl() || decl->getDeclContext()->isDependentContext())
      return false;
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      return function->getFormalLinkage() == clang::Linkage::Internal && function->isThisDeclarationADefinition() &&
             !function->isInlineSpecified() && !function->isDependentContext();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    return variable != nullptr && variable->getFormalLinkage() == clang::Linkage::Internal && variable->hasInit() &&
           variable->getType()->isArrayType() && !variable->getType()->isDependentType();
  }
};

}  // namespace

class CaptureAction::Consumer : public clang::ASTConsumer {
 public:
  Consumer(CaptureAction& action, clang::CompilerInstance& compiler) : action_(action), compiler_(compiler) {}

  void HandleTagDeclDefinition(clang::TagDecl* tag) override {
    if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(tag)) records_.push_back(record);
  }

  void HandleTranslationUnit(clang::ASTContext& ast) override {
    llvm::Module* module = action_.llvm_->codegen->GetModule();
    if (module == nullptr || compiler_.getDiagnostics().hasErrorOccurred()) return;
    module->setIsNewDbgInfoFormat(true);
    lower(ast, *module);
    action_.lowered_ = true;
  }

 private:
  void lower(clang::ASTContext& ast, llvm::Module& module) {
    model::Unit& unit = action_.result_.unit;
    clang::SourceManager& sources = ast.getSourceManager();
    Strings strings(unit);
    std::string directory = action_.request_.directory;
    if (directory.empty()) {
      if (auto here = compiler_.getVirtualFileSystem().getCurrentWorkingDirectory()) directory = *here;
    }
    Places places(sources, directory, action_.macros_, strings);
    unit.path = places.absolute(action_.request_.file);
    unit.target = module.getTargetTriple();
    unit.language = ast.getLangOpts().CPlusPlus ? model::Language::Cxx : model::Language::C;
    unit.pointer_size = module.getDataLayout().getPointerSize();
    Types types(ast, strings, unit);
    Records records(ast, *action_.llvm_->codegen);
    for (const clang::RecordDecl* r : records_) records.met(r);
    if (const Preamble* before = action_.preamble_) {
      before->add_macros(compiler_, action_.macros_);
      records.met_before([this, before](llvm::StringRef name) { return before->record(compiler_, name); });
    }
    Context cx{ast, *action_.llvm_->codegen, module, module.getDataLayout(), unit, strings, types, places, records};
    Symbols symbols(cx);

    find_local_statics(module, symbols, cx);
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) unit.functions.push_back(FunctionLowering(cx, symbols, function).run());
    lower_function_aliases(module, symbols, cx);
    for (const llvm::GlobalVariable& variable : module.globals())
      if (!is_llvm_bookkeeping(variable) && !variable.isDeclaration() && !variable.hasPrivateLinkage())
        symbols.of(variable);
    symbols.lower_initialisers();
    record_wanted_macros(action_.request_.macros_wanted, compiler_.getPreprocessor(), strings, unit);
    action_.record_files(compiler_);
    for (const std::string& path : action_.result_.dependencies) unit.headers.push_back(strings.intern(path));
  }

  CaptureAction& action_;
  clang::CompilerInstance& compiler_;
  std::vector<const clang::RecordDecl*> records_;
};

CaptureAction::CaptureAction(const Request& request, Result& result, const Preamble* preamble)
    : request_(request), result_(result), preamble_(preamble), llvm_(std::make_unique<Llvm>()) {}

CaptureAction::~CaptureAction() = default;

bool CaptureAction::BeginSourceFileAction(clang::CompilerInstance& compiler) {
  rename_attributes(compiler.getPreprocessor());
  compiler.getPreprocessor().addPPCallbacks(record_macros(macros_));
  files_ = std::make_shared<FileRecorder>();
  files_->attachToPreprocessor(compiler.getPreprocessor());
  return true;
}

void CaptureAction::EndSourceFileAction() {
  if (result_.dependencies.empty()) record_files(getCompilerInstance());
}

void CaptureAction::record_files(clang::CompilerInstance& compiler) {
  (void)compiler;
  result_.dependencies.clear();
  auto add = [&](llvm::StringRef path) {
    llvm::SmallString<256> full;
    if (!llvm::sys::path::is_absolute(path)) full = request_.directory;
    llvm::sys::path::append(full, path);
    llvm::sys::path::remove_dots(full, true);
    std::string text(full);
    if (std::find(result_.dependencies.begin(), result_.dependencies.end(), text) == result_.dependencies.end())
      result_.dependencies.push_back(std::move(text));
  };
  add(request_.file);
  if (preamble_)
    for (const PreambleFacts::File& file : preamble_->facts().files) add(file.path);
  for (const std::string& path : files_->getDependencies())
    if (!llvm::StringRef(path).starts_with("<")) add(path);
}

std::unique_ptr<clang::ASTConsumer> CaptureAction::CreateASTConsumer(clang::CompilerInstance& compiler,
                                                                     llvm::StringRef file) {
  llvm_->context.setDiscardValueNames(true);
  llvm_->codegen = clang::CreateLLVMCodeGen(compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(),
                                            compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                                            compiler.getCodeGenOpts(), llvm_->context);
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<UnusedStatics>());  // before the code generator sees them
  consumers.emplace_back(llvm_->codegen);
  consumers.push_back(std::make_unique<Consumer>(*this, compiler));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

}  // namespace reckon::capture
