// A compiler call of somebody's build has to become a Clang invocation that parses the same program.
//
// The calls come from GCC builds and may come from a stranger, so Clang's own option table sorts the arguments: those
// on the list of allowed_flags.h go through Clang's driver, which finds system headers and expands language options as
// it does on the command line; all others are left out, and named unless nearly every call has them. The driver builds
// the call of the frontend in this process and runs nothing: with no flag for GPUs and no configuration file left there
// is no tool that it would ask. Options that the table knows but the target refuses (an unknown CPU, say) show up as
// driver errors; the offending argument is taken out and the driver asked again.
//
// Limits: only the first matching input of a call is looked at; specs files and GCC plugins are ignored.
#include "capture/command_line.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "capture/allowed_flags.h"
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
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "support/command_words.h"
#include "support/program_path.h"
#include "support/terminal_text.h"

namespace reckon::capture {
namespace {

namespace fs = std::filesystem;
namespace options = clang::driver::options;
using Arguments = std::vector<std::string>;

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
    if (is_allowed_target(prefix)) result.target = prefix;
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

// The flags of a call that may reach Clang's driver.
class Cleaner {
 public:
  Cleaner(const Request& request, CommandLine& out) : request_(request), out_(out) {}

  // `given`: the arguments after the compiler's name.
  Arguments clean(const Arguments& given) {
    Arguments result;
    sort(given, Place::Call, result);
    sort(without_dependency_output(preprocessor_), Place::Preprocessor, result);
    sort(frontend_, Place::Frontend, result);
    if (!input_seen_) result.push_back(request_.file);
    return result;
  }

  bool has_language() const { return has_language_; }
  bool has_target() const { return has_target_; }

 private:
  enum class Place { Call, Preprocessor, Frontend };  // as written; behind -Wp, or -Xpreprocessor; behind -Xclang

  // Appends those of `words` that may pass.
  void sort(const Arguments& words, Place place, Arguments& result) {
    std::vector<const char*> raw;
    raw.reserve(words.size());
    for (const std::string& word : words) raw.push_back(word.c_str());
    unsigned missing_index = 0, missing_count = 0;
    const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
        raw, missing_index, missing_count,
        llvm::opt::Visibility(place == Place::Frontend ? options::CC1Option : options::ClangOption));
    if (missing_count != 0) {
      if (place == Place::Call)
        out_.error = "argument to '" + support::printable(words[missing_index]) + "' is missing";
      out_.dropped.push_back(words[missing_index]);
    }
    for (auto it = parsed.begin(); it != parsed.end(); ++it) {
      const llvm::opt::Arg& arg = **it;
      const auto next = std::next(it);
      const unsigned end = next == parsed.end() ? parsed.getNumInputArgStrings() : (*next)->getIndex();
      if (place == Place::Call && take_apart(arg, result)) continue;
      if (!may_pass(arg, place)) {
        if (!is_left_out_in_silence(arg.getOption()))
          out_.dropped.push_back((place == Place::Frontend ? "-Xclang " : "") + arg.getAsString(parsed));
        continue;
      }
      note(arg);
      if (is_private_include(arg)) {
        result.insert(result.end(), {"-isystem", resource_directory() + "/include"});
        continue;
      }
      for (unsigned i = arg.getIndex(); i < end; ++i) {
        if (words[i].empty()) continue;  // the table skips them, too
        if (place == Place::Frontend) result.push_back("-Xclang");
        result.push_back(words[i]);
      }
    }
  }

  // Arguments that are not flags of their own. False: `arg` is one.
  bool take_apart(const llvm::opt::Arg& arg, Arguments& result) {
    switch (arg.getOption().getID()) {
      case options::OPT_INPUT:
      case options::OPT__DASH_DASH:
        for (const char* file : arg.getValues()) {
          if (input_seen_ || absolute(file) != absolute(request_.file)) continue;
          result.push_back(file);
          input_seen_ = true;
        }
        return true;
      case options::OPT_Wp_COMMA:
        sort(without_dependency_output(Arguments(arg.getValues().begin(), arg.getValues().end())), Place::Preprocessor,
             result);
        return true;
      case options::OPT_Xpreprocessor: preprocessor_.push_back(arg.getValue()); return true;
      case options::OPT_Xclang: frontend_.push_back(arg.getValue()); return true;
      default: return false;
    }
  }

  static bool may_pass(const llvm::opt::Arg& arg, Place place) {
    const llvm::opt::Option& option = arg.getOption();
    if (!is_allowed(option, place == Place::Frontend ? FlagLevel::Frontend : FlagLevel::Driver)) return false;
    switch (option.getID()) {
      case options::OPT_x: return is_allowed_language(arg.getValue());
      case options::OPT_target:
      case options::OPT_darwin_target_variant: return is_allowed_target(arg.getValue());
      case options::OPT_driver_mode: {
        const llvm::StringRef mode = arg.getValue();
        return mode == "gcc" || mode == "g++";
      }
      default: return true;
    }
  }

  void note(const llvm::opt::Arg& arg) {
    if (arg.getOption().matches(options::OPT_x)) has_language_ = true;
    if (arg.getOption().matches(options::OPT_target)) has_target_ = true;
  }

  static bool is_private_include(const llvm::opt::Arg& arg) {
    const llvm::opt::Option& option = arg.getOption();
    return (option.matches(options::OPT_I) || option.matches(options::OPT_isystem)) &&
           is_gcc_private_include(arg.getValue());
  }

  std::string absolute(const std::string& path) const {
    fs::path p(path);
    if (p.is_relative()) p = fs::path(request_.directory) / p;
    return p.lexically_normal().string();
  }

  // The preprocessor's -MD takes a file, unlike the compiler's.
  static Arguments without_dependency_output(const Arguments& words) {
    Arguments result;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!words[i].starts_with("-M"))
        result.push_back(words[i]);
      else if (i + 1 < words.size() && !words[i + 1].starts_with('-'))
        ++i;
    }
    return result;
  }

  const Request& request_;
  CommandLine& out_;
  Arguments preprocessor_, frontend_;
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

bool has_source_extension(llvm::StringRef file) {
  const llvm::StringRef extension = llvm::sys::path::extension(file);
  const clang::Language language =
      clang::FrontendOptions::getInputKindForExtension(extension.drop_front(extension.empty() ? 0 : 1)).getLanguage();
  return language == clang::Language::C || language == clang::Language::CXX;
}

struct DriverCall {
  Arguments front;  // the driver's name and what we say before the call's own flags
  Arguments given;
};

// GCC accepts these with a warning at most.
constexpr std::array kLenience = {"-w",
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
constexpr int kMaxAttempts = 20;  // to please the driver by leaving out what it refuses

// Fills in the invocation, or the error.
void ask_driver(DriverCall& call, const std::string& file, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                CommandLine& out) {
  for (int attempt = 0;; ++attempt) {
    std::vector<const char*> line;
    for (const Arguments* part : {&std::as_const(call.front), &std::as_const(call.given)})
      for (const std::string& a : *part) line.push_back(a.c_str());
    line.insert(line.end(), kLenience.begin(), kLenience.end());

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
        return;
      }
    }
    std::string messages;
    bool removed = false;
    for (auto it = buffer.err_begin(); it != buffer.err_end(); ++it) {
      messages += "error: " + support::printable(it->second) + "\n";
      removed = remove_refused(it->second, call.given, out.dropped) || removed;
    }
    if (!removed || attempt >= kMaxAttempts) {
      out.error = messages.empty()
                      ? support::printable(file) + ": Clang's driver makes no compilation of this command\n"
                      : messages;
      return;
    }
  }
}

bool has_headers(const std::string& directory) {
  std::error_code ignored;
  return fs::exists(directory + "/include/stddef.h", ignored);
}

std::string find_resource_directory() {
  std::vector<std::string> candidates;
  const std::string version = std::to_string(CLANG_VERSION_MAJOR);
  // What was packed together with this program fits it best.
  if (const fs::path program = support::program_folder(); !program.empty()) {
    candidates.push_back((program / "clang" / version).string());
    candidates.push_back((program / "../lib/reckon/clang" / version).string());
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
    out.error = support::printable(request.file) + ": the compiler command is empty";
    return out;
  }

  // Relative to where the compiler was called.
  const Arguments words = support::expand_response_files(request.arguments, request.directory, out.error);
  if (!out.error.empty()) {
    out.error = support::printable(request.file + ": " + out.error);
    return out;
  }
  std::size_t compiler = 0;
  while (compiler + 1 < words.size() && is_launcher(words[compiler]) && !words[compiler + 1].starts_with('-'))
    ++compiler;
  const CompilerName name = read_compiler_name(words[compiler]);
  Cleaner cleaner(request, out);
  DriverCall call;
  call.given = cleaner.clean(Arguments(words.begin() + compiler + 1, words.end()));
  if (!out.error.empty()) return out;
  if (!cleaner.has_language() && !has_source_extension(request.file)) {
    out.error = support::printable(request.file) + ": not a C or C++ source file";
    return out;
  }
  const std::string resources = resource_directory();
  if (resources.empty()) {
    out.error = "Clang's own headers (lib/clang/" + std::to_string(CLANG_VERSION_MAJOR) + "/include) were not found";
    return out;
  }
  // The driver judges by the name it is called by, and looks for things beside itself.
  call.front.push_back(
      (fs::path(resources) / "../../../bin" / (name.cxx ? "clang++" : "clang")).lexically_normal().string());
  call.front.push_back("--no-default-config");
  call.front.push_back("-resource-dir=" + resources);
  if (!cleaner.has_target() && !name.target.empty()) call.front.push_back("--target=" + name.target);
  ask_driver(call, request.file, files, out);
  return out;
}

}  // namespace reckon::capture
