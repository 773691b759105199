// A compiler call of somebody's build has to become a Clang invocation that parses the same program.
//
// The calls come from GCC builds, so Clang's own option table sorts the arguments: those it does not know
// are dropped and named, those that ask for output (objects, dependency files, temporaries) or for
// instrumentation of the code are left out in silence, the rest goes through Clang's driver, which finds
// system headers and expands language options as it does on the command line. Options that the table
// knows but the target refuses (an unknown CPU, say) show up as driver errors; the offending argument is
// taken out and the driver asked again.
//
// Limits: only the first matching input of a call is looked at; specs files and GCC plugins are ignored.
#include "capture/command_line.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/Version.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace reckon::capture {
namespace {

namespace fs = std::filesystem;
namespace options = clang::driver::options;
using Arguments = std::vector<std::string>;

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return text.starts_with(p); });
}

// ccache, distcc and the like stand in front of the compiler proper.
bool is_launcher(std::string_view program) {
  static constexpr std::array kLaunchers = {"ccache",     "distcc", "sccache",  "icecc",
                                            "buildcache", "gomacc", "fastbuild"};
  std::string_view name = program.substr(program.find_last_of('/') + 1);
  return std::find(kLaunchers.begin(), kLaunchers.end(), name) != kLaunchers.end();
}

struct CompilerName {
  bool cxx = false;
  std::string target;  // from a prefix such as arm-linux-gnueabi-
};

CompilerName read_compiler_name(std::string_view program) {
  std::string_view name = program.substr(program.find_last_of('/') + 1);
  // g++-12, clang-19: a version at the end says nothing about language or target
  while (!name.empty() && (std::isdigit(static_cast<unsigned char>(name.back())) || name.back() == '.')) {
    std::size_t keep = name.find_last_not_of("0123456789.");
    if (keep == std::string_view::npos || name[keep] != '-') break;
    name = name.substr(0, keep);
  }
  CompilerName result;
  result.cxx = name.ends_with("++");
  for (std::string_view driver : {"-gcc", "-g++", "-cc", "-c++", "-clang", "-clang++"}) {
    if (!name.ends_with(driver)) continue;
    std::string prefix(name.substr(0, name.size() - driver.size()));
    if (llvm::Triple(prefix).getArch() != llvm::Triple::UnknownArch) result.target = prefix;
    break;
  }
  return result;
}

// A build that names GCC's private header folder (-nostdinc -isystem .../lib/gcc/x86_64-linux-gnu/12/include)
// means "the compiler's own headers": ours, then.
bool is_gcc_private_include(llvm::StringRef path) {
  path = path.rtrim('/');
  return path.contains("/lib/gcc") && (path.ends_with("/include") || path.ends_with("/include-fixed"));
}

// Options that write files, choose what the compiler produces or instrument the code it makes. None of them
// changes the program we want to see.
bool is_about_output(const llvm::opt::Option& option, llvm::StringRef spelling) {
  using namespace options;
  switch (option.getID()) {
    case OPT_o:
    case OPT_c:
    case OPT_S:
    case OPT_E:
    case OPT_M:
    case OPT_MM:
    case OPT_MD:
    case OPT_MMD:
    case OPT_MF:
    case OPT_MT:
    case OPT_MQ:
    case OPT_MP:
    case OPT_MG:
    case OPT_MJ:
    case OPT_MV:
    case OPT_emit_llvm:
    case OPT_fplugin_EQ:
    case OPT_pipe:
    case OPT_save_temps:
    case OPT_save_temps_EQ:
    case OPT_time:
    case OPT_v:
    case OPT__HASH_HASH_HASH:
    case OPT_fsyntax_only:
    case OPT_shared:
    case OPT_static:
    case OPT_pg:
    case OPT_p: return true;
    default: break;
  }
  if (option.matches(OPT_g_Group) || option.matches(OPT_Link_Group)) return true;
  return starts_with_any({spelling.data(), spelling.size()}, {"-fsanitize",
                                                              "-fno-sanitize",
                                                              "-fprofile",
                                                              "-fno-profile",
                                                              "-fcoverage",
                                                              "-ftest-coverage",
                                                              "--coverage",
                                                              "-coverage",
                                                              "-flto",
                                                              "-fno-lto",
                                                              "-ffat-lto",
                                                              "-fstack-protector",
                                                              "-finstrument",
                                                              "-ftrivial-auto-var-init",
                                                              "-fpatchable-function",
                                                              "-mfentry",
                                                              "-mrecord-mcount",
                                                              "-fxray",
                                                              "-ftime-trace",
                                                              "-fsave-optimization-record",
                                                              "-fdump",
                                                              "-fcf-protection",
                                                              "-fno-discard-value-names",
                                                              "-fdiagnostics",
                                                              "-fcolor",
                                                              "-fno-color",
                                                              "-fno-diagnostics",
                                                              "-fstack-clash",
                                                              "-fmodules",
                                                              "-fsplit",
                                                              "-fdebug",
                                                              "-fmacro-prefix-map",
                                                              "-ffile-prefix-map",
                                                              "-fcrash",
                                                              "-fstack-usage",
                                                              "-fcallgraph"});
}

class Cleaner {
 public:
  Cleaner(const Request& request, CommandLine& out) : request_(request), out_(out) {}

  // Arguments after the compiler's name: what should reach Clang's driver.
  Arguments clean(const Arguments& given) {
    Arguments result;
    std::vector<const char*> raw;
    raw.reserve(given.size());
    for (const std::string& a : given) raw.push_back(a.c_str());
    unsigned missing_index = 0, missing_count = 0;
    llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
        raw, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
    if (missing_count != 0) out_.error = "argument to '" + given[missing_index] + "' is missing";
    const std::string wanted = absolute(request_.file);
    for (const llvm::opt::Arg* arg : parsed) {
      const llvm::opt::Option& option = arg->getOption();
      std::string spelling = arg->getAsString(parsed);
      switch (option.getID()) {
        case options::OPT_UNKNOWN: out_.dropped.push_back(spelling); continue;
        case options::OPT_INPUT:
          if (!input_seen_ && absolute(arg->getValue()) == wanted) {
            result.push_back(arg->getValue());
            input_seen_ = true;
          }
          continue;
        case options::OPT_Wp_COMMA: append_preprocessor(arg->getValues(), result); continue;
        case options::OPT_Xpreprocessor: preprocessor_.push_back(arg->getValue()); continue;
        case options::OPT_x: has_language_ = true; break;
        case options::OPT_target:
        case options::OPT_target_legacy_spelling: has_target_ = true; break;
        default: break;
      }
      if (option.matches(options::OPT_W_Group) || is_about_output(option, spelling)) continue;
      if ((option.matches(options::OPT_I) || option.matches(options::OPT_isystem)) &&
          is_gcc_private_include(arg->getValue())) {
        result.insert(result.end(), {"-isystem", resource_directory() + "/include"});
        continue;
      }
      for (unsigned i = arg->getIndex(), n = 0; n < width(*arg, parsed); ++i, ++n) result.push_back(given[i]);
    }
    append_preprocessor(preprocessor_, result);
    if (!input_seen_) result.push_back(request_.file);
    return result;
  }

  bool has_language() const { return has_language_; }
  bool has_target() const { return has_target_; }

 private:
  std::string absolute(const std::string& path) const {
    fs::path p(path);
    if (p.is_relative()) p = fs::path(request_.directory) / p;
    return p.lexically_normal().string();
  }

  // How many words of the command line an argument takes up.
  static unsigned width(const llvm::opt::Arg& arg, const llvm::opt::InputArgList& parsed) {
    unsigned end = parsed.getNumInputArgStrings();
    for (const llvm::opt::Arg* other : parsed) {
      if (other->getIndex() > arg.getIndex()) {
        end = other->getIndex();
        break;
      }
    }
    return end - arg.getIndex();
  }

  // What -Wp,... hands to the preprocessor, without its dependency output (-MD,file).
  static void append_preprocessor(llvm::ArrayRef<const char*> words, Arguments& result) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      llvm::StringRef word(words[i]);
      if (word.starts_with("-M")) {
        if (i + 1 < words.size() && words[i + 1][0] != '-') ++i;
      } else {
        result.push_back(word.str());
      }
    }
  }

  const Request& request_;
  CommandLine& out_;
  std::vector<const char*> preprocessor_;
  bool input_seen_ = false, has_language_ = false, has_target_ = false;
};

// Removes the arguments an error message of the driver talks about ("unsupported option '-mfoo' for ...",
// "unknown target CPU 'x'"). Returns whether there was one.
bool remove_refused(const std::string& message, Arguments& arguments, std::vector<std::string>& dropped) {
  bool removed = false;
  for (std::size_t open = message.find('\''); open != std::string::npos; open = message.find('\'', open + 1)) {
    std::size_t close = message.find('\'', open + 1);
    if (close == std::string::npos) break;
    const std::string quoted = message.substr(open + 1, close - open - 1);
    open = close;
    if (quoted.empty()) continue;
    auto refused = [&](const std::string& a) {
      return a.size() > 1 && a[0] == '-' &&
             (a == quoted || (a.ends_with("=" + quoted) && !a.starts_with("-D")) ||
              (quoted.ends_with("=") && a.starts_with(quoted)));
    };
    for (auto it = arguments.begin(); it != arguments.end();) {
      if (refused(*it)) {
        dropped.push_back(*it);
        it = arguments.erase(it);
        removed = true;
      } else {
        ++it;
      }
    }
    if (removed) return true;
  }
  return removed;
}

bool has_headers(const std::string& directory) {
  std::error_code ignored;
  return fs::exists(directory + "/include/stddef.h", ignored);
}

std::string find_resource_directory() {
  std::vector<std::string> candidates;
  const std::string version = std::to_string(CLANG_VERSION_MAJOR);
  // The folder of the Clang library in use is the best witness.
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&clang::createInvocation), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code ignored;
    for (const fs::path& library : {fs::path(info.dli_fname), fs::canonical(info.dli_fname, ignored)}) {
      candidates.push_back((library.parent_path() / "clang" / version).string());
      candidates.push_back(
          (library.parent_path().parent_path() / ("llvm-" + version) / "lib/clang" / version).string());
    }
  }
#ifdef RECKON_LLVM_LIBRARY_DIR
  candidates.push_back(std::string(RECKON_LLVM_LIBRARY_DIR) + "/clang/" + version);
#endif
  for (const char* base : {"/usr/lib/llvm-", "/usr/local/lib/llvm-", "/opt/llvm-"})
    candidates.push_back(base + version + "/lib/clang/" + version);
  for (const char* base : {"/usr/lib/clang/", "/usr/lib64/clang/", "/usr/local/lib/clang/"})
    candidates.push_back(base + version);
  for (const std::string& c : candidates)
    if (has_headers(c)) return fs::path(c).lexically_normal().string();
  return {};
}

}  // namespace

std::string resource_directory() {
  static const std::string found = find_resource_directory();
  return found;
}

CommandLine interpret(const Request& request, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  CommandLine out;
  if (request.arguments.empty()) {
    out.error = request.file + ": the compiler command is empty";
    return out;
  }

  // Response files, relative to where the compiler was called.
  llvm::BumpPtrAllocator memory;
  llvm::SmallVector<const char*, 64> words;
  for (const std::string& a : request.arguments) words.push_back(a.c_str());
  llvm::cl::ExpansionContext expansion(memory, llvm::cl::TokenizeGNUCommandLine);
  expansion.setVFS(files.get()).setCurrentDir(request.directory);
  if (llvm::Error error = expansion.expandResponseFiles(words)) {
    out.error = request.file + ": " + llvm::toString(std::move(error));
    return out;
  }

  std::size_t compiler = 0;
  while (compiler + 1 < words.size() && is_launcher(words[compiler]) && words[compiler + 1][0] != '-') ++compiler;
  const CompilerName name = read_compiler_name(words[compiler]);
  Cleaner cleaner(request, out);
  Arguments arguments = cleaner.clean(Arguments(words.begin() + compiler + 1, words.end()));
  if (!out.error.empty()) return out;

  if (!cleaner.has_language()) {
    llvm::StringRef extension =
        llvm::sys::path::extension(request.file).drop_front(llvm::sys::path::has_extension(request.file) ? 1 : 0);
    clang::InputKind kind = clang::FrontendOptions::getInputKindForExtension(extension);
    clang::Language language = kind.getLanguage();
    if (language != clang::Language::C && language != clang::Language::CXX) {
      out.error = request.file + ": not a C or C++ source file";
      return out;
    }
  }

  Arguments front;
  const std::string resources = resource_directory();
  if (resources.empty()) {
    out.error = "Clang's own headers (lib/clang/" + std::to_string(CLANG_VERSION_MAJOR) + "/include) were not found";
    return out;
  }
  // The driver judges by the name it is called by, and looks for things beside itself.
  front.push_back(
      (fs::path(resources) / "../../../bin" / (name.cxx ? "clang++" : "clang")).lexically_normal().string());
  front.push_back("-resource-dir=" + resources);
  if (!cleaner.has_target() && !name.target.empty()) front.push_back("--target=" + name.target);
  // GCC accepts these with a warning at most.
  const Arguments back = {"-w",
                          "-Wno-implicit-function-declaration",
                          "-Wno-implicit-int",
                          "-Wno-int-conversion",
                          "-Wno-incompatible-function-pointer-types",
                          "-Wno-return-mismatch",
                          "-Wno-register",
                          "-Wno-c++11-narrowing",
                          "-Wno-reserved-user-defined-literal",
                          "-U_FORTIFY_SOURCE",
                          "-fno-color-diagnostics",
                          "-Qunused-arguments"};

  for (int attempt = 0;; ++attempt) {
    std::vector<const char*> line;
    for (const Arguments* part : {&std::as_const(front), &std::as_const(arguments), &back})
      for (const std::string& a : *part) line.push_back(a.c_str());

    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnostic_options(new clang::DiagnosticOptions);
    clang::TextDiagnosticBuffer buffer;
    llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics(
        new clang::DiagnosticsEngine(new clang::DiagnosticIDs, diagnostic_options, &buffer, /*ShouldOwnClient=*/false));
    clang::CreateInvocationOptions how;
    how.Diags = diagnostics;
    how.VFS = files;
    how.ProbePrecompiled = false;
    std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(line, how);
    if (invocation && buffer.getNumErrors() == 0) {
      auto target_options = std::make_shared<clang::TargetOptions>(invocation->getTargetOpts());
      llvm::IntrusiveRefCntPtr<clang::TargetInfo> target(
          clang::TargetInfo::CreateTargetInfo(*diagnostics, target_options));
      if (target && buffer.getNumErrors() == 0) {
        out.invocation = std::move(invocation);
        return out;
      }
    }
    std::string messages;
    bool removed = false;
    for (auto it = buffer.err_begin(); it != buffer.err_end(); ++it) {
      messages += "error: " + it->second + "\n";
      removed = remove_refused(it->second, arguments, out.dropped) || removed;
    }
    if (!removed || attempt >= 20) {
      out.error =
          messages.empty() ? request.file + ": Clang's driver makes no compilation of this command\n" : messages;
      return out;
    }
  }
}

}  // namespace reckon::capture
