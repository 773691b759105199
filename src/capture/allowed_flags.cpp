#include "capture/allowed_flags.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "capture/allowed_names.h"
#include "clang/Driver/Options.h"
#include "llvm/Option/OptTable.h"
#include "llvm/TargetParser/Triple.h"

namespace reckon::capture {
namespace {

namespace options = clang::driver::options;
using Names = std::unordered_set<std::string_view>;

// Names without a dash in front stand for -fNAME and -fno-NAME.
constexpr std::array kLanguageFlags = {
    // names and macros
    "-D", "-U", "-undef", "-A", "-A-", "-trigraphs", "-traditional-cpp", "-ansi", "-std=", "-std-default=", "-x",
    "exec-charset=", "input-charset=", "digraphs", "trigraphs", "gnuc-version=", "define-target-os-macros",
    "ms-compatibility", "ms-compatibility-version=", "ms-define-stdc", "ms-extensions",
    "ms-memptr-rep=", "ms-runtime-lib=", "ms-volatile", "msc-version=", "dollars-in-identifiers", "raw-string-literals",
    "extended-identifiers",
    // include paths
    "-I", "-I-", "-F", "-iquote", "-isystem", "-isystem-after", "-idirafter", "-iprefix", "-iwithprefix",
    "-iwithprefixbefore", "-iwithsysroot", "-iframework", "-iframeworkwithsysroot", "-cxx-isystem", "-stdlib++-isystem",
    "-include", "-imacros", "-nostdinc", "-nostdinc++", "-nobuiltininc", "-nostdlibinc", "-ibuiltininc", "-ivfsoverlay",
    "-isysroot", "--sysroot=", "--gcc-toolchain=", "--gcc-install-dir=", "--gcc-triple=", "-B",
    "-stdlib=", "--embed-dir=", "--system-header-prefix=", "--no-system-header-prefix=", "-working-directory",
    "experimental-library",
    // target; those that begin with -m are a group of their own
    "--target=", "-EB", "-EL", "--driver-mode=", "-pthread", "-pthreads", "-no-pthread", "fuchsia-api-level=",
    // language
    "-fheinous-gnu-extensions", "access-control", "altivec", "apple-kext", "apple-pragma-pack", "asm", "asm-blocks",
    "blocks", "borland-extensions", "char8_t", "check-new",
    "constexpr-depth=", "constexpr-steps=", "bracket-depth=", "template-depth=", "operator-arrow-depth=", "coroutines",
    "coro-aligned-allocation", "declspec", "delayed-template-parsing", "double-square-bracket-attributes",
    "elide-constructors", "exceptions", "cxx-exceptions", "dwarf-exceptions", "seh-exceptions", "sjlj-exceptions",
    "wasm-exceptions", "async-exceptions", "ignore-exceptions", "fixed-point", "for-scope", "force-enable-int128",
    "freestanding", "hosted", "gnu-inline-asm", "gnu-keywords", "gnu89-inline", "builtin", "-fno-builtin-",
    "lax-vector-conversions", "lax-vector-conversions=", "enable-matrix", "nested-functions", "openmp",
    "openmp=", "openmp-simd", "openmp-version=", "openmp-extensions", "openmp-use-tls", "openmp-enable-irbuilder",
    "operator-names", "pascal-strings", "relaxed-template-template-args", "rtti", "rtti-data", "sized-deallocation",
    "strict-flex-arrays=", "threadsafe-statics", "writable-strings", "xl-pragma-pack", "zvector", "permissive",
    // types and their layout
    "short-enums", "short-wchar", "signed-char", "unsigned-char", "signed-bitfields", "unsigned-bitfields",
    "pack-struct", "pack-struct=", "max-type-align=", "new-alignment=", "aligned-allocation",
    "-faligned-new=", "c++-abi=", "clang-abi-compat=", "pcc-struct-return", "reg-struct-return",
    "extend-arguments=", "experimental-relative-c++-abi-vtables", "complete-member-pointers",
    "disable-block-signature-string",
    // what operations mean
    "wrapv", "trapv", "strict-overflow", "strict-aliasing", "strict-enums", "strict-return", "strict-vtable-pointers",
    "strict-float-cast-overflow", "delete-null-pointer-checks", "finite-loops", "math-errno", "fast-math",
    "finite-math-only", "associative-math", "reciprocal-math", "approx-func", "rounding-math", "signaling-math",
    "signed-zeros", "trapping-math", "unsafe-math-optimizations", "honor-infinities", "honor-nans",
    "complex-arithmetic=", "denormal-fp-math=", "excess-precision=", "fp-contract=", "fp-eval-method=",
    "fp-exception-behavior=", "fp-model=", "protect-parens", "-fcx-limited-range", "-fno-cx-limited-range",
    "-fcx-fortran-rules", "-fno-cx-fortran-rules", "assume-sane-operator-new", "assume-nothrow-exception-dtor",
    "new-infallible", "ptrauth-calls", "ptrauth-intrinsics", "ptrauth-returns",
    // objects, symbols and calls
    "PIC", "pic", "PIE", "pie", "plt", "ropi", "rwpi", "semantic-interposition", "direct-access-external-data",
    "visibility=", "visibility-inlines-hidden", "visibility-inlines-hidden-static-local-var", "visibility-ms-compat",
    "visibility-global-new-delete=", "visibility-global-new-delete-hidden", "common", "keep-static-consts",
    "merge-all-constants", "zero-initialized-in-bss", "data-sections", "function-sections", "jump-tables",
    "optimize-sibling-calls", "omit-frame-pointer", "inline", "inline-functions", "asynchronous-unwind-tables",
    "unwind-tables", "emulated-tls", "tls-model=", "use-cxa-atexit", "use-init-array", "c++-static-destructors",
    "register-global-dtors-with-atexit", "force-emit-vtables", "zero-call-used-regs=", "auto-import"};

// Names that only Clang's own frontend knows.
constexpr std::array kFrontendFlags = {"-target-cpu",
                                       "-target-feature",
                                       "-c-isystem",
                                       "-internal-isystem",
                                       "-internal-externc-isystem",
                                       "-nostdsysteminc",
                                       "-static-define",
                                       "-fwchar-type=",
                                       "-fsigned-wchar",
                                       "-fno-signed-wchar",
                                       "-fconst-strings",
                                       "-fno-const-strings",
                                       "-fdefault-calling-conv=",
                                       "-fno-math-builtin",
                                       "-fdeprecated-macro",
                                       "-fno-deprecated-macro",
                                       "-fexternc-nounwind"};

const std::vector<std::string>& spelled_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const std::string_view name : kLanguageFlags) {
      if (name.starts_with('-')) {
        result.emplace_back(name);
        continue;
      }
      result.push_back("-f" + std::string(name));
      result.push_back("-fno-" + std::string(name));
    }
    return result;
  }();
  return names;
}

// One bit an option of Clang's table.
std::vector<bool> ids_of(const Names& names) {
  const llvm::opt::OptTable& table = clang::driver::getDriverOptTable();
  std::vector<bool> ids(table.getNumOptions() + 1);
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const llvm::StringRef name = table.getOption(id).getPrefixedName();
    ids[id] = names.contains({name.data(), name.size()});
  }
  return ids;
}

bool is_processor(llvm::Triple::ArchType processor) {
  using enum llvm::Triple::ArchType;
  switch (processor) {
    case arm:
    case armeb:
    case aarch64:
    case aarch64_be:
    case aarch64_32:
    case arc:
    case avr:
    case bpfel:
    case bpfeb:
    case csky:
    case hexagon:
    case lanai:
    case loongarch32:
    case loongarch64:
    case m68k:
    case mips:
    case mipsel:
    case mips64:
    case mips64el:
    case msp430:
    case ppc:
    case ppcle:
    case ppc64:
    case ppc64le:
    case riscv32:
    case riscv64:
    case sparc:
    case sparcel:
    case sparcv9:
    case systemz:
    case thumb:
    case thumbeb:
    case ve:
    case wasm32:
    case wasm64:
    case x86:
    case x86_64:
    case xcore:
    case xtensa: return true;
    default: return false;
  }
}

bool is_system(llvm::Triple::OSType system) {
  using enum llvm::Triple::OSType;
  switch (system) {
    case UnknownOS:
    case AIX:
    case Darwin:
    case DragonFly:
    case ELFIAMCU:
    case Emscripten:
    case FreeBSD:
    case Fuchsia:
    case Haiku:
    case Hurd:
    case IOS:
    case Linux:
    case LiteOS:
    case MacOSX:
    case NetBSD:
    case OpenBSD:
    case RTEMS:
    case Serenity:
    case Solaris:
    case TvOS:
    case UEFI:
    case WASI:
    case WatchOS:
    case Win32:
    case XROS:
    case ZOS: return true;
    default: return false;
  }
}

}  // namespace

bool is_allowed(const llvm::opt::Option& option, FlagLevel level) {
  static const std::vector<bool> everywhere = ids_of(Names(spelled_names().begin(), spelled_names().end()));
  static const std::vector<bool> behind_xclang = ids_of(Names(kFrontendFlags.begin(), kFrontendFlags.end()));
  if (option.matches(options::OPT_m_Group) || option.matches(options::OPT_O_Group)) return true;
  const unsigned id = option.getID();
  return everywhere.at(id) || (level == FlagLevel::Frontend && behind_xclang.at(id));
}

bool is_left_out_in_silence(const llvm::opt::Option& option) {
  using namespace options;
  switch (option.getID()) {
    case OPT_c:
    case OPT_S:
    case OPT_E:
    case OPT_o:
    case OPT_pipe:
    case OPT_w:
    case OPT_fsyntax_only: return true;
    default: break;
  }
  for (const unsigned group : {OPT_W_Group, OPT_M_Group, OPT_DebugInfo_Group, OPT_Link_Group, OPT_pedantic_Group})
    if (option.matches(group)) return true;
  const llvm::StringRef name = option.getName();
  return name.starts_with("fdiagnostics-color") || name == "fcolor-diagnostics" || name == "fno-color-diagnostics";
}

bool is_allowed_language(llvm::StringRef language) {
  static constexpr std::array kLanguages = {"c",
                                            "c++",
                                            "c-header",
                                            "c++-header",
                                            "cpp-output",
                                            "none",
                                            "c++-cpp-output",
                                            "c++-user-header",
                                            "c-cpp-output",
                                            "c++-system-header"};
  return std::find(kLanguages.begin(), kLanguages.end(), language) != kLanguages.end();
}

bool is_allowed_target(llvm::StringRef text) {
  const llvm::Triple triple(llvm::Triple::normalize(text));
  return is_processor(triple.getArch()) && is_system(triple.getOS());
}

std::vector<std::string_view> allowed_names() {
  std::vector<std::string_view> names(spelled_names().begin(), spelled_names().end());
  names.insert(names.end(), kFrontendFlags.begin(), kFrontendFlags.end());
  return names;
}

}  // namespace reckon::capture
