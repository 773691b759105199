// Compiler calls as builds make them, and sources that do not compile.
#include <sys/stat.h>

#include <set>

#include "capture/allowed_names.h"
#include "capture_fixture.h"
#include "clang/Driver/Options.h"
#include "llvm/Option/OptTable.h"

namespace reckon::capture {
namespace {

namespace fs = std::filesystem;

class CaptureCommandLine : public CaptureTest {
 protected:
  bool dropped(const Result& r, const std::string& flag) {
    return std::find(r.dropped_flags.begin(), r.dropped_flags.end(), flag) != r.dropped_flags.end();
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(CaptureCommandLine, FlagsOnlyGccKnowsAreDroppedAndNamed) {
  write("a.c", "int f(void) { return 1; }\n");
  Result r = run("a.c", {"gcc", "-O2", "-fno-allow-store-data-races", "-fno-var-tracking-assignments", "-Werror",
                         "-Wall", "-Wno-such-warning", "-march=imaginary9000", "-fconserve-stack", "-mno-such-option",
                         "--param=ssp-buffer-size=4", "-c"});
  ASSERT_TRUE(r.ok) << r.errors;
  EXPECT_TRUE(dropped(r, "-fno-allow-store-data-races"));
  EXPECT_TRUE(dropped(r, "-march=imaginary9000"));
  EXPECT_TRUE(dropped(r, "-mno-such-option"));
  EXPECT_FALSE(dropped(r, "-O2"));
}

TEST_F(CaptureCommandLine, NothingIsWritten) {
  write("a.c", "int f(void) { return 1; }\n");
  Result r = run("a.c", {"gcc", "-MD", "-MF", "a.d", "-Wp,-MMD,b.d", "-MT", "x", "-save-temps", "-g", "-gsplit-dwarf",
                         "--coverage", "-c", "-o", "a.o"});
  ASSERT_TRUE(r.ok) << r.errors;
  EXPECT_EQ(files(), (std::vector<std::string>{"a.c"}));
}

TEST_F(CaptureCommandLine, WarningsNeverStopUs) {
  write("a.c", "int f(int x) { int *p = x; return undeclared(p); }\n");
  Result r = run("a.c", {"gcc", "-Wall", "-Wextra", "-Werror", "-pedantic-errors", "-std=gnu89", "-c"});
  EXPECT_TRUE(r.ok) << r.errors;
}

TEST_F(CaptureCommandLine, DefinesIncludesAndLanguageReachTheParser) {
  fs::create_directories(folder_ / "inc dir");
  write("inc dir/h.h", "#define FROM_HEADER 4\n");
  write("a.c", "#include <h.h>\nint f(void) { int class = WIDTH + FROM_HEADER; return class; }\n");
  EXPECT_TRUE(run("a.c", {"gcc", "-Iinc dir", "-DWIDTH=3", "-c"}).ok);
  EXPECT_FALSE(run("a.c", {"g++", "-Iinc dir", "-DWIDTH=3", "-c"}).ok);  // class is a keyword there
  EXPECT_TRUE(run("a.c", {"g++", "-x", "c", "-Iinc dir", "-DWIDTH=3", "-c"}).ok);
  EXPECT_TRUE(run("a.c", {"/usr/bin/ccache", "gcc-12", "-Iinc dir", "-Wp,-DWIDTH=3", "-c"}).ok);
}

TEST_F(CaptureCommandLine, OptimisationIsVisibleToThePreprocessorOnly) {
  write("a.c",
        "#ifndef __OPTIMIZE__\n#error no\n#endif\nstatic int twice(int x) { return 2 * x; }\nint f(int x) { return "
        "twice(x); }\n");
  Result r = run("a.c", {"gcc", "-O2", "-c"});
  ASSERT_TRUE(r.ok) << r.errors;
  EXPECT_TRUE(call_of(r.unit, function(r.unit, "f"), "twice"));
}

TEST_F(CaptureCommandLine, GccsPrivateHeadersAreReplacedByClangs) {
  write("a.c",
        "#include <stdarg.h>\n#include <stddef.h>\nint f(int n, ...) { va_list l; va_start(l, n); va_end(l); return "
        "NULL == 0; }\n");
  Result r = run("a.c", {"gcc", "-nostdinc", "-isystem", "/usr/lib/gcc/x86_64-linux-gnu/99/include", "-c"});
  EXPECT_TRUE(r.ok) << r.errors;
  EXPECT_FALSE(run("a.c", {"gcc", "-nostdinc", "-c"}).ok);
}

TEST_F(CaptureCommandLine, ResponseFilesAreExpanded) {
  write("flags", "-DA=1 -I 'no where'\n@more");
  write("more", "-DB=2\n");
  write("a.c", "int x = A + B;\n");
  Result r = run("a.c", {"gcc", "@flags", "-c"});
  EXPECT_TRUE(r.ok) << r.errors;
}

TEST_F(CaptureCommandLine, ThePrefixOfACrossCompilerIsTheTarget) {
  write("a.c", "long f(void *p) { return sizeof p; }\n");
  Result arm = run("a.c", {"arm-linux-gnueabi-gcc", "-c"});
  ASSERT_TRUE(arm.ok) << arm.errors;
  EXPECT_EQ(arm.unit.pointer_size, 4u);
  EXPECT_TRUE(arm.unit.target.starts_with("arm")) << arm.unit.target;
  Result given = run("a.c", {"arm-linux-gnueabi-gcc", "--target=aarch64-linux-gnu", "-c"});
  ASSERT_TRUE(given.ok) << given.errors;
  EXPECT_EQ(given.unit.pointer_size, 8u);
  EXPECT_TRUE(given.unit.target.starts_with("aarch64"));
  Result plain = run("a.c", {"cc", "-m32", "-c"});
  ASSERT_TRUE(plain.ok) << plain.errors;
  EXPECT_EQ(plain.unit.pointer_size, 4u);
}

TEST_F(CaptureCommandLine, ErrorsAreClangsOwn) {
  write("a.c", "#include \"absent.h\"\nint f(void) { return 1; }\n");
  Result missing = run("a.c", {"gcc", "-c"});
  EXPECT_FALSE(missing.ok);
  EXPECT_NE(missing.errors.find("a.c:1:10: fatal error: 'absent.h' file not found"), std::string::npos)
      << missing.errors;
  write("b.c", "int f(void) { return y; }\n");
  Result undeclared = run("b.c", {"gcc", "-c"});
  EXPECT_FALSE(undeclared.ok);
  EXPECT_NE(undeclared.errors.find("b.c:1:22: error: use of undeclared identifier 'y'"), std::string::npos)
      << undeclared.errors;
  EXPECT_EQ(undeclared.errors.find('\x1b'), std::string::npos);
}

TEST_F(CaptureCommandLine, InputsThatAreNoSourceGiveAMessage) {
  Result absent = run("nowhere.c", {"gcc", "-c"});
  EXPECT_FALSE(absent.ok);
  EXPECT_NE(absent.errors.find("nowhere.c"), std::string::npos) << absent.errors;
  write("a.S", "nop\n");
  Result assembly = run("a.S", {"gcc", "-c"});
  EXPECT_FALSE(assembly.ok);
  EXPECT_NE(assembly.errors.find("not a C or C++ source file"), std::string::npos) << assembly.errors;
  fs::create_directories(folder_ / "d.c");
  Result directory = run("d.c", {"gcc", "-c"});
  EXPECT_FALSE(directory.ok);
  EXPECT_FALSE(directory.errors.empty());
  Request empty;
  empty.directory = folder_.string();
  empty.file = "a.c";
  EXPECT_FALSE(capture_unit(empty).ok);
  Request nowhere;
  nowhere.directory = (folder_ / "absent").string();
  nowhere.file = "a.c";
  nowhere.arguments = {"gcc", "-c", "a.c"};
  Result r = capture_unit(nowhere);
  EXPECT_FALSE(r.ok);
  EXPECT_NE(r.errors.find("absent"), std::string::npos) << r.errors;
}

TEST_F(CaptureCommandLine, ANulInTheSourceIsNoDisaster) {
  write("a.c", std::string_view("int f(void) { return 1; }\0\nint g(void) { return 2; }\n", 52));
  Result r = run("a.c", {"gcc", "-c"});
  if (r.ok)
    EXPECT_EQ(r.unit.functions.size(), 2u);
  else
    EXPECT_FALSE(r.errors.empty());
}

TEST_F(CaptureCommandLine, PathsWithSpacesAndUmlauts) {
  fs::create_directories(folder_ / "Grüße und Äpfel");
  std::string file = write("Grüße und Äpfel/ä b.c", "int f(void) { return 1; }\n");
  Result r = run("Grüße und Äpfel/ä b.c", {"gcc", "-c"});
  ASSERT_TRUE(r.ok) << r.errors;
  EXPECT_EQ(r.unit.path, file);
  EXPECT_EQ(r.unit.str(r.unit.functions.at(0).loc.file), file);
}

// A name that Clang does not have would be a typing error.
TEST_F(CaptureCommandLine, NamesOnTheListOfAllowedFlagsAreClangs) {
  const llvm::opt::OptTable& table = clang::driver::getDriverOptTable();
  std::set<std::string> known;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) known.insert(table.getOption(id).getPrefixedName().str());
  for (const std::string_view name : allowed_names()) {
    std::string other(name);
    if (name.starts_with("-fno-"))
      other = "-f" + std::string(name.substr(5));
    else if (name.starts_with("-f"))
      other = "-fno-" + std::string(name.substr(2));
    EXPECT_TRUE(known.contains(std::string(name)) || known.contains(other)) << name;
  }
}

TEST_F(CaptureCommandLine, FlagsBehindXclangAreSortedLikeOthers) {
  write("h.h", "#define FROM_HEADER 1\n");
  write("a.c", "int f(void) { return X + FROM_HEADER; }\n");
  // CMake's way to use a precompiled header: the header itself does as well.
  Result r = run("a.c", {"gcc", "-Xclang", "-DX=1", "-Xclang", "-include-pch", "-Xclang", "h.h.pch", "-Xclang",
                         "-include", "-Xclang", "h.h", "-Xclang", "-stats-file=s", "-Xclang=-fmodules", "-c"});
  ASSERT_TRUE(r.ok) << r.errors;
  EXPECT_EQ(r.dropped_flags,
            (std::vector<std::string>{"-Xclang -include-pch h.h.pch", "-Xclang -stats-file=s", "-Xclang -fmodules"}));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.c", "h.h"}));
}

TEST_F(CaptureCommandLine, FlagsBehindWpAreSortedLikeOthers) {
  write("a.c", "int f(void) { return X + Y; }\n");
  Result r = run("a.c", {"gcc", "-Wp,-DX=1,-save-stats,-MD,a.d", "-Xpreprocessor", "-D", "-Xpreprocessor", "Y=2",
                         "-Xpreprocessor", "-fplugin=p.so", "-c"});
  ASSERT_TRUE(r.ok) << r.errors;
  EXPECT_EQ(r.dropped_flags, (std::vector<std::string>{"-save-stats", "-fplugin=p.so"}));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.c"}));
}

TEST_F(CaptureCommandLine, GpusAreNoTargets) {
  write("a.c", "long f(void *p) { return sizeof p; }\n");
  for (const char* target :
       {"nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa", "x86_64-amd-amdhsa", "spirv64-unknown-unknown"}) {
    const Result flag = run("a.c", {"gcc", std::string("--target=") + target, "-mcpu=native", "-c"});
    EXPECT_TRUE(dropped(flag, std::string("--target=") + target));
    EXPECT_FALSE(flag.unit.target.starts_with(target)) << target;
    const Result name = run("a.c", {std::string(target) + "-gcc", "-c"});
    ASSERT_TRUE(name.ok) << name.errors;
    EXPECT_FALSE(name.unit.target.starts_with(target)) << target;
  }
}

TEST_F(CaptureCommandLine, AFileBehindTwoDashesIsTheInput) {
  write("a.c", "int f(void) { return 1; }\n");
  Result r = run("a.c", {"clang", "-c", "--"});
  EXPECT_TRUE(r.ok) << r.errors;
}

TEST_F(CaptureCommandLine, ASourceCannotMakeClangWriteModules) {
  write(
      "a.c",
      "#pragma clang module build foo\nmodule foo {}\n#pragma clang module contents\n#pragma clang module endbuild\n");
  const Result r = run("a.c", {"gcc", "-c"});
  EXPECT_FALSE(r.ok);
  EXPECT_NE(r.errors.find("modules are not built"), std::string::npos) << r.errors;
}

TEST_F(CaptureCommandLine, IncludesOfPipesAndDevicesAreErrors) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.h").c_str(), 0600), 0);
  for (const std::string& header : {std::string("pipe.h"), std::string("/dev/zero")}) {
    write("a.c", "#include \"" + header + "\"\nint f(void) { return 1; }\n");
    const Result r = run("a.c", {"gcc", "-c"});
    EXPECT_FALSE(r.ok);
    EXPECT_NE(r.errors.find(header), std::string::npos) << r.errors;
  }
  write("b.c", "int f(void) { return 1; }\n");
  EXPECT_FALSE(run("b.c", {"gcc", "-include", "pipe.h", "-c"}).ok);
  EXPECT_FALSE(run("b.c", {"gcc", "-ivfsoverlay", "/dev/zero", "-c"}).ok);
  EXPECT_FALSE(run("/dev/zero", {"gcc", "-x", "c", "-c"}).ok);
}

TEST_F(CaptureCommandLine, TheVersionIsThatOfTheLibrary) { EXPECT_TRUE(clang_version().starts_with("19.")); }

}  // namespace
}  // namespace reckon::capture
